"""OpenAI's responses: items and their events, each event with a name and a number."""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tests.loopback.gate import Gate
from tests.loopback.models.asked import Asked, Message, bearer, compact, joined, text_of
from tests.loopback.models.openai_errors import error_of
from tests.loopback.models.said import Call, Failed, Said, Spent, interleaved
from tests.loopback.models.wire import event, tool_names
from tests.loopback.world import Request

_CREATED = 1_760_000_000
_Item = dict[str, Any]


class OpenAIResponses:
    """`POST /v1/responses`. Reasoning is a summary, as OpenAI shows it."""

    event_name = "response.output_text.delta"

    def asked(self, request: Request, turn: int) -> Asked:
        body = json.loads(request.body)
        given = body["input"]
        items = [{"role": "user", "content": given}] if isinstance(given, str) else given
        choice = body.get("tool_choice", "")
        bound = (body.get("text") or {}).get("format") or {}
        system = [text_of(one["content"]) for one in items if _is_system(one)]
        return Asked(
            format="openai-responses",
            turn=turn,
            model=body["model"],
            system="\n\n".join(text for text in (body.get("instructions"), *system) if text),
            messages=joined([_message(one) for one in items if not _is_system(one)]),
            tools=tool_names(body.get("tools", ())),
            tool_choice=choice if isinstance(choice, str) else choice.get("name", choice["type"]),
            stream=bool(body.get("stream")),
            max_tokens=body.get("max_output_tokens"),
            response_format=bound.get("schema"),
            key=bearer(request.headers),
            headers=request.headers,
            json=body,
            raw=request.body,
        )

    def whole(self, said: Said, asked: Asked) -> Any:
        return _response(asked, said, _status(said), _items(said, asked))

    def content(self, said: Said, asked: Asked) -> Iterator[bytes | Gate]:
        return _numbered(_content(said, asked), 0)

    def end(self, said: Said, asked: Asked) -> Iterator[bytes]:
        status = _status(said)
        response = _response(asked, said, status, _items(said, asked))
        number = sum(isinstance(one, dict) for one in _content(said, asked))
        yield _event({"type": f"response.{status}", "response": response}, number)

    def error(self, failed: Failed, asked: Asked) -> tuple[int, Any]:
        return error_of(failed, asked)

    def error_event(self, failed: Failed, asked: Asked) -> bytes:
        error = error_of(failed, asked)[1]["error"]
        told = {"code": error["code"] or error["type"], "message": error["message"]}
        return _event({"type": "error", **told, "param": None}, 0)


def _is_system(item: Mapping[str, Any]) -> bool:
    return item.get("role") in ("system", "developer")


def _message(item: Mapping[str, Any]) -> Message:
    match item.get("type", "message"):
        case "function_call":
            call = Call(item["name"], compact(item["arguments"]), item["call_id"])
            return Message("assistant", calls=(call,))
        case "function_call_output":
            return Message("tool", text_of(item["output"]), call_id=item["call_id"])
        case "reasoning":
            return Message("assistant", reasoning=text_of(item.get("summary")))
    return Message(item["role"], text_of(item["content"]))


def _items(said: Said, asked: Asked) -> list[_Item]:
    """The items of the output, all of them done."""
    items: list[_Item] = []
    if said.whole_reasoning:
        summary = [{"type": "summary_text", "text": said.whole_reasoning}]
        items.append({"type": "reasoning", "id": f"rs_{asked.turn}", "summary": summary})
    if said.whole_text:
        part = {"type": "output_text", "text": said.whole_text, "annotations": [], "logprobs": []}
        message = {"type": "message", "id": f"msg_{asked.turn}", "role": "assistant"}
        items.append({**message, "status": "completed", "content": [part]})
    for call in said.numbered(asked.turn):
        named = {"call_id": call.id, "name": call.name, "arguments": call.arguments}
        items.append(
            {"type": "function_call", "id": f"fc_{call.id}", "status": "completed"} | named
        )
    return items


