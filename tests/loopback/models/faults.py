"""Ways in which a model or its server fails, by name, for a script."""

import json
from collections.abc import Mapping

from tests.loopback.gate import Gate
from tests.loopback.models.said import Call, Failed, Said, Spent
from tests.loopback.replies import Reply


def rate_limited(retry_after: str | int = "") -> Failed:
    """429. `retry_after`: seconds, or a date, or nothing said."""
    wait = str(retry_after)
    return Failed("rate_limited", headers={"Retry-After": wait} if wait else {})


def overloaded() -> Failed:
    """503, Anthropic's 529."""
    return Failed("overloaded")


def server_error() -> Failed:
    """500."""
    return Failed("server")


def bad_key() -> Failed:
    """401 (Gemini's 400) with the key in its message."""
    return Failed("unauthorized")


def unknown_model() -> Failed:
    """404."""
    return Failed("not_found")


def rejected(message: str = "") -> Failed:
    """400 for a reason that no retry cures."""
    return Failed("rejected", message)


def overflow() -> Failed:
    """The request is too long, in the wording of the provider whose format it is."""
    return Failed("overflow")


def unreachable() -> Reply:
    """The connection is reset before an answer."""
    return Reply(fault="reset")


def never_answers() -> Reply:
    """The connection is accepted, the request read, and nothing comes back."""
    return Reply(fault="no_headers")


def headers_only() -> Said:
    """Headers, then nothing."""
    return Said(ending="silent")


def html_page(status: int = 200) -> Reply:
    """A web page in place of an answer, as from a proxy or a login."""
    return Reply(b"<!DOCTYPE html><html><body><h1>Sign in</h1></body></html>", status)


def not_http() -> Reply:
    """Another protocol."""
    return Reply(fault="garbage")


def printed(call: Call, usage: Spent | None = None) -> Said:
    """A call printed as text in the tags that many open models use, in place of a call."""
    body = f'{{"name": {json.dumps(call.name)}, "arguments": {call.arguments}}}'
    return Said(f"<tool_call>\n{body}\n</tool_call>", usage=usage or Spent(10, 5))


def fenced(call: Call, usage: Spent | None = None) -> Said:
    """Prose with the arguments in a fenced block of JSON, in place of a call."""
    text = f"Here is the answer:\n\n```json\n{call.arguments}\n```\n"
    return Said(text, usage=usage or Spent(10, 5))


def held(gate: Gate, said: Said) -> Said:
    """The same reply, not even its headers before the gate opens."""
    return Said(said.text, said.calls, said.reasoning, said.usage, said.finish, said.ending, gate)


def _json(status: int, body: object) -> Reply:
    return Reply(json.dumps(body).encode(), status, "application/json")


COMPATIBLE_OVERFLOWS: Mapping[str, Reply] = {
    "vllm": _json(
        400,
        {
            "error": {
                "message": "This model's maximum context length is 8192 tokens. However, you "
                "requested 9001 tokens (8745 in the messages, 256 in the completion). Please "
                "reduce the length of the messages or completion.",
                "type": "BadRequestError",
                "param": None,
                "code": 400,
            }
        },
    ),
    "vllm-flat": _json(
        400,
        {
            "object": "error",
            "message": "This model's maximum context length is 8192 tokens. However, you requested "
            "9001 tokens in the messages, Please reduce the length of the messages.",
            "type": "BadRequestError",
            "param": None,
            "code": 400,
        },
    ),
    "llama.cpp": _json(
        400,
        {
            "error": {
                "code": 400,
                "message": "the request exceeds the available context size. try increasing the "
                "context size or enable context shift",
                "type": "exceed_context_size_error",
                "n_prompt_tokens": 14429,
                "n_ctx": 8192,
            }
        },
    ),
    "xai": _json(
        400,
        {
            "code": "Client specified an invalid argument",
            "error": "This model's maximum prompt length is 131072 but the request contains 136973 "
            "tokens.",
        },
    ),
    "xai-new": _json(
        400,
        {
            "code": "Client specified an invalid argument",
            "error": "Failed to start sampling: [input_too_large] Current message (1149677 tokens) "
            "exceeds budget (975424 tokens)",
        },
    ),
    "lm-studio": _json(
        400,
        {
            "error": "The number of tokens to keep from the initial prompt is greater than the "
            "context length (n_keep: 13055>= n_ctx: 4096). Try to load the model with a larger "
            "context length, or provide a shorter input."
        },
    ),
    "lm-studio-new": _json(
        400, {"error": "Cannot truncate prompt with n_keep (15028) >= n_ctx (7424)"}
    ),
    "ollama": _json(
        400,
        {
            "error": {
                "message": "prompt too long; exceeded max context length by 100918 tokens",
                "type": "invalid_request_error",
                "param": None,
                "code": None,
            }
        },
    ),
    "groq": _json(
        400,
        {
            "error": {
                "message": "Please reduce the length of the messages or completion.",
                "type": "invalid_request_error",
                "param": "messages",
                "code": "context_length_exceeded",
            }
        },
    ),
    "z.ai": _json(400, {"error": {"code": "1261", "message": "Prompt too long"}}),
}
"""What servers that speak OpenAI's chat format say when a request is too long for the model.

Wordings from issues of their users: llama.cpp #15780, cline #3120, inspect_ai #5208, openclaude
#353, opencode #11141, pi #2626 and #9805.
"""
