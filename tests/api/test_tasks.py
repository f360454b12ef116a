"""The routes of agents and tasks, each with its statuses (DESIGN §10)."""

from typing import Any

import pytest

from lazyboy_jupyter.core.card import PUBLICATION
from tests.api.world import Kernel

PROBLEM = {"error", "detail", "hint"}


def refused(answer: Any, status: int, error: str) -> None:
    assert (answer.status_code, answer.json()["error"]) == (status, error), answer.text
    assert set(answer.json()) == PROBLEM
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json()["detail"].endswith(".")
    assert "Traceback" not in answer.text


def test_a_task_from_its_beginning_to_its_end(kernel: Kernel) -> None:
    begun = kernel.http.post(
        "/api/tasks", json={"question": "What do gates cost?", "budget": {"pages": 2, "gaps": 0}}
    )
    assert begun.status_code == 202
    row = begun.json()
    task_id = row["task_id"]
    assert begun.headers["location"] == f"api/tasks/{task_id}"
    assert (row["task_type"], row["live"], row["question"]) == (
        "research", True, "What do gates cost?",
    )  # fmt: skip
    assert row["status"] in {"queued", "running"}
    assert kernel.model.publish.reached.wait(20)

    detail = kernel.get(f"/api/tasks/{task_id}").json()
    assert detail["card"]["status"] == "running"
    assert [one["state"] for one in detail["sources"]] == ["read"]
    assert detail["guide"] is None
    now = kernel.get(f"/api/agents/{row['agent_id']}/activity").json()
    assert now["activity"]["state"] == "running"
    assert now["activity"] == kernel.get("/api/agents/all/activity").json()["activity"]

    kernel.model.publish.open()
    kernel.engine.task(task_id).wait(20)
    detail = kernel.get(f"/api/tasks/{task_id}").json()
    assert (detail["card"]["status"], detail["card"]["live"]) == ("completed", False)
    assert detail["guide"]["summary"] == "A summary."
    (publication,) = kernel.get(f"/api/tasks/{task_id}/publications").json()["items"]
    assert publication["findings"][0]["citations"][0]["state"] == "verbatim"
    sources = kernel.get(f"/api/tasks/{task_id}/sources").json()["items"]
    assert {one["state"] for one in sources} == {"read", "listed"}
    stages = {one["stage"] for one in kernel.get(f"/api/tasks/{task_id}/timing").json()["items"]}
    assert {"research_first_delivery", "research_final_delivery"} <= stages


def test_the_roster_and_an_agent_are_one_computation(kernel: Kernel) -> None:
    row = kernel.known()
    roster = kernel.get("/api/agents").json()
    (agent,) = roster["agents"]
    assert roster["activity"]["task_ids"] == agent["task_ids"] == [row["task_id"]]
    detail = kernel.get(f"/api/agents/{agent['agent_id']}").json()
    assert detail == {**agent, "tasks": detail["tasks"]}
    assert [one["task_id"] for one in detail["tasks"]] == [row["task_id"]]
    kernel.model.publish.open()
    kernel.engine.task(row["task_id"]).wait(20)
    roster = kernel.get("/api/agents").json()
    assert roster["activity"]["state"] == roster["agents"][0]["state"] == "idle"
    assert roster["tasks"][0]["status"] == "completed"


def test_a_list_by_status_and_type_and_page_by_page(kernel: Kernel) -> None:
    kernel.model.publish.open()
    ids = [kernel.ended()["task_id"] for _ in range(5)]
    assert [one["task_id"] for one in kernel.get("/api/tasks").json()["items"]] == ids[::-1]
    assert kernel.get("/api/tasks", status="running").json() == {"items": [], "next_before": ""}
    assert len(kernel.get("/api/tasks", status="completed", type="research").json()["items"]) == 5
    assert kernel.get("/api/tasks", type="standard").json()["items"] == []
    assert [one["task_id"] for one in kernel.get("/api/tasks", before=ids[2]).json()["items"]] == [
        ids[1], ids[0],
    ]  # fmt: skip
    first = kernel.get("/api/tasks", limit=2).json()
    second = kernel.get("/api/tasks", limit=2, before=first["next_before"]).json()
    last = kernel.get("/api/tasks", limit=2, before=second["next_before"]).json()
    pages = [[one["task_id"] for one in page["items"]] for page in (first, second, last)]
    assert pages == [ids[:2:-1], ids[2:0:-1], ids[:1]]
    assert last["next_before"] == ""


