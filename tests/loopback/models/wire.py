"""What a wire format has to know, and what is the same in all of them: events and whole answers."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Protocol

from tests.loopback.gate import Gate
from tests.loopback.models.asked import Asked
from tests.loopback.models.said import Failed, Said
from tests.loopback.replies import Fault, Reply
from tests.loopback.world import Request

JSON = "application/json"
_FAULTS: Mapping[str, Fault] = {"reset": "reset_midway", "silent": "silent", "cut": "cut"}
_BROKEN = '{"id": "broken", "delta": {"text": \n\n'


class Wire(Protocol):
    """One provider's format. `event_name`: of an event with content, where events have names."""

    event_name: str

    def asked(self, request: Request, turn: int) -> Asked:
        """The request as everyone sees it."""

    def whole(self, said: Said, asked: Asked) -> Any:
        """The JSON of an answer that is not streamed."""

    def content(self, said: Said, asked: Asked) -> Iterator[bytes | Gate]:
        """The events up to the last one of the content."""

    def end(self, said: Said, asked: Asked) -> Iterator[bytes]:
        """The events after the content."""

    def error(self, failed: Failed, asked: Asked) -> tuple[int, Any]:
        """The status and the JSON of an error."""

    def error_event(self, failed: Failed, asked: Asked) -> bytes:
        """An error within a stream."""


def event(data: Any, name: str = "") -> bytes:
    """A server-sent event."""
    head = f"event: {name}\n" if name else ""
    return f"{head}data: {json.dumps(data, ensure_ascii=False)}\n\n".encode()


def reply_of(wire: Wire, said: Said, asked: Asked) -> Reply:
    """The answer, in a stream or whole, as was asked."""
    return _stream(wire, said, asked) if asked.stream else _whole(wire, said, asked)


def failure_of(wire: Wire, failed: Failed, asked: Asked) -> Reply:
    """An error as the whole answer."""
    status, body = wire.error(failed, asked)
    return Reply(json.dumps(body).encode(), failed.status or status, JSON, failed.headers)


def _whole(wire: Wire, said: Said, asked: Asked) -> Reply:
    if isinstance(said.ending, Failed):
        return failure_of(wire, said.ending, asked)
    body = json.dumps(wire.whole(said, asked), ensure_ascii=False).encode()
    fault = _FAULTS.get(said.ending)
    if said.ending in ("malformed", "unfinished"):
        body = body[: len(body) // 2]
    if not said.gates:
        return Reply(body, 200, JSON, fault=fault, before=said.before)
    held: list[bytes | Gate] = [*said.gates, body if fault is None else body[: len(body) // 2]]
    return Reply(content_type=JSON, pieces=held, fault=fault, before=said.before)


def _stream(wire: Wire, said: Said, asked: Asked) -> Reply:
    pieces: list[bytes | Gate] = []
    if said.has_content or said.ending == "end":
        pieces += wire.content(said, asked)
    if isinstance(said.ending, Failed):
        pieces.append(wire.error_event(said.ending, asked))
    elif said.ending == "malformed":
        name = f"event: {wire.event_name}\n" if wire.event_name else ""
        pieces += [f"{name}data: {_BROKEN}".encode(), *wire.end(said, asked)]
    elif said.ending == "end":
        pieces += wire.end(said, asked)
    return Reply(
        content_type="text/event-stream",
        headers={"Cache-Control": "no-cache"},
        pieces=pieces,
        fault=_FAULTS.get(said.ending) if isinstance(said.ending, str) else None,
        before=said.before,
    )


def usage_or_nothing(name: str, value: Mapping[str, Any] | None) -> dict[str, Any]:
    """A field, left out where there is no usage."""
    return {} if value is None else {name: dict(value)}


def tool_names(tools: Sequence[Mapping[str, Any]], *path: str) -> tuple[str, ...]:
    """The names of tools, each found by `path` within its definition."""
    names = []
    for tool in tools:
        found: Any = tool
        for step in path:
            found = found.get(step, {})
        names.append(str(found.get("name", "")))
    return tuple(names)
