"""Owns the shapes in which models send arguments in place of the declared ones.

Only what has one meaning is reshaped; anything else is left for the model's own check to refuse.
No text is changed but for reasoning that stands before it. The JSON schemas know nothing of this.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from .reasoning import without_reasoning
from .tolerant_json import read_object, read_value

WRAPPERS = ("arguments", "parameters", "args", "input", "params", "tool_input", "properties")
_SOURCE_IDS = re.compile(r"[\s\[(]*S\d+(?:[\s,;\[\]()&]+(?:and\s+)?S\d+)*[\s\])]*", re.I)
_SOURCE_ID = re.compile(r"S\d+", re.I)
_TEXT_NAMES = ("text", "claim", "step", "finding", "statement", "content", "description")
_CITED_NAMES = ("citations", "citation", "sources", "source", "source_ids", "cites", "evidence")
_SOURCE_NAMES = ("source", "source_id", "id", "url", "citation")


def unwrapped(args: dict[str, Any], name: str, fields: Sequence[str]) -> dict[str, Any]:
    """Return the arguments of tool `name` without the object or the names put around them."""
    for _ in range(3):
        if not args or any(field in args for field in fields):
            return args
        inner = next((args[key] for key in (name, *WRAPPERS, "function") if key in args), None)
        if isinstance(inner, str):
            try:
                inner = read_object(inner).value
            except ValueError:
                return args
        if not isinstance(inner, dict):
            return args
        args = inner
    return args


def line(value: Any) -> Any:
    """A text: the only one of a list is it; reasoning before it is not part of it."""
    if isinstance(value, list) and len(value) == 1 and isinstance(value[0], str):
        value = value[0]
    if isinstance(value, str) and value.lstrip()[:1] in {"<", "[", "◁"}:
        return without_reasoning(value)
    return value


def number(value: Any) -> Any:
    """A number that may be absent: empty text and the names of nothing are its absence."""
    if isinstance(value, str) and value.strip().lower() in {"", "null", "none"}:
        return None
    return value


def listed(value: Any) -> Any:
    """A list: nothing is an empty one, one object is a list of it, and JSON in a text is read."""
    if isinstance(value, str):
        text = value.strip()
        if text.lower() in {"", "null", "none", "[]"}:
            return []
        if not text.startswith(("[", "{")):
            return value
        try:
            read = read_value(text)
        except ValueError:
            return value
        if read.cut or text[read.end :].strip():
            return value
        value = read.value
    if value is None:
        return []
    return [value] if isinstance(value, Mapping) else value


def lines(value: Any) -> Any:
    """A list of texts: one text is a list of it, and an object with one text is that text."""
    value = listed(value)
    if isinstance(value, str):
        return [value]
    if not isinstance(value, list):
        return value
    return [
        next(iter(item.values())) if isinstance(item, Mapping) and len(item) == 1 else item
        for item in value
    ]


def claims(value: Any) -> Any:
    """A list of claims: a text is a claim that rests on nothing."""
    value = listed(value)
    return [claim(item) for item in value] if isinstance(value, list) else value


def claim(value: Any) -> Any:
    """A claim: its text and its citations, under their own names or others."""
    if isinstance(value, str):
        return {"text": value}
    if not isinstance(value, Mapping):
        return value
    shaped = dict(value)
    _renamed(shaped, "text", _TEXT_NAMES)
    quote = shaped.pop("quote", None)
    _renamed(shaped, "citations", _CITED_NAMES)
    if "citations" in shaped:
        cited = citations(shaped["citations"])
        if quote is not None and isinstance(cited, list) and len(cited) == 1:
            only = cited[0]
            if isinstance(only, dict) and only.get("quote") is None:
                cited = [{**only, "quote": quote}]
        shaped["citations"] = cited
    return shaped


def citations(value: Any) -> Any:
    """A list of citations: an id or an address is a citation without a quote."""
    value = listed(value)
    if isinstance(value, str):
        value = [value]
    if not isinstance(value, list):
        return value
    return [cited for item in value for cited in _citation(item)]


def gaps(value: Any) -> Any:
    """A list of gaps: a text is a gap's question."""
    value = listed(value)
    if isinstance(value, str):
        value = [value]
    if not isinstance(value, list):
        return value
    shaped = []
    for item in value:
        if isinstance(item, str):
            shaped.append({"question": item})
        elif isinstance(item, Mapping):
            gap = dict(item)
            _renamed(gap, "question", ("question", "gap", "text"))
            _renamed(gap, "why", ("why", "reason"))
            if gap.get("why") is None:
                gap.pop("why", None)
            shaped.append(gap)
        else:
            return value
    return shaped


def additions(value: Any) -> Any:
    """A supplement: steps and findings are additions where it names no additions."""
    if not isinstance(value, Mapping) or "additions" in value:
        return value
    parts = [listed(value[key]) for key in ("steps", "findings") if key in value]
    if not parts or not all(isinstance(part, list) for part in parts):
        return value
    return {**value, "additions": [item for part in parts for item in part]}


def _citation(item: Any) -> list[Any]:
    if isinstance(item, str):
        if _SOURCE_IDS.fullmatch(item):
            return [{"source": found} for found in _SOURCE_ID.findall(item)]
        return [{"source": item}]
    if not isinstance(item, Mapping):
        return [item]
    shaped = dict(item)
    _renamed(shaped, "source", _SOURCE_NAMES)
    quote = shaped.get("quote")
    if isinstance(quote, list) and len(quote) == 1:
        shaped["quote"] = quote[0]
    return [shaped]


def _renamed(shaped: dict[str, Any], name: str, others: Sequence[str]) -> None:
    """Give the value its declared name, where it stands under just one of the others."""
    present = [key for key in others if key in shaped]
    if name not in shaped and len(present) == 1:
        shaped[name] = shaped.pop(present[0])