def test_cancelling_ends_it_once(kernel: Kernel) -> None:
    task_id = kernel.known()["task_id"]
    for _ in range(2):
        answer = kernel.http.post(f"/api/tasks/{task_id}/cancel")
        assert answer.status_code == 200
        assert (answer.json()["status"], answer.json()["live"]) == ("cancelled", False)
    refused(kernel.http.post("/api/tasks/nothing/cancel"), 404, "not_found")


def test_a_task_that_asks_nothing_takes_no_answer(kernel: Kernel) -> None:
    task_id = kernel.ended()["task_id"]
    path = f"/api/tasks/{task_id}/answer"
    refused(kernel.http.post(path, json={"text": "8080"}), 409, "conflict")
    refused(kernel.http.post(path, json={"text": ""}), 400, "invalid")
    refused(kernel.http.post(path), 400, "invalid")


def test_deleting_leaves_nothing(kernel: Kernel) -> None:
    row = kernel.ended()
    running = kernel.begin()
    answer = kernel.http.delete(f"/api/tasks/{row['task_id']}")
    assert (answer.status_code, answer.json()) == (200, {"deleted": [row["task_id"]]})
    for path in ("", "/publications", "/sources", "/timing"):
        refused(kernel.get(f"/api/tasks/{row['task_id']}{path}"), 404, "not_found")
    refused(kernel.http.delete(f"/api/tasks/{row['task_id']}"), 404, "not_found")
    answer = kernel.http.delete(f"/api/conversations/{row['conversation_id']}")
    assert answer.json() == {"deleted": [running["task_id"]]}
    assert kernel.get("/api/tasks").json()["items"] == []
    refused(kernel.http.delete("/api/conversations/nothing"), 404, "not_found")


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"question": ""},
        {"question": " \n "},
        {"question": 7},
        {"question": "Q?", "task_type": None},
        {"question": "Q?", "budget": {"pages": 1_000}},
        {"question": "Q?", "budget": {"pages": "2"}},
        {"question": "Q?", "budget": {"time": -1}},
        {"question": "Q?", "model": "nowhere"},
        {"question": "Q?", "search": ["nowhere"]},
        {"question": "Q?", "shell": "rm"},
        [],
    ],
)
def test_what_cannot_be_begun_is_refused_in_a_sentence(kernel: Kernel, body: Any) -> None:
    refused(kernel.http.post("/api/tasks", json=body), 400, "invalid")
    assert kernel.get("/api/tasks").json()["items"] == []


@pytest.mark.parametrize("text", ["", "{", "null", "\ud800", '{"question": NaN}'])
def test_a_body_that_is_no_json_is_refused(kernel: Kernel, text: str) -> None:
    raw = text.encode("utf-8", "surrogatepass")
    answer = kernel.http.post(
        "/api/tasks", content=raw, headers={"content-type": "application/json"}
    )
    refused(answer, 400, "invalid")


def test_what_is_not_there_is_not_found(kernel: Kernel) -> None:
    task_id = kernel.ended()["task_id"]
    for path in (
        "/api/tasks/nothing",
        f"/api/tasks/{task_id[-4:]}",
        f"/api/tasks/{task_id.upper()}",
        "/api/agents/nothing",
        "/api/agents/nothing/activity",
        "/api/nothing",
        "/nothing",
        "/api/tasks/",
    ):
        refused(kernel.get(path), 404, "not_found")
    refused(kernel.http.put("/api/tasks"), 405, "not_allowed")
    refused(kernel.get("/api/tasks", status="lost"), 400, "invalid")


def test_who_has_no_token_is_told_nothing(kernel: Kernel) -> None:
    for header in ("", "Bearer", "Bearer wrong", f"token {kernel.address.token}"):
        for path in ("/api/tasks", "/api/openapi.json", "/api/events", "/"):
            answer = kernel.http.get(path, headers={"Authorization": header})
            refused(answer, 401, "no_token")


