"""The machine's table, and what each event does to the counts."""

from typing import Any, get_args

import pytest

from lazyboy_jupyter.core.budget import Budget
from lazyboy_jupyter.core.decisions import (
    AwaitCalls,
    CloseCollection,
    Fail,
    RequestRound,
    StartTask,
    Step,
    admit,
    next_step,
    offered_tools,
    seconds_left,
)
from lazyboy_jupyter.core.events import (
    CollectionClosed,
    Event,
    ProgressReported,
    PublicationAccepted,
    RoundFinished,
    RoundStarted,
    SourceFinished,
    SourceReserved,
    TaskCancelled,
    TaskFailed,
    TaskInterrupted,
    TaskQueued,
    TaskResumed,
    TaskStarted,
)
from lazyboy_jupyter.core.phases import END_PHASES, TRANSITIONS, Phase
from lazyboy_jupyter.core.research import (
    InvalidTransition,
    ResearchState,
    fold,
    replay,
    source_left,
)

SECOND = 1_000_000
QUEUED = TaskQueued("Q?", Budget())
PAGE = SourceReserved("c1", "page", "https://a/", 1)


def state(*events: Event, budget: Budget | None = None, step_us: int = SECOND) -> ResearchState:
    first = TaskQueued("Q?", budget or Budget())
    return replay((number * step_us, event) for number, event in enumerate([first, *events]))


def rounds(count: int, start: int = 1) -> list[Event]:
    return [
        event
        for number in range(start, start + count)
        for event in (RoundStarted(f"r{number}", number), RoundFinished(f"r{number}", "ok"))
    ]


def test_a_task_goes_on_with_the_seconds_and_reservations_that_were_left() -> None:
    """Stopped in its 31st second, resumed after an hour; `c1` was cut, and may be made again."""
    work: list[Event] = [TaskStarted(), RoundStarted("r1", 1), RoundFinished("r1", "ok"), PAGE]
    before = state(*work, step_us=10 * SECOND)
    away = 3_600 * SECOND
    after = fold(before, 50 * SECOND + away, TaskResumed("old", away, ("c1",)))
    assert seconds_left(after, 50 * SECOND + away) == seconds_left(before, 50 * SECOND)
    assert (after.pages, after.searches, after.rounds) == (1, 0, 0)
    assert (after.evidence, after.running, after.phase) == ({}, frozenset(), "collecting")
    assert source_left(after, "page", None)


def test_the_table_has_a_row_for_every_phase_and_ends_lead_nowhere() -> None:
    assert set(TRANSITIONS) == set(get_args(Phase))
    for phase in END_PHASES:
        assert TRANSITIONS[phase] == {}


@pytest.mark.parametrize(
    ("events", "phase"),
    [
        ([], "queued"),
        ([TaskStarted()], "collecting"),
        ([TaskStarted(), CollectionClosed("time")], "synthesis"),
        ([TaskStarted(), PublicationAccepted(0)], "completed"),
        ([TaskStarted(), PublicationAccepted(0, ("g",))], "supplementing"),
        ([TaskStarted(), CollectionClosed("time"), PublicationAccepted(0)], "completed"),
        (
            [TaskStarted(), PublicationAccepted(0, ("g",)), CollectionClosed("time")],
            "supplement_synthesis",
        ),
        ([TaskStarted(), PublicationAccepted(0, ("g",)), PublicationAccepted(1)], "completed"),
        ([TaskCancelled()], "cancelled"),
        ([TaskStarted(), TaskInterrupted()], "interrupted"),
        ([TaskStarted(), CollectionClosed("time"), TaskFailed("e", "d")], "failed"),
    ],
)
def test_phases(events: list[Event], phase: str) -> None:
    assert state(*events).phase == phase


@pytest.mark.parametrize(
    ("events", "impossible"),
    [
        ([], PAGE),
        ([], PublicationAccepted(0)),
        ([TaskStarted()], TaskStarted()),
        ([TaskStarted()], RoundFinished("r1", "ok")),
        ([TaskStarted(), RoundStarted("r1", 1)], RoundStarted("r2", 2)),
        ([TaskStarted()], RoundStarted("r2", 2)),
        ([TaskStarted(), PAGE], PAGE),
        ([TaskStarted(), PAGE], RoundStarted("r1", 1)),
        ([TaskStarted()], SourceFinished("c1")),
        ([TaskStarted()], PublicationAccepted(1)),
        ([TaskStarted(), CollectionClosed("time")], PAGE),
        ([TaskStarted(), PublicationAccepted(0)], ProgressReported("late")),
        ([TaskStarted(), PublicationAccepted(0, ("g",))], PAGE),
        ([TaskStarted(), PublicationAccepted(0, ("g",))], SourceReserved("c", "page", "u", 1, 1)),
        ([TaskStarted(), PublicationAccepted(0, ("g",))], PublicationAccepted(1, ("again",))),
        ([TaskStarted()], PublicationAccepted(0, ("a", "b", "c"))),
        ([TaskStarted(), CollectionClosed("time"), *rounds(3)], RoundStarted("r4", 4)),
        ([TaskStarted(), *rounds(20)], RoundStarted("r21", 21)),
    ],
)
def test_an_impossible_event_raises_and_changes_nothing(
    events: list[Event], impossible: Event
) -> None:
    before = state(*events)
    with pytest.raises(InvalidTransition):
        fold(before, 99 * SECOND, impossible)
    assert before == state(*events)


