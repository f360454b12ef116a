"""Owns making paragraphs of a PDF page's lines; a pure function of their words and places.

A line goes on in the next one when both are of one size, when they stand as close as lines of
text do, and when the next one's first word would not have fitted (so the line was full).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

_ITEM = re.compile(
    r"(?:[•◦▪■●○‣–—*·►▶✓-]|\(?\d{1,3}[.)]|\(?[a-z][.)]|\[\d{1,3}\]|\d{1,2}(?:\.\d{1,2})+)(?=\s|$)"
)
_SAME_SIZE = 0.15
_RAGGED = 0.12
_SENTENCE_END = re.compile(r"[.!?:;。！？][\"'”’)\]]*$")
_HYPHENS = "\x02\ufffe\u00ad"
_WORD_BEFORE = re.compile(r"([^\W\d_]+)-$")
_WORD_AFTER = re.compile(r"^([^\W\d_]+)")
_SPACELESS = re.compile("[\u0e00-\u0eff\u1780-\u17ff\u3000-\u9fff\uff00-\uff60]")


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a page; places in points from the page's lower left
    corner, `base` being the height that its letters stand on."""

    text: str
    left: float = 0.0
    right: float = 0.0
    base: float = 0.0
    size: float = 0.0


def paragraphs(lines: Sequence[Line]) -> list[str]:
    """Return the lines of one page as paragraphs, words broken at a line's end made whole."""
    words = frozenset(re.findall(r"[^\W\d_]+(?:-[^\W\d_]+)*", "\n".join(one.text for one in lines)))
    step = _usual_step(lines)
    done: list[str] = []
    before: Line | None = None
    for line in lines:
        if before is not None and done and _goes_on(before, line, lines, step):
            done[-1] = _joined(done[-1], line.text, words)
        else:
            done.append(line.text)
        before = line
    return [" ".join(re.sub(f"[{_HYPHENS}]", "", text).split()) for text in done]


def _usual_step(lines: Sequence[Line]) -> float:
    steps = [a.base - b.base for a, b in pairwise(lines) if a.base > b.base]
    return median(steps) if steps else 0.0


def _goes_on(line: Line, following: Line, lines: Sequence[Line], step: float) -> bool:
    if line.text[-1:] in _HYPHENS:
        return True
    if _ITEM.match(following.text):
        return False
    if not line.size or not following.size:
        return not _SENTENCE_END.search(line.text)
    if abs(line.size - following.size) > _SAME_SIZE * line.size:
        return False
    distance = line.base - following.base
    if distance <= 0 and following.left > line.right:  # the next column
        return not _SENTENCE_END.search(line.text)
    if not 0 < distance <= max(1.3 * min(step, 2 * line.size), 1.1 * line.size):
        return False
    indented = following.left - line.left > 0.7 * line.size
    if indented and not _ITEM.match(line.text) and _SENTENCE_END.search(line.text):
        return False
    return not _has_room(line, following, lines)


def _has_room(line: Line, following: Line, lines: Sequence[Line]) -> bool:
    """Whether the next line's first word would still have fitted on this line."""
    near = 6 * line.size
    edge = max(one.right for one in lines if abs(one.left - line.left) <= near)
    first = following.text.split(" ", 1)[0]
    if _SPACELESS.search(following.text[:1]):
        first = following.text[:1]
    width = (following.right - following.left) * (len(first) + 1) / max(len(following.text), 1)
    # Ragged lines differ in length; one that ends within a sentence is more likely to be full.
    slack = 0.0 if _SENTENCE_END.search(line.text) else _RAGGED * (edge - line.left)
    return line.right + width + slack < edge


def _joined(text: str, following: str, words: frozenset[str]) -> str:
    """Join a line to its paragraph; a hyphen at its end stays where the page also writes it."""
    if text[-1:] in _HYPHENS:
        text = text.rstrip(_HYPHENS) + "-"
    before, after = _WORD_BEFORE.search(text), _WORD_AFTER.match(following)
    if before and after:
        whole = before.group(1) + after.group(1)
        apart = f"{before.group(1)}-{after.group(1)}"
        if after.group(1)[0].islower() and (whole in words or apart not in words):
            return text[:-1] + following
        return text + following
    if _SPACELESS.match(text[-1:]) and _SPACELESS.match(following[:1]):
        return text + following
    return f"{text} {following}"
