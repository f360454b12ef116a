"""Standard tasks: what came of them, their ceilings, others, and the person (DESIGN §19)."""

import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lazyboy_jupyter.adapters.clock import SystemClock
from lazyboy_jupyter.config import Settings
from lazyboy_jupyter.core.briefs import StandardBrief
from lazyboy_jupyter.core.research import replay
from lazyboy_jupyter.core.team_tools import TEAM_MODELS
from lazyboy_jupyter.core.tools import ToolSpec
from lazyboy_jupyter.engine.engine import Engine
from lazyboy_jupyter.engine.task import Task
from lazyboy_jupyter.errors import SourceError, UsageError
from lazyboy_jupyter.ports import Toolset
from lazyboy_jupyter.store.events import log_of
from tests.engine.driving import PATIENCE
from tests.fakes import CountingIds, FakeWeb, ScriptedModel, call, pages, world

QUOTE = "gates cost 1 million euros"
FIRST = "https://a.example/1"


def engine(
    tmp_path: Path, model: Any, life: str = "first", toolsets: Sequence[Toolset] = ()
) -> Engine:
    """An engine of that `life`: the ids of a later one are behind those of an earlier."""
    outside = world(SystemClock(), model, FakeWeb(pages(2)))
    ids, side_ids = CountingIds(life), CountingIds(f"side-{life}")
    outside = replace(outside, ids=ids, side_ids=side_ids, toolsets=toolsets)
    return Engine(tmp_path / "s.duckdb", settings=Settings(cache=tmp_path), world=outside)


def until(one: Engine, holds: Callable[[], bool]) -> None:
    """Wait until the engine's thread has come so far."""
    patience = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < patience, "it never came so far"
        one.activity()


def kinds(task: Task) -> list[str]:
    return [row[0] for row in task.events().project("kind").fetchall()]


def test_it_reads_under_its_own_ceiling_and_says_what_it_rests_on(tmp_path: Path) -> None:
    answer = f"It is dear: “{QUOTE}” (S1)."
    model = ScriptedModel([[call("web_search", query="q")], [call("open_page", url=FIRST)], answer])
    with engine(tmp_path, model) as one:
        task = one.delegate("What do gates cost?").wait(10)
        assert (task.status, task.result, task.task_type) == ("completed", answer, "standard")
        rests = task.view().rests_on
        assert [(rest.source, rest.quote) for rest in rests] == [("S1", QUOTE)]
        assert "publish_research" not in model.offered(0)
        assert [m.total for m in task.view().meters] == [600, 10, 40]
        log = [(us, event) for _, us, event in log_of(one._database, task.id)]
        assert replay(log) == task._state
        stored = one.task(task.id)
        assert (stored.result, stored.view().rests_on) == (answer, rests)
        row = one.sql("SELECT task_type, status, pages FROM tasks").fetchall()
        assert row == [("standard", "completed", 1)]


def test_at_its_ceiling_it_answers_or_fails(tmp_path: Path) -> None:
    search = [call("web_search", query=f"q{n}") for n in range(12)]
    model = ScriptedModel([*([one] for one in search), "All that I found."])
    with engine(tmp_path, model) as one:
        task = one.delegate("Look around.").wait(10)
        assert task.status == "completed"
        assert task.usage.searches == 10
        assert "web_search" not in model.offered(11)
    again = ScriptedModel([[call("read_tool_output", output_id="none")]])
    with engine(tmp_path, again, "second") as one:
        task = one.delegate("Never ends.").wait(20)
        assert task.status == "failed"
        assert "no answer" in (task.error or "")
        assert len(again.requests) == 23, "twenty rounds, then three to answer in"


def test_a_question_to_the_person_waits_and_costs_no_time(tmp_path: Path) -> None:
    asks = [call("web_search", query="q"), call("ask_user", question="Which year?")]
    model = ScriptedModel([asks, "In 1999, then."])
    with engine(tmp_path, model) as one:
        task = one.delegate("When?", name="when")
        until(one, lambda: task.pending_question is not None)
        assert (task.status, task.pending_question) == ("waiting_input", "Which year?")
        assert one.activity().state == "waiting_input"
        assert one.activity().pending_question == "Which year?"
        stored = "SELECT status FROM tasks"
        until(one, lambda: one.sql(stored).fetchall() == [("waiting_input",)])
        with pytest.raises(UsageError, match="empty"):
            task.answer("  ")
        one.answer("when", "1999")
        task.wait(10)
        assert model.results(1)[-1] == {"answer": "1999"}
        assert "results" in model.results(1)[0], "its other calls ran beside it"
        assert (task.status, task.pending_question) == ("completed", None)
        with pytest.raises(UsageError, match="Nothing waits"):
            task.answer("again")


