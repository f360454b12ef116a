"""Owns cutting a document into the pieces that are indexed; never touches a database.

Long pages are found by their best piece, not by an average over everything that they contain.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lazyboy_jupyter.adapters.ranking.layout import Block, blocks_of

TARGET = 1_600
SMALLEST = 400


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a document by character offsets, with the headings that stand over or in it."""

    start: int
    end: int
    headings: tuple[str, ...]


def chunks_of(text: str) -> Iterator[Chunk]:
    """Yield sections, long ones in pieces of about `TARGET` characters that begin at a block."""
    start = end = 0
    inherited: tuple[str, ...] = ()
    headings: list[str] = []
    has_body = False
    for block in blocks_of(text):
        is_full = block.end - start > TARGET
        is_new = _is_title(block) and end - start >= SMALLEST
        if end > start and has_body and (is_full or is_new):
            yield Chunk(start, end, (*inherited, *headings))
            inherited = () if _is_title(block) else tuple(headings[-1:]) or inherited
            start, headings, has_body = block.start, [], False
        if _is_title(block):
            headings.append(heading_name(text[block.start : block.end]))
        has_body = has_body or not _is_title(block)
        end = block.end
    if end > start or not text.strip():
        yield Chunk(start, end, (*inherited, *headings))


def _is_title(block: Block) -> bool:
    return block.kind in ("heading", "signature")


def heading_name(raw: str) -> str:
    """Return a heading without its marks and summary; of a signature only the name."""
    plain = re.sub(r"^\s*#+\s*", "", raw).partition(" — ")[0]
    return plain.partition("(")[0].strip()[:120]
