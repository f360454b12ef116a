"""Errors as OpenAI words them, in both of its formats."""

from collections.abc import Mapping
from typing import Any

from tests.loopback.models.asked import Asked
from tests.loopback.models.said import Failed, FailureKind

_WORDS: Mapping[FailureKind, tuple[int, str, str | None, str]] = {
    "rate_limited": (429, "requests", "rate_limit_exceeded", "Rate limit reached for {model}."),
    "overloaded": (503, "server_error", None, "The engine is currently overloaded."),
    "server": (500, "server_error", None, "The server had an error processing the request."),
    "unauthorized": (
        401,
        "invalid_request_error",
        "invalid_api_key",
        "Incorrect API key provided: {key}.",
    ),
    "not_found": (
        404,
        "invalid_request_error",
        "model_not_found",
        "The model `{model}` does not exist or you do not have access to it.",
    ),
    "rejected": (400, "invalid_request_error", None, "Invalid value for 'messages'."),
    "overflow": (
        400,
        "invalid_request_error",
        "context_length_exceeded",
        "This model's maximum context length is 8192 tokens. However, your messages resulted in "
        "9001 tokens. Please reduce the length of the messages.",
    ),
}


def error_of(failed: Failed, asked: Asked) -> tuple[int, dict[str, Any]]:
    """The status and the body."""
    status, kind, code, words = _WORDS[failed.kind]
    message = failed.message or words.format(model=asked.model, key=asked.key)
    return status, {"error": {"message": message, "type": kind, "param": None, "code": code}}
