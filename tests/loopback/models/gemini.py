"""Google's Gemini: each event is a whole answer that holds the next parts."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from tests.loopback.gate import Gate
from tests.loopback.models.asked import Asked, Message, compact, joined, text_of
from tests.loopback.models.said import Call, Failed, FailureKind, Said, Spent
from tests.loopback.models.wire import event, usage_or_nothing
from tests.loopback.world import Request

_FINISH = {"stop": "STOP", "length": "MAX_TOKENS", "content_filter": "SAFETY"}
_MODES = {"AUTO": "auto", "ANY": "required", "NONE": "none", "VALIDATED": "auto"}
_ERRORS: Mapping[FailureKind, tuple[int, str, str]] = {
    "rate_limited": (429, "RESOURCE_EXHAUSTED", "You exceeded your current quota."),
    "overloaded": (503, "UNAVAILABLE", "The model is overloaded. Please try again later."),
    "server": (500, "INTERNAL", "An internal error has occurred."),
    "unauthorized": (400, "INVALID_ARGUMENT", "API key not valid: {key}"),
    "not_found": (404, "NOT_FOUND", "models/{model} is not found for API version v1beta."),
    "rejected": (400, "INVALID_ARGUMENT", "Please ensure that the contents are not empty."),
    "overflow": (
        400,
        "INVALID_ARGUMENT",
        "The input token count (1200293) exceeds the maximum number of tokens allowed (1048576).",
    ),
}
_WRAPPERS = ("return_value", "output", "result", "error")
"""Where a result that is no object stands, since Gemini takes nothing but objects."""
_TYPES = "type.googleapis.com/google.rpc."


class Gemini:
    """`POST /v1beta/models/NAME:generateContent`, and `:streamGenerateContent?alt=sse`.

    A call is one part with its arguments as JSON; for other ones the answer is what Gemini gives:
    no call, and MALFORMED_FUNCTION_CALL as the reason. A bad key is its 400, not a 401.
    """

    event_name = ""

    def asked(self, request: Request, turn: int) -> Asked:
        body = json.loads(request.body)
        name, _, method = request.path.rpartition("/")[2].partition(":")
        calling = (body.get("toolConfig") or {}).get("functionCallingConfig") or {}
        allowed = calling.get("allowedFunctionNames") or []
        mode = _MODES.get(calling.get("mode", ""), "")
        wanted = body.get("generationConfig") or {}
        declared = [
            one["name"]
            for tool in body.get("tools") or ()
            for one in tool.get("functionDeclarations", ())
        ]
        return Asked(
            format="gemini",
            turn=turn,
            model=name,
            system=text_of((body.get("systemInstruction") or {}).get("parts")),
            messages=joined([one for told in body["contents"] for one in _messages(told)]),
            tools=tuple(declared),
            tool_choice=allowed[0] if mode == "required" and len(allowed) == 1 else mode,
            stream=method == "streamGenerateContent",
            max_tokens=wanted.get("maxOutputTokens"),
            response_format=wanted.get("responseJsonSchema") or wanted.get("responseSchema"),
            key=request.headers.get("x-goog-api-key", ""),
            headers=request.headers,
            json=body,
            raw=request.body,
        )

    def whole(self, said: Said, asked: Asked) -> Any:
        parts = [{"text": said.whole_reasoning, "thought": True}] if said.whole_reasoning else []
        parts += [{"text": said.whole_text}] if said.whole_text else []
        return _answer(asked, [*parts, *_calls(said, asked)], _finish(said), said)

    def content(self, said: Said, asked: Asked) -> Iterator[bytes | Gate]:
        for more, pieces in (({"thought": True}, said.reasoning_pieces), ({}, said.text_pieces)):
            for piece in pieces:
                yield piece if isinstance(piece, Gate) else _part(asked, {"text": piece, **more})
        for call in _calls(said, asked):
            yield _part(asked, call)

    def end(self, said: Said, asked: Asked) -> Iterator[bytes]:
        yield event(_answer(asked, [], _finish(said), said))

    def error(self, failed: Failed, asked: Asked) -> tuple[int, Any]:
        status, name, words = _ERRORS[failed.kind]
        message = failed.message or words.format(model=asked.model, key=asked.key)
        error: dict[str, Any] = {"code": failed.status or status, "message": message}
        error["status"] = name
        wait = failed.headers.get("Retry-After", "")
        if failed.kind == "unauthorized":
            reason = {"reason": "API_KEY_INVALID", "domain": "googleapis.com"}
            error["details"] = [{"@type": f"{_TYPES}ErrorInfo", **reason}]
        elif wait.isdigit():
            error["details"] = [{"@type": f"{_TYPES}RetryInfo", "retryDelay": f"{wait}s"}]
        return status, {"error": error}

    def error_event(self, failed: Failed, asked: Asked) -> bytes:
        return event(self.error(failed, asked)[1])


def _messages(told: Mapping[str, Any]) -> Iterator[Message]:
    for part in told.get("parts") or ():
        if "functionResponse" in part:
            given = part["functionResponse"]
            values = given["response"]
            wrapped = [values[name] for name in _WRAPPERS if list(values) == [name]]
            whole = wrapped[0] if wrapped else values
            text = whole if isinstance(whole, str) else json.dumps(whole, ensure_ascii=False)
            failed = "error" in values
            yield Message("tool", text, (), "", given.get("id", ""), given["name"], failed)
        elif "functionCall" in part:
            call = part["functionCall"]
            arguments = compact(call.get("args") or {})
            yield Message("assistant", calls=(Call(call["name"], arguments, call.get("id", "")),))
        elif part.get("thought"):
            yield Message("assistant", reasoning=part.get("text", ""))
        elif "text" in part:
            yield Message("assistant" if told.get("role") == "model" else "user", part["text"])


def _part(asked: Asked, part: Mapping[str, Any]) -> bytes:
    return event(_answer(asked, [part], None, None))


def _answer(asked: Asked, parts: list[Any], finish: str | None, said: Said | None) -> Any:
    candidate: dict[str, Any] = {"content": {"parts": parts, "role": "model"}, "index": 0}
    if finish is not None:
        candidate["finishReason"] = finish
    return {
        "candidates": [candidate],
        "modelVersion": asked.model,
        "responseId": f"resp-{asked.turn}",
        **usage_or_nothing("usageMetadata", _usage(said.usage) if said else None),
    }


def _values(call: Call) -> dict[str, Any] | None:
    try:
        values = json.loads(call.arguments)
    except ValueError:
        return None
    return values if isinstance(values, dict) else None


def _calls(said: Said, asked: Asked) -> list[dict[str, Any]]:
    if _finish(said) == "MALFORMED_FUNCTION_CALL":
        return []
    return [
        {"functionCall": {"id": call.id, "name": call.name, "args": _values(call)}}
        for call in said.numbered(asked.turn)
    ]


def _finish(said: Said) -> str:
    if any(_values(call) is None for call in said.calls):
        return "MALFORMED_FUNCTION_CALL"
    return _FINISH[said.finish or "stop"]


def _usage(spent: Spent | None) -> dict[str, Any] | None:
    if spent is None:
        return None
    return {
        "promptTokenCount": spent.input,
        "candidatesTokenCount": spent.output,
        "cachedContentTokenCount": spent.cached,
        "totalTokenCount": spent.input + spent.output,
    }
