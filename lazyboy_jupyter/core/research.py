"""Owns the bounded research machine (DESIGN §4); it decides, and never acts.

A task goes through

    queued → collecting → synthesis → supplementing → supplement_synthesis → completed

and from each of them to `failed`, `cancelled` or `interrupted`. A collection may read sources;
a synthesis may only publish from what was read. Publication 0 leads to `completed`, or, when it
declares gaps, to `supplementing`; publication 1 completes. A standard task goes through

    queued → working ⇄ waiting → completed

where `waiting` is for a person's answer; at its ceiling it has to say what it found (`answering`).

State is the fold of the task's events, so replaying the stored events gives the live state. An
impossible event raises `InvalidTransition` and changes nothing. What may happen next is asked of
`next_step` and `admit` in `core/decisions.py`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import assert_never

from .budget import MICROSECONDS, Budget
from .events import (
    CallRefused,
    CloseReason,
    CollectionClosed,
    Event,
    NoteGiven,
    ProgressReported,
    PublicationAccepted,
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
    TaskType,
)
from .phases import END_PHASES, SYNTHESISING, TRANSITIONS, Phase, Status, Trigger, status_of
from .side import Rest


class InvalidTransition(Exception):  # noqa: N818 - the field's name for it
    """The event cannot happen in this state; the state is unchanged."""


@dataclass(frozen=True, slots=True)
class ResearchState:
    """All that the rules of one task need to know. Counts start at 0, times are microseconds.

    `searches` and `pages` count the reservations of the initial collection, `gap_searches` and
    `gap_pages` those of each gap. `evidence` maps (kind, key) to the call that holds its result.
    `rounds` counts model requests of the running collection or synthesis, `request_no` all.
    Of a standard task, `asked` is the question that waits for the person since `asked_us`, `result`
    what came of it, `children` the ids of the tasks that it gave to others.
    """

    phase: Phase = "new"
    task_type: TaskType = "research"
    question: str = ""
    budget: Budget = field(default_factory=Budget)
    started_us: int = 0
    published_us: int = 0
    ended_us: int = 0
    request_no: int = 0
    rounds: int = 0
    open_round: str | None = None
    tokens: int = 0
    searches: int = 0
    pages: int = 0
    gaps: tuple[str, ...] = ()
    gap_searches: tuple[int, ...] = ()
    gap_pages: tuple[int, ...] = ()
    evidence: Mapping[tuple[str, str], str] = field(default_factory=dict)
    running: frozenset[str] = frozenset()
    kinds: Mapping[str, str] = field(default_factory=dict)
    publications: int = 0
    closed: CloseReason | None = None
    acknowledgement: str = ""
    progress: str = ""
    asked: str | None = None
    asked_call: str = ""
    asked_us: int = 0
    children: tuple[str, ...] = ()
    result: str = ""
    rests_on: tuple[Rest, ...] = ()
    error: str | None = None
    error_detail: str = ""

    @property
    def ended(self) -> bool:
        """Whether the task is in an end phase."""
        return self.phase in END_PHASES

    @property
    def status(self) -> Status:
        """The status that people see."""
        return status_of(self.phase)

    @property
    def deadline_us(self) -> int:
        """When the running collection closes, in microseconds UTC."""
        if self.publications:
            return self.published_us + round(self.budget.gap_time * MICROSECONDS)
        return self.started_us + round(self.budget.time * MICROSECONDS)


def fold(state: ResearchState, at_us: int, event: Event) -> ResearchState:
    """Return the state after `event`, which happened at `at_us`. Raises `InvalidTransition`."""
    trigger: Trigger = type(event)
    if isinstance(event, TaskStarted) and state.task_type == "standard":
        trigger = "started_standard"
    elif isinstance(event, PublicationAccepted):
        trigger = "published_with_gaps" if event.gaps else "published_last"
    phase = TRANSITIONS[state.phase].get(trigger)
    if phase is None:
        raise InvalidTransition(f"{type(event).__name__} cannot happen in phase {state.phase}")
    after = replace(_applied(state, at_us, event), phase=phase)
    if phase != state.phase and "waiting" not in {phase, state.phase}:
        after = replace(after, rounds=0)
    if phase in END_PHASES:
        after = replace(after, ended_us=at_us, open_round=None, running=frozenset(), asked=None)
    return after


def replay(events: Iterable[tuple[int, Event]]) -> ResearchState:
    """Return the fold of stored (time, event) pairs."""
    state = ResearchState()
    for at_us, event in events:
        state = fold(state, at_us, event)
    return state


def _applied(state: ResearchState, at_us: int, event: Event) -> ResearchState:  # noqa: C901
    """One case an event: the counting, without the phase."""
    match event:
        case TaskQueued(question=question, budget=budget, task_type=task_type):
            return replace(state, question=question, budget=budget, task_type=task_type)
        case TaskStarted():
            return replace(state, started_us=at_us)
        case RoundStarted():
            return _round_started(state, event)
        case RoundFinished():
            if state.open_round != event.round_id:
                raise InvalidTransition(f"round {event.round_id} is not open")
            return replace(state, open_round=None, tokens=state.tokens + event.tokens)
        case SourceReserved():
            return _reserved(state, event)
        case SourceFinished():
            return _finished(state, event)
        case CollectionClosed(reason=reason):
            return replace(state, closed=reason)
        case PublicationAccepted():
            return _published(state, at_us, event)
        case TaskResumed():
            return _resumed(state, event)
        case QuestionAsked(call_id=call_id, question=question):
            return replace(state, asked=question, asked_call=call_id, asked_us=at_us)
        case QuestionAnswered():
            return _answered(state, at_us, event)
        case TaskDelegated(child_id=child_id):
            return replace(state, children=(*state.children, child_id))
        case ResultDelivered(text=text, rests_on=rests_on):
            return replace(state, result=text, rests_on=rests_on)
        case TaskFailed(error=error, detail=detail):
            return replace(state, error=error, error_detail=detail)
        case ProgressReported(text=text):
            return replace(state, progress=text, acknowledgement=state.acknowledgement or text)
        case SourceReused() | CallRefused() | NoteGiven() | PublicationRefused():
            return state
        case TaskCancelled() | TaskInterrupted():
            return state
        case _:
            assert_never(event)


def _round_started(state: ResearchState, event: RoundStarted) -> ResearchState:
    if state.open_round is not None:
        raise InvalidTransition(f"round {state.open_round} is still open")
    if state.running:
        raise InvalidTransition("calls are still running; their results belong in the request")
    if event.request_no != state.request_no + 1:
        raise InvalidTransition(f"request {event.request_no} does not follow {state.request_no}")
    if state.rounds >= _round_limit(state):
        raise InvalidTransition(f"all {state.rounds} rounds of phase {state.phase} are spent")
    return replace(
        state,
        open_round=event.round_id,
        request_no=event.request_no,
        rounds=state.rounds + 1,
    )


def _round_limit(state: ResearchState) -> int:
    if state.phase in SYNTHESISING:
        return state.budget.synthesis_rounds
    return state.budget.rounds


def _reserved(state: ResearchState, event: SourceReserved) -> ResearchState:
    if (event.source, event.key) in state.evidence:
        raise InvalidTransition(f"{event.key!r} is reserved already")
    if not source_left(state, event.source, event.gap):
        raise InvalidTransition(f"no {event.source} is left to reserve")
    state = replace(
        state,
        evidence={**state.evidence, (event.source, event.key): event.call_id},
        kinds={**state.kinds, event.call_id: event.source},
        running=state.running | {event.call_id},
    )
    is_search = event.source == "search"
    if event.gap is None:
        if is_search:
            return replace(state, searches=state.searches + 1)
        return replace(state, pages=state.pages + 1)
    if is_search:
        return replace(state, gap_searches=_incremented(state.gap_searches, event.gap))
    return replace(state, gap_pages=_incremented(state.gap_pages, event.gap))


def _incremented(counts: tuple[int, ...], index: int) -> tuple[int, ...]:
    return tuple(count + (place == index) for place, count in enumerate(counts))


def source_left(state: ResearchState, source: str, gap: int | None) -> bool:
    """Whether a reservation of this kind is left: in the collection, or for that gap of it."""
    budget = state.budget
    if state.phase in {"collecting", "working"}:
        if gap is not None:
            return False
        if source == "search":
            return state.searches < budget.searches
        return state.pages < budget.pages
    if state.phase == "supplementing":
        if gap is None or not 0 <= gap < len(state.gaps):
            return False
        if source == "search":
            return state.gap_searches[gap] < budget.gap_searches
        return state.gap_pages[gap] < budget.gap_pages
    return False


def _finished(state: ResearchState, event: SourceFinished) -> ResearchState:
    if event.call_id not in state.running:
        raise InvalidTransition(f"call {event.call_id} is not running")
    evidence = state.evidence
    if event.alias is not None:
        # A redirect's end is the same source as its start, unless it was read on its own before.
        alias = (state.kinds[event.call_id], event.alias)
        evidence = {alias: event.call_id, **evidence}
    return replace(state, running=state.running - {event.call_id}, evidence=evidence)


def _resumed(state: ResearchState, event: TaskResumed) -> ResearchState:
    """Seconds and reservations are as they were left; the rounds of its phase begin anew."""
    lost = set(event.lost)
    return replace(
        state,
        started_us=state.started_us + event.away_us,
        published_us=state.published_us and state.published_us + event.away_us,
        open_round=None,
        rounds=0,
        running=frozenset(),
        asked=None,
        evidence={key: call for key, call in state.evidence.items() if call not in lost},
    )


def _answered(state: ResearchState, at_us: int, event: QuestionAnswered) -> ResearchState:
    if event.call_id != state.asked_call:
        raise InvalidTransition(f"call {event.call_id} asked nothing that waits")
    # The person's time is none of the task's.
    return replace(state, asked=None, started_us=state.started_us + at_us - state.asked_us)


def _published(state: ResearchState, at_us: int, event: PublicationAccepted) -> ResearchState:
    if event.number != state.publications:
        raise InvalidTransition(f"publication {event.number} does not follow")
    if len(event.gaps) > state.budget.gaps:
        raise InvalidTransition(f"{len(event.gaps)} gaps are over the budget")
    state = replace(state, publications=state.publications + 1)
    if not event.gaps:
        return replace(state, published_us=state.published_us or at_us)
    none = (0,) * len(event.gaps)
    return replace(
        state,
        published_us=at_us,
        gaps=event.gaps,
        gap_searches=none,
        gap_pages=none,
        closed=None,
    )
