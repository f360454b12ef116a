"""Owns the API over a comm: for pages whose server cannot reach this kernel's socket.

A page opens the target `lazyboy.api` and sends `{"id": 1, "method": "GET", "path": "/api/agents",
"headers": {…}, "body": …}`; it is answered with `{"id": 1, "type": "head", "status": 200,
"media_type": …}`, then `{"id": 1, "type": "piece", "text": …}` as it comes, then `{"id": 1, "type":
"end"}`. `{"id": 1, "type": "abort"}` ends an answer, and `{"type": "here"}`, every `HERE_SECONDS`,
says that the page is still there: a page that was closed tells nobody, and its streams would go on.
"""

import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .session import holder_of_session

if TYPE_CHECKING:
    from ..api.bridge import Engines
    from ..api.in_process import InProcessApi

TARGET = "lazyboy.api"
HERE_SECONDS = 15.0
GONE_SECONDS = 4 * HERE_SECONDS
MOST = 64
"""Requests of one page at the same time."""
_METHODS = frozenset({"GET", "POST", "DELETE"})
_HEADERS = frozenset({"last-event-id", "accept"})


def offer(shell: Any, engines: "Engines") -> None:
    """Answer whoever opens the target from now on. It loads nothing."""
    manager = getattr(getattr(shell, "kernel", None), "comm_manager", None)
    if manager is not None:
        manager.register_target(TARGET, _Opening(engines))


class _Opening:
    """Takes the comms of pages; they share one API, also after the extension was loaded again."""

    def __init__(self, engines: "Engines") -> None:
        self._engines = engines

    def __call__(self, comm: Any, _opened: Any) -> None:
        holder = holder_of_session()
        if holder.comm_api is None:
            from ..api.in_process import InProcessApi

            holder.comm_api = InProcessApi(self._engines)
        # ipykernel 7.4 sends a page's message to the subshell that this comm last published on, so
        # that it would wait for a busy cell; without this it goes where the page sent it.
        if hasattr(comm, "_reply_subshell_for"):
            comm._reply_subshell_for = None
        line = ApiLine(holder.comm_api, comm.send)
        comm.on_msg(lambda message: line.heard(message["content"]["data"]))
        comm.on_close(lambda _message: line.hang_up())


class ApiLine:
    """The requests of one page. `send`: to the page, from any thread."""

    def __init__(self, api: "InProcessApi", send: Callable[[dict[str, Any]], object]) -> None:
        self._api = api
        self._send = send
        self._open: dict[int, Callable[[], None]] = {}
        self._forbid: Callable[[], None] = lambda: None

    def heard(self, data: Any) -> None:
        """Take a message of the page. It never raises: nobody would hear of it."""
        self._page_is_there()
        if not isinstance(data, dict) or data.get("type") == "here":
            return
        number = data.get("id")
        if not isinstance(number, int):
            return
        if data.get("type") == "abort":
            self._open.pop(number, lambda: None)()
            return
        from ..api.in_process import Asked

        method, path, headers = data.get("method"), data.get("path"), data.get("headers") or {}
        if (
            method not in _METHODS
            or not isinstance(path, str)
            or not path.startswith("/api/")
            or not isinstance(headers, dict)
            or number in self._open
        ):
            self._refuse(number, 400, "invalid", "That is no request of this API.")
            return
        if len(self._open) >= MOST:
            self._refuse(number, 429, "too_many", "Too many requests are under way.")
            return
        body = b"" if data.get("body") is None else json.dumps(data["body"]).encode()
        kept = {
            name: value
            for name, value in headers.items()
            if name.lower() in _HEADERS and isinstance(value, str) and value.isascii()
        }

        def tell(kind: str, said: dict[str, Any]) -> None:
            if kind == "end":
                self._open.pop(number, None)
            self._send({"id": number, "type": kind, **said})

        self._open[number] = lambda: None  # an answer may end before its end is known here
        end = self._api.ask(Asked(method, path, kept, body), tell)
        if number in self._open:
            self._open[number] = end

    def hang_up(self) -> None:
        """End whatever is under way: nobody listens any more."""
        self._forbid()
        for end in [*self._open.values()]:
            end()
        self._open.clear()

    def _page_is_there(self) -> None:
        self._forbid()
        self._forbid = self._api.later(GONE_SECONDS, self.hang_up)

    def _refuse(self, number: int, status: int, error: str, detail: str) -> None:
        media_type = "application/problem+json"
        text = json.dumps({"error": error, "detail": detail, "hint": ""})
        self._send({"id": number, "type": "head", "status": status, "media_type": media_type})
        self._send({"id": number, "type": "piece", "text": text})
        self._send({"id": number, "type": "end"})
