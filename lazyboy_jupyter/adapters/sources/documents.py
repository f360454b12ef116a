"""Owns the values that corpora, the index and searches exchange; never reads or ranks anything."""

from __future__ import annotations

from dataclasses import dataclass

from lazyboy_jupyter.errors import SourceErrorKind

PYDOC = "pydoc"
"""The name of the manual's corpus; any other corpus is a folder, named by its absolute path."""


@dataclass(frozen=True, slots=True)
class Document:
    """One page of a corpus; `stamp` changes whenever its text may have changed.

    `problem`: why it has no text, in a sentence; such a document is known, and found by no search.
    `retry_after`: the seconds after which a problem that may have passed is worth another try.
    """

    url: str
    title: str
    text: str
    stamp: str
    problem: str = ""
    retry_after: float | None = None


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a worker could not answer: what `SourceError` says, as a value that can be sent."""

    kind: SourceErrorKind
    sentence: str
    hint: str = ""


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
