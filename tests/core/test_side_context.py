"""What a side question's request holds: whole groups, the first one always, the newest pairs."""

import json
from collections.abc import Iterable
from itertools import chain, pairwise

from hypothesis import example, given
from hypothesis import strategies as st

from lazyboy_jupyter.core.messages import Message, ToolCall, opening, reply, user_note
from lazyboy_jupyter.core.side_context import (
    MOST_PAIRS,
    PAIRS_CHARACTERS,
    Pair,
    as_text,
    chunks,
    fitted,
    groups_of,
    parted,
    side_messages,
    size_of,
)
from lazyboy_jupyter.core.snapshot import freeze
from tests.core.histories import histories, unpaired


def flat(groups: Iterable[list[Message]]) -> list[Message]:
    return list(chain.from_iterable(groups))


limits = st.none() | st.integers(0, 6_000)


@given(histories(answered=True), limits)
def test_every_trim_keeps_calls_paired_and_the_beginning(
    messages: list[Message], limit: int | None
) -> None:
    messages = [freeze(message).thaw() for message in messages]
    kept = fitted(messages, limit)
    first = groups_of(messages)[0]
    assert unpaired(kept.messages) == set()
    assert [freeze(one).body for one in kept.messages[: len(first)]] == [
        freeze(one).body for one in first
    ]
    assert unpaired(kept.left_out) == set()
    assert len(kept.messages) + len(kept.left_out) == len(messages)
    if limit is None or size_of(messages) <= limit:
        assert kept.left_out == ()
        assert list(map(id, kept.messages)) == list(map(id, messages))
    for message in kept.messages:
        assert freeze(freeze(message).thaw()) == freeze(message)


@given(histories(answered=True), limits)
def test_what_is_left_out_is_the_oldest(messages: list[Message], limit: int | None) -> None:
    messages = [freeze(message).thaw() for message in messages]
    kept = fitted(messages, limit)
    start = len(groups_of(messages)[0])
    assert list(map(id, kept.left_out)) == list(
        map(id, messages[start : start + len(kept.left_out)])
    )
    groups = groups_of(messages)[1:]
    left = groups_of(list(kept.left_out))
    assert len(left) == 0 or len(left) < len(groups)
    if left and limit is not None:  # one group fewer left out would not have fitted
        one_more = [*groups_of(messages)[0], *flat(groups[len(left) - 1 :])]
        assert size_of(one_more) > limit


def test_as_little_as_can_be_is_left_out() -> None:
    rounds = [[reply("", [ToolCall(f"c{n}", "t", {})]), result(n)] for n in range(6)]
    messages = [opening("s", "q"), *flat(rounds)]
    room = size_of([messages[0], *flat(rounds[3:])])
    assert len(fitted(messages, room).left_out) == 6
    assert len(fitted(messages, room - 1).left_out) == 8
    assert fitted([], 0).messages == ()


def result(number: int) -> Message:
    part = {"part_kind": "tool-return", "tool_name": "t", "content": {"text": "x" * 900},
            "tool_call_id": f"c{number}"}  # fmt: skip
    return {"kind": "request", "parts": [part]}


def test_texts_are_cut_when_even_the_newest_is_too_long() -> None:
    messages = [opening("s", "q"), reply("", [ToolCall("c0", "t", {})]), result(0)]
    before = json.dumps(messages)
    kept = fitted(messages, 800)
    assert size_of(kept.messages) <= 800
    assert json.dumps(messages) == before
    assert fitted(messages, 1).messages == kept.messages


pairs = st.lists(st.integers(0, 9_000), max_size=40).map(
    lambda sizes: [Pair(n, "q", "a" * size) for n, size in enumerate(sizes, 1)]
)


@given(pairs)
def test_recent_pairs_are_the_newest_that_have_room(told: list[Pair]) -> None:
    older, recent = parted(told)
    assert [*older, *recent] == told
    assert len(recent) <= MOST_PAIRS
    assert sum(one.size for one in recent) <= PAIRS_CHARACTERS
    is_full = sum(one.size for one in recent) + sum(p.size for p in older[-1:]) > PAIRS_CHARACTERS
    assert not older or is_full or (len(older) % 5 == 0 and len(recent) > MOST_PAIRS - 5)


@given(histories(), st.lists(st.text(min_size=1, max_size=5), max_size=2), pairs)
def test_the_context_stands_unchanged_before_notes_and_pairs(
    context: list[Message], notes: list[str], told: list[Pair]
) -> None:
    before = [freeze(one).body for one in context]
    made = side_messages(context, notes, told)
    assert [freeze(one).body for one in context] == before
    assert made[: len(context) - 1] == context[:-1] or "NaN" in str(before)
    last, joined = context[-1], made[len(context) - 1]
    assert [freeze(p) for p in joined["parts"][: len(last["parts"])]] == list(
        map(freeze, last["parts"])
    )
    kinds = [message["kind"] for message in made[len(context) :]]
    assert all(a != b for a, b in pairwise(kinds))
    added = "".join(map(as_text, ([one] for one in made[len(context) - 1 :])))
    assert all(note in added for note in notes)
    assert sum(kind == "response" for kind in kinds) == len(told)


def test_without_notes_and_pairs_it_is_the_context() -> None:
    context = [opening("s", "q"), reply("Yes.", ())]
    assert side_messages(context, [], []) == context
    assert side_messages([], ["n"], []) == [user_note("n")]


@given(histories())
def test_a_history_as_text_has_its_texts_and_no_thinking(messages: list[Message]) -> None:
    text = as_text(messages)
    for message in messages:
        for part in message["parts"]:
            if part["part_kind"] == "text":
                assert part["content"] in text
            if part["part_kind"] == "tool-call":
                assert f"Called {part['tool_name']}: " in text
    assert "I think." not in text
    assert "iVBORw0KGgo=" not in text


@given(st.text(max_size=50), st.integers(1, 9))
@example("", 1)
def test_chunks_are_the_text(text: str, size: int) -> None:
    cut = chunks(text, size)
    assert "".join(cut) == text
    assert all(0 < len(one) <= size for one in cut)
