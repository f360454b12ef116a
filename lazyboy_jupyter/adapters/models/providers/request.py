"""Owns one request: our messages into the library's, its stream into our reply. Keeps nothing.

Only in the models' process.
"""

import asyncio
import contextlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ....core.messages import Message, ToolCall, call_args
from ....errors import ModelError
from ....ports import ModelReply, Usage
from .clients import Clients
from .failures import withheld
from .messages import Ask
from .reference import Provider
from .thoughts import ThoughtFilter, without_thoughts

if TYPE_CHECKING:
    from pydantic_ai.messages import ModelMessage, ModelResponse, ModelResponseStreamEvent
    from pydantic_ai.models import Model, ModelRequestParameters, StreamedResponse
    from pydantic_ai.settings import ModelSettings
    from pydantic_ai.usage import RequestUsage

PUBLISH = "publish_research"
_CANCEL_SECONDS = 1.0


async def perform(ask: Ask, clients: Clients, hear: Callable[[str], None]) -> ModelReply:
    """Return the reply. `hear` gets text as it arrives, and "" for everything else.

    Raises ImportError, `ModelError`, and whatever the library raises (see `failures`).
    """
    from pydantic_ai.direct import model_request_stream

    model = await clients.model(ask.reference, ask.key)
    is_held = ask.request.output_schema is not None and bool(
        model.profile.get("supports_json_schema_output")
    )
    stream: StreamedResponse
    async with model_request_stream(
        model,
        request_messages(ask.request.messages, ask.request.tail, model),
        model_settings=_settings(ask, is_held=is_held),
        model_request_parameters=_parameters(ask, is_held=is_held),
    ) as stream:
        try:
            await _listen(stream, hear)
        except asyncio.CancelledError:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(_CANCEL_SECONDS):
                    await stream.cancel()
            raise
        response = stream.get()
    return _reply(ask, response, is_held=is_held)


def request_messages(
    messages: Sequence[Message], tail: str, model: "Model"
) -> "list[ModelMessage]":
    """Return the library's messages: `tail` is the last part, behind all that may be cached."""
    from pydantic_ai.messages import (
        CachePoint,
        ModelMessagesTypeAdapter,
        ModelRequest,
        UserPromptPart,
    )

    history = ModelMessagesTypeAdapter.validate_python(list(messages))
    last = history[-1] if history else None
    if not isinstance(last, ModelRequest):
        last = ModelRequest(parts=[])
        history.append(last)
    parts = list(last.parts)
    if model.profile.get("supports_cache"):
        # Where a request must say what to cache, it is all but the tail.
        parts.append(UserPromptPart([CachePoint(), tail] if tail else [CachePoint()]))
    elif tail:
        parts.append(UserPromptPart(tail))
    last.parts = parts
    return history


async def _listen(stream: "StreamedResponse", hear: Callable[[str], None]) -> None:
    filters: dict[int, ThoughtFilter] = {}
    async for event in stream:
        index, text = _text_of(event)
        if index is None:
            continue
        hear(filters.setdefault(index, ThoughtFilter()).feed(text) if text else "")
    rest = "".join(one.end() for one in filters.values())
    if rest:
        hear(rest)


def _text_of(event: "ModelResponseStreamEvent") -> tuple[int | None, str]:
    """Return the part's number and its new text; (None, "") for what says nothing new."""
    from pydantic_ai.messages import PartDeltaEvent, PartStartEvent, TextPart, TextPartDelta

    match event:
        case PartStartEvent(index=index, part=TextPart(content=text)):
            return index, text
        case PartDeltaEvent(index=index, delta=TextPartDelta(content_delta=text)):
            return index, text
        case PartStartEvent(index=index) | PartDeltaEvent(index=index):
            return index, ""
        case _:
            return None, ""


def _settings(ask: Ask, *, is_held: bool) -> "ModelSettings":
    settings: ModelSettings = {}
    if ask.request.max_tokens is not None:
        settings["max_tokens"] = ask.request.max_tokens
    provider = ask.reference.provider
    match provider.family:
        case "openai-responses":
            return {**settings, "cache": {"messages": False}, "openai_store": False}  # type: ignore[typeddict-unknown-key]
        case "anthropic":
            settings["cache"] = {"messages": False}
            if is_held:
                settings["tool_choice"] = "none"
        case "openai-chat" | "ollama" if provider.name != "openai-chat" and ask.request.tools:
            # OpenAI's own models allow it unless told otherwise; some servers only when told.
            settings["parallel_tool_calls"] = True
        case _:
            pass
    return settings


