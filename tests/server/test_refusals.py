"""Who is not logged in, or asks from a page of somebody else, gets nothing from any endpoint."""

from collections.abc import Iterator
from urllib.parse import urlsplit

import httpx
import pytest

from lazyboy_jupyter.api.app import api
from lazyboy_jupyter.api.bridge import Bridge
from tests.api.world import Nobody
from tests.server.world import JupyterServer, NotebookKernel, kernel_of

BODY = {"question": "How does the with statement work?", "budget": {"pages": 1, "gaps": 0}}
METHODS = ("GET", "POST", "DELETE", "PUT", "PATCH", "HEAD", "OPTIONS")


def endpoints() -> list[str]:
    described = api(Bridge(Nobody(), 0)).openapi()["paths"]
    paths = [f"/kernels/ID{path}" for path in (*described, "/api/openapi.json")]
    return ["/kernels", *(path.replace("{", "").replace("}", "") for path in paths)]


@pytest.fixture(scope="module")
def kernel(server: JupyterServer) -> Iterator[NotebookKernel]:
    """One for all: nothing here may change it."""
    with kernel_of(server) as one:
        yield one


@pytest.fixture
def browser(kernel: NotebookKernel) -> Iterator[httpx.Client]:
    """A browser that is logged in by its cookies alone."""
    with httpx.Client(timeout=60, follow_redirects=True) as one:
        lab = one.get(f"{kernel.server.url}/lab", params={"token": kernel.server.token})
        assert lab.status_code == 200
        assert "_xsrf" in one.cookies
        yield one


def referring(kernel: NotebookKernel) -> dict[str, str]:
    return {"Referer": f"{kernel.server.url}/lab"}


def origin(kernel: NotebookKernel) -> str:
    parts = urlsplit(kernel.server.url)
    return f"{parts.scheme}://{parts.netloc}"


def test_no_endpoint_answers_without_login(kernel: NotebookKernel) -> None:
    with httpx.Client(timeout=60) as http:
        for path in endpoints():
            for method in METHODS:
                for headers in ({}, {"Authorization": "token wrong"}, {"Authorization": "Bearer"}):
                    url = f"{kernel.server.url}/lazyboy{path.replace('ID', kernel.id)}"
                    answer = http.request(method, url, headers=headers)
                    assert answer.status_code in {403, 405}, (method, path, answer.status_code)
                    if method != "HEAD":
                        assert set(answer.json()) == {"error", "detail", "hint"}


def test_a_browser_is_answered_with_its_cookies_and_its_mark(
    kernel: NotebookKernel, browser: httpx.Client
) -> None:
    assert browser.get(f"{kernel.url}/agents", headers=referring(kernel)).status_code == 200
    mark = {"X-XSRFToken": browser.cookies["_xsrf"], "Origin": origin(kernel)}
    begun = browser.post(f"{kernel.url}/tasks", json=BODY, headers=mark)
    assert begun.status_code == 202
    task = f"{kernel.url}/tasks/{begun.json()['task_id']}"
    assert browser.delete(task, headers=mark).status_code == 200


@pytest.mark.parametrize("mark", ["", "forged"])
def test_without_its_mark_nothing_is_done(
    kernel: NotebookKernel, browser: httpx.Client, mark: str
) -> None:
    headers = {"X-XSRFToken": mark} if mark else {}
    for method, path in (("POST", "tasks"), ("DELETE", "tasks/x"), ("POST", "tasks/x/cancel")):
        answer = browser.request(method, f"{kernel.url}/{path}", json=BODY, headers=headers)
        assert answer.status_code == 403, (method, path)
    agents = browser.get(f"{kernel.url}/agents", headers=referring(kernel)).json()
    assert agents["tasks"] == []


def test_a_page_of_another_origin_is_refused(kernel: NotebookKernel, browser: httpx.Client) -> None:
    foreign = {"Origin": "https://evil.example", "X-XSRFToken": browser.cookies["_xsrf"]}
    for method, path in (("GET", "agents"), ("GET", "events"), ("POST", "tasks")):
        answer = browser.request(
            method, f"{kernel.url}/{path}", headers=foreign, json=BODY if method == "POST" else None
        )
        assert answer.status_code in {403, 404}, (method, path)
        assert "access-control-allow-origin" not in answer.headers
    with httpx.Client() as http:
        answer = http.get(f"{kernel.url}/agents", headers={"Host": "evil.example"})
        assert answer.status_code == 403


def test_the_kernel_s_own_token_is_no_login(kernel: NotebookKernel) -> None:
    from lazyboy_jupyter.api.address import read_address

    address = read_address(kernel.connection_file)
    assert address is not None
    for word in ("Bearer", "token"):
        headers = {"Authorization": f"{word} {address.token}"}
        assert httpx.get(f"{kernel.url}/agents", headers=headers).status_code == 403
