"""What a review of the conversation found: each a case that once went wrong."""

import asyncio
import json
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import duckdb
import pytest

from lazyboy_jupyter.errors import ModelError, StoreError
from tests.engine.test_chat import RESEARCH, Office
from tests.engine.test_standard import engine, until
from tests.fakes import ScriptedModel, call

CHILD = call("delegate_task", agent="c", instruction="Child.")
ASK = call("ask_user", question="Go on?")


def instruction(request: Any) -> str:
    return str(request.messages[0]["parts"][1]["content"])


class Held:
    """Replies that a test lets go, in the order in which they were asked for."""

    def __init__(self) -> None:
        self.waiting: list[asyncio.Future[Any]] = []

    async def reply(self) -> Any:
        self.waiting.append(asyncio.get_running_loop().create_future())
        return await self.waiting[-1]

    def let_go(self, number: int, said: Any) -> None:
        """On the engine's thread."""
        self.waiting[number].set_result(said)


class FullDisk:
    """A store that takes nothing, for as long as it is entered."""

    def __init__(self, one: Any) -> None:
        self._database = one._database

    def __enter__(self) -> None:
        failed: Future[None] = Future()
        failed.set_exception(StoreError("The disk is full.", "Free it."))
        self._database.append = lambda batch: failed

    def __exit__(self, *raised: object) -> None:
        del self._database.append


def test_at_the_ceiling_nothing_is_given_away(tmp_path: Path) -> None:
    def reply(request: Any) -> Any:
        if instruction(request) == "Child.":
            return [ASK]
        return (
            [CHILD]
            if request.tail.startswith("Answer now")
            else [call("report_progress", text="x")]
        )

    with engine(tmp_path, ScriptedModel([reply])) as one:
        task = one.delegate("Parent.").wait(20)
        assert "gave no answer" in (task.error or "")
        assert task.children == ()
        assert one.activity().state == "idle"


def test_a_turn_that_could_not_be_stored_does_not_stand_in_the_way(tmp_path: Path) -> None:
    office = Office("Hello.")
    with engine(tmp_path, office.model) as one:
        with FullDisk(one), pytest.raises(StoreError):
            one.chat("Hi")
        one.end_turn()
        assert one.chat("Hi").wait(10).status == "completed"
    with engine(tmp_path, office.model, "second") as one:
        assert one.agents.coordinator is not None, "it was stored with the turn that was"


@pytest.mark.parametrize("name", ["coordinator\u200b", "Coordi\u00adnator", " coordinator "])
def test_no_spelling_of_its_name_takes_the_coordinators_place(tmp_path: Path, name: str) -> None:
    spawn = call("spawn_agent", name=name, role="another", instruction="do")
    office = Office([spawn], "Hello.")
    with engine(tmp_path, office.model) as one:
        turn = one.chat("Hi").wait(10)
        assert turn.children == ()
        assert [agent.agent_id for agent in one.agents] == [turn.agent_id]


def test_a_name_is_known_again_however_long_and_however_it_is_written(tmp_path: Path) -> None:
    with engine(tmp_path, ScriptedModel(["Done."])) as one:
        names = ["a" * 70, "A" * 70, "a" * 64 + "\u200b" + "a" * 6]
        tasks = [one.delegate("x", agent=name).wait(10) for name in names]
        assert len({task.agent_id for task in tasks}) == 1


def test_a_child_that_was_deleted_costs_its_parent_nothing(tmp_path: Path) -> None:
    replies = iter([[CHILD, ASK], [call("task_status")], "All done."])

    def reply(request: Any) -> Any:
        return "Child done." if instruction(request) == "Child." else next(replies)

    model = ScriptedModel([reply])
    with engine(tmp_path, model) as one:
        task = one.delegate("Parent.")
        until(one, lambda: task.pending_question is not None)
        one.task(task.children[0]).wait(10)
        one.delete(task.children[0])
        task.answer("yes")
        assert task.wait(10).result == "All done."
        assert "deleted" in json.dumps(list(model.requests[-1].messages))


