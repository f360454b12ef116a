"""Owns what kind of answer a question wants: a person, a place, a time, a number, a method."""

from __future__ import annotations

import re
from typing import Literal

Wants = Literal["person", "place", "time", "number", "method", "thing"]

_HOW_DO_I = re.compile(
    r"\bhow\s+(?:do|can|could|should|would|must)\s+(?:i|we|you|one)\b|\bhow\s+to\s+\w",
    re.IGNORECASE,
)
_TIME = re.compile(
    r"\bwhen\b|\b(?:what|which)\s+(?:\w+\s+)?(?:year|date|day|month|century|decade|era)\b"
    r"|\b(?:year|date)\b.*\?",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"\bhow\s+(?:many|much|old|long|far|tall|high|large|often|big|deep|fast)\b"
    r"|\b(?:population|percentage|number|amount)\b",
    re.IGNORECASE,
)
_PLACE = re.compile(
    r"\bwhere\b|\b(?:what|which)\s+(?:[\w-]+\s+){0,3}(?:city|country|state|town|"
    r"county|province|region|district|continent|place|location)\b",
    re.IGNORECASE,
)
_PERSON = re.compile(
    r"\bwho(?:se|m)?\b|\b(?:what|which)\s+(?:[\w-]+\s+){0,4}(?:singer|actor|actress|"
    r"author|writer|director|person|man|woman|president|king|queen|player)\b",
    re.IGNORECASE,
)


def wants_of(text: str) -> Wants:
    """Return what kind of answer a question asks for; of most it is a thing."""
    if _NUMBER.search(text):
        return "number"
    if _TIME.search(text):
        return "time"
    if _PLACE.search(text):
        return "place"
    if _PERSON.search(text):
        return "person"
    return "method" if _HOW_DO_I.search(text) else "thing"