@pytest.mark.parametrize("end", ["stopped", "closed"])
def test_a_question_that_nobody_answers_ends_with_its_task(tmp_path: Path, end: str) -> None:
    model = ScriptedModel([[call("ask_user", question="Which year?")]])
    with engine(tmp_path, model) as one:
        task = one.delegate("When?")
        until(one, lambda: task.pending_question is not None)
        if end == "stopped":
            task.stop()
            assert (task.status, task.pending_question) == ("cancelled", None)
    with engine(tmp_path, ScriptedModel(["It was 1999."]), "second") as one:
        assert one.interrupted == []
        stored = one.task(task.id)
        assert stored.status == ("cancelled" if end == "stopped" else "interrupted")
        assert one.activity().state == "idle"
        again = one.resume(task.id).wait(10)
        assert (again.status, again.result) == ("completed", "It was 1999.")
        assert again.task_type == "standard"


def test_it_gives_a_task_away_and_answers_with_what_came_of_it(tmp_path: Path) -> None:
    def reply(request: Any) -> Any:
        text = json.dumps(list(request.messages))
        if "Your role" in text or "Count." in request.messages[0]["parts"][1]["content"]:
            return "There are 7."
        if "There are 7." in text:
            return "My helper counted 7."
        if "delegate_task" in json.dumps(list(request.messages)[1:]):
            return "I wait for my helper."
        return [call("delegate_task", agent="Helper", instruction="Count.")]

    model = ScriptedModel([reply])
    with engine(tmp_path, model) as one:
        task = one.delegate("How many?").wait(10)
        assert task.result == "My helper counted 7."
        (child,) = task.children
        assert one.task(child).wait(10).result == "There are 7."
        rows = one.sql("SELECT task_id, parent_task_id FROM tasks ORDER BY 1").fetchall()
        assert rows == [(task.id, None), (child, task.id)]
        assert one.agents.name_of(one.task(child).agent_id) == "Helper"
        assert kinds(task).count("TaskDelegated") == 1


def test_an_agent_does_one_task_at_a_time_and_knows_the_one_before(tmp_path: Path) -> None:
    def reply(request: Any) -> Any:
        text = json.dumps(list(request.messages))
        if "Second." in request.messages[0]["parts"][1]["content"]:
            return "Knows the first." if "Was the first." in text else "Knows nothing."
        if "go" in text:
            return "Was the first."
        return [call("ask_user", question="May I?")]

    with engine(tmp_path, ScriptedModel([reply])) as one:
        first = one.delegate("First.", agent="Ann")
        until(one, lambda: first.pending_question is not None)
        second = one.delegate("Second.", agent="ann")
        assert second.agent_id == first.agent_id
        assert (second.status, one.activity(first.agent_id).state) == ("queued", "waiting_input")
        first.answer("go")
        second.wait(10)
        assert (first.status, second.status) == ("completed", "completed")
        third = one.delegate("Second.", agent="Ann").wait(10)
        assert third.result == "Knows the first."


def test_a_queued_task_can_be_stopped(tmp_path: Path) -> None:
    model = ScriptedModel([[call("ask_user", question="May I?")], "Done."])
    with engine(tmp_path, model) as one:
        first = one.delegate("First.", agent="Ann")
        until(one, lambda: first.pending_question is not None)
        second = one.delegate("Second.", agent="Ann")
        second.stop()
        assert second.status == "cancelled"
        first.answer("go")
        assert first.wait(10).status == "completed"


def test_work_that_makes_work_has_limits(tmp_path: Path) -> None:
    refused: list[str] = []

    def reply(request: Any) -> Any:
        said = json.dumps(list(request.messages))
        refused.extend(p["content"]["detail"] for m in request.messages[-1:] for p in m["parts"]
                       if p["part_kind"] == "tool-return" and "detail" in p["content"])  # fmt: skip
        if "tool-return" in said:
            return "Done."
        return [
            *(call("delegate_task", agent=f"a{n}", instruction="Do it.") for n in range(9)),
        ]

    with engine(tmp_path, ScriptedModel([reply])) as one:
        task = one.delegate("Do it.", agent="boss").wait(60)
        until(one, lambda: one.activity().state == "idle")
        assert len(task.children) == 8
        depth = one.sql(
            """SELECT count(*) FROM tasks a JOIN tasks b ON b.parent_task_id = a.task_id
               JOIN tasks c ON c.parent_task_id = b.task_id
               JOIN tasks d ON d.parent_task_id = c.task_id"""
        ).fetchall()
        assert depth == [(0,)]
        for why in ("may give 8", "is busy with a task of its own", "delegate_task is not offered"):
            assert any(why in one for one in refused), set(refused)


def test_stopping_a_task_stops_those_that_it_gave_away(tmp_path: Path) -> None:
    def reply(request: Any) -> Any:
        if request.messages[0]["parts"][1]["content"] == "Child.":
            return [call("ask_user", question="?")]
        if len(request.messages) == 1:
            return [call("delegate_task", agent="c", instruction="Child.")]
        return "I wait."

    with engine(tmp_path, ScriptedModel([reply])) as one:
        task = one.delegate("Parent.")
        until(one, lambda: one.activity().pending_question is not None)
        (child,) = task.children
        until(one, lambda: one.task(child).status == "waiting_input")
        task.stop()
        assert [one.task(child).status, task.status] == ["cancelled", "cancelled"]


