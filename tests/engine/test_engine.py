"""The public Python API, with the real threads."""

import asyncio
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lazyboy_jupyter.adapters.clock import SystemClock
from lazyboy_jupyter.config import Settings
from lazyboy_jupyter.core.card import PUBLICATION
from lazyboy_jupyter.engine.engine import Engine
from lazyboy_jupyter.errors import (
    BudgetError,
    EngineClosedError,
    SourceError,
    StoreError,
    UnknownTaskError,
    UsageError,
)
from tests.fakes import FakeWeb, ScriptedModel, call, guide, pages, world

Make = Callable[..., Engine]
SEARCH = [call("web_search", query="q")]
OPEN = [call("open_page", url="https://a.example/1")]
PUBLISH = [guide(("S1", "gates cost 1 million"), text="Gates cost 1 million.")]


@pytest.fixture
def make(tmp_path: Path) -> Iterator[Make]:
    """Make engines over one store path, and close them."""
    made: list[Engine] = []

    def engine(*script: Any, web: FakeWeb | None = None, **more: Any) -> Engine:
        model = ScriptedModel(list(script) or [SEARCH, OPEN, PUBLISH])
        world_ = world(SystemClock(), model, web or FakeWeb(pages(3)))
        settings = Settings(cache=tmp_path / "cache")
        store = more.pop("store", tmp_path / "run.duckdb")
        made.append(Engine(store, settings=settings, world=world_, **more))
        return made[-1]

    yield engine
    for one in made:
        one.close()


def test_a_task_is_a_value(make: Make) -> None:
    engine = make()
    task = engine.research("What do gates cost?", name="costs")

    assert task.wait(timeout=20) is task
    assert (task.status, task.phase, task.error) == ("completed", "completed", None)
    assert task.guide is not None
    assert task.guide.quotes == ("gates cost 1 million",)
    assert len(task.publications) == 1
    assert {source.url: source.state for source in task.sources}["https://a.example/1"] == "read"
    assert (task.usage.searches, task.usage.pages, task.usage.rounds) == (1, 1, 3)
    assert task.budget.pages == 6
    assert task.events().columns[:3] == ["event_id", "task_id", "seq"]
    stages = task.timing().aggregate("stage").fetchall()
    assert ("research_first_delivery",) in stages
    assert "Gates cost 1 million." in str(task)
    assert set(task._repr_mimebundle_()) == {
        "text/plain",
        "text/markdown",
        "text/html",
        PUBLICATION,
    }
    assert task.id[-8:] in repr(task)


def test_a_task_is_awaitable_on_any_loop(make: Make) -> None:
    engine = make()

    async def elsewhere() -> str:
        task = await engine.research("Q?")
        return task.status

    assert asyncio.run(elsewhere()) == "completed"


def test_what_was_stored_is_shown_again_by_another_engine(make: Make) -> None:
    first = make()
    live = first.research("What do gates cost?", name="costs").wait(20)
    shown = (str(live.guide), live.view(), live.usage, live.sources, live.publications)
    first.close()

    engine = make()
    for reference in ("costs", live.id, live.id[-8:], live.id[-8:].upper()):
        again = engine.task(reference)
        assert again.id == live.id
    assert (str(again.guide), again.view(), again.usage, again.sources, again.publications) == shown
    assert again.wait(0).status == "completed"
    again.stop()
    assert engine.conversation_id == first.conversation_id


def test_closing_ends_every_task_as_interrupted_with_everything_stored(make: Make) -> None:
    hanging = FakeWeb(pages(2), hanging={"https://a.example/1"})
    first = make(web=hanging)
    task = first.research("Q?")
    while not hanging.opened:
        task.view()
    first.close()
    assert task.status == "interrupted"
    with pytest.raises(EngineClosedError):
        first.research("More?")

    engine = make()
    assert engine.interrupted == []  # the closing engine has done it
    again = engine.task(task.id)
    assert again.status == "interrupted"
    assert [source.state for source in again.sources] == ["listed", "listed"]


def test_wait_gives_up_and_leaves_the_task_running(make: Make) -> None:
    hanging = FakeWeb(pages(2), hanging={"q"})
    task = make(web=hanging).research("Q?")
    with pytest.raises(TimeoutError, match="still running"):
        task.wait(timeout=0.01)
    assert task.status in {"queued", "running"}
    task.stop()
    assert task.wait(5).status == "cancelled"


