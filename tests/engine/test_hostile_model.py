"""Whatever a model does, with whatever web: the task ends, within its limits, and all is recorded.

FIELD_CASES B1-B5, C1, C8, M1-M8 as kinds: replies, sources, budgets and the moment of a stop are
drawn. `LAZYBOY_TEST_FULL=1` runs the long form.
"""

import asyncio
import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lazyboy_jupyter.core.budget import Budget
from lazyboy_jupyter.core.events import (
    CollectionClosed,
    PublicationAccepted,
    RoundFinished,
    RoundStarted,
    SourceFinished,
    SourceReserved,
)
from lazyboy_jupyter.core.render_html import view_to_html
from lazyboy_jupyter.core.urls import canonical_url
from lazyboy_jupyter.engine.hub import Hub
from lazyboy_jupyter.engine.run import ResearchRun
from lazyboy_jupyter.engine.services import Services, Sources, TaskSpec
from lazyboy_jupyter.store.database import Database, open_database
from lazyboy_jupyter.store.events import log_of, state_of
from tests.engine.hostile_replies import INVENTED, PAGES, numbers, scripts
from tests.engine.hostile_world import (
    CountingDatabase,
    HostileModel,
    HostileSources,
    Line,
    SteppedClock,
    settle,
    unanswered,
)
from tests.fakes import CountingIds

RUNS = 2_000 if os.environ.get("LAZYBOY_TEST_FULL") else 40
_STEPS = 2_000
"""More moves of the clock than any run within the ceilings can need."""
TRIES = 3

budgets = st.builds(
    Budget,
    time=st.sampled_from([120.0, 10, 1, 600]),
    searches=st.sampled_from([2, 1, 0, 10]),
    pages=st.sampled_from([3, 1, 0, 6, 40]),
    gaps=st.integers(0, 2),
    max_tokens=st.sampled_from([None, None, 1, 1_000]),
    gap_time=st.sampled_from([1, 30, 600]),
    gap_searches=st.sampled_from([1, 0, 10]),
    gap_pages=st.sampled_from([2, 1, 0, 40]),
    rounds=st.sampled_from([5, 2, 1, 20]),
    synthesis_rounds=st.integers(1, 3),
    source_timeout=st.sampled_from([1, 12.5, 30]),
)
behaviours = st.tuples(
    st.sampled_from(["ok", "ok", "long", "odd", "redirect", "fails", "blocked", "hangs", "slow"]),
    numbers,
)


@dataclass(frozen=True)
class Halt:
    """A stop after so many changes that were told, and turns of the loop after them."""

    changes: int
    turns: int
    by_engine: bool


halts = st.one_of(
    st.none(),
    st.none(),
    st.builds(Halt, st.integers(0, 60), st.integers(0, 12), st.booleans()),
)


@dataclass
class Played:
    """A run that has ended, with all that had a part in it."""

    run: ResearchRun
    model: HostileModel
    sources: HostileSources
    budget: Budget

    @property
    def task_id(self) -> str:
        return self.run.spec.task_id


class Stage:
    """One store and one row of ids for all runs, so that each is among the others' tasks."""

    def __init__(self, path: Path) -> None:
        self.database = open_database(path)
        self.ids = CountingIds()

    def play(
        self,
        budget: Budget,
        script: list[Line],
        pages: list[tuple[str, int]],
        searches: list[tuple[str, int]],
        halt: Halt | None,
        *,
        browser: bool,
    ) -> Played:
        clock = SteppedClock()
        sources = HostileSources(clock, self.database, pages, searches)
        model = HostileModel(clock, script)
        store = CountingDatabase(self.database)
        hub = Hub()
        services = Services(clock, self.ids, cast(Database, store), hub)
        offered = Sources([sources], [sources], sources if browser else None)
        spec = TaskSpec(self.ids.new(), "conversation", self.ids.new(), "", model, offered)
        sources.task_id = spec.task_id

        async def scenario() -> ResearchRun:
            run = ResearchRun(services, spec)
            halting: list[asyncio.Task[None]] = []
            if halt is not None:
                told = iter(range(halt.changes, -1, -1))

                def hear(_: str) -> None:
                    if next(told, None) == 0:
                        halting.append(asyncio.ensure_future(_halted(run, halt)))

                hub.subscribe(hear)
            await run.queue("What do gates cost?", budget)
            living = run.start()
            for _ in range(_STEPS):
                await settle(store)
                if living.done():
                    break
                assert clock.step(), "it waits, and for nothing that time will bring"
            assert living.done()
            at_end = (store.given, len(sources.sent), len(model.asked), run.state)
            for _ in range(5):
                clock.advance(1_000)
                await settle(store)
            assert at_end == (store.given, len(sources.sent), len(model.asked), run.state)
            await asyncio.gather(*halting)
            return run

        return Played(asyncio.run(scenario()), model, sources, budget)


async def _halted(run: ResearchRun, halt: Halt) -> None:
    for _ in range(halt.turns):
        await asyncio.sleep(0)
    await (run.abandon() if halt.by_engine else run.stop())


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    made = Stage(tmp_path_factory.mktemp("hostile") / "store.duckdb")
    yield made
    made.database.close()


