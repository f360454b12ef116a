"""Owns the messages of a model request as plain JSON data, in the form of pydantic-ai's history.

Only `adapters/models` knows that library; everywhere else a message is a dictionary built and
read here. It must never hold a clock: a message carries no time.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .tolerant_json import Read, cleaned, read_object

Message = dict[str, Any]


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call the model asked for. `args`: as the model sent them, a JSON text or an object.

    `cut`: the reply ended before the call did, so that its last text is only a beginning.
    """

    call_id: str
    tool: str
    args: str | Mapping[str, Any]
    cut: bool = False


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The answer to one tool call; `content` is JSON data."""

    call_id: str
    tool: str
    content: Mapping[str, Any]


def opening(system: str, question: str) -> Message:
    """Return the first message: the instructions, and the person's question."""
    return {
        "kind": "request",
        "parts": [
            {"part_kind": "system-prompt", "content": system},
            {"part_kind": "user-prompt", "content": question},
        ],
    }


def user_note(text: str) -> Message:
    """Return a message that tells the model something between two of its replies."""
    return {"kind": "request", "parts": [{"part_kind": "user-prompt", "content": text}]}


def reply(text: str, calls: Sequence[ToolCall]) -> Message:
    """Return the model's reply as a message."""
    parts: list[dict[str, Any]] = []
    if text:
        parts.append({"part_kind": "text", "content": text})
    parts += [
        {
            "part_kind": "tool-call",
            "tool_name": call.tool,
            "args": call.args if isinstance(call.args, str) else dict(call.args),
            "tool_call_id": call.call_id,
        }
        for call in calls
    ]
    return {"kind": "response", "parts": parts}


def results(answers: Sequence[ToolResult]) -> Message:
    """Return the message that carries the answers to the calls of one reply, in their order."""
    return {
        "kind": "request",
        "parts": [
            {
                "part_kind": "tool-return",
                "tool_name": answer.tool,
                "content": dict(answer.content),
                "tool_call_id": answer.call_id,
            }
            for answer in answers
        ],
    }


def question_of(messages: Sequence[Message]) -> str:
    """Return the person's question: the first user prompt."""
    for message in messages:
        for part in message["parts"]:
            if part["part_kind"] == "user-prompt":
                return str(part["content"])
    return ""


def calls_of(message: Message) -> Iterator[ToolCall]:
    """Yield the calls of one message."""
    for part in message["parts"]:
        if part["part_kind"] == "tool-call":
            yield ToolCall(part["tool_call_id"], part["tool_name"], part["args"])


def results_of(message: Message) -> Iterator[ToolResult]:
    """Yield the tool results of one message."""
    for part in message["parts"]:
        if part["part_kind"] == "tool-return":
            yield ToolResult(part["tool_call_id"], part["tool_name"], part["content"])


def calls_with_results(messages: Sequence[Message]) -> Iterator[tuple[ToolCall, ToolResult | None]]:
    """Yield each tool call of the history, in order, with its result when there is one."""
    answers = {result.call_id: result for message in messages for result in results_of(message)}
    for message in messages:
        for call in calls_of(message):
            yield call, answers.get(call.call_id)


def read_args(call: ToolCall) -> Read:
    """Return the arguments of `call` as an object. Raises ValueError when they are not one."""
    if isinstance(call.args, str):
        read = read_object(call.args)
    elif isinstance(call.args, Mapping):
        read = Read(cleaned(dict(call.args)), 0)
    else:
        raise ValueError("they must be one JSON object, such as {...}")
    return replace(read, cut=True, cut_text=True) if call.cut else read


def call_args(call: ToolCall) -> dict[str, Any]:
    """Return the arguments of `call` as an object, even cut ones. Raises as `read_args`."""
    return dict(read_args(call).value)
