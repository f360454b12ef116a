"""Owns the values that corpora, the index and searches exchange; never reads or ranks anything."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Document:
    """One page of a corpus; `stamp` changes whenever its text may have changed."""

    url: str
    title: str
    text: str
    stamp: str


@dataclass(frozen=True, slots=True)
class Hit:
    """One search result; `snippet` has at most 300 characters, a higher `score` is better.

    `matched`: the share, 0 to 1, of the query's weight that its best section has or is known for.
    """

    url: str
    title: str
    snippet: str
    score: float
    matched: float
