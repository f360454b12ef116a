"""The routes of side questions, each with its statuses (DESIGN §9, §10)."""

from itertools import pairwise

import pytest

from tests.api.test_tasks import refused
from tests.api.world import PIECES, Kernel


def test_a_side_question_from_its_beginning_to_its_end(kernel: Kernel) -> None:
    task_id = kernel.known()["task_id"]
    asked = kernel.ask(task_id, "What do they cost?")
    assert asked.status_code == 202
    item = asked.json()
    assert (item["question"], item["parent"], item["live"]) == ("What do they cost?", task_id, True)
    again = kernel.ask(task_id, "What do they cost?")
    assert (again.status_code, again.json()["id"]) == (200, item["id"])
    refused(kernel.ask(task_id, "Another?"), 409, "id_reused")
    refused(kernel.ask(task_id, "Another?", "2"), 409, "busy")

    with kernel.events(f"/api/side-questions/{item['id']}/events") as events:
        first = next(events)
        assert first["event"] == "snapshot"
        assert first["data"]["answer"] == ""
        for gate in kernel.model.pieces:
            gate.open()
        seen = [first]
        while seen[-1]["data"]["live"]:
            seen.append(next(events))
    numbers = [int(one["id"]) for one in seen]
    assert numbers == sorted(set(numbers))
    assert all(one["data"]["sequence"] == int(one["id"]) for one in seen)
    answers = [one["data"]["answer"] for one in seen]
    assert all(later.startswith(earlier) for earlier, later in pairwise(answers))
    assert answers[-1] == "".join(PIECES)
    with kernel.events(f"/api/side-questions/{item['id']}/events", last=seen[-1]["id"]) as events:
        assert next(events) == seen[-1]

    page = kernel.get(f"/api/tasks/{task_id}/chat/side-questions").json()
    assert (page["current"], page["next_cursor"], page["can_ask"]) == (None, 0, True)
    assert page["items"] == [seen[-1]["data"]]
    assert page["snapshot"]["boundary"]
    assert kernel.get("/api/agents/all/activity").json()["activity"]["state"] == "running"


def test_history_by_twenties(kernel: Kernel) -> None:
    task_id = kernel.known()["task_id"]
    kernel.model.open_all()
    for number in range(23):
        item = kernel.ask(task_id, f"Question {number}?", str(number)).json()
        with kernel.events(f"/api/side-questions/{item['id']}/events") as events:
            assert any(not one["data"]["live"] for one in events)
    path = f"/api/tasks/{task_id}/chat/side-questions"
    newest = kernel.get(path).json()
    assert [one["ordinal"] for one in newest["items"]] == list(range(23, 3, -1))
    older = kernel.get(path, before=newest["next_cursor"]).json()
    assert [one["ordinal"] for one in older["items"]] == [3, 2, 1]
    assert older["next_cursor"] == 0


def test_stopping_keeps_the_text(kernel: Kernel) -> None:
    task_id = kernel.known()["task_id"]
    item = kernel.ask(task_id).json()
    kernel.model.pieces[0].open()
    with kernel.events(f"/api/side-questions/{item['id']}/events") as events:
        assert any(one["data"]["answer"] for one in events)
    for _ in range(2):
        answer = kernel.http.post(f"/api/side-questions/{item['id']}/cancel")
        assert answer.status_code == 200
        assert (answer.json()["status"], answer.json()["answer"]) == ("stopped", PIECES[0])
    assert kernel.ask(task_id, "And now?", "2").status_code == 202


