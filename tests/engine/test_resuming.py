"""A task that ended early, and one that goes on with what it had left (DESIGN §19)."""

from dataclasses import replace
from pathlib import Path

import pytest

from lazyboy_jupyter.adapters.clock import SystemClock
from lazyboy_jupyter.config import Settings
from lazyboy_jupyter.core.research import replay
from lazyboy_jupyter.engine.engine import Engine
from lazyboy_jupyter.engine.task import ResearchTask
from lazyboy_jupyter.errors import ModelError, UsageError
from lazyboy_jupyter.store.events import damaged_tasks, log_of
from tests.fakes import CountingIds, FakeWeb, ScriptedModel, call, guide, pages, supplement, world

FIRST, SECOND = "https://a.example/1", "https://a.example/2"
SEARCH = [call("web_search", query="q")]
BOTH = [call("open_page", url=FIRST), call("open_page", url=SECOND)]
PUBLISH = [guide(("S1", "gates cost 1 million euros"), text="Gates cost 1 million euros.")]
GAP = {"question": "Who pays?", "why": "It was asked."}


def engine(tmp_path: Path, model: ScriptedModel, web: FakeWeb, life: str = "first") -> Engine:
    outside = replace(world(SystemClock(), model, web), ids=CountingIds(life))
    return Engine(tmp_path / "s.duckdb", settings=Settings(cache=tmp_path), world=outside)


def until_it_hangs(one: Engine, web: FakeWeb, opened: int) -> ResearchTask:
    """Begin a task, and wait until it has opened so many pages."""
    task = one.research("What do gates cost?", pages=3, searches=1)
    while len(web.opened) < opened or len([s for s in task.sources if s.state == "read"]) < 1:
        one.activity()
    return task


@pytest.mark.parametrize("end", ["stopped", "closed"])
def test_it_goes_on_with_what_was_read_and_reads_only_what_was_cut(
    tmp_path: Path, end: str
) -> None:
    web = FakeWeb(pages(2), hanging={SECOND})
    with engine(tmp_path, ScriptedModel([SEARCH, BOTH]), web) as one:
        before = until_it_hangs(one, web, 2)
        if end == "stopped":
            before.stop()
    again, model = FakeWeb(pages(2)), ScriptedModel([SEARCH, BOTH, PUBLISH])
    with engine(tmp_path, model, again, "second") as one:
        task = one.resume(before.id).wait(10)

        assert (task.status, task.question) == ("completed", before.question)
        assert (again.searched, again.opened) == ([], [SECOND])
        assert (task.usage.searches, task.usage.pages) == (1, 3)
        assert task.guide is not None
        assert task.guide.quotes == ("gates cost 1 million euros",)
        assert task.id != before.id
        row = next(row for row in one.tasks() if row["task_id"] == task.id)
        assert row["resumed_from"] == before.id
        assert one.task(before.id).status == before.status
        told = str(model.requests[0].messages)
        assert "Searched: q" in told
        assert "Read, for read_tool_output: O1 (" in told
        assert "Page at" not in told, "what a page says is no word of ours"
        assert one.sql("SELECT count(*) FROM sources").fetchall() == [(4,)]


def test_its_events_are_a_log_of_their_own_that_gives_its_state(tmp_path: Path) -> None:
    web = FakeWeb(pages(2), hanging={SECOND})
    with engine(tmp_path, ScriptedModel([SEARCH, BOTH]), web) as one:
        before = until_it_hangs(one, web, 2)
        before.stop()
    with engine(tmp_path, ScriptedModel([PUBLISH]), web, "second") as one:
        task = one.resume(before.id).wait(10)
        log = [(us, event) for _, us, event in log_of(one._database, task.id)]
        assert replay(log) == task._state
        assert damaged_tasks(one._database) == []


def test_a_supplement_goes_on_after_the_guide_that_stands(tmp_path: Path) -> None:
    web = FakeWeb(pages(2), hanging={SECOND})
    first = [guide(("S1", "gates cost 1 million euros"), gaps=[GAP])]
    follow = [call("open_page", url=SECOND, gap=0)]
    script = [SEARCH, [call("open_page", url=FIRST)], first, follow]
    with engine(tmp_path, ScriptedModel(script), web) as one:
        before = until_it_hangs(one, web, 2)
        before.stop()
        assert len(before.publications) == 1
    last = [supplement(("S2", "gates cost 2 million euros"))]
    model = ScriptedModel([follow, last])
    with engine(tmp_path, model, FakeWeb(pages(2)), "second") as one:
        task = one.resume(before.id).wait(10)
        assert task.status == "completed"
        assert [len(task.publications), len(before.publications)] == [2, 1]
        assert task.guide is not None
        assert task.guide.summary == "A summary."
        assert [claim.text for claim in task.guide.additions] == ["An addition."]
        assert "gap 0: Who pays?" in str(model.requests[0].messages)


def test_one_that_failed_may_try_its_rounds_again(tmp_path: Path) -> None:
    refused = ScriptedModel([ModelError("No key is set.", kind="not_configured")])
    with engine(tmp_path, refused, FakeWeb(pages(1))) as one:
        before = one.research("Q?").wait(10)
        assert before.status == "failed"
    with engine(tmp_path, ScriptedModel([[guide()]]), FakeWeb(pages(1)), "second") as one:
        assert one.resume(before.id).wait(10).status == "completed"


def test_there_is_nothing_to_go_on_with(tmp_path: Path) -> None:
    web = FakeWeb(pages(1), hanging={"q"})
    with engine(tmp_path, ScriptedModel([[guide()], SEARCH]), web) as one:
        done = one.research("Q?").wait(10)
        with pytest.raises(UsageError, match=r"is complete: there is nothing to go on with\."):
            one.resume(done.id)
        running = one.research("Q?")
        with pytest.raises(UsageError, match="is still running"):
            one.resume(running.id)
