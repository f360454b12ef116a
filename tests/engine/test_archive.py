"""Archiving from an engine: what its runs leave, what is put away, and what is refused then."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from lazyboy_jupyter.adapters.clock import SystemClock
from lazyboy_jupyter.config import Settings
from lazyboy_jupyter.engine.engine import Engine
from lazyboy_jupyter.errors import SideQuestionRefused, StoreError, UnknownTaskError
from lazyboy_jupyter.notebook.commands import run_command
from lazyboy_jupyter.ports import ModelReply, ModelRequest
from tests.fakes import FakeWeb, ScriptedModel, call, guide, pages, world
from tests.store.archiving import archived, files_of

SCRIPT: list[Any] = [
    [call("open_page", url="https://a.example/1")],
    [guide(("S1", "Page 1 says that gates cost 1 million euros."))],
]


async def forever(_: ModelRequest) -> ModelReply:
    await asyncio.Event().wait()
    raise AssertionError


def open_engine(folder: Path, name: str = "s", script: list[Any] | None = None) -> Engine:
    model = ScriptedModel(list(script or SCRIPT) * 20)
    web = FakeWeb(pages(6))
    settings = Settings(cache=folder)
    return Engine(
        folder / f"{name}.duckdb", settings=settings, world=world(SystemClock(), model, web)
    )


def done(engine: Engine, question: str = "What do gates cost?") -> str:
    return engine.research(question, gaps=0, name=question[:4]).wait(30).id


def test_a_run_that_ended_is_in_the_archive(tmp_path: Path) -> None:
    with open_engine(tmp_path) as engine:
        task_id = done(engine)
    (task,) = archived(tmp_path, "tasks")
    assert (task["task_id"], task["status"]) == (task_id, "completed")
    assert {row["task_id"] for row in archived(tmp_path, "citations")} == {task_id}


def test_what_was_not_written_is_at_the_next_opening(tmp_path: Path) -> None:
    (tmp_path / "archive").write_text("in the way")
    with open_engine(tmp_path) as engine:
        task_id = done(engine)
        assert engine.task(task_id).status == "completed"
    (tmp_path / "archive").unlink()
    open_engine(tmp_path).close()
    assert [row["task_id"] for row in archived(tmp_path, "tasks")] == [task_id]


def test_putting_a_task_away(tmp_path: Path) -> None:
    with open_engine(tmp_path) as engine:
        task_id = done(engine)
        assert "is archived" in str(run_command(engine, f"archive {task_id[-8:]}"))
        assert engine.tasks() == []
        assert [row["task_id"] for row in engine.tasks(archived=True)] == [task_id]
        assert engine.task(task_id).guide is not None  # and it is still there to be shown
        assert "All tasks of this notebook are archived" in str(run_command(engine, "list"))
        assert "this one, archived" in str(run_command(engine, "list --all"))
        assert engine.archive(task_id) == task_id  # once more harms nothing
        with pytest.raises(UnknownTaskError):
            engine.archive("nothing")
    with open_engine(tmp_path) as engine:
        assert engine.tasks() == []
        with pytest.raises(SideQuestionRefused) as refused:
            engine.ask("Which?", task_id)
        assert refused.value.kind == "archived"
        assert "is archived" in refused.value.sentence
        engine.delete(task_id)
    assert files_of(tmp_path) == []


def test_panels_hear_that_a_task_is_put_away(tmp_path: Path) -> None:
    with open_engine(tmp_path) as engine:
        task_id = done(engine)
        told: list[str] = []
        engine.side.hub.subscribe(told.append)
        engine.archive(task_id)
        assert told == [task_id]
        page = engine._loop.run(engine.side.pages.page(task_id))
        assert "is archived" in page.why_not


def test_a_running_task_is_stopped_and_put_away(tmp_path: Path) -> None:
    with open_engine(tmp_path, script=[lambda request: forever(request)]) as engine:
        task = engine.research("What do gates cost?")
        engine.archive(task.id)
        assert engine.task(task.id).status == "cancelled"
    (row,) = archived(tmp_path, "tasks")
    assert row["status"] == "cancelled"


def test_a_side_answer_that_is_written_ends_and_is_stored(tmp_path: Path) -> None:
    with open_engine(tmp_path, script=[*SCRIPT, lambda request: forever(request)]) as engine:
        task_id = done(engine)
        answer = engine.ask("Which page?", task_id)
        engine.archive(task_id)
        assert answer.wait(30).status == "stopped"
    (side,) = archived(tmp_path, "side_questions")
    assert (side["question"], side["status"]) == ("Which page?", "stopped")


def test_what_cannot_be_written_is_not_put_away(tmp_path: Path) -> None:
    with open_engine(tmp_path) as engine:
        task_id = done(engine)
        engine._database.archive.keep(task_id).result(30)
        for kind in (tmp_path / "archive").iterdir():
            kind.rename(tmp_path / f"kept-{kind.name}")
        (tmp_path / "archive").rmdir()
        (tmp_path / "archive").write_text("in the way")
        with pytest.raises(StoreError, match="The archive could not be written"):
            engine.archive(task_id)
        assert [row["task_id"] for row in engine.tasks()] == [task_id]
        (tmp_path / "archive").unlink()
        engine.archive(task_id)
        assert engine.tasks() == []


def test_two_notebooks_of_a_folder_see_each_others_tasks(tmp_path: Path) -> None:
    with open_engine(tmp_path, "a") as one, open_engine(tmp_path, "b") as two:
        first = done(one, "What do gates cost?")
        one._database.archive.keep(first).result(30)
        # Ids of these fakes are the same in both engines: the second has others before.
        others = [done(two, f"{n}: what do gates cost?") for n in range(3)]
        everything = two.sql("SELECT task_id FROM tasks", all=True).fetchall()
        assert {row[0] for row in everything} == {first, *others}
        assert len(everything) == len({first, *others})
        listed = str(run_command(two, "list --all"))
        assert listed.count("this one") == 3
        assert len(two.sql("SELECT task_id FROM tasks").fetchall()) == 3
        assert run_command(two, "list --all") is not None


def test_deleting_and_clearing_reach_the_archive(tmp_path: Path) -> None:
    with open_engine(tmp_path) as engine:
        task_id = done(engine)
        engine.ask("Which page?", task_id).wait(30)
        engine._database.archive.keep(task_id).result(30)
        assert len(archived(tmp_path, "side_questions")) == 1
        engine.side.clear(task_id)
        assert archived(tmp_path, "side_questions") == []
        engine.delete(task_id)
    assert files_of(tmp_path) == []
