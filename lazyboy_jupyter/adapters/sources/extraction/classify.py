"""Owns telling an article from what is shown in its place; decides nothing about retrying.

What stands in a page's place is short. A long text is an article, whatever it speaks of: the
history of captchas names every phrase below (FIELD_CASES P1, P2).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from .phrases import (
    CHALLENGE_MARKUP,
    CHALLENGE_TEXT,
    CHALLENGE_TITLE,
    LOGIN,
    LOGIN_NEEDED,
    LOGIN_TITLE,
    MOUNT,
    NOT_FOUND,
    PASSWORD,
    SCRIPTS_NEEDED,
)

Verdict = Literal["article", "challenge", "needs_browser", "login", "not_found", "empty"]

_TINY = 200
_SHORT = 500
LONG = 1_600
"""Letters and digits; the longest challenge page seen has about 1,300."""
MOST_TEXT = 5_000
"""Characters with all navigation; what has more is a page of the site itself."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What a page shows. `letters` counts letters and digits of its prose, `markup` is its HTML."""

    title: str
    text: str
    letters: int
    markup: str = ""


_NOSCRIPT = re.compile(r"<noscript[^>]{0,200}>(.{0,3000}?)</noscript", re.IGNORECASE | re.DOTALL)
_SCRIPT_TAG = re.compile(r"<script\b", re.IGNORECASE)


def classify_text(shown: Shown) -> Verdict:
    """Return what the page is, by what it shows and how it is made.

    From `LONG` letters on it is an article, and nothing else of `shown` is looked at.
    """
    if _is_challenge(shown):
        return "challenge"
    if shown.letters < _SHORT and _is_not_found(shown):
        return "not_found"
    if shown.letters < _SHORT and _is_login(shown):
        return "login"
    if shown.letters < _SHORT and _needs_scripts(shown):
        return "needs_browser"
    return "article" if shown.letters else "empty"


def _is_challenge(shown: Shown) -> bool:
    """By its maker's marks and its own words: the longer the text, the more of them it takes."""
    if shown.letters >= LONG or len(shown.text) >= MOST_TEXT:
        return False
    titled = CHALLENGE_TITLE.match(shown.title) is not None
    said = len({found.lower() for found in CHALLENGE_TEXT.findall(shown.text)})
    if shown.letters >= _SHORT and not titled and not said:
        return False  # the marks alone would not do, and take the longest to look for
    marked = CHALLENGE_MARKUP.search(shown.markup) is not None
    if shown.letters < _TINY:
        return marked or titled or said > 0
    signs = 2 * marked + 2 * titled + min(said, 3)
    return signs >= (2 if shown.letters < _SHORT else 3)


def _is_not_found(shown: Shown) -> bool:
    title = re.split(r"\s+[|·–—-]\s+", shown.title)
    if any(NOT_FOUND.match(part) for part in (shown.title, *title)):
        return True
    first = [line.lstrip("# ") for line in shown.text.split("\n") if line.strip()][:2]
    return any(len(line) < 120 and NOT_FOUND.match(line) for line in first)


def _is_login(shown: Shown) -> bool:
    if LOGIN_TITLE.search(shown.title) or LOGIN_NEEDED.search(shown.text):
        return shown.letters < _TINY or PASSWORD.search(shown.markup) is not None
    return (
        shown.letters < _TINY
        and PASSWORD.search(shown.markup) is not None
        and LOGIN.search(f"{shown.title}\n{shown.text}\n{shown.markup[:200_000]}") is not None
    )


def _needs_scripts(shown: Shown) -> bool:
    if SCRIPTS_NEEDED.search(shown.text):
        return True
    if shown.letters >= _TINY or _SCRIPT_TAG.search(shown.markup) is None:
        return False
    if shown.letters == 0 or MOUNT.search(shown.markup):
        return True
    return any(SCRIPTS_NEEDED.search(one) for one in _NOSCRIPT.findall(shown.markup))
