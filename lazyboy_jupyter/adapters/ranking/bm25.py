"""Owns BM25 over passages held in memory; never reads files and keeps nothing between calls.

Robertson & Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), with the
non-negative idf of Lucene. Term frequencies may be fractions, so that fields and neighbours count
with a weight (BM25F).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

K1 = 1.2
B = 0.75


@dataclass(frozen=True, slots=True)
class Bm25:
    """Statistics of one set of passages; build with `bm25_over`."""

    frequencies: tuple[Mapping[str, float], ...]
    lengths: tuple[float, ...]
    average: float
    document_frequency: Mapping[str, int]

    def idf(self, term: str) -> float:
        """Return how rare a term is; a term that occurs nowhere is as rare as can be."""
        found = self.document_frequency.get(term, 0)
        return math.log(1 + (len(self.lengths) - found + 0.5) / (found + 0.5))

    def scores(self, query: Mapping[str, float], b: float = B) -> list[float]:
        """Return one score for each passage; `query` maps terms to weights.

        `b` is how much a long passage is held against itself, from 0 to 1.
        """
        weights = [(term, weight * self.idf(term)) for term, weight in query.items()]
        return [self._score(number, weights, b) for number in range(len(self.lengths))]

    def _score(self, number: int, weights: Sequence[tuple[str, float]], b: float) -> float:
        frequency = self.frequencies[number]
        norm = K1 * (1 - b + b * self.lengths[number] / self.average)
        total = 0.0
        for term, weight in weights:
            count = frequency.get(term, 0.0)
            if count:
                total += weight * count * (K1 + 1) / (count + norm)
        return total


def bm25_over_counts(frequencies: Sequence[Mapping[str, float]]) -> Bm25:
    """Return BM25 statistics over passages given as (possibly weighted) term frequencies."""
    lengths = tuple(float(sum(counts.values())) for counts in frequencies)
    seen: Counter[str] = Counter()
    for counts in frequencies:
        seen.update(counts.keys())
    average = sum(lengths) / len(lengths) if lengths else 0.0
    return Bm25(tuple(frequencies), lengths, average or 1.0, seen)
