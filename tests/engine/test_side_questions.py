"""Side questions as people meet them: answered, or refused and nothing left."""

import asyncio

import pytest

from lazyboy_jupyter.core.messages import ToolCall
from lazyboy_jupyter.core.side import LONGEST_ANSWER
from lazyboy_jupyter.errors import ModelError, StoreError, UsageError
from lazyboy_jupyter.ports import Usage
from lazyboy_jupyter.store.schema import SIDE_QUESTION
from lazyboy_jupyter.store.side import load_questions
from tests.engine.side_world import Play, SideWorld, StreamingModel, history
from tests.fakes import START_US


def test_an_answer_streams_and_is_stored_with_what_it_rests_on(play: Play) -> None:
    async def scenario(world: SideWorld) -> None:
        world.know()
        told: list[str] = []
        world.side.hub.subscribe(told.append)
        asked = await world.ask("What do they cost?")
        assert not asked.ended.done()
        assert (await world.newest()).status == "running"
        world.clock.advance(1)
        world.model.last.say("Gates ", "cost 9 million (S1).")
        assert (await world.newest()).answer == "Gates cost 9 million (S1)."
        world.model.last.finish(usage=Usage(120, 8))
        side = await world.newest()
        assert (side.status, side.answer) == ("completed", "Gates cost 9 million (S1).")
        assert (side.input_tokens, side.output_tokens) == (120, 8)
        assert [(one.source, one.message) for one in side.rests_on] == [("S1", 3)]
        assert side.first_text_us == START_US + 1_000_000
        assert asked.ended.done()
        assert set(told) == {"task"}
        assert world.stored()[0]["answer"] == side.answer
        assert load_questions(world.services.database, "task") == [side]

    play(scenario)


def test_the_request_is_the_snapshot_and_the_question_and_offers_the_same_tools(play: Play) -> None:
    async def scenario(world: SideWorld) -> None:
        world.know(messages=history(2))
        await world.ask("What do they cost?")
        request = world.model.last.request
        assert list(request.messages) == history(2)
        assert [tool.name for tool in request.tools] == ["web_search", "open_page"]
        assert request.tail.endswith("What do they cost?")
        assert request.aside == "What do they cost?"
        assert request.left is None

    play(scenario)


@pytest.mark.parametrize("printed", [False, True])
def test_a_reply_that_calls_a_tool_needs_tools_and_keeps_its_text(
    play: Play, printed: bool
) -> None:
    async def scenario(world: SideWorld) -> None:
        world.know()
        await world.ask()
        streamed = world.model.last.say("That is not known yet.")
        if printed:
            streamed.say(
                '\n<tool_call>{"name": "web_search", "arguments": {"query": "q"}}</tool_call>'
            )
            streamed.finish()
        else:
            streamed.finish(ToolCall("1", "web_search", {"query": "q"}))
        side = await world.newest()
        assert (side.status, side.tool) == ("needs_tools", "web_search")
        assert side.answer == "That is not known yet."
        assert len(world.model.asked) == 1
        await world.ask("And then?")
        assert "not known yet" not in str(world.model.last.request.messages)

    play(scenario)


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (ModelError("The server failed.", kind="server"), "failed"),
        (ModelError("No key.", "Set one.", kind="not_configured"), "failed"),
        (ModelError("Too slow.", kind="timeout"), "timed_out"),
        (ValueError("ours"), "failed"),
    ],
)
def test_an_error_ends_it_with_its_text_kept(
    play: Play, caplog: pytest.LogCaptureFixture, error: Exception, status: str
) -> None:
    async def scenario(world: SideWorld) -> None:
        world.know()
        asked = await world.ask()
        world.model.last.say("Gates ").fail(error)
        side = await world.newest()
        assert (side.status, side.answer) == (status, "Gates ")
        assert side.problem
        assert asked.ended.done()
        assert (await world.answered("Again?", "Yes.")).status == "completed"

    play(scenario)
    assert ("failed" in caplog.text) == isinstance(error, ValueError)


@pytest.mark.parametrize("said", ["", "  \n", "<think>hm</think>"])
def test_an_empty_answer_is_a_failure(play: Play, said: str) -> None:
    async def scenario(world: SideWorld) -> None:
        world.know()
        await world.ask()
        world.model.last.say(said).finish()
        side = await world.newest()
        assert (side.status, "empty" in side.problem) == ("failed", True)

    play(scenario)


@pytest.mark.parametrize("words", ["", "Gates "])
def test_after_120_seconds_it_is_out_of_time(play: Play, words: str) -> None:
    async def scenario(world: SideWorld) -> None:
        world.know()
        asked = await world.ask()
        if words:
            world.model.last.say(words)
        for _ in range(119):
            world.clock.advance(1)
            await world.settle()
            if not words and world.model.last.cut:
                break
        assert asked.ended.done() == (not words)
        world.clock.advance(1)
        side = await world.newest()
        assert (side.status, side.answer) == ("timed_out", words)
        assert world.model.last.cut
        assert (await world.answered("Again?", "Yes.")).status == "completed"

    play(scenario)


