"""Owns asking the API without a socket: a request goes in as values, its answer comes in pieces.

It is the same application as over the socket, on a thread of its own; what reaches it so has been
let in by whoever hands it over.
"""

import asyncio
import codecs
import concurrent.futures
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from .bridge import Bridge, Engines

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Scope

Tell = Callable[[str, dict[str, Any]], None]
"""Takes `head` {status, media_type}, then `piece`s {text}, then `end` {}. On the API's thread."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A request. `path`: with its query, as it stands in a URL."""

    method: str
    path: str
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""


class InProcessApi:
    """Answers requests from any thread. Nothing is loaded before the first one."""

    def __init__(self, engines: Engines) -> None:
        self._engines = engines
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._app: ASGIApp | None = None

    def ask(self, asked: Asked, tell: Tell) -> Callable[[], None]:
        """Answer a request; the function returned ends it early, and then nothing more is told."""
        loop = self._running()
        answering = asyncio.run_coroutine_threadsafe(self._answer(asked, tell), loop)

        def end() -> None:
            answering.cancel()

        return end

    def later(self, seconds: float, call: Callable[[], None]) -> Callable[[], None]:
        """Call back after so many seconds, on the API's thread; the function returned forbids
        it."""
        loop = self._running()
        timer: concurrent.futures.Future[None] = asyncio.run_coroutine_threadsafe(
            _called(seconds, call), loop
        )

        def forbid() -> None:
            timer.cancel()

        return forbid

    def _running(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                threading.Thread(
                    target=self._loop.run_forever, name="lazyboy-api-comm", daemon=True
                ).start()
            return self._loop

    def _application(self) -> "ASGIApp":
        if self._app is None:
            from .app import Limited, api

            # Microseconds since 1970: the events of a kernel's next life have higher numbers.
            self._app = Limited(api(Bridge(self._engines, time.time_ns() // 1_000)))
        return self._app

    async def _answer(self, asked: Asked, tell: Tell) -> None:
        answer = _Answer(asked.body, tell)
        await self._application()(_scope_of(asked), answer.receive, answer.send)
        tell("end", {})


async def _called(seconds: float, call: Callable[[], None]) -> None:
    await asyncio.sleep(seconds)
    call()


class _Answer:
    """What the application says, told on."""

    def __init__(self, body: bytes, tell: Tell) -> None:
        self._body: bytes | None = body
        self._tell = tell
        self._text = codecs.getincrementaldecoder("utf-8")("replace")

    async def receive(self) -> "Message":
        if self._body is not None:
            body, self._body = self._body, None
            return {"type": "http.request", "body": body, "more_body": False}
        await asyncio.Event().wait()  # whoever asks leaves by ending the answer
        raise AssertionError

    async def send(self, message: "Message") -> None:
        if message["type"] == "http.response.start":
            media_type = dict(message["headers"]).get(b"content-type", b"").decode("latin-1")
            self._tell("head", {"status": message["status"], "media_type": media_type})
        elif message["type"] == "http.response.body":
            text = self._text.decode(message.get("body", b""))
            if text:
                self._tell("piece", {"text": text})


def _scope_of(asked: Asked) -> "Scope":
    path, _, query = asked.path.partition("?")
    headers = [(b"host", b"kernel"), (b"content-length", str(len(asked.body)).encode())]
    if asked.body:
        headers.append((b"content-type", b"application/json"))
    headers += [(name.lower().encode(), value.encode()) for name, value in asked.headers.items()]
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": asked.method,
        "scheme": "http",
        "path": unquote(path),
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": headers,
        "client": None,
        "server": ("kernel", None),
    }