@pytest.mark.parametrize(
    ("events", "now", "budget", "step"),
    [
        ([], 0, Budget(), StartTask()),
        ([TaskStarted()], 5, Budget(), RequestRound()),
        ([TaskStarted()], 121, Budget(), CloseCollection("time")),
        ([TaskStarted()], 11, Budget(time=10), CloseCollection("time")),
        ([TaskStarted()], 2, Budget(pages=0), CloseCollection("pages")),
        ([TaskStarted(), PAGE], 3, Budget(pages=1), CloseCollection("pages")),
        ([TaskStarted(), PAGE], 3, Budget(), AwaitCalls()),
        ([TaskStarted(), PAGE, CollectionClosed("time")], 3, Budget(), AwaitCalls()),
        ([TaskStarted(), *rounds(2)], 9, Budget(rounds=2), CloseCollection("rounds")),
        (
            [TaskStarted(), RoundStarted("r1", 1), RoundFinished("r1", "ok", tokens=7)],
            4,
            Budget(max_tokens=7),
            CloseCollection("tokens"),
        ),
        ([TaskStarted(), CollectionClosed("time"), *rounds(2)], 500, Budget(), RequestRound()),
        ([TaskStarted(), RoundStarted("r1", 1)], 500, Budget(), None),
        ([TaskStarted(), PublicationAccepted(0)], 500, Budget(), None),
        ([TaskStarted(), PublicationAccepted(0, ("g",))], 121, Budget(), RequestRound()),
        ([TaskStarted(), PublicationAccepted(0, ("g",))], 122, Budget(), CloseCollection("time")),
        (
            [TaskStarted(), PublicationAccepted(0, ("g",))],
            9,
            Budget(gap_pages=0),
            CloseCollection("pages"),
        ),
    ],
)
def test_what_is_due(events: list[Event], now: int, budget: Budget, step: Step | None) -> None:
    assert next_step(state(*events, budget=budget), now * SECOND) == step


def test_synthesis_ends_after_its_rounds_with_the_reason() -> None:
    exhausted = state(TaskStarted(), CollectionClosed("tokens"), *rounds(3))
    step = next_step(exhausted, 0)
    assert isinstance(step, Fail)
    assert step.error == "synthesis_exhausted"
    assert "token ceiling" in step.detail


def test_a_phase_counts_its_own_rounds_but_requests_are_numbered_through() -> None:
    after = state(TaskStarted(), *rounds(5), CollectionClosed("time"), *rounds(2, start=6))
    assert (after.rounds, after.request_no) == (2, 7)


ALWAYS = ("read_tool_output", "report_progress", "publish_research")


@pytest.mark.parametrize(
    ("events", "budget", "offered"),
    [
        ([], Budget(), ("web_search", "open_page", *ALWAYS)),
        ([SourceReserved("c", "search", "q", 1)], Budget(searches=1), ("open_page", *ALWAYS)),
        ([], Budget(searches=0), ("open_page", *ALWAYS)),
        ([PAGE], Budget(pages=1), ALWAYS),
        ([CollectionClosed("time")], Budget(), ALWAYS),
        ([PublicationAccepted(0, ("g",))], Budget(), ("web_search", "open_page", *ALWAYS)),
        (
            [PublicationAccepted(0, ("g",)), SourceReserved("c", "search", "q", 1, 0)],
            Budget(),
            ("open_page", *ALWAYS),
        ),
    ],
)
def test_only_what_may_still_be_used_is_offered(
    events: list[Event], budget: Budget, offered: tuple[str, ...]
) -> None:
    now = 10 * SECOND
    assert (
        offered_tools(state(TaskStarted(), *events, budget=budget), now, browser=False) == offered
    )


def test_a_browser_is_offered_while_the_collection_is_open() -> None:
    started = state(TaskStarted())
    assert offered_tools(started, SECOND, browser=True)[2:4] == ("browser_open", "browser_snapshot")
    assert offered_tools(started, 200 * SECOND, browser=True) == ALWAYS


@pytest.mark.parametrize(
    ("source", "key", "gap", "reason"),
    [
        ("page", "https://b/", None, "names its gap: gap=0 or gap=1"),
        ("page", "https://b/", 2, "names its gap"),
        ("page", "https://b/", -1, "names its gap"),
        ("search", "q", 0, "All 1 searches of gap 0 are spent"),
    ],
)
def test_a_supplement_refuses_what_is_over_its_gap(
    source: Any, key: str, gap: int | None, reason: str
) -> None:
    supplement = state(
        TaskStarted(),
        PublicationAccepted(0, ("g", "h")),
        SourceReserved("c", "search", "first", 1, 0),
        SourceFinished("c"),
    )
    admission = admit(supplement, source, key, gap, 10 * SECOND)
    assert reason in getattr(admission, "reason", "")
