"""Owns what a side question's request holds: the snapshot, earlier questions, what fits of them.

Pure. What is left out is whole groups, a reply with the results of its calls, oldest first, so that
no call is ever parted from its result (DESIGN §9 "Context"). Sizes are characters of JSON.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass

from .messages import Message, reply, user_note
from .shortening import shortened

SNAPSHOT_CHARACTERS = 240_000
"""Some 60,000 tokens: what nearly every model has room for, with its answer."""
PAIRS_CHARACTERS = 24_000
LONGEST_TOLD = 4_000
"""Of an earlier answer so much is told again."""
MOST_PAIRS = 20
_STEP = 5
"""Pairs that become older at once, so that not every question has a new summary to wait for."""
SUMMARY_CHARACTERS = 80_000
"""How much is summarised by one request at most, of a model that has room for it."""


@dataclass(frozen=True, slots=True)
class Pair:
    """An earlier side question and its answer. `ordinal` counts the parent's questions from 1."""

    ordinal: int
    question: str
    answer: str

    @property
    def size(self) -> int:
        """Its characters."""
        return len(self.question) + len(self.answer)


@dataclass(frozen=True, slots=True)
class Fitted:
    """What of a history fits. `left_out`: the groups that do not, in their order."""

    messages: tuple[Message, ...]
    left_out: tuple[Message, ...] = ()


def size_of(messages: Sequence[Message]) -> int:
    """Return the characters of the messages' JSON."""
    return sum(len(json.dumps(message, ensure_ascii=False)) for message in messages)


def groups_of(messages: Sequence[Message]) -> list[list[Message]]:
    """Return the history in groups: what came before the first reply, then each reply with all
    that answers it."""
    groups: list[list[Message]] = []
    for message in messages:
        if not groups or message["kind"] == "response":
            groups.append([])
        groups[-1].append(message)
    return groups


def fitted(messages: Sequence[Message], limit: int | None) -> Fitted:
    """Return what of `messages` fits into `limit` characters: the beginning and the newest groups.

    When not even these fit, their longest texts are cut to their beginnings; more than that is not
    taken away, so the result may still be too long. None: everything fits.
    """
    if limit is None or size_of(messages) <= limit:
        return Fitted(tuple(messages))
    first, *others = groups_of(messages)
    sizes = [size_of(group) for group in others]
    size, start = size_of(first) + sum(sizes), 0
    while start < len(others) - 1 and size > limit:
        size -= sizes[start]
        start += 1
    kept = [*first, *(message for group in others[start:] for message in group)]
    while size_of(kept) > limit and (shorter := shortened(kept)) is not None:
        kept = shorter
    left_out = tuple(message for group in others[:start] for message in group)
    return Fitted(tuple(kept), left_out)


def parted(
    pairs: Sequence[Pair], room: int = PAIRS_CHARACTERS
) -> tuple[tuple[Pair, ...], tuple[Pair, ...]]:
    """Return (older, recent): the last twenty pairs that have room are recent. With more than
    twenty, five become older at a time."""
    start = len(pairs)
    while start > 0 and len(pairs) - start < MOST_PAIRS and pairs[start - 1].size <= room:
        start -= 1
        room -= pairs[start].size
    if len(pairs) - start == MOST_PAIRS:
        start = -(-start // _STEP) * _STEP
    return tuple(pairs[:start]), tuple(pairs[start:])


def side_messages(
    context: Sequence[Message], notes: Sequence[str], pairs: Sequence[Pair]
) -> list[Message]:
    """Return the messages before the question: the context, unchanged, then notes on what is left
    out, then the earlier questions with their answers."""
    messages = list(context)
    for note in notes:
        messages = _with_user(messages, note)
    for pair in pairs:
        messages = _with_user(messages, pair.question)
        messages.append(reply(pair.answer, ()))
    return messages


def _with_user(messages: list[Message], text: str) -> list[Message]:
    """Add what the person says to the last request, as the tail of a request is: providers take
    two requests in a row for one, and what stands before must stay as it was sent."""
    if not messages or messages[-1]["kind"] != "request":
        return [*messages, user_note(text)]
    part = user_note(text)["parts"][0]
    last = {**messages[-1], "parts": [*messages[-1]["parts"], part]}
    return [*messages[:-1], last]


def as_text(messages: Sequence[Message]) -> str:
    """Return messages as plain text, for a summary of them."""
    return "\n".join(_part_text(part) for message in messages for part in message["parts"])


def _part_text(part: Message) -> str:
    match part["part_kind"]:
        case "tool-call":
            return f"Called {part['tool_name']}: {_as_json(part['args'])}"
        case "tool-return":
            return f"Result of {part['tool_name']}: {_as_json(part['content'])}"
        case "thinking":
            return ""
        case _:
            return _as_json(part.get("content", ""))


def _as_json(value: object) -> str:
    """Of a list with images the texts alone: no summary is made of an image's bytes."""
    if isinstance(value, list):
        return "\n".join(one for one in value if isinstance(one, str))
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def chunks(text: str, size: int) -> list[str]:
    """Return the text in pieces of at most `size` characters."""
    return [text[start : start + size] for start in range(0, len(text), size)]
