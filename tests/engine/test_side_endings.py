"""Stopped, cleared, deleted, closed, stored badly: a side question's end is always one."""

import asyncio
from pathlib import Path

import pytest

from lazyboy_jupyter.core.side import Seen, SideQuestion
from lazyboy_jupyter.core.snapshot import Snapshot
from lazyboy_jupyter.errors import EngineClosedError, StoreError
from lazyboy_jupyter.store.database import Database, open_database
from lazyboy_jupyter.store.rows import Batch
from lazyboy_jupyter.store.schema import SIDE_QUESTION, SIDE_STEP
from lazyboy_jupyter.store.side import add_question, interrupt_side_questions
from tests.engine.side_world import Play, SideWorld, history, texts
from tests.fakes import START_US

AGAIN = 100


def test_stop_keeps_the_text_and_asking_again_at_once_works(play: Play) -> None:
    async def scenario(world: SideWorld) -> None:
        world.know()
        for number in range(AGAIN):
            await world.side.ask("task", f"Question {number}?", f"client {number}")
            for _ in range(number % 7):  # at another moment each time
                await asyncio.sleep(0)
            stopped = await world.side.stop("task")
            assert stopped is not None
            assert (stopped.status, stopped.ordinal) == ("stopped", number + 1)
        assert await world.side.stop("task") is None
        await world.ask("Last?")
        world.model.last.say("Ga")
        stopped = await world.side.stop("task")
        assert stopped is not None
        assert (stopped.status, stopped.answer) == ("stopped", "Ga")
        assert [row["status"] for row in world.stored()] == ["stopped"] * (AGAIN + 1)
        assert world.stored()[-1]["answer"] == "Ga"
        assert all(one.over for one in world.model.asked)

    play(scenario)


def test_a_stop_that_names_a_question_ends_no_other(play: Play) -> None:
    async def scenario(world: SideWorld) -> None:
        world.know()
        old = await world.answered("First?", "Yes.")
        new = await world.ask("Second?")
        assert await world.side.stop("task", old.request_id) is None
        assert (await world.newest()).status == "running"
        stopped = await world.side.stop("task", new.side.request_id)
        assert stopped is not None
        assert stopped.request_id == new.side.request_id

    play(scenario)


def test_clear_ends_and_deletes_and_asking_again_at_once_works(play: Play) -> None:
    async def scenario(world: SideWorld) -> None:
        world.know()
        for number in range(AGAIN):
            asked = await world.side.ask("task", f"Question {number}?", "the same id")
            for _ in range(number % 7):
                await asyncio.sleep(0)
            if world.model.asked and not world.model.last.over:
                world.model.last.say("Gates")
            assert await world.side.clear("task") == 1
            assert asked.ended.done()
            assert world.side.now("task", asked.side.request_id) is None
        await world.settle()
        assert await world.side.history("task") == ()
        assert world.store.rows("SELECT * FROM data.side_question") == []
        assert world.store.rows("SELECT * FROM data.side_step") == []
        assert (await world.answered("Now?", "Yes.")).ordinal == 1

    play(scenario)


def test_stops_and_clears_that_meet_end_well(play: Play) -> None:
    async def scenario(world: SideWorld) -> None:
        world.know()
        for number in range(20):
            await world.side.ask("task", "Cost?", f"client {number}")
            stop, clear, forget = world.side.stop, world.side.clear, world.side.forget
            last = forget if number == 19 else clear
            await asyncio.gather(last("task"), stop("task"), clear("task"), stop("task"))
            assert await world.side.history("task") == ()
        await world.settle()
        assert world.stored() == []

    play(scenario)


def test_a_piece_that_comes_after_the_end_is_nobodys(play: Play) -> None:
    async def scenario(world: SideWorld) -> None:
        world.know()
        await world.ask()
        late = world.model.last.say("Gates ")
        late.finish()
        late.say("late")
        side = await world.newest()
        late.say("later")
        assert (await world.newest()) == side
        assert side.answer == "Gates"
        await world.ask("Again?")
        late.say("latest")
        assert (await world.newest()).answer == ""
        await world.side.clear("task")
        late.say("at last")
        await world.settle()
        assert world.stored() == []

        await world.ask("And now?")
        world.model.last.say("It is stored soon")
        await world.side.clear("task")
        world.clock.advance(1)
        await world.settle()
        assert world.store.rows("SELECT * FROM data.side_step") == []

    play(scenario)


def test_a_deleted_parent_takes_no_snapshot_and_no_question(play: Play) -> None:
    async def scenario(world: SideWorld) -> None:
        world.know()
        world.know("other")
        asked = await world.ask()
        await world.side.forget("task")
        await asyncio.wrap_future(world.store.delete_task("task"))
        assert asked.ended.done()
        world.know(request_no=2)
        assert await world.refused() == "no_snapshot"
        assert len(world.services.snapshots.rows("task")) == 0
        for table in ("side_message", "side_snapshot", "side_question", "side_step"):
            assert world.store.rows(f"SELECT * FROM data.{table} WHERE parent = 'task'") == []
        assert (await world.answered("Cost?", "Nine.", "other")).status == "completed"

    play(scenario)