def test_a_body_without_end_is_refused(kernel: Kernel) -> None:
    refused(kernel.http.post("/api/tasks", json={"question": "x" * 2_000_000}), 413, "too_large")
    chunks = (b"x" for _ in range(3))
    refused(kernel.http.post("/api/tasks", content=chunks), 413, "too_large")


def test_an_engine_that_was_closed_is_not_started_by_who_only_looks(kernel: Kernel) -> None:
    kernel.ended()
    kernel.engine.close()
    refused(kernel.get("/api/agents"), 503, "closed")
    refused(kernel.http.post("/api/tasks", json={"question": "Q?"}), 503, "closed")


def test_the_guide_as_a_file_and_a_quote_in_its_page(kernel: Kernel) -> None:
    held = kernel.known()["task_id"]
    refused(kernel.get(f"/api/tasks/{held}/guide"), 400, "invalid")
    task_id = kernel.ended()["task_id"]
    for kind, start in (("md", "### "), ("json", "{"), ("bib", "@"), ("html", "<!doctype")):
        told = kernel.get(f"/api/tasks/{task_id}/guide", format=kind).json()
        assert told["text"].lower().startswith(start), kind
        assert told["name"].endswith(f".{kind}")
    refused(kernel.get(f"/api/tasks/{task_id}/guide", format="exe"), 400, "invalid")
    quote = kernel.get(f"/api/tasks/{task_id}/citations/0.0").json()
    assert (quote["quote"], quote["url"]) == ("gates cost 1 million", "https://a.example/1")
    refused(kernel.get(f"/api/tasks/{task_id}/citations/9.9"), 400, "invalid")


def test_a_task_as_the_output_that_its_notebook_keeps(kernel: Kernel) -> None:
    task_id = kernel.ended()["task_id"]
    output = kernel.get(f"/api/tasks/{task_id}/output").json()["data"]
    assert set(output) == {"text/plain", "text/markdown", "text/html", PUBLICATION}
    assert "Gates cost 1 million." in output["text/html"]
    detail = kernel.get(f"/api/tasks/{task_id}").json()
    assert output[PUBLICATION]["guide"] == detail["guide"]
    assert output[PUBLICATION]["card"]["status"] == "completed"


def test_where_the_time_went_as_charts(kernel: Kernel) -> None:
    task_id = kernel.ended()["task_id"]
    chart = kernel.get(f"/api/tasks/{task_id}/waterfall").json()
    assert chart["title"].startswith(f"Waterfall of task {task_id[-8:]}")
    assert {"model", "sources", "delivery"} <= set(chart["tones"])
    spans = [span for bar in chart["bars"] for span in bar["spans"]]
    assert all(0 <= span["start"] <= span["end"] <= 1 for span in spans)
    assert f"WHERE task_id = '{task_id}'" in chart["sql"]
    stages = kernel.get("/api/timing/stages").json()
    assert "model_response" in [bar["label"] for bar in stages["bars"]]
    assert stages["tones"] == ["p50", "p95", "p99"]
    refused(kernel.get("/api/tasks/nothing/waterfall"), 404, "not_found")


def test_a_task_that_was_stopped_goes_on_as_another(kernel: Kernel) -> None:
    held = kernel.known()["task_id"]
    refused(kernel.http.post(f"/api/tasks/{held}/resume"), 409, "conflict")
    kernel.http.post(f"/api/tasks/{held}/cancel")
    resumed = kernel.http.post(f"/api/tasks/{held}/resume")
    assert resumed.status_code == 202
    row = resumed.json()
    assert row["task_id"] != held
    assert (row["question"], row["live"]) == (kernel.known()["question"], True)
    assert resumed.headers["Location"] == f"api/tasks/{row['task_id']}"
    refused(kernel.http.post("/api/tasks/nothing/resume"), 404, "not_found")
    ended = kernel.ended()["task_id"]
    refused(kernel.http.post(f"/api/tasks/{ended}/resume"), 409, "conflict")