@given(
    budgets,
    scripts,
    st.lists(behaviours, min_size=PAGES, max_size=PAGES),
    st.lists(behaviours, min_size=1, max_size=4),
    halts,
    st.booleans(),
)
@settings(
    max_examples=RUNS,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_whatever_a_model_does_the_task_ends_within_its_limits(
    stage: Stage,
    caplog: pytest.LogCaptureFixture,
    budget: Budget,
    script: list[Line],
    pages: list[tuple[str, int]],
    searches: list[tuple[str, int]],
    halt: Halt | None,
    browser: bool,
) -> None:
    caplog.clear()

    played = stage.play(budget, script, pages, searches, halt, browser=browser)

    assert not [record for record in caplog.records if record.levelname in {"ERROR", "CRITICAL"}]
    log = [(us, event) for _, us, event in log_of(stage.database, played.task_id)]
    state = state_of(stage.database, played.task_id)
    assert state.ended
    assert state.error not in {"internal_error", "store_failed"}
    assert state == played.run.state
    if halt is None:
        assert state.phase in {"completed", "failed"}
    else:
        assert state.phase in {
            "completed",
            "failed",
            "interrupted" if halt.by_engine else "cancelled",
        }
    within_the_limits(log, budget)
    sent_once_and_reserved(log, played)
    every_call_has_its_result(played)
    timed(stage.database, log, played)
    nothing_unobserved_is_published(stage.database, played)


def within_the_limits(log: list[tuple[int, Any]], budget: Budget) -> None:
    """Counted from the stored events alone, with no help of the machine's own counting."""
    spent: Counter[tuple[int | None, bool]] = Counter()
    rounds: Counter[tuple[int, bool]] = Counter()
    published, closed, deadline, started = 0, False, 0, 0
    for us, event in log:
        match event:
            case SourceReserved():
                assert not closed
                assert us < deadline
                assert (event.gap is not None) == bool(published)
                spent[event.gap, event.source == "search"] += 1
            case RoundStarted():
                rounds[published, closed] += 1
            case CollectionClosed():
                closed = True
            case PublicationAccepted():
                assert event.number == published
                assert len(event.gaps) <= (0 if published else budget.gaps)
                published, closed = published + 1, False
                deadline = us + round(budget.gap_time * 1_000_000)
            case _ if type(event).__name__ == "TaskStarted":
                started = us
                deadline = started + round(budget.time * 1_000_000)
    assert published <= 2
    for (gap, is_search), count in spent.items():
        if gap is None:
            assert count <= (budget.searches if is_search else budget.pages)
        else:
            assert gap < budget.gaps
            assert count <= (budget.gap_searches if is_search else budget.gap_pages)
    for (_, synthesis), count in rounds.items():
        assert count <= (budget.synthesis_rounds if synthesis else budget.rounds)


def sent_once_and_reserved(log: list[tuple[int, Any]], played: Played) -> None:
    sent = played.sources.sent
    assert played.sources.unreserved == []
    assert max(Counter(sent).values(), default=1) == 1
    reserved = [event for _, event in log if isinstance(event, SourceReserved)]
    assert set(sent) <= {(event.source, event.key) for event in reserved}
    assert len({(event.source, event.key) for event in reserved}) == len(reserved)
    finished = [event.call_id for _, event in log if isinstance(event, SourceFinished)]
    assert sorted(finished) == sorted(event.call_id for event in reserved)


def every_call_has_its_result(played: Played) -> None:
    for messages in played.model.asked[-1:]:  # a history holds all that came before it
        assert unanswered(messages) == []
    ids = [
        part["tool_call_id"]
        for message in (played.model.asked or [[]])[-1]
        for part in message["parts"]
        if part["part_kind"] == "tool-call"
    ]
    assert len(ids) == len(set(ids))


def timed(database: Database, log: list[tuple[int, Any]], played: Played) -> None:
    rows = database.rows(
        """SELECT round_id, request_no, stage, outcome, elapsed_ms, call_id FROM data.timing
           WHERE task_id = ?""",
        [played.task_id],
    )
    stages: dict[str, Counter[str]] = {}
    for row in rows:
        assert row["elapsed_ms"] >= 0
        if row["round_id"] is not None:
            stages.setdefault(row["round_id"], Counter())[row["stage"]] += 1
    started = [event.round_id for _, event in log if isinstance(event, RoundStarted)]
    finished = [event.round_id for _, event in log if isinstance(event, RoundFinished)]
    assert started == finished
    assert sorted(stages) == sorted(started)
    for counted in stages.values():
        assert 1 <= counted["model_response"] <= TRIES
        assert counted["model_response"] <= counted["worker_model_queue"] <= TRIES
    stored = database.rows("SELECT round_id FROM rounds WHERE task_id = ?", [played.task_id])
    assert sorted(row["round_id"] for row in stored) == sorted(started)
    tries = sum(counted["model_response"] for counted in stages.values())
    assert len(played.model.asked) <= tries <= len(played.model.asked) + 1


def nothing_unobserved_is_published(database: Database, played: Played) -> None:
    published = database.rows(
        "SELECT summary, body, gaps FROM publications WHERE task_id = ?", [played.task_id]
    )
    assert INVENTED not in str(published).lower()
    cited = database.rows("SELECT url FROM citations WHERE task_id = ?", [played.task_id])
    assert {canonical_url(row["url"]) for row in cited} <= played.sources.seen
    shown = view_to_html(played.run.view(played.run.state.ended_us))
    assert 'href="javascript' not in shown
    assert "<img" not in shown
