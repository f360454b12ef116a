"""Owns making a history shorter when a model has no room for it (FIELD_CASES M5). Pure.

Nothing is lost: a page's text stays in the store, and its output id stays in the history.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from .messages import Message

_KEPT = 300
"""Characters of a shortened text that stay, enough to know it again."""


def shortened(messages: Sequence[Message]) -> list[Message] | None:
    """Return the history with its older tool results shortened; with none left to shorten, the
    newest too; None when there is nothing to shorten any more."""
    carrying = [at for at, message in enumerate(messages) if _can_shrink(message)]
    if not carrying:
        return None
    newest = max(at for at, message in enumerate(messages) if _has_results(message))
    chosen = [at for at in carrying if at != newest] or carrying
    return [_shrunk(message) if at in chosen else message for at, message in enumerate(messages)]


def _has_results(message: Message) -> bool:
    return any(part["part_kind"] == "tool-return" for part in message["parts"])


def _can_shrink(message: Message) -> bool:
    return any(_small(part) != part for part in message["parts"])


def _shrunk(message: Message) -> Message:
    return {**message, "parts": [_small(part) for part in message["parts"]]}


def _small(part: dict[str, Any]) -> dict[str, Any]:
    if part["part_kind"] != "tool-return" or not isinstance(part["content"], Mapping):
        return part
    content = dict(part["content"])
    text, results = content.get("text"), content.get("results")
    if isinstance(text, str) and len(text) > _KEPT and "shortened" not in content:
        content["text"] = text[:_KEPT]
        output_id = content.get("output_id")
        content["shortened"] = (
            f"There was no room for the rest; read_tool_output gives it: {output_id}."
            if output_id
            else "There was no room for the rest."
        )
    if isinstance(results, list):
        content["results"] = [
            {key: value for key, value in one.items() if key != "snippet"} for one in results
        ]
    return {**part, "content": content}
