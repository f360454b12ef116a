"""Side questions in any order of events: asked, answered, stopped, cleared, deleted, restarted.

`LAZYBOY_TEST_FULL=1` runs the long form.
"""

import asyncio
import itertools
import os
from collections.abc import Coroutine
from typing import Any, cast

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from lazyboy_jupyter.core.messages import ToolCall
from lazyboy_jupyter.core.side import AT_ONCE, SideQuestion
from lazyboy_jupyter.errors import ModelError, SideQuestionRefused
from lazyboy_jupyter.store.database import Database
from lazyboy_jupyter.store.side import interrupt_side_questions
from tests.engine.side_expected import Expected, SharedIds, stored_of
from tests.engine.side_world import SideWorld, StreamingModel, history

EXAMPLES, STEPS = (400, 50) if os.environ.get("LAZYBOY_TEST_FULL") else (20, 25)
NAMES = "abcdef"
parents = st.sampled_from(NAMES)
places = st.integers(0, 5)
meetings = st.sampled_from(["stop", "clear", "delete", "ask"])
pieces = st.lists(st.sampled_from(["Gates ", "cost ", "<b>9</b> ", "žádné ", "\n\n"]), max_size=4)
_EXAMPLE = itertools.count()


class Lives(RuleBasedStateMachine):
    """Several lives of an engine over one store; the store is shared with other examples."""

    def __init__(self, database: Database) -> None:
        super().__init__()
        self.database = database
        self.prefix = f"{next(_EXAMPLE)}-"
        self.runner = asyncio.Runner()
        self.numbers = itertools.count(1)
        self.asked: dict[str, list[Expected]] = {name: [] for name in NAMES}
        self.gone: set[str] = set()
        self.known: set[str] = set()
        self.futures: list[Any] = []
        self.sequences: dict[str, SideQuestion] = {}
        self.past: set[str] = set()
        self.wrong: list[str] = []
        self.world = self._life(StreamingModel())

    def _life(self, model: StreamingModel) -> SideWorld:
        world = SideWorld(self.database, model, SharedIds(self.prefix, self.numbers))
        world.side.hub.subscribe(self._hear)
        return world

    def _hear(self, parent: str) -> None:
        """Whoever holds the highest sequence has the newest: it only rises."""
        own = self.world.side._parents[parent]
        for side in own.items:
            before = self.sequences.get(side.request_id, side)
            rises = before == side or (before.sequence < side.sequence and not before.ended)
            grows = side.answer.startswith(before.answer) or side.ended
            if not (rises and grows):  # whoever is told must not raise
                self.wrong.append(f"{before} became {side}")
            self.sequences[side.request_id] = side

    def run(self, work: Coroutine[Any, Any, Any]) -> Any:
        async def settled() -> Any:
            result = await work
            await self.world.settle()
            return result

        return self.runner.run(settled())

    def parent(self, name: str) -> str:
        return self.prefix + name

    def live(self) -> list[Expected]:
        return [one for asked in self.asked.values() for one in asked if one.running]

    def running_of(self, name: str) -> Expected | None:
        return next((one for one in self.asked[name] if one.running), None)

    # --- what happens

    @initialize()
    def some_are_known(self) -> None:
        for name in NAMES[:-1]:
            self.a_snapshot(name)

    @rule(name=parents)
    def a_snapshot(self, name: str) -> None:
        """Late ones too: after an end, after a deletion."""

        async def taken() -> None:
            number = next(self.numbers)
            self.world.know(self.parent(name), history(number % 3 + 1), number)

        if name in self.past:
            return  # its run ended with its life
        self.run(taken())
        if name not in self.gone:
            self.known.add(name)

    @precondition(lambda self: self.known)
    @rule(place=places)
    def ask(self, place: int) -> None:
        idle = [name for name in sorted(self.known) if self.running_of(name) is None]
        if idle:
            self.ask_anyone(idle[place % len(idle)])

    @rule(name=parents)
    def ask_anyone(self, name: str) -> None:
        question, client = f"Question {next(self.numbers)}?", f"c{next(self.numbers)}"
        why = ""
        if self.running_of(name) is not None:
            why = "busy"
        elif len(self.live()) >= AT_ONCE:
            why = "too_many"
        elif name not in self.known:
            why = "no_snapshot"
        told = self.run(self._told(name, question, client))
        assert told == why

    async def _told(self, name: str, question: str, client: str) -> str:
        try:
            asked = await self.world.side.ask(self.parent(name), question, client)
        except SideQuestionRefused as refused:
            return refused.kind
        self.futures.append(asked.ended)
        one = Expected(
            asked.side.request_id, question, client, len(self.asked[name]) + 1, asked.ended
        )
        self.asked[name].append(one)
        await self.world.settle()
        one.streamed = next(s for s in self.world.model.asked if s.request.aside == question)
        return ""

    @rule(names=st.lists(parents, min_size=5, max_size=5))
    def five_ask_at_once(self, names: list[str]) -> None:
        before = len(self.live())

        async def all_told() -> list[str]:
            number = next(self.numbers)
            works = [
                self._told(name, f"Question {number}-{place}?", f"c{number}-{place}")
                for place, name in enumerate(names)
            ]
            return list(await asyncio.gather(*works))

        told = self.run(all_told())
        assert set(told) <= {"", "busy", "too_many", "no_snapshot"}
        assert before + told.count("") == len(self.live()) <= AT_ONCE
        if "too_many" in told:
            # A place is held while a question begins, also one that is then refused.
            assert before + told.count("") + told.count("no_snapshot") >= AT_ONCE

    @rule(name=parents)
    def ask_the_same_again(self, name: str) -> None:
        for one in self.asked[name][-1:]:
            again = self.run(self.world.side.ask(self.parent(name), one.question, one.client))
            assert again.side.request_id == one.request_id
            assert again.ended.done() != one.running

    def one_of(self, place: int) -> tuple[str, Expected]:
        live = [(name, one) for name, asked in self.asked.items() for one in asked if one.running]
        return live[place % len(live)]

    @precondition(lambda self: self.live())
    @rule(place=places, said=pieces)
    def a_piece(self, place: int, said: list[str]) -> None:
        _, one = self.one_of(place)
        assert one.streamed is not None
        streamed = one.streamed
        self.run(_done(lambda: streamed.say(*said)))

    @precondition(lambda self: self.live())
    @rule(place=places, said=pieces, how=st.sampled_from(["whole", "whole", "call", "error"]))
    def an_end(self, place: int, said: list[str], how: str) -> None:
        _, one = self.one_of(place)
        self.run(_done(lambda: self._end(one, said, how)))

    def _end(self, one: Expected, said: list[str], how: str) -> None:
        assert one.streamed is not None
        one.streamed.say(*said)
        if how == "error":
            one.streamed.fail(ModelError("It failed."))
            one.end("failed")
        elif how == "call":
            one.streamed.finish(ToolCall("1", "web_search", {"query": "q"}))
            one.end("needs_tools")
        else:
            one.streamed.finish()
            one.end("completed" if one.said.strip() else "failed")

    @rule(name=parents)
    def stop_anyone(self, name: str) -> None:
        stopped = self.run(self.world.side.stop(self.parent(name)))
        one = self.running_of(name)
        assert (stopped is None) == (one is None)
        if one is not None:
            one.end("stopped")

    @precondition(lambda self: self.live())
    @rule(place=places)
    def stop(self, place: int) -> None:
        self.stop_anyone(self.one_of(place)[0])

    @precondition(lambda self: self.live())
    @rule(
        place=places,
        turns=st.integers(0, 12),
        how=meetings,
    )
    def an_end_that_meets(self, place: int, turns: int, how: str) -> None:
        """The model ends just as somebody stops, clears, deletes or asks on."""
        name, one = self.one_of(place)

        async def both() -> None:
            self._end(one, ["Gates "], "whole")
            for _ in range(turns):
                await asyncio.sleep(0)
            parent = self.parent(name)
            if how == "stop":
                await self.world.side.stop(parent)
                one.end("stopped", "completed")
            elif how == "clear":
                await self.world.side.clear(parent)
            elif how == "delete":
                await self._delete(name)
            else:
                told = await self._told(name, f"Question {next(self.numbers)}?", "another")
                assert told in {"", "busy", "too_many", "id_reused"}

        self.run(both())
        if how == "clear":
            self.asked[name] = []

    @rule(name=parents)
    def clear(self, name: str) -> None:
        count = self.run(self.world.side.clear(self.parent(name)))
        assert count == len(self.asked[name])
        self.asked[name] = []

    async def _delete(self, name: str) -> None:
        await self.world.side.forget(self.parent(name))
        await asyncio.wrap_future(self.world.store.delete_task(self.parent(name)))
        self.asked[name] = []
        self.known.discard(name)
        self.gone.add(name)

    @rule(name=st.sampled_from("ef"))
    def delete(self, name: str) -> None:
        self.run(self._delete(name))

    @rule(seconds=st.sampled_from([0.1, 0.3]))
    def a_moment(self, seconds: float) -> None:
        self.run(_done(lambda: self.world.clock.advance(seconds)))

    @rule()
    def two_minutes(self) -> None:
        self.run(_done(lambda: self.world.clock.advance(120)))
        for one in self.live():
            one.end("timed_out")

    @rule(orderly=st.booleans())
    def restart(self, orderly: bool) -> None:
        """What is stored answers on. A killed life lacks what its last moment had."""
        old = self.world
        if orderly:
            self.run(old.side.close())
        else:
            self.a_moment(0.3)
            self.runner.run(old.kill())
            self.futures = [one for one in self.futures if one.done()]
        live = self.live()
        interrupt_side_questions(self.database, old.clock.now_us())
        for one in live:
            one.end("interrupted")
        # What was never asked about, and never stored, is gone with its life.
        rows = self.database.rows("SELECT DISTINCT parent FROM data.side_snapshot")
        stored = {row["parent"] for row in rows}
        self.known = {name for name in self.known if self.parent(name) in stored}
        self.past = self.known | self.gone
        self.world = self._life(old.model)
        self.world.clock.advance((old.clock.now_us() - self.world.clock.now_us()) / 1_000_000)

    # --- what always holds

    @invariant()
    def nothing_is_lost_and_nothing_comes_back(self) -> None:
        assert self.wrong == []
        assert len(self.live()) <= AT_ONCE
        stored = stored_of(self.database, self.prefix)
        known = {one.request_id for asked in self.asked.values() for one in asked}
        steps = self.database.rows(
            "SELECT DISTINCT request_id FROM data.side_step WHERE starts_with(parent, ?)",
            [self.prefix],
        )
        assert {row["request_id"] for row in steps} == known
        for name, asked in self.asked.items():
            sides = self.run(self.world.side.history(self.parent(name)))
            assert [one.request_id for one in asked] == [side.request_id for side in sides]
            rows = stored.get(name, [])
            assert [one.request_id for one in asked] == [row["request_id"] for row in rows]
            assert sum(not side.ended for side in sides) <= 1
            for one, side, row in zip(asked, sides, rows, strict=True):
                assert side.status in one.statuses
                assert side.ordinal == row["ordinal"] == one.ordinal
                if side.ended:
                    assert (row["status"], row["answer"]) == (side.status, side.answer)
                    assert side.answer.strip() == one.said.strip()
                    assert one.ended.done() or side.status == "interrupted"
                else:
                    assert side.answer == one.said
                    assert one.said.startswith(row["answer"])

    def teardown(self) -> None:
        self.run(self.world.side.close())
        assert all(one.done() for one in self.futures)
        rows = self.database.rows(
            "SELECT status FROM side_questions WHERE starts_with(parent, ?)", [self.prefix]
        )
        assert not {row["status"] for row in rows} & {"preparing", "running"}
        self.runner.close()


async def _done(act: Any) -> None:
    act()


def test_in_any_order_no_answer_is_lost_and_none_comes_back(database: Database) -> None:
    run_state_machine_as_test(
        cast(Any, lambda: Lives(database)),
        settings=settings(
            max_examples=EXAMPLES,
            stateful_step_count=STEPS,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow],
        ),
    )
