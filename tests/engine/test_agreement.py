"""One truth: roster, detail, HTTP, status bar and card say the same at every step (DESIGN §8).

Two agents, three tasks, one question pending, one finished; every surface is asked after each step.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from lazyboy_jupyter.api.serving import ApiServer
from lazyboy_jupyter.core.activity import Activity
from lazyboy_jupyter.core.card import PUBLICATION, activity_state
from lazyboy_jupyter.engine.engine import Engine
from lazyboy_jupyter.engine.task import Task
from lazyboy_jupyter.widgets.roster_card import RosterCard
from lazyboy_jupyter.widgets.run_card import RunCard
from tests.api.world import HeldModel, OneEngine, client, events_of
from tests.engine.test_standard import engine, until
from tests.fakes import ScriptedModel, call

Values = dict[str, Any]


def reply(request: Any) -> Any:
    """A worker asks once, and then says what it was answered; the third task asks nothing."""
    asked = request.messages[0]["parts"][1]["content"]
    told = [part for message in request.messages for part in message["parts"]]
    answers = [part["content"] for part in told if part["part_kind"] == "tool-return"]
    if answers:
        return f"Done: {answers[-1]['answer']}"
    return "Done at once." if asked == "Third" else [call("ask_user", question=f"{asked}?")]


class Surfaces:
    """Every place where a person, or a program, sees what agents do."""

    def __init__(self, one: Engine, http: httpx.Client) -> None:
        self.engine = one
        self.http = http

    def of_all(self) -> dict[str, Values]:
        """What each says of all agents together."""
        with self.http.stream("GET", "/api/events") as stream:
            status_bar = next(events_of(stream.iter_lines()))["data"]["activity"]
        return {
            "Python": activity_state(self.engine.activity()),
            "roster over HTTP": self._get("/api/agents")["activity"],
            "activity over HTTP": self._get("/api/agents/all/activity")["activity"],
            "status bar": status_bar,
            "roster in a cell": self._roster()["activity"],
        }

    def of_agent(self, agent_id: str, *tasks: Task) -> dict[str, Values]:
        """What each says of one agent."""
        told = {
            "Python": activity_state(self.engine.activity(agent_id)),
            "activity over HTTP": self._get(f"/api/agents/{agent_id}/activity")["activity"],
            "detail over HTTP": _of(self._get(f"/api/agents/{agent_id}")),
            "roster over HTTP": _of(_one(self._get("/api/agents")["agents"], agent_id)),
            "roster in a cell": _of(_one(self._roster()["agents"], agent_id)),
        }
        for number, task in enumerate(tasks):
            card = RunCard(self.engine, task).state()["card"]
            told[f"card {number}"] = card["activity"]
            told[f"saved output {number}"] = task._repr_mimebundle_()[PUBLICATION]["card"][
                "activity"
            ]
            told[f"panel {number}"] = self._get(f"/api/tasks/{task.id}")["card"]["activity"]
        return told

    def statuses(self, task: Task) -> dict[str, str]:
        """What each says of one task."""
        rows = self._get("/api/tasks")["items"]
        return {
            "Python": task.status,
            "list over HTTP": next(row["status"] for row in rows if row["task_id"] == task.id),
            "roster": _task(self._get("/api/agents"), task.id)["status"],
            "roster in a cell": _task(self._roster(), task.id)["status"],
            "card": RunCard(self.engine, task).state()["card"]["status"],
            "panel": self._get(f"/api/tasks/{task.id}")["card"]["status"],
        }

    def _get(self, path: str) -> Values:
        answer = self.http.get(path)
        assert answer.status_code == 200, answer.text
        return dict(answer.json())

    def _roster(self) -> Values:
        card = RosterCard(self.engine, {}, "")
        ended = {row["task_id"]: card._ended(row) for row in self.engine.tasks()}
        card._seen.update({key: one for key, one in ended.items() if one is not None})
        card._seen.update(card._live())
        return dict(card.state()["roster"])


def _of(agent: Values) -> Values:
    return {key: agent[key] for key in ("state", "task_ids", "pending_question")}


def _one(agents: list[Values], agent_id: str) -> Values:
    return next(one for one in agents if one["agent_id"] == agent_id)


def _task(roster: Values, task_id: str) -> Values:
    return next(one for one in roster["tasks"] if one["task_id"] == task_id)


@pytest.fixture
def surfaces(tmp_path: Path) -> Iterator[Surfaces]:
    with engine(tmp_path, ScriptedModel([reply])) as one:
        server = ApiServer(
            OneEngine(tmp_path, HeldModel(), [one]), tmp_path / "kernel.json", unix=True
        )
        server.begin()
        try:
            with client(server.address) as http:
                yield Surfaces(one, http)
        finally:
            server.end()


def agreed(told: dict[str, Any], expected: Any) -> None:
    assert told == dict.fromkeys(told, expected)


def test_two_agents_three_tasks_one_question_one_finished(surfaces: Surfaces) -> None:
    one = surfaces.engine
    ann_first = one.delegate("First", agent="Ann")
    ann, bob = ann_first.agent_id, ""
    until(one, lambda: ann_first.pending_question is not None)

    def expect(activity: Activity, *tasks: Task) -> None:
        """Ann alone is at work, or nobody: so she and all together do the same."""
        agreed(surfaces.of_agent(ann, *tasks), activity_state(activity))
        agreed(surfaces.of_all(), activity_state(activity))

    asks = Activity("waiting_input", (ann_first.id,), "First?")
    expect(asks, ann_first)

    second = one.delegate("Second", agent="Ann")
    waits = Activity("waiting_input", (ann_first.id, second.id), "First?")
    expect(waits, ann_first, second)
    agreed(surfaces.statuses(second), "queued")

    third = one.delegate("Third", agent="Bob").wait(10)
    bob = third.agent_id
    until(one, lambda: third.id not in one.activity().task_ids)
    expect(waits, ann_first, second)
    agreed(surfaces.of_agent(bob, third), activity_state(Activity("idle")))
    agreed(surfaces.statuses(third), "completed")
    agreed(surfaces.statuses(ann_first), "waiting_input")

    ann_first.answer("go")
    ann_first.wait(10)
    until(one, lambda: second.pending_question is not None)
    until(one, lambda: one.activity().task_ids == (second.id,))
    asks = Activity("waiting_input", (second.id,), "Second?")
    expect(asks, ann_first, second)
    agreed(surfaces.statuses(ann_first), "completed")

    second.stop()
    until(one, lambda: one.activity().state == "idle")
    idle = Activity("idle")
    expect(idle, ann_first, second, third)
    agreed(surfaces.statuses(second), "cancelled")
    names = [agent["name"] for agent in surfaces._get("/api/agents")["agents"]]
    assert names == ["Ann", "Bob"]
