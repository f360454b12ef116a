"""OpenAI's chat completions, as OpenAI and every server that is compatible with it speak them."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from tests.loopback.gate import Gate
from tests.loopback.models.asked import Asked, Message, bearer, compact, joined, text_of
from tests.loopback.models.openai_errors import error_of
from tests.loopback.models.said import Call, Failed, Said, Spent, interleaved
from tests.loopback.models.wire import event, tool_names, usage_or_nothing
from tests.loopback.world import Request

_CREATED = 1_760_000_000


class OpenAIChat:
    """`POST /v1/chat/completions`. Reasoning is `reasoning_content`, as compatible servers send it.

    A stream tells its usage only when `stream_options` asks for it.
    """

    event_name = ""

    def asked(self, request: Request, turn: int) -> Asked:
        body = json.loads(request.body)
        told = body["messages"]
        choice = body.get("tool_choice", "")
        bound = (body.get("response_format") or {}).get("json_schema") or {}
        return Asked(
            format="openai-chat",
            turn=turn,
            model=body["model"],
            system="\n\n".join(text_of(one["content"]) for one in told if _is_system(one)),
            messages=joined([_message(one) for one in told if not _is_system(one)]),
            tools=tool_names(body.get("tools", ()), "function"),
            tool_choice=choice if isinstance(choice, str) else choice["function"]["name"],
            stream=bool(body.get("stream")),
            max_tokens=body.get("max_completion_tokens", body.get("max_tokens")),
            response_format=bound.get("schema"),
            key=bearer(request.headers),
            headers=request.headers,
            json=body,
            raw=request.body,
        )

    def whole(self, said: Said, asked: Asked) -> Any:
        calls = [_call(call) for call in said.numbered(asked.turn)]
        message = {
            "role": "assistant",
            "content": said.whole_text or None,
            **({"reasoning_content": said.whole_reasoning} if said.whole_reasoning else {}),
            **({"tool_calls": calls} if calls else {}),
        }
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": _finish(said)}
        return {
            **_head(asked, "chat.completion"),
            "choices": [choice],
            **usage_or_nothing("usage", _usage(said.usage)),
        }

    def content(self, said: Said, asked: Asked) -> Iterator[bytes | Gate]:
        yield _chunk(asked, {"role": "assistant", "content": ""})
        for name, pieces in (
            ("reasoning_content", said.reasoning_pieces),
            ("content", said.text_pieces),
        ):
            for piece in pieces:
                yield piece if isinstance(piece, Gate) else _chunk(asked, {name: piece})
        calls = said.numbered(asked.turn)
        for place, call in enumerate(calls):
            begun = {"index": place, **_call(Call(call.name, "", call.id))}
            yield _chunk(asked, {"tool_calls": [begun]})
        for place, piece in interleaved(calls):
            more = {"index": place, "function": {"arguments": piece}}
            yield _chunk(asked, {"tool_calls": [more]})

    def end(self, said: Said, asked: Asked) -> Iterator[bytes]:
        yield _chunk(asked, {}, _finish(said))
        options: Mapping[str, Any] = asked.json.get("stream_options") or {}
        usage = _usage(said.usage)
        if usage is not None and options.get("include_usage"):
            yield event({**_head(asked, "chat.completion.chunk"), "choices": [], "usage": usage})
        yield b"data: [DONE]\n\n"

    def error(self, failed: Failed, asked: Asked) -> tuple[int, Any]:
        return error_of(failed, asked)

    def error_event(self, failed: Failed, asked: Asked) -> bytes:
        return event(error_of(failed, asked)[1])


def _is_system(message: Mapping[str, Any]) -> bool:
    return message["role"] in ("system", "developer")


def _message(message: Mapping[str, Any]) -> Message:
    text = text_of(message.get("content"))
    if message["role"] == "tool":
        return Message("tool", text, call_id=message["tool_call_id"])
    calls = [
        Call(call["function"]["name"], compact(call["function"]["arguments"]), call["id"])
        for call in message.get("tool_calls") or ()
    ]
    reasoning = message.get("reasoning_content") or ""
    return Message(message["role"], text, tuple(calls), reasoning)


def _call(call: Call) -> dict[str, Any]:
    function = {"name": call.name, "arguments": call.arguments}
    return {"id": call.id, "type": "function", "function": function}


def _finish(said: Said) -> str:
    return said.finish or ("tool_calls" if said.calls else "stop")


def _usage(spent: Spent | None) -> dict[str, Any] | None:
    if spent is None:
        return None
    return {
        "prompt_tokens": spent.input,
        "completion_tokens": spent.output,
        "total_tokens": spent.input + spent.output,
        "prompt_tokens_details": {"cached_tokens": spent.cached},
    }


def _head(asked: Asked, kind: str) -> dict[str, Any]:
    return {
        "id": f"chatcmpl-{asked.turn}",
        "object": kind,
        "created": _CREATED,
        "model": asked.model,
    }


def _chunk(asked: Asked, delta: Mapping[str, Any], finish: str | None = None) -> bytes:
    choice = {"index": 0, "delta": dict(delta), "logprobs": None, "finish_reason": finish}
    return event({**_head(asked, "chat.completion.chunk"), "choices": [choice]})
