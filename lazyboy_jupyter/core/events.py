"""Owns the facts a task is made of; folding them gives its state (`core/research.py`).

Events are in the past tense, frozen, and say nothing of time: the time comes beside them. They
are stored as JSON, so a field is added only with a default, and none is renamed.
"""

from dataclasses import asdict, dataclass, fields
from functools import cache
from typing import Any, Literal

from pydantic import TypeAdapter

from .budget import Budget
from .side import Rest

SourceKind = Literal["search", "page", "browser"]
CloseReason = Literal["time", "pages", "rounds", "tokens"]
RoundOutcome = Literal["ok", "timeout", "error", "cancelled"]
TaskType = Literal["research", "standard"]


@dataclass(frozen=True, slots=True)
class TaskQueued:
    """The task exists and waits for its start. The first event of every task."""

    question: str
    budget: Budget
    task_type: TaskType = "research"


@dataclass(frozen=True, slots=True)
class TaskStarted:
    """The task left the queue; its time counts from here."""


@dataclass(frozen=True, slots=True)
class RoundStarted:
    """A model request is about to be made."""

    round_id: str
    request_no: int


@dataclass(frozen=True, slots=True)
class RoundFinished:
    """The model replied, or did not. `tokens`: input and output together, 0 when unknown."""

    round_id: str
    outcome: RoundOutcome
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class SourceReserved:
    """One unit of the source budget is spent, for good, before the call is sent.

    `key`: the folded query, or the canonical URL. `gap`: its zero-based number in a supplement.
    """

    call_id: str
    source: SourceKind
    key: str
    request_no: int
    gap: int | None = None


@dataclass(frozen=True, slots=True)
class SourceFinished:
    """The call ended. `error` is empty, or the kind of failure, which is evidence too.

    `alias`: the canonical URL where a redirect ended, when it differs from the key.
    """

    call_id: str
    error: str = ""
    alias: str | None = None


@dataclass(frozen=True, slots=True)
class SourceReused:
    """Saved evidence answered a call; nothing was spent."""

    call_id: str
    evidence_of: str


@dataclass(frozen=True, slots=True)
class CallRefused:
    """A tool call was answered with a reason and spent nothing."""

    call_id: str
    tool: str
    reason: str


@dataclass(frozen=True, slots=True)
class ProgressReported:
    """The agent said what it is doing; the first one is its acknowledgement."""

    text: str


@dataclass(frozen=True, slots=True)
class NoteGiven:
    """A person gave the agent a side question's answer; it stands before the next request."""

    request_id: str


@dataclass(frozen=True, slots=True)
class CollectionClosed:
    """No further source call is possible in this collection."""

    reason: CloseReason


@dataclass(frozen=True, slots=True)
class PublicationRefused:
    """The model's publication was not accepted; it may try again within its rounds."""

    number: int
    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PublicationAccepted:
    """Publication 0 or 1 stands. `gaps`: the questions that publication 0 leaves for follow-up."""

    number: int
    gaps: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TaskResumed:
    """A person has another task go on where one has ended early. The events before this one are
    that task's own, taken over with their times.

    `away_us`: between the last of them and now, in which no time was spent. `lost`: calls whose
    results nobody has; their reservations stay spent, and they may be made again.
    """

    resumed_from: str
    away_us: int
    lost: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class QuestionAsked:
    """A standard task's agent asks the person, and waits; no time is spent meanwhile."""

    call_id: str
    question: str


@dataclass(frozen=True, slots=True)
class QuestionAnswered:
    """The person has answered what the agent asked."""

    call_id: str
    text: str


@dataclass(frozen=True, slots=True)
class TaskDelegated:
    """A standard task's agent has given another agent a task of its own."""

    call_id: str
    child_id: str
    agent: str


@dataclass(frozen=True, slots=True)
class ResultDelivered:
    """A standard task's agent has said what came of it: the end of the task. `rests_on`: the
    sources that the text names or quotes."""

    text: str
    rests_on: tuple[Rest, ...] = ()


@dataclass(frozen=True, slots=True)
class TaskFailed:
    """The task ended with an error; evidence and publications are kept."""

    error: str
    detail: str


@dataclass(frozen=True, slots=True)
class TaskCancelled:
    """A person stopped the task."""


@dataclass(frozen=True, slots=True)
class TaskInterrupted:
    """The engine closed, or died, while the task was alive."""


Event = (
    TaskQueued
    | TaskStarted
    | RoundStarted
    | RoundFinished
    | SourceReserved
    | SourceFinished
    | SourceReused
    | CallRefused
    | ProgressReported
    | NoteGiven
    | CollectionClosed
    | PublicationRefused
    | PublicationAccepted
    | TaskResumed
    | QuestionAsked
    | QuestionAnswered
    | TaskDelegated
    | ResultDelivered
    | TaskFailed
    | TaskCancelled
    | TaskInterrupted
)

EVENT_TYPES: dict[str, type[Event]] = {cls.__name__: cls for cls in Event.__args__}


def event_to_data(event: Event) -> dict[str, Any]:
    """Return the JSON-ready fields of `event`; its kind is its class name."""
    # Not `asdict` of the whole, which goes through every value: four times as slow.
    values = {field.name: getattr(event, field.name) for field in fields(event)}
    if isinstance(event, TaskQueued):
        values["budget"] = asdict(event.budget)
    elif isinstance(event, ResultDelivered):
        values["rests_on"] = [asdict(one) for one in event.rests_on]
    return values


def data_to_event(kind: str, data: dict[str, Any]) -> Event:
    """Return the event stored as `kind` and `data`. Raises ValueError for an unknown kind."""
    if kind not in EVENT_TYPES:
        raise ValueError(f"unknown event kind {kind!r}")
    return _adapter(kind).validate_python(data)


@cache
def _adapter(kind: str) -> TypeAdapter[Event]:
    return TypeAdapter(EVENT_TYPES[kind])
