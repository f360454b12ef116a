"""Owns the phases of a research task, and which event leads from one to which (DESIGN §4)."""

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
    RoundFinished,
    RoundStarted,
    SourceFinished,
    SourceReserved,
    SourceReused,
    TaskCancelled,
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
    "completed",
    "failed",
    "cancelled",
    "interrupted",
]
Status = Literal[
    "queued", "running", "waiting_input", "completed", "failed", "cancelled", "interrupted"
]
Trigger = type[Event] | Literal["published_with_gaps", "published_last"]

END_PHASES: Final[frozenset[Phase]] = frozenset({"completed", "failed", "cancelled", "interrupted"})
COLLECTING: Final[frozenset[Phase]] = frozenset({"collecting", "supplementing"})
SYNTHESISING: Final[frozenset[Phase]] = frozenset({"synthesis", "supplement_synthesis"})

_ENDS: dict[Trigger, Phase] = {
    TaskFailed: "failed",
    TaskCancelled: "cancelled",
    TaskInterrupted: "interrupted",
}


def _working(phase: Phase, moves: dict[Trigger, Phase]) -> dict[Trigger, Phase]:
    """A phase with a live model: what is allowed in all four, its own moves, and the ends."""
    stays: tuple[type[Event], ...] = (
        RoundStarted,
        RoundFinished,
        SourceFinished,
        SourceReused,
        CallRefused,
        ProgressReported,
        NoteGiven,
        PublicationRefused,
        TaskResumed,
    )
    return {**dict.fromkeys(stays, phase), **moves, **_ENDS}


TRANSITIONS: Final[Mapping[Phase, Mapping[Trigger, Phase]]] = MappingProxyType(
    {
        "new": {TaskQueued: "queued"},
        "queued": {TaskStarted: "collecting", **_ENDS},
        "collecting": _working(
            "collecting",
            {
                SourceReserved: "collecting",
                CollectionClosed: "synthesis",
                "published_with_gaps": "supplementing",
                "published_last": "completed",
            },
        ),
        "synthesis": _working(
            "synthesis",
            {"published_with_gaps": "supplementing", "published_last": "completed"},
        ),
        "supplementing": _working(
            "supplementing",
            {
                SourceReserved: "supplementing",
                CollectionClosed: "supplement_synthesis",
                "published_last": "completed",
            },
        ),
        "supplement_synthesis": _working("supplement_synthesis", {"published_last": "completed"}),
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
        case "collecting" | "synthesis" | "supplementing" | "supplement_synthesis":
            return "running"
        case "completed" | "failed" | "cancelled" | "interrupted":
            return phase
        case _:
            assert_never(phase)
