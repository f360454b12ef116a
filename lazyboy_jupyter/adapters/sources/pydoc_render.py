"""Owns the readable text of modules, classes and functions; never decides which of them exist.

Each symbol is a heading line with its signature, its docstring right below it: a passage may then
show both together.
"""

from __future__ import annotations

import inspect
import re
import types
from collections.abc import Callable, Iterator

_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")
_ROLE = re.compile(
    r":(?:\w+:)?(?:mod|class|func|meth|attr|exc|data|const|ref|term|pep|rfc|keyword):`"
    r"[!~]?([^`<]+?)(?:\s*<[^`]*>)?`"
)
_SIGNATURE_START = re.compile(r"[\w.]+\(")
# "partial(func) - new function with", "keys() -> a set-like object": no longer signature.
_DESCRIBED = re.compile(r"\s+--?>?\s+(?=[A-Za-z]+(?:[ -]\w+){2})")
_MAX_SIGNATURE = 160
_MAX_DOC = 20_000


def docstring(value: object) -> str:
    """Return the cleaned docstring of a value, "" without one of its own."""
    try:
        text = inspect.getdoc(value) or ""
    except Exception:  # noqa: BLE001  properties and proxies may raise anything
        return ""
    if not isinstance(value, type | types.ModuleType) and text == type(value).__doc__:
        return ""
    return _ROLE.sub(r"\1", text).expandtabs().strip()[:_MAX_DOC]


def signature(place: str, value: object) -> str:
    """Return `place(arguments)`; just `place` where Python does not know the arguments."""
    try:
        text = str(inspect.signature(value))  # type: ignore[arg-type]
    except Exception:  # noqa: BLE001  C functions without a text signature, broken metaclasses
        return place
    text = _ADDRESS.sub("", text).replace("<no value>", "...")
    text = re.sub(
        r"(?<=[(, ])(?:self|cls|\$self|\$module|\$type), |(?<=\()(?:self|cls)(?=\))", "", text
    )
    if text.startswith("(/, "):
        text = "(" + text[4:]
    return place + (text if len(text) <= _MAX_SIGNATURE else "(...)")


def symbol(place: str, value: object, level: int = 2) -> str:
    """Return the section of one function or method: heading with signature, then its docstring.

    Docstrings of C functions often begin with their own signature: that one is then the heading.
    """
    doc = docstring(value)
    if not doc:
        return ""
    head = signature(place, value)
    first, _, rest = doc.removeprefix("async ").partition("\n")
    name = place.rpartition(".")[2]
    if _SIGNATURE_START.match(first) and first.partition("(")[0].rpartition(".")[2] == name:
        own = first.partition("(")[2]
        if head in (place, f"{place}(...)") or head == f"{place}(*args, **kwargs)":
            head = _DESCRIBED.split(f"{place}({own}", maxsplit=1)[0]
        tail = (_DESCRIBED.split(first, maxsplit=1)[1:] or [""])[0]
        doc = "\n".join(part for part in (tail, rest.strip("\n")) if part).strip()
    doc = inspect.cleandoc(doc)
    return f"{'#' * level} {head}\n{doc}" if doc else f"{'#' * level} {head}"


def class_text(place: str, value: type, level: int = 2) -> str:
    """Return a class: signature, docstring, then its public methods and properties."""
    parts = [symbol(place, value, level) or f"{'#' * level} {signature(place, value)}"]
    for name, member in _members(value):
        text = symbol(f"{place}.{name}", member, level + 1)
        if text and docstring(member) != docstring(value):
            parts.append(text)
    return "\n\n".join(parts)


def first_line(value: object) -> str:
    """Return the first sentence-like line of a docstring, for titles, without signatures."""
    doc = docstring(value)
    for paragraph in re.split(r"\n\s*\n", doc):
        line = " ".join(paragraph.split())
        if " -- " in line[:120] and _SIGNATURE_START.match(line):
            line = line.partition(" -- ")[2]
        if line and not _SIGNATURE_START.match(line):
            return re.split(r"(?<=[a-z)])[.:](?:\s|$)", line)[0][:100].strip()
    return ""


def _members(value: type) -> Iterator[tuple[str, Callable[..., object] | object]]:
    """Yield the methods and properties that a class defines, or takes from a private base."""
    seen: set[str] = set()
    for base in value.__mro__:
        if base is not value and (base is object or not base.__name__.startswith("_")):
            continue
        for name, raw in sorted(vars(base).items()):
            if name.startswith("_") or name in seen:
                continue
            seen.add(name)
            member = raw.__func__ if isinstance(raw, staticmethod | classmethod) else raw
            if callable(member) or isinstance(member, property) or inspect.isdatadescriptor(member):
                yield name, member
