"""The whole way: a program or a browser, Jupyter's login, the server, the kernel's socket."""

import os
import signal

import httpx

from lazyboy_jupyter.api.address import address_file, read_address
from tests.api.world import Values
from tests.server.world import LOAD, JupyterServer, NotebookKernel, events, kernel_of

QUESTION = "How does the with statement work?"
ASK = {"question": QUESTION, "budget": {"pages": 2, "gaps": 0}}


def begun(kernel: NotebookKernel, http: httpx.Client) -> Values:
    answer = http.post(f"{kernel.url}/tasks", json=ASK)
    assert answer.status_code == 202, answer.text
    return dict(answer.json())


def error_of(answer: httpx.Response) -> tuple[int, str]:
    assert set(answer.json()) == {"error", "detail", "hint"}, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    return answer.status_code, str(answer.json()["error"])


def test_research_through_the_server_to_its_guide(kernel: NotebookKernel) -> None:
    with kernel.http() as http, events(http, f"{kernel.url}/events") as stream:
        assert next(stream)["event"] == "state"
        task_id = begun(kernel, http)["task_id"]
        for one in stream:
            if one["event"] == "task" and one["data"]["status"] == "completed":
                break
        detail = http.get(f"{kernel.url}/tasks/{task_id}").json()
        assert detail["guide"]["sections"]
        page = http.get(f"{kernel.url}/tasks/{task_id}/chat/side-questions").json()
        assert page["can_ask"] is True
        body = {"question": "What does it call?", "client_request_id": "1"}
        asked = http.post(f"{kernel.url}/tasks/{task_id}/chat/side-questions", json=body)
        assert asked.status_code == 202
        with events(http, f"{kernel.url}/side-questions/{asked.json()['id']}/events") as side:
            assert any(not one["data"]["live"] for one in side)


def test_statuses_pass_through_as_they_are(kernel: NotebookKernel) -> None:
    with kernel.http() as http:
        assert error_of(http.get(f"{kernel.url}/tasks/nothing")) == (404, "not_found")
        assert error_of(http.post(f"{kernel.url}/tasks", json={})) == (400, "invalid")
        assert error_of(http.post(f"{kernel.url}/tasks", content=b"{")) == (400, "invalid")
        assert error_of(http.get(f"{kernel.url}/nothing")) == (404, "not_found")
        assert error_of(http.get(f"{kernel.url}/..%2f..%2fetc/passwd")) == (404, "not_found")
        task_id = begun(kernel, http)["task_id"]
        answer = http.post(f"{kernel.url}/tasks/{task_id}/answer", json={"text": "x"})
        assert error_of(answer) == (409, "conflict")
        assert http.delete(f"{kernel.url}/tasks/{task_id}").json() == {"deleted": [task_id]}


def test_it_answers_while_the_kernel_computes(kernel: NotebookKernel) -> None:
    os.mkfifo(kernel.server.root / "gate")
    kernel.run(f"open({str(kernel.server.root / 'gate')!r}).read()", wait=False)
    with kernel.http() as http:
        task = begun(kernel, http)
        with events(http, f"{kernel.url}/events") as stream:
            assert next(stream)["event"] == "state"
        answer = http.post(f"{kernel.url}/tasks/{task['task_id']}/cancel")
        assert answer.json()["status"] in {"cancelled", "completed"}
    (kernel.server.root / "gate").write_text("go on")


def test_a_kernel_that_has_not_loaded_us_says_how(server: JupyterServer) -> None:
    with kernel_of(server, load=False) as kernel, kernel.http() as http:
        answer = http.get(f"{kernel.url}/agents")
        assert error_of(answer) == (503, "no_api")
        assert LOAD in answer.json()["hint"]
        offered = f"{server.url}/lazyboy/kernels"
        assert kernel.id not in http.get(offered).json()["kernels"]
        kernel.run(LOAD)
        assert http.get(f"{kernel.url}/agents").status_code == 200
        assert kernel.id in http.get(offered).json()["kernels"]
        file = server.runtime / f"kernel-{kernel.id}.json"
        file.rename(file.with_suffix(".away"))  # as that of a kernel on another machine
        assert kernel.id in http.get(offered).json()["remote"]
        file.with_suffix(".away").rename(file)
        assert kernel.id not in http.get(offered).json()["remote"]


def test_another_kernel_s_id_is_refused(kernel: NotebookKernel) -> None:
    with kernel.http() as http:
        for other in ("00000000-0000-0000-0000-000000000000", "x", "..", kernel.id + "0"):
            url = f"{kernel.server.url}/lazyboy/kernels/{other}/api/agents"
            assert http.get(url).status_code == 404
        outside = address_file(kernel.connection_file).stem
        url = f"{kernel.server.url}/lazyboy/kernels/{outside}/api/agents"
        assert http.get(url).status_code == 404


def test_a_kernel_that_is_killed_ends_the_stream_and_its_next_life_goes_on(
    kernel: NotebookKernel,
) -> None:
    address = read_address(kernel.connection_file)
    assert address is not None
    with kernel.http() as http:
        with events(http, f"{kernel.url}/events") as stream:
            first = next(stream)
            task_id = begun(kernel, http)["task_id"]
            os.kill(address.pid, signal.SIGKILL)
            list(stream)
        assert error_of(http.get(f"{kernel.url}/agents"))[0] == 503
        kernel.server.ask("POST", f"kernels/{kernel.id}/restart")
        kernel.run(LOAD)
        assert read_address(kernel.connection_file) != address
        with events(http, f"{kernel.url}/events", first["id"]) as stream:
            state = next(stream)
            assert (state["event"], state["data"]["activity"]["state"]) == ("state", "idle")
            assert int(state["id"]) > int(first["id"])
        task = http.get(f"{kernel.url}/tasks/{task_id}").json()
        assert task["card"]["status"] == "interrupted"


def test_a_kernel_that_was_shut_down_is_gone(server: JupyterServer) -> None:
    with kernel_of(server) as kernel, kernel.http() as http:
        assert http.get(f"{kernel.url}/agents").status_code == 200
        file = address_file(kernel.connection_file)
        assert file.exists()
        kernel.server.ask("POST", f"kernels/{kernel.id}/interrupt")
        assert http.get(f"{kernel.url}/agents").status_code == 200
    with kernel.http() as http:
        assert error_of(http.get(f"{kernel.url}/agents")) == (404, "no_kernel")
    assert not file.exists()
