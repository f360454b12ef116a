"""Standard tasks, their questions and the conversation over HTTP (DESIGN §10, §19)."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from lazyboy_jupyter.api.serving import ApiServer
from lazyboy_jupyter.engine.engine import Engine
from tests.api.test_tasks import refused
from tests.api.world import HeldModel, OneEngine, client
from tests.engine.test_standard import engine, until
from tests.fakes import ScriptedModel, call


def reply(request: Any) -> Any:
    """Answers on the side; asks once where "Ask" is said, gives a task away where "Give" is."""
    if request.aside:
        return f"Aside: {request.aside}"
    said = str(request.messages)
    if "tool-return" in said:
        return "Done."
    if "'Ask'" in said:
        return [call("ask_user", question="Which?")]
    if "'Give'" in said:
        return [call("delegate_task", agent="Cleo", instruction="Count")]
    return "Counted."


@dataclass
class Served:
    engine: Engine
    http: httpx.Client

    def begin(self, question: str, **more: Any) -> dict[str, Any]:
        wanted = {"question": question, "task_type": "standard", **more}
        answer = self.http.post("/api/tasks", json=wanted)
        assert answer.status_code == 202, answer.text
        return dict(answer.json())

    def ask(self, parent: str, question: str) -> dict[str, Any]:
        """Ask on the side; return the question when it is answered."""
        body = {"question": question, "client_request_id": question}
        path = f"/api/{parent}/side-questions"
        assert self.http.post(path, json=body).status_code == 202
        until(self.engine, lambda: self.http.get(path).json()["current"] is None)
        return dict(self.http.get(path).json()["items"][0])


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with engine(tmp_path, ScriptedModel([reply])) as one:
        server = ApiServer(OneEngine(tmp_path, HeldModel(), [one]), tmp_path / "k.json", unix=True)
        server.begin()
        try:
            with client(server.address) as http:
                yield Served(one, http)
        finally:
            server.end()


def test_a_standard_task_is_begun_asks_is_answered_and_ends(served: Served) -> None:
    row = served.begin("Ask", agent="Ann")
    path = f"/api/tasks/{row['task_id']}"
    assert row["task_type"] == "standard"
    until(served.engine, lambda: served.engine.activity().pending_question is not None)
    assert served.http.get(path).json()["card"]["asked"] == "Which?"
    listed = served.http.get("/api/tasks", params={"status": "waiting_input"}).json()["items"]
    assert [one["task_id"] for one in listed] == [row["task_id"]]
    refused(served.http.post(f"{path}/answer", json={"text": "   "}), 400, "invalid")
    answer = served.http.post(f"{path}/answer", json={"text": "This one"})
    assert answer.status_code == 202
    served.engine.task(row["task_id"]).wait(10)
    card = served.http.get(path).json()["card"]
    assert (card["status"], card["result"], card["asked"]) == ("completed", "Done.", "")
    refused(served.http.post(f"{path}/answer", json={"text": "Again"}), 409, "conflict")
    agents = served.http.get("/api/agents").json()["agents"]
    assert [one["name"] for one in agents] == ["Ann"]


@pytest.mark.parametrize(
    "body",
    [
        {"question": "Q?", "task_type": "standard", "budget": {"pages": 2}},
        {"question": "Q?", "agent": "Ann"},
        {"question": "Q?", "task_type": "standard", "agent": "x" * 61},
        {"question": "Q?", "task_type": "standard", "agent": 7},
        {"question": "", "task_type": "standard"},
    ],
)
def test_what_cannot_be_begun_is_refused(served: Served, body: dict[str, Any]) -> None:
    refused(served.http.post("/api/tasks", json=body), 400, "invalid")


def test_side_questions_on_a_child_task_and_on_the_conversation(served: Served) -> None:
    row = served.begin("Give")
    task = served.engine.task(row["task_id"]).wait(10)
    (child,) = task.children
    told = served.ask(f"tasks/{task.id}/intents/{child}", "How many?")
    assert (told["answer"], told["parent"]) == ("Aside: How many?", child)
    other = served.begin("Count")
    elsewhere = f"/api/tasks/{other['task_id']}/intents/{child}/side-questions"
    refused(served.http.get(elsewhere), 404, "not_found")

    turn = served.engine.chat("Hello").wait(10)
    conversation = served.engine.conversation_id
    told = served.ask(f"conversations/{conversation}", "And now?")
    assert (told["answer"], told["parent"]) == ("Aside: And now?", conversation)
    through_turn = served.http.get(f"/api/tasks/{turn.id}/chat/side-questions").json()
    assert [one["id"] for one in through_turn["items"]] == [told["id"]]
    assert through_turn["parent_words"] == "this conversation"


def test_what_a_turn_asks_is_answered_too(served: Served) -> None:
    asking = served.engine.chat("Ask")
    asking.settled.result(10)
    answer = served.http.post(f"/api/tasks/{asking.id}/answer", json={"text": "This one"})
    assert (answer.status_code, answer.json()["task_id"]) == (202, asking.id)
    asking.wait(10)
    assert asking.result == "Done."


def test_the_coordinator_is_an_agent_also_between_its_turns(served: Served) -> None:
    turn = served.engine.chat("Hello").wait(10)
    until(served.engine, lambda: served.engine.activity().state == "idle")
    detail = served.http.get(f"/api/agents/{turn.agent_id}").json()
    assert (detail["name"], detail["state"], detail["tasks"]) == ("coordinator", "idle", [])
    refused(served.http.get("/api/agents/nobody/activity"), 404, "not_found")
    deleted = served.http.delete(f"/api/conversations/{served.engine.conversation_id}").json()
    assert deleted == {"deleted": [turn.id]}
    refused(served.http.get(f"/api/agents/{turn.agent_id}"), 404, "not_found")
