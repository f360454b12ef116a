"""Owns the phases of a task, and which event leads from one to which (DESIGN §4, §19).

A research task has four in which it works, a standard task three; no event leads from the ones to
the others, and what a standard task may do beside reading is in the table of its phases alone.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Literal, assert_never

from .events import (
    CallRefused,
    CollectionClosed,
    Event,
    NoteGiven,
    ProgressReported,
    PublicationRefused,
    QuestionAnswered,
    QuestionAsked,
    ResultDelivered,
    RoundFinished,
    RoundStarted,
    SourceFinished,
    SourceReserved,
    SourceReused,
    TaskCancelled,
    TaskDelegated,
    TaskFailed,
    TaskInterrupted,
    TaskQueued,
    TaskResumed,
    TaskStarted,
)

Phase = Literal[
    "new",
    "queued",
    "collecting",
    "synthesis",
    "supplementing",
    "supplement_synthesis",
    "working",
    "waiting",
    "answering",
    "completed",
    "failed",
    "cancelled",
    "interrupted",
]
Status = Literal[
    "queued", "running", "waiting_input", "completed", "failed", "cancelled", "interrupted"
]
Trigger = type[Event] | Literal["started_standard", "published_with_gaps", "published_last"]

END_PHASES: Final[frozenset[Phase]] = frozenset({"completed", "failed", "cancelled", "interrupted"})
COLLECTING: Final[frozenset[Phase]] = frozenset({"collecting", "supplementing", "working"})
"""Phases in which sources may be read."""
SYNTHESISING: Final[frozenset[Phase]] = frozenset(
    {"synthesis", "supplement_synthesis", "answering"}
)
"""Phases in which the agent says what it has found, and reads nothing new."""

_ENDS: dict[Trigger, Phase] = {
    TaskFailed: "failed",
    TaskCancelled: "cancelled",
    TaskInterrupted: "interrupted",
}


_STAYS: tuple[type[Event], ...] = (
    RoundStarted,
    RoundFinished,
    SourceFinished,
    SourceReused,
    CallRefused,
    ProgressReported,
    NoteGiven,
    TaskResumed,
)
"""What is allowed in every phase with a live model."""


def _working(phase: Phase, moves: dict[Trigger, Phase]) -> dict[Trigger, Phase]:
    """A phase in which an agent works: what is allowed in all, its own moves, and the ends."""
    return {**dict.fromkeys(_STAYS, phase), **moves, **_ENDS}


def _research(phase: Phase, moves: dict[Trigger, Phase]) -> dict[Trigger, Phase]:
    return _working(phase, {PublicationRefused: phase, **moves})


TRANSITIONS: Final[Mapping[Phase, Mapping[Trigger, Phase]]] = MappingProxyType(
    {
        "new": {TaskQueued: "queued"},
        "queued": {TaskStarted: "collecting", "started_standard": "working", **_ENDS},
        "collecting": _research(
            "collecting",
            {
                SourceReserved: "collecting",
                CollectionClosed: "synthesis",
                "published_with_gaps": "supplementing",
                "published_last": "completed",
            },
        ),
        "synthesis": _research(
            "synthesis",
            {"published_with_gaps": "supplementing", "published_last": "completed"},
        ),
        "supplementing": _research(
            "supplementing",
            {
                SourceReserved: "supplementing",
                CollectionClosed: "supplement_synthesis",
                "published_last": "completed",
            },
        ),
        "supplement_synthesis": _research("supplement_synthesis", {"published_last": "completed"}),
        "working": _working(
            "working",
            {
                SourceReserved: "working",
                TaskDelegated: "working",
                CollectionClosed: "answering",
                QuestionAsked: "waiting",
                ResultDelivered: "completed",
            },
        ),
        "waiting": {
            QuestionAnswered: "working",
            TaskResumed: "working",
            ProgressReported: "waiting",
            CallRefused: "waiting",
            **_ENDS,
        },
        # A delegation that was under way at the ceiling is a fact.
        "answering": _working(
            "answering", {TaskDelegated: "answering", ResultDelivered: "completed"}
        ),
        "completed": {},
        "failed": {},
        "cancelled": {},
        "interrupted": {},
    }
)


def status_of(phase: Phase) -> Status:
    """Return the status that people see for `phase`."""
    match phase:
        case "new" | "queued":
            return "queued"
        case "waiting":
            return "waiting_input"
        case "collecting" | "synthesis" | "supplementing" | "supplement_synthesis":
            return "running"
        case "working" | "answering":
            return "running"
        case "completed" | "failed" | "cancelled" | "interrupted":
            return phase
        case _:
            assert_never(phase)