def test_preparation_counts_as_its_time(play: Play) -> None:
    async def scenario(world: SideWorld) -> None:
        world.know(messages=history(6, "x" * 2_000))
        await world.ask()
        assert (await world.newest()).status == "preparing"
        world.model.last.say("A summ")
        world.clock.advance(100)
        await world.settle()
        world.model.last.say("ary.").finish()
        assert (await world.newest()).status == "running"
        world.model.last.say("Gates")
        world.clock.advance(20)
        assert (await world.newest()).status == "timed_out"

    play(scenario, StreamingModel(room=6_000))


def test_a_question_that_is_too_long_or_empty_is_the_askers_mistake(play: Play) -> None:
    async def scenario(world: SideWorld) -> None:
        world.know()
        for question in ("x" * 4_001, "", " \n"):
            with pytest.raises(UsageError):
                await world.ask(question)
        assert world.model.asked == []
        assert world.stored() == []
        assert (await world.answered("x" * 4_000, "Yes.")).status == "completed"

    play(scenario)


def test_what_cannot_be_asked_now_is_refused_and_leaves_nothing(play: Play) -> None:
    async def scenario(world: SideWorld) -> None:
        assert await world.refused() == "no_snapshot"
        world.know()
        del world.models["streaming"]
        assert await world.refused() == "model_changed"
        world.models["streaming"] = StreamingModel(identity="elsewhere")
        assert await world.refused() == "model_changed"
        assert world.models["streaming"].asked == []
        assert world.stored() == []
        world.models["streaming"] = world.model
        assert (await world.answered("Now?", "Yes.")).ordinal == 1

    play(scenario)


def test_one_id_is_one_question(play: Play) -> None:
    async def scenario(world: SideWorld) -> None:
        world.know()
        first = await world.ask("Cost?", client="one")
        again = await world.ask("Cost?", client="one")
        assert again.side.request_id == first.side.request_id
        assert again.ended is first.ended
        assert await world.refused("Other?", client="one") == "id_reused"
        world.model.last.say("Nine.").finish()
        await world.settle()
        after = await world.ask("Cost?", client="one")
        assert (after.side.answer, after.ended.done()) == ("Nine.", True)
        assert await world.refused("Other?", client="one") == "id_reused"
        assert len(world.model.asked) == 1

    play(scenario)


def test_callers_that_meet_with_one_id_get_one_question(play: Play) -> None:
    async def scenario(world: SideWorld) -> None:
        world.know()
        asked = await asyncio.gather(*(world.side.ask("task", "Cost?", "one") for _ in range(5)))
        await world.settle()
        assert len({one.side.request_id for one in asked}) == 1
        assert len(world.model.asked) == 1

    play(scenario)


def test_one_at_a_time_of_a_parent_and_four_in_all(play: Play) -> None:
    async def scenario(world: SideWorld) -> None:
        for parent in "abcde":
            world.know(parent)
        for parent in "abcd":
            await world.ask(parent=parent)
        assert await world.refused(parent="a") == "busy"
        assert await world.refused(parent="e") == "too_many"
        world.model.asked[1].say("Yes.").finish()
        await world.settle()
        await world.ask(parent="e")
        assert await world.refused(parent="b") == "too_many"
        for streamed in world.model.asked:
            if not streamed.over:
                streamed.say("Yes.").finish()
        await world.settle()
        assert {row["status"] for parent in "abcde" for row in world.stored(parent)} == {
            "completed"
        }

    play(scenario)


def test_refused_and_failing_questions_take_no_place(play: Play) -> None:
    async def scenario(world: SideWorld) -> None:
        world.know()
        for number in range(20):
            assert await world.refused(parent=f"none {number}") == "no_snapshot"
        world.store.failing = lambda batch: SIDE_QUESTION in batch.rows
        for _ in range(10):
            with pytest.raises(StoreError):
                await world.ask()
        world.store.failing = lambda batch: False
        assert (await world.answered("Now?", "Yes.")).status == "completed"

    play(scenario)


def test_a_cleared_question_is_known_as_it_ended(play: Play) -> None:
    async def scenario(world: SideWorld) -> None:
        world.know()
        asked = await world.ask()
        world.model.last.say("Gates cost")
        await world.settle()
        await world.side.clear(asked.side.parent)
        assert asked.ended.done()
        assert (asked.ended.result().status, asked.ended.result().answer) == (
            "stopped",
            "Gates cost",
        )
        assert await world.side.history(asked.side.parent) == ()

    play(scenario)


def test_an_answer_without_end_is_ended(play: Play) -> None:
    async def scenario(world: SideWorld) -> None:
        world.know()
        await world.ask()
        for _ in range(4):
            world.model.last.say("x" * 10_000)
        await world.settle()
        side = await world.newest()
        assert (side.status, len(side.answer)) == ("stopped", LONGEST_ANSWER)
        assert "longer than 30,000 characters" in side.problem

    play(scenario)
