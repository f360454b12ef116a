"""Owns the API as a whole: its routes, who may ask, how it is described."""

import hmac
import logging
from importlib.metadata import version
from typing import Any

from fastapi import FastAPI
from starlette.types import ASGIApp, Receive, Scope, Send

from .agents import agent_routes
from .bridge import Bridge
from .charts import chart_routes
from .description import describe
from .problems import DESCRIBED, answer_problems, problem
from .side import side_routes
from .tasks import task_routes

_log = logging.getLogger("lazyboy_jupyter")
LONGEST_BODY = 1_000_000


def api(bridge: Bridge) -> FastAPI:
    """Return the application, open to all who can reach it."""
    app = FastAPI(
        title="lazyboy-jupyter",
        version=version("lazyboy-jupyter"),
        description="Bounded background research of one kernel.",
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        responses=DESCRIBED,
    )
    for routes_of in (agent_routes, task_routes, side_routes, chart_routes):
        app.include_router(routes_of(bridge))
    answer_problems(app)
    describe(app)
    return app


class Limited:
    """Takes requests with a body of no more than `LONGEST_BODY` bytes."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        headers: dict[bytes, bytes] = dict(scope["headers"])
        answer: Any = self._app
        if b"transfer-encoding" in headers or _length(headers) > LONGEST_BODY:
            answer = problem(413, "too_large", "That is longer than any question.")
        try:
            await answer(scope, receive, send)
        except Exception:  # noqa: BLE001 - it has begun to answer; the kernel's cells show no log
            _log.exception("a request failed")


class Guarded:
    """Lets in who carries the token."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = Limited(app)
        self._wanted = f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http":
            raise RuntimeError(f"no {scope['type']} here")
        headers: dict[bytes, bytes] = dict(scope["headers"])
        answer: Any = self._app
        if not hmac.compare_digest(headers.get(b"authorization", b""), self._wanted):
            answer = problem(401, "no_token", "That needs the kernel's token.")
        await answer(scope, receive, send)


def _length(headers: dict[bytes, bytes]) -> int:
    told = headers.get(b"content-length", b"0")
    return int(told) if told.isdigit() else LONGEST_BODY + 1
