"""Owns telling whether a JSON value is a tool call, in the shapes that models write calls in.

Nothing here looks at text, and no tool is named that is not offered.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from .messages import ToolCall
from .tolerant_json import Read, read_object
from .tools import arguments_of

_NAME_KEYS = ("name", "tool", "tool_name", "function", "function_name", "action", "recipient_name")
_ARGS_KEYS = ("arguments", "parameters", "args", "input", "params", "tool_input", "action_input")
_LIST_KEYS = ("tool_calls", "tool_uses", "calls", "actions")
_ASIDE_KEYS = {"type", "id", "call_id", "index", "thought", "reasoning"}

Fitting = Mapping[str, tuple[set[str], set[str]]]
"""By tool: the arguments it must have, and all it may have."""


def offered_name(name: str, offered: Sequence[str]) -> str | None:
    """Return the offered tool that `name` means, with or without a name space; else None."""
    bare = re.split(r"<\|", name, maxsplit=1)[0].strip().removesuffix(".call").removesuffix("()")
    return next((part for part in (bare, *re.split(r"[.:/]", bare)) if part in offered), None)


def calls_of_value(
    read: Read, offered: Sequence[str], *, supplement: bool, nameless: bool
) -> list[ToolCall] | None:
    """Return the calls of offered tools that a JSON value is, all of it, or None.

    `nameless`: an object that names no tool may be the arguments of the one it fits.
    """
    fitting = _fitting(offered, supplement=supplement) if nameless else {}
    values = read.value if isinstance(read.value, list) else [read.value]
    for key in _LIST_KEYS:
        if len(values) == 1 and isinstance(values[0], dict) and key in values[0]:
            inner = values[0][key]
            values = inner if isinstance(inner, list) else [inner]
    calls: list[ToolCall] = []
    for number, value in enumerate(values):
        call = _of_object(value, offered, fitting) if isinstance(value, dict) else None
        if call is None:
            return None
        cut = read.cut and number == len(values) - 1
        calls.append(ToolCall("", call[0], call[1], cut=cut))
    return calls


def _of_object(
    value: dict[str, Any], offered: Sequence[str], fitting: Fitting
) -> tuple[str, dict[str, Any]] | None:
    if isinstance(value.get("function"), dict):
        return _of_object(value["function"], offered, {})
    for key in _NAME_KEYS:
        if isinstance(value.get(key), str):
            name = offered_name(value[key], offered)
            if name is None:
                continue
            args = _arguments(value)
            if args is None and not any(other in value for other in _ARGS_KEYS):
                args = {k: v for k, v in value.items() if k != key and k not in _ASIDE_KEYS}
            return None if args is None or _is_schema(args) else (name, args)
    if len(value) == 1:
        [(key, inner)] = value.items()
        name = offered_name(key, offered)
        if name is not None and isinstance(inner, dict) and not _is_schema(inner):
            return name, inner
    return _of_fields(value, fitting)


def _of_fields(value: dict[str, Any], fitting: Fitting) -> tuple[str, dict[str, Any]] | None:
    """Return the one tool whose arguments `value` can be."""
    names = [
        name
        for name, (required, fields) in fitting.items()
        if value and required <= value.keys() <= fields
    ]
    return (names[0], value) if len(names) == 1 else None


def _fitting(offered: Sequence[str], *, supplement: bool) -> Fitting:
    models = {name: arguments_of(name, supplement=supplement).model_fields for name in offered}
    return {
        name: ({key for key, info in fields.items() if info.is_required()}, set(fields))
        for name, fields in models.items()
    }


def _arguments(value: Mapping[str, Any]) -> dict[str, Any] | None:
    """Return the arguments that stand under one of their usual names, or None."""
    for key in _ARGS_KEYS:
        inner = value.get(key)
        if isinstance(inner, dict):
            return inner
        if isinstance(inner, str):
            try:
                return dict(read_object(inner).value)
            except ValueError:
                return None
    return None


def _is_schema(args: Mapping[str, Any]) -> bool:
    return args.get("type") == "object" and "properties" in args