def test_a_stored_snapshot_and_its_history_answer_after_a_restart(tmp_path: Path) -> None:
    async def before(world: SideWorld) -> None:
        world.know(messages=history(3))
        await world.answered("First?", "Yes.")
        await world.ask("Second?")
        await world.say("Ga")
        # The life ends here, with no more than a killed one has.

    async def after(world: SideWorld) -> None:
        old = await world.side.history("task")
        assert [(one.status, one.answer) for one in old] == [
            ("completed", "Yes."),
            ("interrupted", "Ga"),
        ]
        await world.ask("Third?", client="third")
        request = world.model.last.request
        assert list(request.messages[:6]) == history(3)[:6]
        assert "Yes." in texts(request.messages)
        assert [tool.name for tool in request.tools] == ["web_search", "open_page"]
        world.model.last.say("Nine.").finish()
        third = await world.newest()
        assert (third.ordinal, third.status) == (3, "completed")
        assert len({one.request_id for one in await world.side.history("task")}) == 3

    database = open_database(tmp_path / "s.duckdb")
    asyncio.run(before(SideWorld(database)))
    database.close()
    database = open_database(tmp_path / "s.duckdb")
    interrupted = interrupt_side_questions(database, START_US + 9_000_000)
    assert [one.ordinal for one in interrupted] == [2]
    assert interrupt_side_questions(database, START_US + 9_000_000) == []
    world = SideWorld(database)
    for _ in range(2):
        world.ids.new()  # ids go on after those of the life before
    asyncio.run(after(world))
    database.close()


def test_closing_interrupts_what_runs_and_refuses_what_comes(play: Play) -> None:
    async def scenario(world: SideWorld) -> None:
        for parent in "abc":
            world.know(parent)
        first = await world.ask(parent="a")
        world.model.last.say("Ga")
        await world.side.history("b")
        beginning = asyncio.ensure_future(world.side.ask("b", "Cost?", "b"))
        await asyncio.sleep(0)
        await world.side.close()
        assert first.ended.done()
        assert (await beginning).ended.done()
        with pytest.raises(EngineClosedError):
            await world.ask(parent="c")
        assert world.stored("a")[0]["status"] == "interrupted"
        assert world.stored("a")[0]["answer"] == "Ga"
        assert world.stored("b")[0]["status"] == "interrupted"

    play(scenario)


def test_a_store_that_fails_while_an_answer_grows_loses_none_of_it(play: Play) -> None:
    async def scenario(world: SideWorld) -> None:
        world.know()
        await world.ask()
        streamed = world.model.last

        def nothing(_: Batch) -> bool:
            return False

        def steps(batch: Batch) -> bool:
            return SIDE_STEP in batch.rows

        for number in range(12):
            works = number % 3 == 2
            world.store.failing = nothing if works else steps
            await world.say(f"{number} ")
            answer = world.stored()[0]["answer"]
            assert streamed.said.startswith(answer)
            if works:
                assert answer == streamed.said
        world.store.failing = steps
        streamed.finish()
        for _ in range(8):
            await world.settle()
            world.clock.advance(0.2)
        side = await world.newest()
        assert (side.status, side.answer) == ("completed", streamed.said.strip())
        world.store.failing = lambda batch: False
        assert (await world.answered("Again?", "Yes.")).status == "completed"

    play(scenario)


def test_an_end_that_fails_once_is_stored_at_the_next_try(play: Play) -> None:
    async def scenario(world: SideWorld) -> None:
        world.know()
        asked = await world.ask()
        world.store.failing = lambda batch: SIDE_STEP in batch.rows
        world.model.last.say("Nine.").finish()
        await world.settle()
        assert not asked.ended.done()
        world.store.failing = lambda batch: False
        world.clock.advance(0.2)
        await world.settle()
        assert asked.ended.done()
        assert (world.stored()[0]["status"], world.stored()[0]["answer"]) == ("completed", "Nine.")
        rows = world.store.rows("SELECT stage, count(*) AS n FROM timing GROUP BY stage")
        assert {row["stage"]: row["n"] for row in rows} == {
            "side_question_first_text": 1,
            "side_question_response": 1,
        }

    play(scenario)


def test_a_snapshot_that_could_not_be_stored_is_stored_whole_with_the_next(play: Play) -> None:
    async def scenario(world: SideWorld) -> Snapshot | None:
        world.know(messages=history(1))
        world.store.failing = lambda batch: SIDE_QUESTION in batch.rows
        with pytest.raises(StoreError):
            await world.ask()
        assert world.services.snapshots.stored("task") is None
        world.store.failing = lambda batch: False
        world.know(messages=history(2), request_no=2)
        await world.answered("Cost?", "Nine.")
        world.services.snapshots.release("task")
        assert world.services.snapshots.at_hand("task") is None
        return world.services.snapshots.stored("task")

    snapshot = play(scenario)
    assert snapshot is not None
    assert snapshot.thawed() == history(2)


def test_the_snapshot_that_is_asked_is_stored_before_its_question_is_sent(play: Play) -> None:
    async def scenario(world: SideWorld) -> None:
        world.know(messages=history(1))
        asking = asyncio.ensure_future(world.side.ask("task", "Cost?", "one"))
        while not world.store.given:
            if not asking.done():
                world.know(messages=history(2))  # the run goes on meanwhile
            await asyncio.sleep(0)
        side = (await asking).side
        stored = world.store.rows("SELECT version FROM data.side_snapshot")
        assert {"version": side.seen.version} in stored
        await world.settle()

    play(scenario)


def test_a_question_of_a_life_before_has_its_end_only_once(database: Database) -> None:
    seen = Seen("task", 1, "request", START_US, 1)
    side = SideQuestion("side-1", "task", 1, "client", "Cost?", "m", seen, START_US)
    database.append(add_question(Batch(), side)).result(10)
    interrupt_side_questions(database, START_US + 5)
    rows = database.rows("SELECT status, ended_at, asked_at FROM side_questions")
    assert [row["status"] for row in rows] == ["interrupted"]
    assert rows[0]["ended_at"] > rows[0]["asked_at"]
