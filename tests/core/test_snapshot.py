"""Snapshots: nothing changes them, every call is paired, only what is new is copied."""

import copy
import json
from itertools import pairwise
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from lazyboy_jupyter.core.messages import Message, ToolCall, opening, reply, results_of
from lazyboy_jupyter.core.sanitise import storable
from lazyboy_jupyter.core.snapshot import (
    PENDING,
    Copies,
    Identity,
    Snapshot,
    freeze,
    pending_results,
)
from tests.core.histories import histories, json_data, unpaired


def snapshot_of(messages: list[Message], version: int = 1, run_id: str = "run") -> Snapshot:
    return Snapshot(
        "task", run_id, version, "reply", 0, 1, Identity("m", "i"), freeze([]),
        Copies().of(messages), pending_results(messages),
    )  # fmt: skip


def same(one: Any, other: Any) -> bool:
    """Equal as JSON data; NaN equals itself."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


@given(histories())
def test_every_call_of_a_snapshot_is_paired(messages: list[Message]) -> None:
    thawed = snapshot_of(messages).thawed()
    assert unpaired(thawed) == set()
    assert same(thawed[: len(messages)], cleaned(messages))
    for result in [r for message in thawed[len(messages) :] for r in results_of(message)]:
        assert result.content == PENDING


def cleaned(data: Any) -> Any:
    """JSON data as it can be stored."""
    return json.loads(storable(json.dumps(data, ensure_ascii=False)))


@given(histories())
def test_what_pairs_calls_gives_way_to_their_results(messages: list[Message]) -> None:
    unanswered = snapshot_of(messages)
    if unanswered.pending is None:
        assert len(unanswered.paired) == len(messages)
    answered = snapshot_of([*messages, unanswered.paired[-1].thaw()], 2)
    assert answered.pending is None
    assert answered.shared_with(unanswered) == len(messages)


@given(json_data)
def test_freezing_keeps_json_data_as_it_is(data: Any) -> None:
    frozen = freeze(data)
    assert same(frozen.thaw(), cleaned(data))
    assert frozen.digest == freeze(copy.deepcopy(data)).digest
    assert frozen.thaw() is not frozen.thaw() or not isinstance(data, dict | list)


def test_what_no_store_can_write_is_replaced() -> None:
    frozen = freeze({"a": "x\ud800y", "\udfff": float("inf")})
    assert frozen.body.encode()
    assert len(frozen.digest) == 32
    assert frozen.thaw() == {"a": "x�y", "�": float("inf")}


def test_a_snapshot_does_not_follow_its_history() -> None:
    messages = [opening("s", "q"), reply("", [ToolCall("c", "web_search", {"query": "x"})])]
    taken = snapshot_of(messages)
    before = taken.thawed()
    messages[1]["parts"][0]["args"]["query"] = "changed"
    taken.thawed()[0]["parts"].clear()
    assert taken.thawed() == before


@st.composite
def _lives(draw: st.DrawFn) -> list[list[Message]]:
    """A history as it grows, and is now and then replaced by a shorter one."""
    whole = draw(histories(answered=True))
    steps: list[list[Message]] = []
    now: list[Message] = []
    for message in whole:
        now = [*now, message]
        if draw(st.integers(0, 4)) == 0:
            at = draw(st.integers(0, len(now) - 1))
            now = [*now[:at], *({**one, "shortened": True} for one in now[at:])]
        if draw(st.integers(0, 6)) == 0:
            now = now[: draw(st.integers(0, len(now)))]
        steps.append(now)
    return steps


@given(_lives())
def test_copies_are_right_and_only_what_is_new_is_copied(steps: list[list[Message]]) -> None:
    copies = Copies()
    taken = [copies.of(messages) for messages in steps]
    for messages, frozen in zip(steps, taken, strict=True):
        assert [one.body for one in frozen] == [freeze(message).body for message in messages]
    for (before, old), (after, new) in pairwise(zip(steps, taken, strict=True)):
        same_until = 0
        for one, other in zip(before, after, strict=False):
            if one is not other:
                break
            same_until += 1
        assert all(a is b for a, b in zip(old[:same_until], new, strict=False))
    assert copies.of(steps[-1]) is taken[-1]


@given(histories(answered=True), st.integers(0, 20))
def test_shared_messages_are_those_from_the_beginning(messages: list[Message], cut: int) -> None:
    old, new = snapshot_of(messages[:cut], 1), snapshot_of(messages, 2)
    assert new.shared_with(old) == min(cut, len(messages))
    assert new.shared_with(None) == new.shared_with(snapshot_of(messages, 1, "another run")) == 0
    assert (*old.messages[: new.shared_with(old)], *new.messages[cut:]) == new.messages


def test_run_and_version_order_snapshots() -> None:
    taken = [snapshot_of([], version, run) for run in ("r1", "r2") for version in (1, 2, 10)]
    for place, one in enumerate(taken):
        assert one.is_after(None)
        assert [one.is_after(other) for other in taken] == [n < place for n in range(len(taken))]


def test_calls_and_results_without_each_other_are_told() -> None:
    call = {"part_kind": "tool-call", "tool_name": "t", "args": {}, "tool_call_id": "a"}
    result = {"part_kind": "tool-return", "tool_name": "t", "content": {}, "tool_call_id": "a"}
    asked, told = {"kind": "response", "parts": [call]}, {"kind": "request", "parts": [result]}
    assert unpaired([asked, told]) == set()
    assert unpaired([asked]) == unpaired([told]) == unpaired([told, asked]) == {"a"}