def test_activity_and_tasks(make: Make) -> None:
    hanging = FakeWeb(pages(2), hanging={"q"})
    engine = make(web=hanging)
    assert engine.activity().state == "idle"
    task = engine.research("Q?")
    while not hanging.searched:
        task.view()
    assert engine.activity().state == "running"
    assert engine.activity().task_ids == (task.id,)
    assert engine.activity("another agent").state == "idle"
    task.stop()
    assert engine.activity().state == "idle"
    assert [row["task_id"] for row in engine.tasks()] == [task.id]


def test_deleting_leaves_nothing(make: Make) -> None:
    engine = make()
    keep, gone = engine.research("Keep?").wait(20), engine.research("Gone?").wait(20)
    engine.delete(gone.id)
    with pytest.raises(UnknownTaskError):
        engine.task(gone.id)
    for table in ("tasks", "events", "timing", "sources", "citations", "publications", "rounds"):
        ids = engine.sql(f"SELECT DISTINCT task_id FROM {table}").fetchall()
        assert ids == [(keep.id,)]


@pytest.mark.parametrize(
    ("asked", "error", "sentence"),
    [
        ({"question": " \n"}, UsageError, "There is no question."),
        ({"question": "x" * 100_001}, UsageError, "100,001 characters"),
        ({"pages": -1}, BudgetError, "--pages -1 is outside 0 to 40."),
        ({"time": 601}, BudgetError, "--time 601 is outside 1 to 600."),
        ({"model": "nowhere"}, UsageError, "There is no nowhere."),
        ({"search": "nowhere"}, UsageError, "There is no nowhere."),
    ],
)
def test_a_mistake_is_a_sentence_and_nothing_is_started(
    make: Make, asked: dict[str, Any], error: type[Exception], sentence: str
) -> None:
    engine = make()
    with pytest.raises(error, match=sentence):
        engine.research(**{"question": "Q?", **asked})
    assert engine.tasks() == []


def test_sql_sees_all_views(make: Make) -> None:
    engine = make()
    engine.research("Q?").wait(20)
    assert engine.sql("SELECT count(*) FROM citations").fetchall() == [(1,)]
    assert engine.sql(
        "SELECT first_ms > 0, final_ms >= first_ms FROM first_delivery"
    ).fetchall() == [(True, True)]
    assert engine.sql("SELECT turns, notebook FROM conversations").fetchall() == [(1, "")]


def test_sources_are_tried_outside_a_task(make: Make) -> None:
    engine = make()
    assert [result.url for result in engine.search("q")] == list(pages(3))
    assert engine.read("https://a.example/2").text.startswith("Page 2")
    with pytest.raises(SourceError, match="are not read here"):
        engine.read("ftp://a.example/")


def test_any_thread_may_ask(make: Make) -> None:
    replies = {1: SEARCH, 3: OPEN, 5: PUBLISH}  # by the number of messages: many tasks, one model
    engine = make(lambda request: replies[len(request.messages)])
    done: list[str] = []

    def ask(number: int) -> None:
        done.append(engine.research(f"Q{number}?").wait(30).status)

    threads = [threading.Thread(target=ask, args=(n,)) for n in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert done == ["completed"] * 8
    assert len(engine.tasks()) == 8


def test_a_store_that_cannot_be_written_is_one_sentence(make: Make, tmp_path: Path) -> None:
    (tmp_path / "in the way").write_text("x")
    before = threading.active_count()
    with pytest.raises(StoreError, match="cannot be written"):
        make(store=tmp_path / "in the way" / "s.duckdb")
    assert threading.active_count() == before


def test_unknown_settings_fail_before_anything_runs(make: Make) -> None:
    before = threading.active_count()
    with pytest.raises(UsageError, match="nowhere"):
        make(model="nowhere")
    assert threading.active_count() == before


class BrokenIds:
    """Ids that cannot be made: opening fails before the engine is whole."""

    def new(self) -> str:
        raise StoreError("The disk is full.", "Free some.")


def test_an_opening_that_fails_says_why_and_leaves_the_store_free(
    make: Make, tmp_path: Path
) -> None:
    broken = replace(world(SystemClock(), ScriptedModel([]), FakeWeb(pages(1))), ids=BrokenIds())
    settings = Settings(cache=tmp_path / "cache")
    with pytest.raises(StoreError, match="The disk is full"):
        Engine(tmp_path / "run.duckdb", settings=settings, world=broken)
    assert make().tasks() == []
