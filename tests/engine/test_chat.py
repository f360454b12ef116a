"""The conversation of a notebook: turns, what they begin, what they know (DESIGN §19)."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from lazyboy_jupyter.errors import ModelError, SideQuestionRefused, UsageError
from tests.engine.test_standard import QUOTE, engine, until
from tests.fakes import ScriptedModel, call, guide

RESEARCH = call(
    "delegate_task", agent="Reader", instruction="What do gates cost?", task_type="research"
)


class Office:
    """A coordinator and a researcher behind one model; keeps what each was asked."""

    def __init__(self, *turns: Any) -> None:
        self.turns = list(turns)
        self.said: list[str] = []
        self.research = [
            [call("web_search", query="q")],
            [call("open_page", url="https://a.example/1")],
            [guide(("S1", QUOTE), text="Gates cost 1 million euros.")],
        ]

    def reply(self, request: Any) -> Any:
        if "You are the coordinator" in request.messages[0]["parts"][0]["content"]:
            self.said.append(json.dumps(list(request.messages)))
            return self.turns.pop(0)
        return self.research.pop(0)

    @property
    def model(self) -> ScriptedModel:
        return ScriptedModel([self.reply])


def test_a_turn_begins_research_and_the_next_one_knows_its_guide_after_a_restart_too(
    tmp_path: Path,
) -> None:
    office = Office([RESEARCH], "Reader looks it up.", "One million.", "Still one million.")
    with engine(tmp_path, office.model) as one:
        turn = one.chat("What do gates cost?").wait(10)
        assert (turn.status, turn.result) == ("completed", "Reader looks it up.")
        (child,) = turn.children
        task = one.task(child).wait(10)
        assert task.task_type == "research"
        assert task.guide is not None
        assert len(office.said) == 2, "a finished research causes no request of its own"
        assert one.chat("How much, then?").wait(10).result == "One million."
        assert QUOTE in office.said[2]
        assert office.said[2].count("task_status") >= 1
        assert [row["task_id"] for row in one.tasks()] == [child], "turns are in no list"
    with engine(tmp_path, office.model, "second") as one:
        assert one.chat("And now?").wait(10).result == "Still one million."
        assert QUOTE in office.said[3]
        assert "Reader looks it up." in office.said[3]
        assert "One million." in office.said[3]
        assert len(office.said) == 4
        common = office.said[2][: -len('"}]}]') - 40]
        assert office.said[3].startswith(common), "what was said is a prefix of what comes later"


def test_research_in_a_cell_of_its_own_is_known_too(tmp_path: Path) -> None:
    office = Office("One million.")
    with engine(tmp_path, office.model) as one:
        one.research("What do gates cost?", searches=1, pages=1, gaps=0).wait(10)
        one.chat("What do gates cost?").wait(10)
        assert QUOTE in office.said[0]


def test_a_deleted_task_is_in_no_history(tmp_path: Path) -> None:
    office = Office("One.", "Nothing is known.")
    with engine(tmp_path, office.model) as one:
        task = one.research("What do gates cost?", searches=1, pages=1, gaps=0).wait(10)
        one.delete(task.id)
        one.chat("What do gates cost?").wait(10)
        assert QUOTE not in office.said[0]


def test_the_coordinator_asks_and_the_next_words_are_the_answer(tmp_path: Path) -> None:
    office = Office([call("ask_user", question="Which gates?")], "City gates cost a lot.")
    with engine(tmp_path, office.model) as one:
        turn = one.chat("What do gates cost?")
        turn.settled.result(10)
        assert (turn.status, turn.pending_question) == ("waiting_input", "Which gates?")
        assert one.activity().pending_question == "Which gates?"
        same = one.chat("Those of the city")
        assert same.id == turn.id
        assert same.wait(10).result == "City gates cost a lot."
        assert "Those of the city" in office.said[1]


def test_a_question_that_was_cut_off_by_a_restart_leaves_a_history_that_can_be_sent(
    tmp_path: Path,
) -> None:
    office = Office([call("ask_user", question="Which gates?")], "All right.")
    with engine(tmp_path, office.model) as one:
        turn = one.chat("What do gates cost?")
        turn.settled.result(10)
    with engine(tmp_path, office.model, "second") as one:
        assert one.activity().state == "idle"
        assert one.chat("Never mind.").wait(10).result == "All right."
        assert "interrupted" in office.said[1]
        messages = json.loads(office.said[1])
        calls = [p for m in messages for p in m["parts"] if p["part_kind"] == "tool-call"]
        answers = [p for m in messages for p in m["parts"] if p["part_kind"] == "tool-return"]
        assert [p["tool_call_id"] for p in calls] == [p["tool_call_id"] for p in answers]
        with pytest.raises(UsageError, match="not gone on with"):
            one.resume(turn.id)


def test_a_turn_that_is_stopped_leaves_its_tasks_at_work(tmp_path: Path) -> None:
    office = Office([RESEARCH, call("ask_user", question="More?")], "We go on.")
    with engine(tmp_path, office.model) as one:
        turn = one.chat("What do gates cost?")
        turn.settled.result(10)
        turn.stop()
        assert (turn.status, turn.pending_question) == ("cancelled", None)
        assert one.task(turn.children[0]).wait(10).status == "completed"
        assert one.chat("Go on.").wait(10).result == "We go on."
        assert QUOTE in office.said[1]


def test_one_turn_at_a_time(tmp_path: Path) -> None:
    held: list[Any] = []

    async def hold(request: Any) -> Any:
        held.append(asyncio.get_running_loop().create_future())
        return await held[-1]

    with engine(tmp_path, ScriptedModel([hold])) as one:
        turn = one.chat("Q?")
        until(one, lambda: bool(held))
        with pytest.raises(UsageError, match="still answering"):
            one.chat("Another?")
        turn.stop()
        assert turn.status == "cancelled"


def test_a_side_question_on_the_conversation(tmp_path: Path) -> None:
    office = Office("Gates are dear.", "Because of the hinges.")
    with engine(tmp_path, office.model) as one:
        with pytest.raises(UsageError, match="no task"):
            one.ask("Why?")
        with pytest.raises(SideQuestionRefused):
            one.ask("Why?", "conversation")
        turn = one.chat("Are gates dear?").wait(10)
        answer = one.ask("Why?").wait(10)
        assert (answer.answer, answer.parent) == ("Because of the hinges.", one.conversation_id)
        assert one.side.parent_of(turn.id) == one.conversation_id
        assert one.side.agent_of(one.conversation_id) == turn.agent_id
    with engine(tmp_path, Office("Still because.").model, "second") as one:
        answer = one.ask("Why, again?", "conversation").wait(10)
        assert answer.answer == "Still because."
        assert [view.side.question for view in one.side.history(one.conversation_id)] == [
            "Why?", "Why, again?",
        ]  # fmt: skip


def test_a_long_history_is_summarised_once_and_what_is_new_is_kept(tmp_path: Path) -> None:
    long = "word " * 1_000
    asked: list[Any] = []

    def reply(request: Any) -> Any:
        asked.append(request)
        system = request.messages[0]["parts"][0]["content"]
        if system.startswith("Summarise"):
            return "They spoke of words."
        return f"Answer {len(asked)}. {long}"

    model = ScriptedModel([reply], room=60_000)
    with engine(tmp_path, model) as one:
        for number in range(8):
            one.chat(f"Question {number}").wait(10)
        summaries = [r for r in asked if "Summarise" in r.messages[0]["parts"][0]["content"]]
        assert len(summaries) == 1
        assert not summaries[0].tools
        last = json.dumps(list(asked[-1].messages))
        assert "They spoke of words." in last
        assert "Question 7" in last
        assert "Question 0" not in last
        assert len(last) < 60_000
        snapshot = one._services.snapshots.at_hand(one.conversation_id)
        snapshot = snapshot or one._services.snapshots.stored(one.conversation_id)
        assert snapshot is not None
        assert "Summarise" not in snapshot.messages[0].body, "a summary is no snapshot's source"
    with engine(tmp_path, ScriptedModel([reply], room=60_000), "second") as one:
        count = len(asked)
        one.chat("Question 8").wait(10)
        assert "They spoke of words." in json.dumps(list(asked[count].messages))


def test_the_coordinator_reads_what_tasks_have_found(tmp_path: Path) -> None:
    looks = [call("task_status"), call("task_status", task="zzzz")]
    office = Office([RESEARCH], "Wait.", looks, "Read.", "Done.")
    model = office.model
    with engine(tmp_path, model) as one:
        turn = one.chat("What do gates cost?").wait(10)
        one.task(turn.children[0]).wait(10)
        one.chat("How does it stand?").wait(10)
        listed, missing = model.results(len(model.requests) - 1)
        assert [row["status"] for row in listed["tasks"]] == ["completed"]
        assert missing["error"] == "refused"
        reference = listed["tasks"][0]["task"]
        office.turns[0:0] = [
            [
                call("task_status", task=reference),
                call("read_tool_output", output_id=f"{reference}/guide"),
                call("read_tool_output", output_id=f"{reference}/O1", limit=50),
                call("read_tool_output", output_id=f"{reference}/../../etc/passwd"),
            ]
        ]
        one.chat("Read it.").wait(10)
        report, whole, page, none = model.results(len(model.requests) - 1)
        assert report["results"][0]["text"] == QUOTE
        assert "Gates cost 1 million euros." in whole["text"]
        assert page["text"]
        assert none["error"] == "refused"


def test_deleting_the_conversation_leaves_nothing_and_it_begins_anew(tmp_path: Path) -> None:
    office = Office([RESEARCH], "Wait.", "A side answer.", "Hello.")
    with engine(tmp_path, office.model) as one:
        turn = one.chat("What do gates cost?").wait(10)
        one.task(turn.children[0]).wait(10)
        one.ask("Why?", "conversation").wait(10)
        deleted = one.delete_conversation(one.conversation_id)
        assert set(deleted) == {turn.id, turn.children[0]}
        for table in ("task", "event", "turn_message", "agent", "side_question", "side_message"):
            assert one.sql(f"SELECT count(*) FROM data.{table}").fetchall() == [(0,)], table
        assert one.chat("Hi").wait(10).result == "Hello."
        assert "gates" not in office.said[-1]
        assert one.agents.coordinator is not None


def test_a_model_that_takes_less_than_it_said_gets_a_summary_and_answers(tmp_path: Path) -> None:
    asked: list[Any] = []

    def reply(request: Any) -> Any:
        asked.append(request)
        said = json.dumps(list(request.messages))
        if "Summarise" in said:
            return "They spoke of words."
        if len(said) > 30_000:
            raise ModelError("The context is too long.", "", kind="overflow")
        return f"Answer {len(asked)}. {'word ' * 1_000}"

    model = ScriptedModel([reply])
    with engine(tmp_path, model) as one:
        turns = [one.chat(f"Question {number}").wait(10) for number in range(7)]
        assert {turn.status for turn in turns} == {"completed"}
        assert sum("Summarise" in str(one.messages) for one in asked) == 1
        last = json.dumps(list(asked[-1].messages))
        assert "They spoke of words." in last
        assert last.count("Question 6") == 1


def test_a_turn_that_has_no_room_at_all_says_so(tmp_path: Path) -> None:
    model = ScriptedModel([ModelError("The context is too long.", "", kind="overflow")])
    with engine(tmp_path, model) as one:
        turn = one.chat("Q?").wait(10)
        assert (turn.status, turn.error) == ("failed", "The context is too long.")
        assert len(model.requests) <= 3
