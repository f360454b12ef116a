"""Owns the snippet of a search result: the window that says most; never ranks pages."""

from __future__ import annotations

import re
from collections.abc import Mapping

from lazyboy_jupyter.adapters.ranking.sentences import LIMIT, Passage, split
from lazyboy_jupyter.adapters.ranking.words import fold, words
from lazyboy_jupyter.adapters.sources.chunks import heading_name
from lazyboy_jupyter.adapters.sources.hints import NO_PAGE_HINTS, PageHints

# Of windows that say the same the shortest wins: it is then extended forward, to what explains it.
_PER_CHARACTER = 0.001
_MARKS = re.compile(r"(?:^|(?<=\n))\s*(?:#{1,6}|[=\-~^*]{3,})(?=\s)")


def best_window(
    text: str,
    weights: Mapping[str, float],
    title: str = "",
    hints: PageHints = NO_PAGE_HINTS,
    limit: int = LIMIT,
) -> str:
    """Return at most `limit` characters of `text`: neighbouring passages that say most.

    `weights` are the query's terms; `hints` are more words for what stands in `text`. A heading
    that only repeats the title is left out.
    """
    passages = [p for p in split(text, limit) if not _repeats(text, p, title)]
    if not passages:
        return ""
    found = _matches(text, passages, weights, hints)
    best, best_score = (0, 0), -1.0
    for first in range(len(passages)):
        covered: set[str] = set()
        for last in range(first, len(passages)):
            if passages[last].end - passages[first].start > limit:
                break
            covered |= found[last]
            length = passages[last].end - passages[first].start
            score = sum(weights[term] for term in covered) - _PER_CHARACTER * length
            if score > best_score:
                best, best_score = (first, last), score
    start, last = passages[best[0]].start, best[1]
    while last + 1 < len(passages) and passages[last + 1].end - start <= limit:
        last += 1
    while passages[last].kind == "heading" and last > best[0]:
        last -= 1
    return " ".join(_MARKS.sub(" ", text[start : passages[last].end]).split())


def _matches(
    text: str, passages: list[Passage], weights: Mapping[str, float], hints: PageHints
) -> list[frozenset[str]]:
    """Return each passage's query terms, and its hints' or, of a heading, those of its place."""
    found: list[frozenset[str]] = []
    for passage in passages:
        raw = text[passage.start : passage.end]
        more = hints.within(passage.start, passage.end)
        if passage.kind in ("heading", "signature"):
            more = f"{more} {hints.under(heading_name(raw))}"
        found.append(
            frozenset(t for w in words(f"{raw} {more}") for t in (*w.terms, *w.parts))
            & weights.keys()
        )
    return found


def _repeats(text: str, passage: Passage, title: str) -> bool:
    if passage.kind != "heading":
        return False
    return fold(text[passage.start : passage.end]).lstrip("# ").strip() == fold(title).strip()