def _content(said: Said, asked: Asked) -> Iterator[_Item | Gate]:
    begun = _response(asked, said, "in_progress", [])
    yield {"type": "response.created", "response": begun}
    yield {"type": "response.in_progress", "response": begun}
    items = _items(said, asked)
    for place, item in enumerate(items):
        if item["type"] == "reasoning":
            yield from _texts(said.reasoning_pieces, item, place, "summary", "reasoning_summary")
        elif item["type"] == "message":
            yield from _texts(said.text_pieces, item, place, "content", "output")
    yield from _calls(said.numbered(asked.turn), items)


def _texts(
    pieces: Sequence[str | Gate], item: _Item, place: int, part: str, kind: str
) -> Iterator[_Item | Gate]:
    """The events of an item with one text."""
    yield {
        "type": "response.output_item.added",
        "output_index": place,
        "item": {**item, part: []},
    }
    prefix = "response.content_part" if part == "content" else f"response.{kind}_part"
    at = {"item_id": item["id"], "output_index": place, f"{part}_index": 0}
    (whole,) = item[part]
    yield {"type": f"{prefix}.added", **at, "part": {**whole, "text": ""}}
    for piece in pieces:
        if isinstance(piece, Gate):
            yield piece
        else:
            yield {"type": f"response.{kind}_text.delta", **at, "delta": piece, "logprobs": []}
    yield {"type": f"response.{kind}_text.done", **at, "text": whole["text"], "logprobs": []}
    yield {"type": f"{prefix}.done", **at, "part": whole}
    yield {"type": "response.output_item.done", "output_index": place, "item": item}


def _calls(calls: Sequence[Call], items: Sequence[_Item]) -> Iterator[_Item]:
    """The events of all calls, which are the last of the items."""
    first = len(items) - len(calls)
    numbered = list(enumerate(items))[first:]
    for place, item in numbered:
        begun = {**item, "arguments": "", "status": "in_progress"}
        yield {"type": "response.output_item.added", "output_index": place, "item": begun}
    kind = "response.function_call_arguments"
    for number, piece in interleaved(calls):
        at = {"item_id": items[first + number]["id"], "output_index": first + number}
        yield {"type": f"{kind}.delta", **at, "delta": piece}
    for place, item in numbered:
        at = {"item_id": item["id"], "output_index": place}
        yield {"type": f"{kind}.done", **at, "arguments": item["arguments"], "name": item["name"]}
        yield {"type": "response.output_item.done", "output_index": place, "item": item}


def _numbered(events: Iterator[_Item | Gate], number: int) -> Iterator[bytes | Gate]:
    for one in events:
        if isinstance(one, Gate):
            yield one
        else:
            yield _event(one, number)
            number += 1


def _event(data: _Item, number: int) -> bytes:
    return event({**data, "sequence_number": number}, data["type"])


def _status(said: Said) -> str:
    return "incomplete" if said.finish in ("length", "content_filter") else "completed"


def _response(asked: Asked, said: Said, status: str, output: list[_Item]) -> _Item:
    reasons = {"length": "max_output_tokens", "content_filter": "content_filter"}
    reason = {"reason": reasons.get(said.finish or "", "")} if status == "incomplete" else None
    return {
        "id": f"resp_{asked.turn}",
        "object": "response",
        "created_at": _CREATED,
        "status": status,
        "error": None,
        "incomplete_details": reason,
        "model": asked.model,
        "output": output,
        "parallel_tool_calls": True,
        "tool_choice": asked.json.get("tool_choice", "auto"),
        "tools": [],
        "usage": None if status == "in_progress" else _usage(said.usage),
    }


def _usage(spent: Spent | None) -> dict[str, Any] | None:
    if spent is None:
        return None
    return {
        "input_tokens": spent.input,
        "input_tokens_details": {"cached_tokens": spent.cached, "cache_write_tokens": 0},
        "output_tokens": spent.output,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": spent.input + spent.output,
    }
