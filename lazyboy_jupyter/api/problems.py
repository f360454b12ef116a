"""Owns what an error is over HTTP: its status and its problem document. The one place that does."""

import logging
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from ..errors import (
    EngineClosedError,
    LazyboyError,
    SideQuestionRefused,
    StoreError,
    UnknownSideQuestionError,
    UnknownTaskError,
    UsageError,
)
from .models import Problem

_log = logging.getLogger("lazyboy_jupyter")
_KINDS: tuple[tuple[type[LazyboyError], int, str], ...] = (
    (UnknownTaskError, 404, "not_found"),
    (UnknownSideQuestionError, 404, "not_found"),
    (UsageError, 400, "invalid"),
    (EngineClosedError, 503, "closed"),
    (StoreError, 503, "store"),
    (LazyboyError, 502, "outside"),
)
_REFUSED = {"too_many": 429}
_WORDS = {404: "not_found", 405: "not_allowed"}
DESCRIBED: dict[int | str, dict[str, Any]] = {
    status: {"model": Problem, "description": HTTPStatus(status).phrase}
    for status in (400, 401, 404, 409, 429, 503)
}
"""What every route may answer besides, for the description."""


class ConflictError(LazyboyError):
    """What is asked for cannot be done to it as it stands now."""


def problem(status: int, error: str, detail: str, hint: str = "") -> JSONResponse:
    """Return a problem document."""
    return JSONResponse(
        {"error": error, "detail": detail, "hint": hint},
        status,
        media_type="application/problem+json",
    )


def problem_of(error: LazyboyError) -> JSONResponse:
    """Return the problem document of an error of ours."""
    if isinstance(error, SideQuestionRefused):
        status, kind = _REFUSED.get(error.kind, 409), str(error.kind)
    elif isinstance(error, ConflictError):
        status, kind = 409, "conflict"
    else:
        status, kind = next((s, k) for one, s, k in _KINDS if isinstance(error, one))
    return problem(status, kind, error.sentence, error.hint)


def answer_problems(app: FastAPI) -> None:
    """Let whatever goes wrong in the app be answered by a problem document."""

    @app.exception_handler(LazyboyError)
    async def _ours(_request: Request, error: LazyboyError) -> JSONResponse:
        return problem_of(error)

    @app.exception_handler(RequestValidationError)
    async def _invalid(_request: Request, error: RequestValidationError) -> JSONResponse:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"][1:])
        detail = f"{where}: {first['msg']}." if where else f"{first['msg']}."
        return problem(400, "invalid", detail[:300], "The description is at /api/openapi.json.")

    @app.exception_handler(HTTPException)
    async def _http(_request: Request, error: HTTPException) -> JSONResponse:
        kind = _WORDS.get(error.status_code, "invalid")
        return problem(error.status_code, kind, f"{error.detail}.")

    @app.exception_handler(Exception)
    async def _unexpected(_request: Request, error: Exception) -> JSONResponse:
        _log.exception("a request failed", exc_info=error)
        return problem(500, "internal", f"An error of ours: {error}"[:300], "Try again.")
