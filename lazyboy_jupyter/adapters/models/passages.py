"""Owns the passages of the pages read, with terms and places; scores nothing.

Very long pages are first reduced to the blocks that mention the question, so that the cost of a
guide is bounded whatever was read.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass

from lazyboy_jupyter.adapters.models.material import ReadPage
from lazyboy_jupyter.adapters.ranking.layout import Kind
from lazyboy_jupyter.adapters.ranking.sentences import split
from lazyboy_jupyter.adapters.ranking.words import fold, term_counts

_BUDGET = 240_000
_BLOCK = 2_000


@dataclass(frozen=True, slots=True)
class PagePassage:
    """One passage: `page` is the index of its page, `number` its place among the page's.

    `counts` are its terms; pieces of identifiers count less than whole words.
    """

    page: int
    number: int
    start: int
    end: int
    kind: Kind
    paragraph: int
    heading: str
    counts: Counter[str]


def page_passages(pages: tuple[ReadPage, ...], wanted: Collection[str]) -> list[PagePassage]:
    """Return the passages of all pages in reading order."""
    share = _BUDGET // max(1, len(pages))
    found: list[PagePassage] = []
    for number, page in enumerate(pages):
        found.extend(_of_page(number, page, wanted, share))
    return found


def _of_page(number: int, page: ReadPage, wanted: Collection[str], share: int) -> list[PagePassage]:
    found: list[PagePassage] = []
    heading = ""
    paragraph = 0
    for offset, piece in reduced(page.text, wanted, share):
        last = -1
        for passage in split(piece):
            if passage.paragraph != last:
                paragraph, last = paragraph + 1, passage.paragraph
            raw = piece[passage.start : passage.end]
            if passage.kind in ("heading", "signature"):
                heading = re.sub(r"^#+\s*", "", raw)
            counts = term_counts(raw)
            if not counts:  # rules, bullets, lone punctuation
                continue
            found.append(
                PagePassage(
                    number,
                    len(found),
                    offset + passage.start,
                    offset + passage.end,
                    passage.kind,
                    paragraph,
                    heading,
                    counts,
                )
            )
    return found


def reduced(text: str, wanted: Collection[str], share: int = _BUDGET // 6) -> list[tuple[int, str]]:
    """Return a text in one piece, or of a long one its beginning and the blocks most wanted.

    Each piece comes with its offset; together they have about `share` characters.
    """
    if len(text) <= share:
        return [(0, text)]
    blocks: list[tuple[int, str]] = []
    start = 0
    while start < len(text):
        stop = text.rfind("\n\n", start + _BLOCK // 2, start + _BLOCK)
        stop = stop if stop > 0 else text.rfind("\n", start + _BLOCK // 2, start + _BLOCK)
        stop = stop if stop > 0 else min(len(text), start + _BLOCK)
        blocks.append((start, text[start:stop]))
        start = stop
    # A stem is a prefix of its word nearly always: one pass of a regular expression suffices here.
    stems = sorted({t[:12] for t in wanted if len(t) > 2})
    pattern = re.compile("|".join(map(re.escape, stems)) or r"(?!)")
    scored = [(-len(set(pattern.findall(fold(block)))), at) for at, (_, block) in enumerate(blocks)]
    kept = sorted({0, *(at for _, at in sorted(scored)[: share // _BLOCK])})
    return [blocks[at] for at in kept]
