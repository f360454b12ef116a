"""Owns the OpenAPI description: that of FastAPI, with our problem documents in it."""

from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

_PROBLEM = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}


def describe(app: FastAPI) -> None:
    """Let the app be described by `described`, once."""
    app.openapi = lambda: described(app)  # type: ignore[method-assign]


def described(app: FastAPI) -> dict[str, Any]:
    """Return what the app answers: what is refused is a problem document, and never a 422."""
    if app.openapi_schema is None:
        told = get_openapi(
            title=app.title, version=app.version, description=app.description, routes=app.routes
        )
        for path in told["paths"].values():
            for operation in path.values():
                _mend(operation["responses"])
        for unused in ("HTTPValidationError", "ValidationError"):
            told["components"]["schemas"].pop(unused, None)
        app.openapi_schema = told
    return app.openapi_schema


def _mend(responses: dict[str, Any]) -> None:
    responses.pop("422", None)
    for status, response in responses.items():
        if status >= "400":
            response["content"] = _PROBLEM