def test_clearing_tells_who_looks_and_lets_ask_again(kernel: Kernel) -> None:
    task_id = kernel.known()["task_id"]
    item = kernel.ask(task_id).json()
    path = f"/api/tasks/{task_id}/chat/side-questions"
    with kernel.events(f"/api/side-questions/{item['id']}/events") as events:
        assert next(events)["event"] == "snapshot"
        cleared = kernel.http.delete(path)
        assert (cleared.status_code, cleared.json()) == (200, {"count": 1})
        *_, last = events
        assert (last["event"], last["data"]) == ("cleared", {"id": item["id"]})
    assert kernel.get(path).json()["items"] == []
    refused(kernel.get(f"/api/side-questions/{item['id']}/events"), 404, "not_found")
    refused(kernel.http.post(f"/api/side-questions/{item['id']}/cancel"), 404, "not_found")
    assert kernel.ask(task_id, "Again?", "1").status_code == 202


def test_four_are_answered_at_once_and_the_fifth_waits(kernel: Kernel) -> None:
    parents = [kernel.known()["task_id"] for _ in range(5)]
    for parent in parents[:4]:
        assert kernel.ask(parent).status_code == 202
    refused(kernel.ask(parents[4]), 429, "too_many")


def test_what_knows_nothing_yet_cannot_be_asked(kernel: Kernel) -> None:
    row = kernel.known()
    refused(kernel.ask("nothing"), 404, "not_found")
    path = f"/api/conversations/{row['conversation_id']}/side-questions"
    page = kernel.get(path).json()
    assert (page["items"], page["can_ask"]) == ([], False)
    body = {"question": "So?", "client_request_id": "1"}
    refused(kernel.http.post(path, json=body), 409, "no_snapshot")
    assert kernel.http.delete(path).json() == {"count": 0}
    for other in ("/api/conversations/nothing", f"/api/tasks/{row['task_id']}/intents/nothing"):
        for answer in (
            kernel.get(f"{other}/side-questions"),
            kernel.http.post(f"{other}/side-questions", json=body),
            kernel.http.delete(f"{other}/side-questions"),
        ):
            refused(answer, 404, "not_found")


def test_an_archived_task_is_asked_nothing(kernel: Kernel) -> None:
    task_id = kernel.ended()["task_id"]
    kernel.engine.archive(task_id)
    refused(kernel.ask(task_id), 409, "archived")


@pytest.mark.parametrize(
    "body",
    [
        {"question": "", "client_request_id": "1"},
        {"question": "x" * 4_001, "client_request_id": "1"},
        {"question": "x" * 400_000, "client_request_id": "1"},
        {"question": "So?"},
        {"question": "So?", "client_request_id": ""},
        {"question": "So?", "client_request_id": "1", "parent": "other"},
    ],
)
def test_what_cannot_be_asked_is_refused_in_a_sentence(
    kernel: Kernel, body: dict[str, str]
) -> None:
    task_id = kernel.known()["task_id"]
    answer = kernel.http.post(f"/api/tasks/{task_id}/chat/side-questions", json=body)
    refused(answer, 400, "invalid")
    assert kernel.get(f"/api/tasks/{task_id}/chat/side-questions").json()["items"] == []


@pytest.mark.parametrize("before", ["0", "-1", "x", "9" * 30])
def test_a_cursor_that_is_none_is_refused(kernel: Kernel, before: str) -> None:
    task_id = kernel.known()["task_id"]
    path = f"/api/tasks/{task_id}/chat/side-questions"
    refused(kernel.get(path, before=before), 400, "invalid")


def test_an_answer_is_given_to_its_agent_once(kernel: Kernel) -> None:
    task_id = kernel.known()["task_id"]
    for gate in kernel.model.pieces:
        gate.open()
    item = kernel.ask(task_id).json()
    with kernel.events(f"/api/side-questions/{item['id']}/events") as events:
        assert any(not one["data"]["live"] for one in events)
    path = f"/api/side-questions/{item['id']}/promote"
    assert "1 million" in kernel.http.post(path, json={}).json()["note"]
    given = kernel.http.post(path, json={"sure": True})
    assert (given.status_code, "1 million" in given.json()["note"]) == (200, True)
    refused(kernel.http.post(path, json={"sure": True}), 400, "invalid")