def test_a_damaged_task_costs_no_turn(tmp_path: Path) -> None:
    office = Office("Hello.")
    with engine(tmp_path, office.model) as one:
        one.research("What do gates cost?", searches=1, pages=1, gaps=0).wait(10)
    with duckdb.connect(str(tmp_path / "s.duckdb")) as connection:
        connection.execute("DELETE FROM data.event WHERE kind = 'TaskStarted'")
    with engine(tmp_path, office.model, "second") as one:
        assert one.chat("Hi").wait(10).status == "completed"


def test_what_ends_while_the_parent_speaks_is_taken_into_account(tmp_path: Path) -> None:
    parent, child = Held(), Held()
    asked: list[str] = []

    def reply(request: Any) -> Any:
        if instruction(request) == "Child.":
            return child.reply()
        asked.append(json.dumps(list(request.messages)))
        if len(asked) == 2:
            return parent.reply()
        return [CHILD] if len(asked) == 1 else "My helper counted 7."

    with engine(tmp_path, ScriptedModel([reply])) as one:
        task = one.delegate("Parent.")
        until(one, lambda: bool(parent.waiting and child.waiting))
        one.on_loop(lambda: child.let_go(0, "There are 7."))
        one.task(task.children[0]).wait(10)
        one.on_loop(lambda: parent.let_go(0, "I wait for my helper."))
        assert task.wait(10).result == "My helper counted 7."
        assert "There are 7." in asked[-1]


def test_a_turn_that_is_ended_before_it_has_read_its_history_leaves_what_was_known(
    tmp_path: Path,
) -> None:
    summary = Held()

    def reply(request: Any) -> Any:
        system = request.messages[0]["parts"][0]["content"]
        if request.aside:
            return f"Of {len(request.messages)} messages."
        return summary.reply() if system.startswith("Summarise") else f"Answer. {'word ' * 4_000}"

    with engine(tmp_path, ScriptedModel([reply], room=60_000)) as one:
        while not summary.waiting:
            turn = one.chat("More.")
            until(one, lambda turn=turn: not turn.live or bool(summary.waiting))  # type: ignore[misc]
        turn.stop()
        assert turn.status == "cancelled"
        answer = one.ask("What was said?", "conversation").wait(10).answer
        assert int(answer.split()[1]) >= 3


def test_a_turn_that_ends_at_once_has_its_handle(tmp_path: Path) -> None:
    with engine(tmp_path, ScriptedModel(["Yes."])) as one:
        assert [one.chat("Q?").wait(10).result for _ in range(20)] == ["Yes."] * 20


def test_what_was_given_away_and_failed_is_told(tmp_path: Path) -> None:
    office = Office([call("delegate_task", agent="A", instruction="Do it.")], "Wait.", "It failed.")

    def reply(request: Any) -> Any:
        if "You are the coordinator" in request.messages[0]["parts"][0]["content"]:
            return office.reply(request)
        return ModelError("It is broken.", "", kind="not_configured")

    with engine(tmp_path, ScriptedModel([reply])) as one:
        turn = one.chat("Hi").wait(10)
        assert one.task(turn.children[0]).wait(20).status == "failed"
        one.chat("How is it?").wait(10)
        assert "It is broken." in office.said[-1]


def test_a_parent_that_fails_leaves_nobody_at_work(tmp_path: Path) -> None:
    replies = iter([[CHILD], ModelError("No.", "", kind="not_configured")])

    def reply(request: Any) -> Any:
        return [ASK] if instruction(request) == "Child." else next(replies)

    with engine(tmp_path, ScriptedModel([reply])) as one:
        task = one.delegate("Parent.").wait(20)
        assert task.status == "failed"
        until(one, lambda: one.activity().state == "idle")


