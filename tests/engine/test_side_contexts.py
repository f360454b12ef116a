"""What a side question is sent with: what fits, what is summarised, what was asked before."""

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from lazyboy_jupyter.core.side_context import size_of
from lazyboy_jupyter.errors import ModelError
from lazyboy_jupyter.ports import ModelReply, ModelRequest, Usage, unheard
from tests.engine.side_world import Play, SideWorld, StreamingModel, history, texts


def overflow() -> ModelError:
    return ModelError("The context is too long.", kind="overflow")


def test_an_overflow_before_any_text_is_sent_once_more_smaller(play: Play) -> None:
    async def scenario(world: SideWorld) -> None:
        world.know(messages=history(9, "x" * 9_000))
        world.model.script = [overflow(), *["A summary."] * 3]
        await world.ask("Cost?")
        first, *summaries, second = world.model.asked
        assert {one.request.tools for one in summaries} == {()}
        assert len(str(second.request.messages)) < len(str(first.request.messages)) / 1.5
        assert second.request.messages[0]["parts"] == first.request.messages[0]["parts"]
        assert "A summary." in str(second.request.messages)
        second.say("Nine.").finish()
        assert (await world.newest()).answer == "Nine."
        world.model.script = [overflow(), overflow()]  # what was summarised is known
        await world.ask("Again?")
        side = await world.newest()
        assert (side.status, side.problem) == ("failed", "The context is too long.")

    play(scenario)


@pytest.mark.parametrize("said", ["Gates", ""])
def test_an_overflow_after_text_or_a_calls_beginning_is_the_end(play: Play, said: str) -> None:
    async def scenario(world: SideWorld) -> None:
        world.know()
        await world.ask()
        world.model.last.say(said).fail(overflow())
        side = await world.newest()
        assert (side.status, side.answer) == ("failed", said)
        assert len(world.model.asked) == 1

    play(scenario)


def test_a_model_with_little_room_gets_summaries_in_pieces_that_it_has_room_for(play: Play) -> None:
    async def scenario(world: SideWorld) -> None:
        world.know(messages=history(20, "x" * 2_000))
        world.model.script = ["A summary."] * 3
        await world.ask()
        await world.sent()
        *summaries, question = world.model.asked
        assert len(summaries) > 1
        assert max(len(str(one.request.messages)) for one in summaries) < 18_000
        assert question.request.aside
        question.say("Nine.").finish(usage=Usage(100, 10))
        side = await world.newest()  # nobody said what the summaries took
        assert (side.status, side.input_tokens, side.output_tokens) == ("completed", None, None)

    play(scenario, StreamingModel(room=10_000))


def test_the_last_twenty_answers_are_in_the_request_and_older_ones_summarised(play: Play) -> None:
    async def scenario(world: SideWorld) -> None:
        world.know()
        for number in range(1, 21):
            await world.answered(f"Question {number}?", f"Answer {number}.")
        await world.ask("Question 21?")
        said = texts(world.model.last.request.messages)
        for number in range(1, 21):
            assert f"Question {number}?" in said
            assert f"Answer {number}." in said
        assert len(world.model.asked) == 21
        world.model.last.say("Answer 21.").finish()
        await world.settle()

        world.model.script = ["Summary of 1 to 5."]
        await world.ask("Question 22?")
        await world.sent()
        summary, question = world.model.asked[-2:]
        assert summary.request.tools == ()
        assert "Answer 5." in str(summary.request.messages)
        assert "Answer 6." not in str(summary.request.messages)
        said = texts(question.request.messages)
        assert "Question 5?" not in said
        assert "Question 6?" in said
        assert any("Summary of 1 to 5." in text for text in said)
        question.say("Answer 22.").finish()
        await world.settle()

        for number in range(23, 27):  # five become older at a time: no summary is made for these
            await world.answered(f"Question {number}?", f"Answer {number}.")
        world.model.script = ["Summary of 1 to 10."]
        await world.ask("Question 27?")
        await world.sent()
        summary = world.model.asked[-2]
        assert "Summary of 1 to 5." in str(summary.request.messages)
        assert "Answer 5." not in str(summary.request.messages)
        assert "Answer 6." in str(summary.request.messages)
        world.model.last.say("Yes.").finish()
        await world.settle()
        stages = [row["stage"] for row in world.store.rows("SELECT stage FROM timing ORDER BY ts")]
        assert stages.count("side_question_summary") == 2
        assert stages.count("side_question_response") == 27

    play(scenario, StreamingModel(room=240_000))


def test_only_answers_that_are_whole_are_told_again(play: Play) -> None:
    async def scenario(world: SideWorld) -> None:
        world.know()
        await world.ask("Stopped?")
        world.model.last.say("Half")
        await world.side.stop("task")
        await world.ask("Failed?")
        world.model.last.fail(ModelError("No."))
        await world.settle()
        await world.answered("Answered?", "Whole.")
        await world.ask("Now?")
        said = texts(world.model.last.request.messages)
        assert "Whole." in said
        assert not {"Stopped?", "Half", "Failed?"} & set(said)

    play(scenario)


def test_a_summary_that_fails_ends_the_question_and_is_timed(play: Play) -> None:
    async def scenario(world: SideWorld) -> None:
        world.know(messages=history(9, "x" * 2_000))
        world.model.script = [ModelError("No.", kind="overloaded")]
        await world.ask()
        assert (await world.newest()).status == "failed"
        rows = world.store.rows("SELECT stage, outcome FROM timing ORDER BY stage")
        assert [(row["stage"], row["outcome"]) for row in rows] == [
            ("side_question_response", "failed"),
            ("side_question_summary", "overloaded"),
        ]

    play(scenario, StreamingModel(room=5_000))


@dataclass
class Smaller(StreamingModel):
    """Has less room than it says, and makes summaries at once. `summaries`: how many it made."""

    summaries: int = 0

    async def respond(
        self, request: ModelRequest, heard: Callable[[str], None] = unheard
    ) -> ModelReply:
        if not request.tools:
            self.summaries += 1
            return ModelReply("A summary.")
        if size_of(request.messages) > 15_000:
            raise overflow()
        return await super().respond(request, heard)


def test_a_context_that_overflows_every_time_is_summarised_once(play: Play) -> None:
    model = Smaller(room=20_000)

    async def scenario(world: SideWorld) -> None:
        world.know(messages=history(9, "x" * 6_000))
        made = []
        for number in range(3):
            assert (await world.answered(f"{number}?", "Yes.")).status == "completed"
            made.append(model.summaries)
        assert made[0] > 2
        assert made[1:] == [made[0]] * 2
        world.know(messages=history(10, "x" * 6_000))
        await world.answered("And now?", "Yes.")
        assert made[0] < model.summaries < 2 * made[0]

    play(scenario, model)