def _parameters(ask: Ask, *, is_held: bool) -> "ModelRequestParameters":
    from pydantic_ai.models import ModelRequestParameters
    from pydantic_ai.output import OutputObjectDefinition
    from pydantic_ai.tools import ToolDefinition

    request = ask.request
    tools = [
        ToolDefinition(
            name=tool.name,
            parameters_json_schema=dict(tool.parameters),
            description=tool.description,
        )
        for tool in request.tools
    ]
    if not is_held or request.output_schema is None:
        return ModelRequestParameters(function_tools=tools)
    # Most servers hold a reply to a schema only where no tool is offered. Anthropic wants the tools
    # of a history declared: there they are, and may not be called.
    return ModelRequestParameters(
        function_tools=tools if ask.reference.provider.family == "anthropic" else [],
        output_mode="native",
        output_object=OutputObjectDefinition(dict(request.output_schema), name=PUBLISH),
    )


def _reply(ask: Ask, response: "ModelResponse", *, is_held: bool) -> ModelReply:
    text = without_thoughts(_text(response))
    calls = tuple(_calls(response, ask.request.messages))
    label = ask.reference.provider.label
    if _is_cut_off(response, calls, ask.reference.provider):
        raise ModelError(f"The reply of {label} broke off.", kind="unreadable")
    if not text and not calls and response.finish_reason == "content_filter":
        raise withheld(label).error()
    if not text and not calls and response.finish_reason == "error":
        raise ModelError(f"{label} ended its reply with an error.", kind="unreadable")
    usage = _usage(response.usage, ask.reference.provider)
    if is_held and not calls and text.lstrip().startswith("{"):
        return ModelReply(
            "", (ToolCall(_unique(PUBLISH, _ids(ask)), PUBLISH, text.strip()),), usage
        )
    return ModelReply(text, calls, usage)


def _is_cut_off(response: "ModelResponse", calls: Sequence[ToolCall], provider: Provider) -> bool:
    """Whether a stream ended before the reply did: no reason for its end, and no whole calls."""
    said: object = (response.provider_details or {}).get("finish_reason")
    if provider.family in {"openai-responses", "anthropic", "google"}:
        said = said or response.finish_reason  # for the others the library makes one up
    return not said and not (calls and all(_is_whole(call) for call in calls))


def _is_whole(call: ToolCall) -> bool:
    try:
        call_args(call)
    except (ValueError, RecursionError):
        return False
    return True


def _text(response: "ModelResponse") -> str:
    """Return what is text; pieces of one passage are joined, what stands apart stays apart."""
    from pydantic_ai.messages import TextPart

    passages: list[str] = []
    follows = False
    for part in response.parts:
        if isinstance(part, TextPart):
            if follows:
                passages[-1] += part.content
            elif part.content:
                passages.append(part.content)
            follows = bool(passages)
        else:
            follows = False
    return "\n\n".join(passages)


def _calls(response: "ModelResponse", messages: Sequence[Message]) -> Iterator[ToolCall]:
    """Yield the calls; each has an id that no other call of the conversation has."""
    taken = _ids_of(messages)
    for call in response.tool_calls:
        name = _unique(call.tool_call_id or "call", taken)
        taken.add(name)
        yield ToolCall(name, call.tool_name, _args(call.args))


def _args(args: Any) -> str | Mapping[str, Any]:
    """Return arguments as sent, however broken; a call without any has none."""
    if isinstance(args, Mapping):
        return dict(args)
    if args is None or (isinstance(args, str) and not args.strip()):
        return {}
    return args if isinstance(args, str) else json.dumps(args)


def _ids(ask: Ask) -> set[str]:
    return _ids_of(ask.request.messages)


def _ids_of(messages: Sequence[Message]) -> set[str]:
    return {
        part["tool_call_id"]
        for message in messages
        for part in message["parts"]
        if part["part_kind"] == "tool-call"
    }


def _unique(name: str, taken: set[str]) -> str:
    """Return `name`, or else one like it: some servers begin to count anew in each reply."""
    unique, count = name, 2
    while unique in taken:
        unique, count = f"{name}-{count}", count + 1
    return unique


def _usage(usage: "RequestUsage", provider: Provider) -> Usage:
    """Return the tokens; the library's 0 may also mean that nobody said."""
    if not usage.input_tokens and not usage.output_tokens:
        return Usage()
    cached = usage.cache_read_tokens or (0 if provider.tells_cached else None)
    return Usage(usage.input_tokens, usage.output_tokens, cached)
