"""Owns finding the plainest hiding rules of a style sheet; it is no CSS engine and never tries.

A rule counts when its selector is one class or one id, when it stands outside any `@media`, and
when no other rule says otherwise of that name: a tab that a class opens is not hidden.
"""

import re
from collections.abc import Iterable

from .characters import cut_between

# Plain strings: searching for them is ten times as fast as for an expression of them all.
_HIDING = tuple(
    f"{name}:{space}{value}"
    for name, value in (
        ("display", "none"),
        ("visibility", "hidden"),
        ("font-size", "0"),
        ("left", "-9999"),
        ("left", "-10000"),
        ("top", "-9999"),
        ("text-indent", "-9999"),
    )
    for space in ("", " ")
)
_ENDS = re.compile(r"(?:9*(?:px|em|rem)?)\s*[!;}]")
_SHOWING = re.compile(
    r"display\s*:\s*(?!none)|visibility\s*:\s*(?!hidden)|font-size\s*:\s*(?!0)"
    r"|(?:left|top|text-indent)\s*:\s*(?!-)",
    re.IGNORECASE,
)
_SIMPLE = re.compile(r"(?:[a-zA-Z][a-zA-Z0-9]*)?\.[\w-]+|#[\w-]+")
_LONGEST_RULE = 4_000
_LONGEST_SELECTOR = 400


def hiding_names(sheet: str) -> set[str]:
    """Return the selectors (`.class`, `tag.class`, `#id`) that a plain rule hides."""
    names: set[str] = set()
    depth, counted = 0, 0
    sheet = cut_between(sheet, "/*", "*/")
    for start in _hiding_places(sheet):
        depth += sheet.count("{", counted, start) - sheet.count("}", counted, start)
        counted = start
        if depth != 1:
            continue
        opening = sheet.rfind("{", max(0, start - _LONGEST_RULE), start)
        if opening >= 0:
            names.update(_selectors_before(sheet, opening))
    return names


def _hiding_places(sheet: str) -> list[int]:
    places: list[int] = []
    for text in _HIDING:
        at = 0
        while (at := sheet.find(text, at)) >= 0:
            if _ENDS.match(sheet, at + len(text)):
                places.append(at)
            at += len(text)
    return sorted(places)


def _selectors_before(sheet: str, opening: int) -> list[str]:
    before = sheet[max(0, opening - _LONGEST_SELECTOR) : opening]
    prelude = re.split(r"[};]", before)[-1]
    parts = [part.strip() for part in prelude.split(",")]
    return [part for part in parts if _SIMPLE.fullmatch(part)]


def shown_names(sheet: str, names: Iterable[str]) -> set[str]:
    """Return those of `names` that some rule of the sheet, also a more special one, shows."""
    return {name for name in names if _is_shown(sheet, name)}


def _is_shown(sheet: str, name: str) -> bool:
    bare = name[max(name.find("."), name.find("#")) :]
    at = 0
    while (at := sheet.find(bare, at)) >= 0:
        at += len(bare)
        if sheet[at : at + 1].isalnum() or sheet[at : at + 1] in ("-", "_"):
            continue
        opening = sheet.find("{", at, at + _LONGEST_SELECTOR)
        closing = sheet.find("}", at, at + _LONGEST_RULE)
        # Only where the name ends the selector does the rule speak of the element itself.
        if not 0 <= opening < closing or " " in sheet[at:opening].split(",")[0].strip():
            continue
        if _SHOWING.search(sheet, opening, closing):
            return True
    return False
