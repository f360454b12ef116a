"""Owns the history of a conversation: turns and what tasks have come to, in order. Pure.

A history only ever grows at its end, so that the prefix which a provider caches stays the same: a
report stands behind the turn in which it came. Every call in it has a result.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from .messages import Message, ToolResult, calls_of, results, results_of, user_note
from .reports import Report, report_messages

INTRODUCTION = "The conversation of a notebook begins."
CUT: Mapping[str, Any] = {
    "error": "interrupted",
    "detail": "The turn was ended before this call had a result. task_status says what runs.",
}


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn as stored. `turn_id`: in the order of turns; `began_us`: when it began."""

    turn_id: str
    began_us: int
    messages: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class Reported:
    """What a task has come to, and when."""

    at_us: int
    report: Report


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a history that is kept or summarised whole. `upto`: the turn that it belongs to,
    empty before the first; `until_us`: when the next turn began, 0 where none has."""

    upto: str
    until_us: int
    messages: tuple[Message, ...]

    @property
    def size(self) -> int:
        """Its characters, roughly: what of a request it takes."""
        return sum(len(str(message)) for message in self.messages)


def parts_of(turns: Sequence[Turn], reported: Iterable[Reported]) -> list[Part]:
    """Return the history in parts: what came before the first turn, then each turn with what came
    until the next. `turns`: oldest first."""
    waiting = sorted(reported, key=lambda one: one.at_us)
    parts: list[Part] = []
    upto, own = "", tuple[Message, ...]()
    for turn in turns:
        came = list(takewhile(lambda one: one.at_us < turn.began_us, waiting))  # noqa: B023
        del waiting[: len(came)]
        parts.append(Part(upto, turn.began_us, (*own, *_told(came))))
        upto, own = turn.turn_id, closed(turn.messages)
    parts.append(Part(upto, 0, (*own, *_told(waiting))))
    return [part for part in parts if part.messages]


def _told(reported: Iterable[Reported]) -> list[Message]:
    return [message for one in reported for message in report_messages(one.report)]


def closed(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Return a turn's messages with every call paired: one that was interrupted says so."""
    done: list[Message] = []
    for number, message in enumerate(messages):
        done.append(message)
        answered = {
            result.call_id
            for later in messages[number + 1 : number + 2]
            for result in results_of(later)
        }
        cut = [call for call in calls_of(message) if call.call_id not in answered]
        if cut:
            done.append(results([ToolResult(call.call_id, call.tool, CUT) for call in cut]))
    return tuple(done)


def opening_of(instructions: str, summary: str) -> Message:
    """Return the first message: the instructions, and what was before, where it is summarised."""
    told = INTRODUCTION
    if summary:
        told = f"A summary of the conversation so far, which is left out here:\n{summary}"
    return {
        "kind": "request",
        "parts": [
            {"part_kind": "system-prompt", "content": instructions},
            *user_note(told)["parts"],
        ],
    }


def to_summarise(parts: Sequence[Part], limit: int) -> int:
    """Return how many parts from the beginning are to be summarised: none while all of them are
    within `limit` characters, else so many that the rest is within half of it.

    The newest part always stays.
    """
    sizes = [part.size for part in parts]
    if sum(sizes) <= limit:
        return 0
    kept = 0
    for number in range(len(parts) - 1, -1, -1):
        kept += sizes[number]
        if kept > limit // 2:
            return min(number + 1, len(parts) - 1)
    return 0
