"""Owns ranking documents of an FTS5 index for a query; reads only, never opens a file."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Iterable, Mapping

from lazyboy_jupyter.adapters.ranking.synonyms import WEIGHT as RELATED
from lazyboy_jupyter.adapters.ranking.synonyms import expansions
from lazyboy_jupyter.adapters.ranking.words import words
from lazyboy_jupyter.adapters.sources.chunks import chunks_of
from lazyboy_jupyter.adapters.sources.documents import Hit
from lazyboy_jupyter.adapters.sources.fts_query import SearchQuery
from lazyboy_jupyter.adapters.sources.hints import Hints
from lazyboy_jupyter.adapters.sources.snippets import best_window

# Title, headings, text, pieces of identifiers, hints: a word in a title says more than in a text.
_WEIGHTS = "2.0, 2.0, 1.0, 0.4, 2.0"
_CHUNKS = 400


def search(db: sqlite3.Connection, query: SearchQuery, limit: int, hints: Hints) -> list[Hit]:
    """Rank documents by their best chunk; one whose whole title stands in the query gains."""
    scores = _chunk_scores(db, query.match)
    for chunk, score in _chunk_scores(db, query.related_match).items():
        scores[chunk] = scores.get(chunk, 0.0) + RELATED * score
    places = _places(db, scores)
    best: dict[int, tuple[float, int, int]] = {}
    for chunk, score in scores.items():
        number, start, stop = places[chunk]
        if number not in best or score > best[number][0]:
            best[number] = (score, start, stop)
    named = _named(db, query)
    ranked = [(best.get(n, (0.0, 0, 0))[0] + named.get(n, 0.0), n) for n in {*best, *named}]
    ranked.sort(key=lambda pair: (-pair[0], pair[1]))
    weights = _term_weights(db, query)
    return [
        _hit(db, number, score, best.get(number), query, weights, hints)
        for score, number in ranked[:limit]
    ]


def _chunk_scores(db: sqlite3.Connection, match: str) -> dict[int, float]:
    if not match:
        return {}
    return dict(
        db.execute(
            f"SELECT rowid, -bm25(terms, {_WEIGHTS}) AS score FROM terms WHERE terms MATCH ?"
            " ORDER BY score DESC, rowid LIMIT ?",
            (match, _CHUNKS),
        ).fetchall()
    )


def _places(db: sqlite3.Connection, chunks: Iterable[int]) -> dict[int, tuple[int, int, int]]:
    marks = ",".join(str(int(chunk)) for chunk in chunks)
    rows = db.execute(f"SELECT id, document, start, stop FROM chunks WHERE id IN ({marks})")
    return {chunk: (number, start, stop) for chunk, number, start, stop in rows}


def _named(db: sqlite3.Connection, query: SearchQuery) -> dict[int, float]:
    """Return documents whose whole title stands in the query, with the idf of its terms."""
    found: dict[int, str] = {}
    for at in range(0, len(query.title_keys), 500):
        keys = query.title_keys[at : at + 500]
        marks = ",".join("?" * len(keys))
        found.update(
            db.execute(
                f"SELECT id, title_key FROM documents WHERE title_key IN ({marks}) LIMIT 100", keys
            )
        )
    wanted = {term for key in found.values() for term in key.split()}
    size = _size(db)
    idf = {term: _idf(db, term, size) for term in wanted}
    return {number: sum(idf[term] for term in key.split()) for number, key in found.items()}


def _idf(db: sqlite3.Connection, term: str, size: int) -> float:
    row = db.execute("SELECT doc FROM vocabulary WHERE term = ?", (term,)).fetchone()
    count = row[0] if row else 0
    return max(0.0, math.log((size - count + 0.5) / (count + 0.5)))


_FEWEST = 100
"""In a folder of a few files every word is in most of them: rarity says nothing there, and one word
that is missing must not outweigh all those that are there."""


def _term_weights(db: sqlite3.Connection, query: SearchQuery) -> dict[str, float]:
    """Return how much each query term says in this corpus, for choosing snippets."""
    size = max(_size(db), _FEWEST)
    weights = {term: RELATED * (0.1 + _idf(db, term, size)) for term in query.related}
    return {**weights, **{term: 0.1 + _idf(db, term, size) for term in query.terms}}


def _size(db: sqlite3.Connection) -> int:
    return int(db.execute("SELECT count(*) FROM chunks").fetchone()[0])


def _hit(
    db: sqlite3.Connection,
    number: int,
    score: float,
    place: tuple[float, int, int] | None,
    query: SearchQuery,
    weights: Mapping[str, float],
    hints: Hints,
) -> Hit:
    url, title, text = db.execute(
        "SELECT url, title, text FROM documents WHERE id = ?", (number,)
    ).fetchone()
    start, stop = place[1:] if place else (0, 2_000)
    piece, own = text[start:stop], hints.on(url, text).shifted(start)
    window = best_window(piece, weights, title, own)
    known = f"{title}\n{piece}\n{own.of_whole}\n{own.within(0, len(piece))}"
    headings = (chunk for one in chunks_of(piece) for chunk in one.headings)
    known += "\n" + "\n".join(own.under(heading) for heading in headings)
    return Hit(url, title, window, round(score, 4), _matched(query, weights, known))


def _matched(query: SearchQuery, weights: Mapping[str, float], text: str) -> float:
    """Return how much of the query `text` speaks of, in its own words or in related ones."""
    there = {term for word in words(text) for term in (*word.terms, *word.parts)}
    total = found = 0.0
    for term in query.terms:
        total += weights[term]
        if term in there:
            found += weights[term]
        elif not there.isdisjoint(expansions((term,))):
            found += RELATED * weights[term]
    return round(found / total, 3) if total else 0.0
