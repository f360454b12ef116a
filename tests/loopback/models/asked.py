"""What a model was asked: one view of a request, whatever wire format it came in."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from tests.loopback.models.said import Call

FormatName = Literal["openai-chat", "openai-responses", "anthropic", "gemini"]
Role = Literal["user", "assistant", "tool"]


@dataclass(frozen=True)
class Message:
    """One message. A tool's result is a message of its own: its `text`, its call's `call_id`.

    Neighbours of the same role are one message, their texts joined by an empty line. `name`: of the
    tool, where the format tells it or the call can be found; `is_error`: where the format tells it.
    Arguments of calls are compact JSON, or verbatim where they are no JSON.
    """

    role: Role
    text: str = ""
    calls: tuple[Call, ...] = ()
    reasoning: str = ""
    call_id: str = ""
    name: str = ""
    is_error: bool = False


@dataclass(frozen=True)
class Asked:
    """A request. `tool_choice`: auto, required, none, the name of the one tool, or nothing said.

    `response_format`: the JSON schema that the reply is bound to. `turn` counts the requests of the
    endpoint from 0. `json` is the body as parsed, `raw` as sent.
    """

    format: FormatName
    turn: int
    model: str
    system: str
    messages: tuple[Message, ...]
    tools: tuple[str, ...]
    tool_choice: str
    stream: bool
    max_tokens: int | None
    response_format: Mapping[str, Any] | None
    key: str
    headers: Mapping[str, str]
    json: Any
    raw: bytes

    @property
    def results(self) -> dict[str, str]:
        """The text of each tool result, by the id of its call."""
        return {one.call_id: one.text for one in self.messages if one.role == "tool"}


def joined(messages: Sequence[Message]) -> tuple[Message, ...]:
    """The messages with neighbours of one role made one, and each result with its tool's name."""
    whole: list[Message] = []
    names: dict[str, str] = {}
    for one in messages:
        names.update({call.id: call.name for call in one.calls})
        last = whole[-1] if whole else None
        if last is None or last.role != one.role or one.role == "tool":
            name = one.name or names.get(one.call_id, "")
            whole.append(
                Message(
                    one.role, one.text, one.calls, one.reasoning, one.call_id, name, one.is_error
                )
            )
        else:
            text = "\n\n".join(text for text in (last.text, one.text) if text)
            reasoning = "\n\n".join(text for text in (last.reasoning, one.reasoning) if text)
            whole[-1] = Message(one.role, text, (*last.calls, *one.calls), reasoning)
    return tuple(whole)


def bearer(headers: Mapping[str, str]) -> str:
    """The key in an Authorization header."""
    return headers.get("authorization", "").removeprefix("Bearer ")


def compact(arguments: Any) -> str:
    """Arguments of a call as JSON without spaces, or as they are where they are no JSON."""
    try:
        values = json.loads(arguments) if isinstance(arguments, str) else arguments
    except ValueError:
        return str(arguments)
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"))


def text_of(content: Any) -> str:
    """The text of a message's content: a string, or parts of which some have a text."""
    if content is None or isinstance(content, str):
        return content or ""
    return "\n\n".join(part["text"] for part in content if part.get("text"))