def test_no_brief_of_research_knows_a_tool_of_a_standard_task() -> None:
    assert set(StandardBrief(browser=True).tools) >= {"delegate_task", "ask_user"}
    assert not set(TEAM_MODELS) & set(StandardBrief(browser=True, team=False).tools) - {"ask_user"}


def test_research_refuses_every_tool_of_a_standard_task_and_spends_nothing(tmp_path: Path) -> None:
    args: dict[str, dict[str, Any]] = {
        "delegate_task": {"agent": "x", "instruction": "do"},
        "spawn_agent": {"name": "x", "role": "r", "instruction": "do"},
        "task_status": {},
        "ask_user": {"question": "Who are you?"},
    }
    assert set(args) == set(TEAM_MODELS)
    hostile = [
        *(call(tool, **given) for tool, given in args.items()),
        call("shell", command="rm -rf /"),
        call("mcp", server="x"),
    ]
    printed = 'ask_user(question="Who are you?")'
    model = ScriptedModel([hostile, printed, hostile])
    with engine(tmp_path, model) as one:
        task = one.research("Q?")
        until(one, lambda: len(model.requests) > 4)
        task.stop()
        assert (task.usage.searches, task.usage.pages, task.children) == (0, 0, ())
        assert task.pending_question is None
        assert {row["error"] for row in model.results(1)} == {"refused"}
        assert len(one.tasks()) == 1
        assert set(kinds(task)) <= {
            "TaskQueued", "TaskStarted", "RoundStarted", "RoundFinished", "CallRefused",
            "TaskCancelled",
        }  # fmt: skip


def test_a_task_of_an_old_store_without_a_type_is_standard_and_is_left_alone(
    tmp_path: Path,
) -> None:
    with engine(tmp_path, ScriptedModel(["Done."])) as one:
        task = one.delegate("Old.").wait(10)
    import duckdb

    with duckdb.connect(str(tmp_path / "s.duckdb")) as connection:
        connection.execute("UPDATE data.task SET task_type = NULL")
    with engine(tmp_path, ScriptedModel(["Never."]), "second") as one:
        (row,) = one.tasks()
        assert (row["task_type"], row["status"]) == ("standard", "completed")
        assert one.task(task.id).result == "Done."
        assert one.activity().state == "idle"
        assert len(one.tasks()) == 1, "nothing starts anew by itself"


class Shell:
    """A shell that echoes; what is not "ls" has to be allowed."""

    specs = (ToolSpec("shell", "Run a command.", {"type": "object"}),)

    def __init__(self) -> None:
        self.ran: list[str] = []

    def question(self, tool: str, args: Mapping[str, Any]) -> str:
        return "" if args["command"] == "ls" else f"May I run {args['command']}?"

    async def run(self, tool: str, args: Mapping[str, Any]) -> Mapping[str, Any]:
        self.ran.append(args["command"])
        if args["command"] == "fail":
            raise SourceError("unreadable", "It failed.", "Look at it.")
        return {"printed": args["command"]}


def test_a_toolset_of_the_outside_is_run_when_the_person_allows_it(tmp_path: Path) -> None:
    shell = Shell()
    calls = [call("shell", command=one) for one in ("ls", "rm x", "rm y", "fail")]
    model = ScriptedModel([calls, "Done."])
    with engine(tmp_path, model, toolsets=[shell]) as one:
        task = one.delegate("Tidy up.")
        for command, answer in (("rm x", "no"), ("rm y", "Yes"), ("fail", "y")):
            asked = f"May I run {command}? (yes or no)"
            until(one, lambda asked=asked: task.pending_question == asked)  # type: ignore[misc]
            task.answer(answer)
        assert task.wait(10).result == "Done."
        assert shell.ran == ["ls", "rm y", "fail"]
        assert "shell" in model.offered(0)
        ls, refused, allowed, failed = model.results(1)
        assert (ls, allowed) == ({"printed": "ls"}, {"printed": "rm y"})
        assert refused["error"] == "refused"
        assert failed["detail"] == "It failed."


def test_research_and_the_coordinator_have_no_toolset(tmp_path: Path) -> None:
    shell = Shell()
    model = ScriptedModel([[call("shell", command="ls")]])
    with engine(tmp_path, model, toolsets=[shell]) as one:
        one.research("Q?").wait(20)
        one.chat("Hello").wait(20)
        assert shell.ran == []
        assert all("shell" not in model.offered(n) for n in range(len(model.requests)))


def test_nobody_else_is_called_the_coordinator(tmp_path: Path) -> None:
    delegates = [call("delegate_task", agent=" Coordinator ", instruction="Do it.")]
    model = ScriptedModel([delegates, "Done."])
    with engine(tmp_path, model) as one:
        task = one.delegate("Q?").wait(10)
        assert "takes no tasks" in model.results(1)[0]["detail"]
        assert task.children == ()
        with pytest.raises(UsageError, match="takes no tasks"):
            one.delegate("Q?", agent="COORDINATOR")
        assert list(one.agents) == []
