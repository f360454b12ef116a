"""Owns telling what a side question is about: the agent's work, or a subject. Pure; English words.

A question is about the work only when nothing but words about work is in it; whatever else it
names is a subject, to be looked up in the texts. Other languages name subjects only.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

_LONGEST = 8_000
About = Literal["subject", "findings", "status", "missing", "why"]

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*|\d+")
_SOURCE = re.compile(r"(?<![\w/])[Ss]\d+\b")
# Words that say nothing about what a question is about.
_FILLER = frozenset(
    """
    a about agent all already an and any anything are as at be been before briefly but by can
    could current currently did do does else everything exactly far for from give got had has
    have here how i in is it say says said mention mentions mentioned its just let main me much
    now of on one only or our please point points question really research shall short shortly
    should so some something still tell task that the them then there these they thing things
    this those to until up us want was we were what what's whats when where where's which who
    why with would yet you your yours i'd i'm you're you've there's it's that's kindly hi hello
    hey ok okay thanks moment right topic work happened
    remain remains remaining went
    """.split()
)
_FINDINGS = frozenset(
    """
    answer answers briefing conclusion conclusions discover discovered fact facts find finding
    findings found gist key know known knows learn learned learnt overview recap result results
    summarise summarize summary tl dr tldr
    """.split()
)
_STATUS = frozenset(
    """
    busy doing done finished going long open opened opening page pages progress read reading ready
    running search searched searches searching site sites source sources status stuck visited
    waiting working
    """.split()
)
_MISSING = frozenset(
    """
    fail failed fails failures gap gaps lacking left missing open problem problems unanswered
    unclear uncertain unknown unknowns unresolved unsure wrong
    """.split()
)
_NOT = frozenset(
    """
    not no never without nothing cannot can't couldn't didn't don't haven't wasn't weren't isn't
    """.split()
)
# They are of the work only beside a word that is: "open" alone may be a function.
_AMBIGUOUS = frozenset("open read search find running waiting left key long".split())
_OF_WORK = frozenset("you your you've agent far still yet now already any remains".split())
_OPENING = re.compile(
    r"\b(?:why|how come|what for|for what reason)\s+(?:did|have|had|were|are|was|is)?\s*"
    r"(?:you|the\s+agent)\s+(?:\w+\s+)?(?:open|read|visit|cho?ose|chosen|pick|select|fetch|"
    r"look(?:ed|ing)?\s+at|go(?:ne)?\s+to)(?:ed|ing|s)?\b",
    re.IGNORECASE,
)
_HOW_FAR = re.compile(r"\bhow\s+(?:far|long|is it going|are you)\b", re.IGNORECASE)
_WHY = re.compile(r"\W*why\b", re.IGNORECASE)
_SAYS = (
    r"(?:say|says|said|state[sd]?|mention(?:s|ed)?|claim(?:s|ed)?|tells?|told|writes?|wrote|"
    r"talks?|speaks?|explains?|describes?|discuss(?:es)?|covers?)"
)
_PLACE = r"(?:pages?|sources?|sites?|documents?|docs?|documentation|articles?|texts?|results?)"
_WHO_SAYS = re.compile(rf"\b(?:{_PLACE}|who|where)\b.*\b{_SAYS}\b", re.IGNORECASE)
# What only frames a subject: "which page says that …", "what have you found about …".
_FRAMES = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b(?:which|what)\s+(?:of\s+the\s+)?{_PLACE}\s+(?:\w+\s+)?{_SAYS}(?:\s+(?:that|about|of))?\b",
        rf"\b(?:on\s+)?(?:which|what)\s+{_PLACE}\s+(?:is|was|does)\b",
        rf"\bwho\s+{_SAYS}\s+(?:that|so)\b",
        rf"\bwhere\s+(?:does|do|did|is|was|were)\s+(?:it|they|that|this|the\s+{_PLACE})"
        rf"(?:\s+{_SAYS})?(?:\s+(?:that|about|of))?\b",
        rf"\b(?:what|anything)\s+(?:do|does|did)\s+(?:the|these|those|your|it|they)\s*{_PLACE}?\s+"
        rf"{_SAYS}(?:\s+(?:about|on|of))?\b",
        rf"\b(?:do|does|did)\s+(?:any|some|one|the|your)(?:\s+of\s+the)?\s+{_PLACE}\s+{_SAYS}"
        r"(?:\s+(?:anything|something))?(?:\s+(?:about|on|of))?\b",
        r"(?<!how )\b(?:what\s+)?(?:have|did|do|has|does)\s+(?:you|the\s+agent)\s+"
        r"(?:already\s+|also\s+|ever\s+)?(?:find|found|know|learn(?:ed|t)?|read|see|seen|got)"
        r"(?:\s+(?:out|so\s+far|anything|something|yet))*\s+(?:about|on|regarding|of)\b",
        r"\bwhat\s+(?:is|was)\s+(?:known|found|said|written|there)"
        r"(?:\s+so\s+far)?\s+(?:about|on|regarding)\b",
        r"\b(?:so far|up to now|until now|at the moment)\b",
    )
)


@dataclass(frozen=True, slots=True)
class Intent:
    """What is asked: `subject` without the words around it, and the ids of sources it names."""

    about: About
    subject: str
    sources: frozenset[str] = frozenset()


def intent_of(question: str) -> Intent:
    """Return what a side question is about. Any text; it never raises."""
    question = question[:_LONGEST]
    sources = frozenset(one.upper() for one in _SOURCE.findall(question))
    plain = question.replace("’", "'")
    if opening := _OPENING.search(plain):
        rest = plain[opening.end() :]
        return Intent("why", rest if _content(rest) - _STATUS else "", sources)
    said = {word.lower() for word in _WORD.findall(_SOURCE.sub(" ", plain))}
    content = said - _FILLER - _NOT
    if sources and not content and _WHY.match(plain):
        return Intent("why", "", sources)
    if content <= _STATUS and _WHO_SAYS.search(plain):
        return Intent("subject", "", sources)
    if content and content <= _AMBIGUOUS and not said & _OF_WORK:
        return Intent("subject", _subject(question), sources)
    if content <= _FINDINGS | _STATUS | _MISSING and (content or _HOW_FAR.search(plain)):
        return Intent(_about(content, negated=bool(said & _NOT)), "", sources)
    return Intent("subject", _subject(question), sources)


def _about(content: set[str], *, negated: bool) -> About:
    if negated or content & (_MISSING - {"open"}) or content == {"open"}:
        return "missing"
    if content & _FINDINGS:
        return "findings"
    return "status"


def _subject(question: str) -> str:
    """Return the question without its frame, or whole where nothing else would be left."""
    rest = _SOURCE.sub(" ", question)
    for frame in _FRAMES:
        rest = frame.sub(" ", rest)
    rest = " ".join(rest.split()).strip(" ,;:")
    return re.sub(r"\s+(?=[?!.,])", "", rest) if _content(rest) else ""


def _content(text: str) -> set[str]:
    return {word.lower() for word in _WORD.findall(_SOURCE.sub(" ", text))} - _FILLER
