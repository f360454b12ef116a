"""Ends that meet each other: stop and stop, stop and close, close and ask, a write that fails."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from lazyboy_jupyter.adapters.clock import SystemClock
from lazyboy_jupyter.config import Settings
from lazyboy_jupyter.engine.engine import Engine
from lazyboy_jupyter.errors import EngineClosedError, StoreError, UnknownTaskError
from lazyboy_jupyter.store.database import Database
from lazyboy_jupyter.store.rows import Batch
from lazyboy_jupyter.store.schema import PUBLICATION
from tests.engine.driving import Driver
from tests.fakes import FakeWeb, ScriptedModel, call, guide, pages, world

SEARCH = [call("web_search", query="q")]


def engine_with(tmp_path: Path, web: FakeWeb, *script: Any) -> Engine:
    outside = world(SystemClock(), ScriptedModel(list(script)), web)
    return Engine(tmp_path / "s.duckdb", settings=Settings(cache=tmp_path), world=outside)


def together(*works: Callable[[], object]) -> None:
    barrier = threading.Barrier(len(works))

    def run(work: Callable[[], object]) -> None:
        barrier.wait()
        work()

    threads = [threading.Thread(target=run, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
        assert not thread.is_alive()


@pytest.mark.parametrize("round_", range(8))
def test_stops_that_meet_end_the_task_once(tmp_path: Path, round_: int) -> None:
    with engine_with(tmp_path, FakeWeb(pages(1), hanging={"q"}), SEARCH) as engine:
        task = engine.research("Q?")
        together(
            task.stop, task.stop, lambda: engine.delete(task.id) if round_ % 2 else task.stop()
        )
        assert task.wait(10).status == "cancelled"
        assert engine.activity().state == "idle"


def test_closing_while_others_ask_leaves_nobody_waiting(tmp_path: Path) -> None:
    engine = engine_with(tmp_path, FakeWeb(pages(1), hanging={"q"}), SEARCH)
    handles: list[Any] = []

    def ask() -> None:
        try:
            for _ in range(50):
                handles.append(engine.research("Q?"))  # noqa: PERF401 - each as it comes
        except (EngineClosedError, StoreError):
            return

    def search() -> None:
        with pytest.raises(EngineClosedError):
            engine.search("q")

    together(ask, ask, search, engine.close)
    for handle in handles:
        assert handle.wait(10).status == "interrupted"


def test_a_task_stopped_before_its_first_step_has_an_end(database: Database) -> None:
    async def scenario() -> None:
        driver = Driver(database)
        run = await driver.start(ScriptedModel([SEARCH]), FakeWeb(pages(1)))
        await run.stop()
        assert run.state.status == "cancelled"

    asyncio.run(scenario())


def test_a_publication_that_cannot_be_stored_is_not_shown(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    append = database.append

    def full(batch: Batch) -> "Future[None]":
        if PUBLICATION in batch.rows:
            failed: Future[None] = Future()
            failed.set_exception(StoreError("The store could not be written: disk full"))
            return failed
        return append(batch)

    monkeypatch.setattr(database, "append", full)
    run = asyncio.run(Driver(database).finish(ScriptedModel([[guide()]]), FakeWeb()))

    assert (run.state.phase, run.state.error) == ("failed", "store_failed")
    assert run.guide is None
    assert database.rows("SELECT * FROM publications") == []


@pytest.mark.parametrize("reference", ["", "  ", "abc"])
def test_no_reference_is_no_task(tmp_path: Path, reference: str) -> None:
    with engine_with(tmp_path, FakeWeb(), [guide()]) as engine:
        task = engine.research("Q?").wait(10)
        for ask in (engine.task, engine.delete):
            with pytest.raises(UnknownTaskError):
                ask(reference)
        assert engine.task(task.id).status == "completed"


def test_an_ended_task_is_let_go_and_found_in_the_store(tmp_path: Path) -> None:
    with engine_with(tmp_path, FakeWeb(), [guide()]) as engine:
        task = engine.research("Q?").wait(10)
        while engine._runs:
            engine.activity()
        assert str(engine.task(task.id)) == str(task)


def test_a_halted_round_is_on_record(database: Database) -> None:
    async def silence(_: Any) -> None:
        await asyncio.Event().wait()

    async def scenario() -> None:
        driver = Driver(database)
        model = ScriptedModel([silence])
        run = await driver.start(model, FakeWeb())
        await driver.until(lambda: bool(model.requests))
        await run.stop()

    asyncio.run(scenario())
    assert database.rows("SELECT outcome FROM rounds") == [{"outcome": "cancelled"}]
    timed = database.rows("SELECT outcome FROM timing WHERE stage = 'model_response'")
    assert timed == [{"outcome": "cancelled"}]
