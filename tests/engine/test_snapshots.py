"""Snapshots of a run: taken at its boundaries, stored with its own rows, never in its way."""

import asyncio
import json
from typing import Any

import pytest

from lazyboy_jupyter.core.messages import ToolCall, opening, reply
from lazyboy_jupyter.engine.snapshots import Snapshots, SnapshotTaker, tools_of
from lazyboy_jupyter.store.database import Database
from lazyboy_jupyter.store.side import load_snapshot
from tests.core.histories import unpaired
from tests.engine.driving import Driver
from tests.engine.side_world import TOOLS
from tests.fakes import FakeWeb, ScriptedModel, call, guide, pages


def nested(depth: int) -> Any:
    data: Any = {}
    for _ in range(depth):
        data = {"a": [data]}
    return data


def test_a_run_stores_its_snapshots_up_to_its_end(database: Database) -> None:
    model = ScriptedModel([[call("web_search", query="q")], "Hm.", [guide(("S1", None))]])

    async def scenario() -> str:
        driver = Driver(database)
        run = await driver.start(model, FakeWeb(pages(1)))
        assert run._task is not None
        await run._task
        return run.spec.task_id

    task_id = asyncio.run(scenario())
    rows = database.rows("SELECT boundary, request_no FROM data.side_snapshot ORDER BY version")
    assert rows[0] == {"boundary": "request", "request_no": 1}
    taken = load_snapshot(database, task_id)
    assert taken is not None
    thawed = taken.thawed()
    assert unpaired(thawed) == set()
    assert thawed[: len(model.requests[2].messages)] == list(model.requests[2].messages)
    assert tools_of(taken)[-1] == model.requests[2].tools[-1]
    assert "Left for collecting" not in json.dumps(thawed)


ODD = {"infinite": float("inf"), "no number": float("nan"), "surrogate": "\ud800",
       "NUL": "\x00\ufffe", "deep": nested(20), "too deep": nested(600), "huge": 9**99}  # fmt: skip


@pytest.mark.parametrize("odd", ODD.values(), ids=ODD)
def test_whatever_a_call_holds_the_run_goes_on(database: Database, odd: Any) -> None:
    model = ScriptedModel([[ToolCall("", "web_search", {"query": "q", "odd": odd})],
                           [guide(text="Nothing.")]])  # fmt: skip
    run = asyncio.run(Driver(database).finish(model, FakeWeb(pages(1))))
    assert (run.state.status, run.state.error) == ("completed", None)


def test_what_cannot_be_copied_leaves_the_snapshot_before(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    kept = Snapshots(database)
    taker = SnapshotTaker(kept, "task", ScriptedModel([]))
    first = [opening("s", "q")]
    taker.take("request", first, 1, 5, TOOLS)
    taker.take("reply", [*first, reply("", [ToolCall("c", "t", nested(50_000))])], 1, 6)
    newest = kept.at_hand("task")
    assert newest is not None
    assert (newest.boundary, newest.thawed()) == ("request", first)
    assert "no snapshot" in caplog.text
    taker.take("request", [*first, opening("s", "r")], 2, 7)
    newest = kept.at_hand("task")
    assert newest is not None
    assert (newest.request_no, tools_of(newest)) == (2, TOOLS)


def test_they_are_stored_four_times_a_second_and_once_each(database: Database) -> None:
    kept = Snapshots(database)
    taker = SnapshotTaker(kept, "task", ScriptedModel([]))
    stored = []
    for number in range(10):
        now = number * 100_000
        taker.take("request", [opening("s", "q")], number, now, TOOLS)
        stored.append(bool(len(taker.due_rows(now))))
        assert not len(taker.due_rows(now))
    assert stored == [True, False, False] * 3 + [True]
    assert not len(taker.last_rows())


def test_an_older_snapshot_never_takes_the_place_of_a_newer(database: Database) -> None:
    kept = Snapshots(database)
    taker = SnapshotTaker(kept, "task", ScriptedModel([]))
    taker.take("request", [opening("s", "q")], 1, 1)
    old = kept.at_hand("task")
    taker.take("end", [opening("s", "q"), opening("s", "r")], 1, 2)
    new = kept.at_hand("task")
    assert old is not None
    kept.publish(old)
    assert kept.at_hand("task") is new
    kept.release("task")
    assert kept.at_hand("task") is new  # it is not stored yet
    database.append(kept.rows("task")).result(10)
    kept.release("task")
    assert kept.at_hand("task") is None
    assert kept.stored("task") == new
