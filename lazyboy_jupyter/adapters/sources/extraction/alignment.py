"""Owns which blocks of a page an extractor's text speaks of; extracts nothing itself.

Two renderings of one page are compared by letters and digits alone, so that white space, marks
and punctuation do not matter; nor does a language that writes no spaces.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from .blocks import Block, word_key

_LONG = 25
"""From this many letters on, a block's words tell it from all others."""
_CHUNK = 24
_SLACK = 80
_ENOUGH = 0.6
_NAVIGATION = frozenset(("nav", "footer", "menu"))
_AHEAD = 600
_TELLING = 100
_GLOBAL = 300_000


def aligned(blocks: Sequence[Block], pieces: Sequence[str]) -> list[bool]:
    """Return for each block whether most of it stands in the text of `pieces`, which follows the
    page's order.

    A short block counts only where the text has got to by then, and only at a piece's
    edge: "US" is not kept because an article speaks of the US.
    """
    keys = [word_key(piece) for piece in pieces]
    edges = {0, *accumulate(map(len, keys))}
    whole = "".join(keys)
    kept: list[bool] = []
    at = 0
    for block in blocks:
        if block.zone and block.element.tag in _NAVIGATION:
            kept.append(False)
            continue
        found, end = _find(block.key, whole, edges, at)
        kept.append(found)
        if end > at:
            at = end
    return kept


def _find(key: str, whole: str, edges: set[int], at: int) -> tuple[bool, int]:
    if not key:
        return False, at
    if len(key) < _LONG:
        return _find_short(key, whole, edges, at)
    start = whole.find(key, at, at + len(key) + _AHEAD)
    if start >= 0:
        return True, start + len(key)
    if len(whole) <= _GLOBAL and (start := whole.find(key)) >= 0:
        # A sentence that the page repeats must not carry us past what stands between.
        return True, start + len(key) if len(key) > _TELLING else at
    return _mostly(key, whole, at)


def _find_short(key: str, whole: str, edges: set[int], at: int) -> tuple[bool, int]:
    limit = at + len(key) + _SLACK
    while (start := whole.find(key, at, limit)) >= 0:
        if start in edges or start + len(key) in edges:
            return True, start + len(key)
        at = start + 1
    return False, 0


def _mostly(key: str, whole: str, at: int) -> tuple[bool, int]:
    """Whether most pieces of a block stand in the text: the extractor left something out of it."""
    window = whole if len(whole) <= _GLOBAL else whole[at : at + 50_000]
    pieces = [key[start : start + _CHUNK] for start in range(0, len(key) - _CHUNK + 1, _CHUNK)]
    pieces = pieces[:200]
    found = sum(piece in window for piece in pieces)
    return (True, at) if pieces and found >= _ENOUGH * len(pieces) else (False, at)
