"""Owns the snippet of a search result: the window that says most about a query; never ranks pages."""

from __future__ import annotations

from collections.abc import Collection

from lazyboy_jupyter.adapters.ranking.sentences import LIMIT, Passage, split
from lazyboy_jupyter.adapters.ranking.words import fold, terms


def best_window(text: str, query: Collection[str], title: str = "", limit: int = LIMIT) -> str:
    """Return at most `limit` characters of `text`: neighbouring passages with most query terms.

    The earliest window wins a tie; a heading that only repeats the title is left out.
    """
    wanted = frozenset(query)
    passages = [p for p in split(text, limit) if not _repeats(text, p, title)]
    found = [frozenset(terms(text[p.start : p.end])) & wanted for p in passages]
    best, best_score = (0, 0), -1.0
    for first in range(len(passages)):
        covered: set[str] = set()
        for last in range(first, len(passages)):
            if passages[last].end - passages[first].start > limit:
                break
            covered |= found[last]
            score = len(covered) - 0.01 * (last - first if not found[last] else 0)
            if score > best_score:
                best, best_score = (first, last), score
    if not passages:
        return ""
    start, end = passages[best[0]].start, passages[best[1]].end
    last = best[1] + 1
    while last < len(passages) and passages[last].end - start <= limit:
        end, last = passages[last].end, last + 1
    return " ".join(text[start:end].split())


def _repeats(text: str, passage: Passage, title: str) -> bool:
    if passage.kind != "heading":
        return False
    return fold(text[passage.start : passage.end]).lstrip("# ").strip() == fold(title).strip()
