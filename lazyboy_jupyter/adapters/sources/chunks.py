"""Owns cutting a document into the pieces that are indexed; never touches a database.

Long pages are found by their best piece, not by an average over everything that they contain.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lazyboy_jupyter.adapters.ranking.layout import Block, blocks_of

TARGET = 1_600


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a document by character offsets, with the headings that stand over or in it."""

    start: int
    end: int
    headings: str


def chunks_of(text: str) -> Iterator[Chunk]:
    """Yield pieces of about `TARGET` characters that begin at a block, headings kept with them."""
    start = end = 0
    inherited = ""
    headings: list[str] = []
    for block in blocks_of(text):
        full = block.end - start > TARGET
        early = _is_title(block) and end - start > TARGET // 2
        if (full or early) and end > start:
            yield Chunk(start, end, " ".join([inherited, *headings]))
            inherited = headings[-1] if headings else inherited
            start, headings = block.start, []
        if _is_title(block):
            headings.append(_heading_text(text, block))
        end = block.end
    if end > start or not text.strip():
        yield Chunk(start, end, " ".join([inherited, *headings]))


def _is_title(block: Block) -> bool:
    return block.kind in ("heading", "signature")


def _heading_text(text: str, block: Block) -> str:
    """Return a heading without its marks; of a signature only the name, not the arguments."""
    plain = re.sub(r"^\s*#+\s*", "", text[block.start : block.end])
    return plain.partition("(")[0].strip()[:120]