def test_an_agent_knows_the_task_that_ended_just_before(tmp_path: Path) -> None:
    def reply(request: Any) -> Any:
        said = json.dumps(list(request.messages))
        if "Second." in instruction(request):
            return "Knows the first." if "Was the first." in said else "Knows nothing."
        return "Was the first." if "tool-return" in said else [ASK]

    with engine(tmp_path, ScriptedModel([reply])) as one:
        first = one.delegate("First.", agent="Ann")
        until(one, lambda: first.pending_question is not None)
        second = one.delegate("Second.", agent="ann")
        first.answer("go")
        assert second.wait(10).result == "Knows the first."


def test_questions_to_the_person_buy_no_more_rounds(tmp_path: Path) -> None:
    requests = 0

    def reply(request: Any) -> Any:
        nonlocal requests
        requests += 1
        return [ASK] if requests % 7 == 0 else [call("report_progress", text=str(requests))]

    with engine(tmp_path, ScriptedModel([reply])) as one:
        task = one.delegate("Boss.")
        answered = 0
        while task.live:
            until(one, lambda: task.pending_question is not None or not task.live)
            if task.live:
                task.answer("go on")
                answered += 1
                until(one, lambda: task.pending_question is None or not task.live)
        assert (task.status, answered) == ("failed", 2)
        assert requests == 23


def test_a_report_survives_the_deletion_of_a_turn_beside_it(tmp_path: Path) -> None:
    asked: list[str] = []

    def reply(request: Any) -> Any:
        asked.append(json.dumps(list(request.messages)))
        system = request.messages[0]["parts"][0]["content"]
        if system.startswith("Summarise"):
            return "SUMMARY"
        return f"Answer. {'word ' * 1_000}" if "coordinator of" in system else "RESULT"

    with engine(tmp_path, ScriptedModel([reply], room=60_000)) as one:
        turns = []
        while not one.sql("FROM data.history_summary").fetchall():
            turns.append(one.chat("More.").wait(10).id)
            one.delegate("Beside it.").wait(10)
        ((upto,),) = one.sql("SELECT upto FROM data.history_summary").fetchall()
        one.chat("Now?").wait(10)
        before = asked[-1].count('"RESULT"')
        assert before
        one.delete(turns[turns.index(upto) + 1])
        one.chat("And now?").wait(10)
        assert asked[-1].count('"RESULT"') == before


def test_a_deleted_turn_is_in_no_summary(tmp_path: Path) -> None:
    asked: list[str] = []

    def reply(request: Any) -> Any:
        asked.append(json.dumps(list(request.messages)))
        if request.messages[0]["parts"][0]["content"].startswith("Summarise"):
            return f"SECRET {'SECRET 0' in asked[-1]}"
        return f"Answer. {'word ' * 1_000}"

    with engine(tmp_path, ScriptedModel([reply], room=60_000)) as one:
        turns = [one.chat(f"SECRET {number}").wait(10) for number in range(7)]
        assert "SECRET True" in asked[-1]
        one.delete(turns[0].id)
        one.chat("now").wait(10)
        assert "SECRET True" not in asked[-1]


def test_a_summary_that_fails_is_not_paid_for_in_every_turn(tmp_path: Path) -> None:
    failed = 0

    def reply(request: Any) -> Any:
        nonlocal failed
        if request.messages[0]["parts"][0]["content"].startswith("Summarise"):
            failed += 1
            return ModelError("No.", "", kind="rejected")
        return f"Answer. {'word ' * 1_000}"

    with engine(tmp_path, ScriptedModel([reply], room=60_000)) as one:
        turns = [one.chat(f"Question {number}").wait(10) for number in range(12)]
        assert {turn.status for turn in turns} == {"completed"}
        assert failed <= 5


def test_a_conversation_is_deleted_with_what_it_begins_meanwhile(tmp_path: Path) -> None:
    office = Office([RESEARCH], [ASK])
    with engine(tmp_path, office.model) as one:
        turn = one.chat("What do gates cost?")
        turn.settled.result(10)
        deleted = one.delete_conversation(one.conversation_id)
        assert turn.id in deleted
        assert one.tasks() == []
        assert one.activity().state == "idle"
