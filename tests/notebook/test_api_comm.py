"""The API over a comm, in a real kernel: for pages whose server cannot reach its socket."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from lazyboy_jupyter.api.in_process import Asked, InProcessApi, Tell
from lazyboy_jupyter.notebook.api_comm import MOST, ApiLine
from tests.api.world import Nobody
from tests.notebook.kernel import Kernel
from tests.notebook.kernel import kernel as kernel_in

Said = list[dict[str, Any]]


@pytest.fixture
def kernel(tmp_path: Path, index_cache: Path) -> Iterator[Kernel]:
    with kernel_in(tmp_path, index_cache) as one:
        one.run("%load_ext lazyboy_jupyter")
        yield one


def of(said: Said, number: int) -> Said:
    return [one for one in said if one["id"] == number]


def ended(said: Said, number: int) -> bool:
    return any(one["type"] == "end" for one in of(said, number))


def answer_of(said: Said, number: int) -> tuple[int, Any]:
    head, *pieces, _ = of(said, number)
    return head["status"], json.loads("".join(one["text"] for one in pieces))


def test_a_page_asks_over_the_comm(kernel: Kernel) -> None:
    line = kernel.open_line()
    said = kernel.lines[line]
    kernel.say(line, id=1, method="GET", path="/api/agents/all/activity")
    kernel.listen_until(lambda: ended(said, 1))
    status, activity = answer_of(said, 1)
    assert (status, activity["activity"]["state"]) == (200, "idle")
    wanted = {"question": "How does with work?", "search": ["pydoc"], "budget": {"pages": 1}}
    kernel.say(line, id=2, method="POST", path="/api/tasks", body=wanted)
    kernel.listen_until(lambda: ended(said, 2))
    status, row = answer_of(said, 2)
    assert status == 202
    kernel.say(line, id=3, method="GET", path="/api/events")
    kernel.listen_until(lambda: any("event: state" in one.get("text", "") for one in of(said, 3)))
    kernel.say(line, id=3, type="abort")
    kernel.say(line, id=4, method="GET", path=f"/api/tasks/{row['task_id']}")
    kernel.listen_until(lambda: ended(said, 4))
    assert answer_of(said, 4)[0] == 200
    assert not ended(said, 3)


class Idle(Nobody):
    """An engine that nobody has used yet."""

    def running(self) -> None:
        return None


class Line(ApiLine):
    """A page's line to an API without an engine, with what it was told."""

    def __init__(self) -> None:
        self.said: Said = []
        super().__init__(InProcessApi(Idle()), self.said.append)


@pytest.mark.parametrize(
    "data",
    [
        {"id": 1},
        {"id": 1, "method": "PATCH", "path": "/api/tasks"},
        {"id": 1, "method": "GET", "path": "http://elsewhere/api/tasks"},
        {"id": 1, "method": "GET", "path": 7},
        {"id": 1, "method": "GET", "path": "/api/tasks", "headers": [1]},
    ],
)
def test_what_is_no_request_is_refused_in_one_sentence(data: dict[str, Any]) -> None:
    line = Line()
    line.heard(data)
    status, problem = answer_of(line.said, 1)
    assert (status, problem["error"]) == (400, "invalid")


@pytest.mark.parametrize("data", [None, "x", 7, [], {}, {"id": "x"}, {"id": 1, "type": "abort"}])
def test_what_is_no_message_is_passed_over(data: Any) -> None:
    line = Line()
    line.heard(data)
    assert line.said == []


def test_no_more_than_so_many_at_once() -> None:
    line = Line()
    for number in range(MOST + 1):
        line.heard({"id": number, "method": "GET", "path": "/api/events"})
    status, problem = answer_of(line.said, MOST)
    assert (status, problem["error"]) == (429, "too_many")
    line.hang_up()


class ByHand(InProcessApi):
    """An API whose answers never end by themselves, and whose time passes when the test says so."""

    def __init__(self) -> None:
        super().__init__(Idle())
        self.ended: list[str] = []
        self.due: list[Callable[[], None]] = []

    def ask(self, asked: Asked, tell: Tell) -> Callable[[], None]:
        return lambda: self.ended.append(asked.path)

    def later(self, seconds: float, call: Callable[[], None]) -> Callable[[], None]:
        self.due.append(call)
        return lambda: self.due.remove(call) if call in self.due else None


def test_what_a_page_listened_to_ends_when_nothing_was_heard_of_it_for_a_minute() -> None:
    api = ByHand()
    line = ApiLine(api, lambda _said: None)
    line.heard({"id": 1, "method": "GET", "path": "/api/events"})
    line.heard({"type": "here"})
    assert (len(api.due), api.ended) == (1, [])
    api.due.pop()()
    assert api.ended == ["/api/events"]
