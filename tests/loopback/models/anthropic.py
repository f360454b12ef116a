"""Anthropic's messages: blocks and their events, one block after the other."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tests.loopback.gate import Gate
from tests.loopback.models.asked import Asked, Message, bearer, compact, joined, text_of
from tests.loopback.models.said import Call, Failed, FailureKind, Said
from tests.loopback.models.wire import event, tool_names
from tests.loopback.world import Request

_FINISH = {"stop": "end_turn", "length": "max_tokens", "content_filter": "refusal"}
_SIGNATURE = "c2lnbmVk"
_ERRORS: Mapping[FailureKind, tuple[int, str, str]] = {
    "rate_limited": (429, "rate_limit_error", "This request would exceed your rate limit."),
    "overloaded": (529, "overloaded_error", "Overloaded"),
    "server": (500, "api_error", "Internal server error"),
    "unauthorized": (401, "authentication_error", "invalid x-api-key: {key}"),
    "not_found": (404, "not_found_error", "model: {model}"),
    "rejected": (400, "invalid_request_error", "messages: at least one message is required"),
    "overflow": (
        400,
        "invalid_request_error",
        "prompt is too long: 213462 tokens > 200000 maximum",
    ),
}


class Anthropic:
    """`POST /v1/messages`. Where there is no usage it is zero, since it has to be there.

    Arguments of a call that are not JSON go verbatim in a stream, as a string in a whole answer.
    """

    event_name = "content_block_delta"

    def asked(self, request: Request, turn: int) -> Asked:
        body = json.loads(request.body)
        choice = body.get("tool_choice") or {}
        kinds = {"any": "required", "tool": choice.get("name", "")}
        kind = choice.get("type", "")
        bound = (body.get("output_config") or {}).get("format") or body.get("output_format") or {}
        return Asked(
            format="anthropic",
            turn=turn,
            model=body["model"],
            system=text_of(body.get("system")),
            messages=joined([one for told in body["messages"] for one in _messages(told)]),
            tools=tool_names(body.get("tools", ())),
            tool_choice=kinds.get(kind, kind),
            stream=bool(body.get("stream")),
            max_tokens=body.get("max_tokens"),
            response_format=bound.get("schema"),
            key=request.headers.get("x-api-key") or bearer(request.headers),
            headers=request.headers,
            json=body,
            raw=request.body,
        )

    def whole(self, said: Said, asked: Asked) -> Any:
        blocks: list[dict[str, Any]] = []
        if said.whole_reasoning:
            thought = {"thinking": said.whole_reasoning, "signature": _SIGNATURE}
            blocks.append({"type": "thinking", **thought})
        if said.whole_text:
            blocks.append({"type": "text", "text": said.whole_text})
        blocks += [{**_block(one), "input": _input(one)} for one in said.numbered(asked.turn)]
        return {**_head(said, asked), "content": blocks, "stop_reason": _stop(said)}

    def content(self, said: Said, asked: Asked) -> Iterator[bytes | Gate]:
        begun = {**_head(said, asked), "content": [], "stop_reason": None}
        begun["usage"] = {**begun["usage"], "output_tokens": 0}
        yield _event("message_start", message=begun)
        place = 0
        if said.reasoning_pieces:
            block = {"type": "thinking", "thinking": "", "signature": ""}
            yield from _blocks(place, block, "thinking", said.reasoning_pieces)
            place += 1
        if said.text_pieces:
            yield from _blocks(place, {"type": "text", "text": ""}, "text", said.text_pieces)
            place += 1
        for number, call in enumerate(said.numbered(asked.turn), place):
            yield from _blocks(number, {**_block(call), "input": {}}, "input_json", call.pieces())

    def end(self, said: Said, asked: Asked) -> Iterator[bytes]:
        delta = {"stop_reason": _stop(said), "stop_sequence": None}
        spent = _usage(said)
        yield _event("message_delta", delta=delta, usage={"output_tokens": spent["output_tokens"]})
        yield _event("message_stop")

    def error(self, failed: Failed, asked: Asked) -> tuple[int, Any]:
        status, kind, words = _ERRORS[failed.kind]
        message = failed.message or words.format(model=asked.model, key=asked.key)
        error = {"type": kind, "message": message}
        return status, {"type": "error", "error": error, "request_id": f"req_{asked.turn}"}

    def error_event(self, failed: Failed, asked: Asked) -> bytes:
        return event(self.error(failed, asked)[1], "error")


def _messages(told: Mapping[str, Any]) -> Iterator[Message]:
    content = told["content"]
    blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
    for block in blocks:
        match block["type"]:
            case "text":
                yield Message(told["role"], block["text"])
            case "thinking":
                yield Message(told["role"], reasoning=block["thinking"])
            case "tool_use":
                arguments = compact(block["input"])
                yield Message(told["role"], calls=(Call(block["name"], arguments, block["id"]),))
            case "tool_result":
                text = text_of(block.get("content"))
                failed = bool(block.get("is_error"))
                yield Message("tool", text, call_id=block["tool_use_id"], is_error=failed)


def _blocks(
    place: int, block: Mapping[str, Any], kind: str, pieces: Sequence[str | Gate]
) -> Iterator[bytes | Gate]:
    yield _event("content_block_start", index=place, content_block=dict(block))
    field = {"input_json": "partial_json"}.get(kind, kind)
    for piece in pieces:
        if isinstance(piece, Gate):
            yield piece
        else:
            delta = {"type": f"{kind}_delta", field: piece}
            yield _event("content_block_delta", index=place, delta=delta)
    if kind == "thinking":
        signed = {"type": "signature_delta", "signature": _SIGNATURE}
        yield _event("content_block_delta", index=place, delta=signed)
    yield _event("content_block_stop", index=place)


def _event(name: str, **data: Any) -> bytes:
    return event({"type": name, **data}, name)


def _block(call: Call) -> dict[str, Any]:
    return {"type": "tool_use", "id": call.id, "name": call.name}


def _input(call: Call) -> Any:
    try:
        return json.loads(call.arguments)
    except ValueError:
        return call.arguments


def _stop(said: Said) -> str:
    return _FINISH[said.finish] if said.finish else "tool_use" if said.calls else "end_turn"


def _usage(said: Said) -> dict[str, int]:
    """What was read from the cache is told apart from the rest of the input."""
    spent = said.usage
    if spent is None:
        return {"input_tokens": 0, "output_tokens": 0}
    return {
        "input_tokens": spent.input - spent.cached,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": spent.cached,
        "output_tokens": spent.output,
    }


def _head(said: Said, asked: Asked) -> dict[str, Any]:
    return {
        "id": f"msg_{asked.turn}",
        "type": "message",
        "role": "assistant",
        "model": asked.model,
        "stop_sequence": None,
        "usage": _usage(said),
    }
