"""Owns the values that go into and come out of the extractive brain; never computes anything."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Listed:
    """One search result as the model sees it; `source` is an id such as "S3".

    `matched`: the share of the query that the page speaks of, or None where nobody says.
    """

    source: str
    url: str
    title: str
    snippet: str
    matched: float | None = None


@dataclass(frozen=True, slots=True)
class SearchOutcome:
    """One search with its results in the order given."""

    query: str
    results: tuple[Listed, ...]
    failed: bool = False


@dataclass(frozen=True, slots=True)
class ReadPage:
    """One page whose whole text was delivered."""

    source: str
    url: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Material:
    """All that one task has seen; `tried_urls` are pages already asked for, failures included."""

    question: str
    searches: tuple[SearchOutcome, ...] = ()
    pages: tuple[ReadPage, ...] = ()
    tried_urls: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Quote:
    """A verbatim piece (white space folded) of the page of `source`, at most 300 characters."""

    source: str
    text: str


@dataclass(frozen=True, slots=True)
class Claim:
    """One step, finding or addition with the quotes it rests on."""

    text: str
    quotes: tuple[Quote, ...]


@dataclass(frozen=True, slots=True)
class Gap:
    """A part of the question that found nothing, and why it is worth a follow-up."""

    question: str
    why: str


@dataclass(frozen=True, slots=True)
class Draft:
    """Publication 0."""

    summary: str
    steps: tuple[Claim, ...]
    findings: tuple[Claim, ...]
    unknowns: tuple[str, ...]
    gaps: tuple[Gap, ...]


@dataclass(frozen=True, slots=True)
class Additions:
    """Publication 1."""

    additions: tuple[Claim, ...]
    unknowns: tuple[str, ...]
