"""Owns what the material says about the question's terms: weights and coverage; chooses nothing."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from lazyboy_jupyter.adapters.models.material import Listed, Material
from lazyboy_jupyter.adapters.models.question import Question
from lazyboy_jupyter.adapters.ranking.words import terms


@dataclass(frozen=True, slots=True)
class TermWeights:
    """How much each question term tells: rare ones and names more. All are above zero."""

    of: Mapping[str, float]

    @property
    def total(self) -> float:
        """The sum of all weights, never zero."""
        return sum(self.of.values()) or 1.0

    def covered(self, found: Collection[str]) -> float:
        """Return the share of the weight that `found` covers, from 0 to 1."""
        return sum(weight for term, weight in self.of.items() if term in found) / self.total


def term_weights(question: Question, texts: Iterable[Collection[str]]) -> TermWeights:
    """Return idf weights over `texts` (sets of terms); the terms of names count more."""
    counts: Counter[str] = Counter()
    size = 0
    for found in texts:
        size += 1
        counts.update(term for term in question.labels if term in found)
    return TermWeights(
        {
            term: weight * math.log(1 + (size + 1) / (counts[term] + 0.5))
            for term, weight in question.weights.items()
        }
    )


def listed_terms(result: Listed) -> frozenset[str]:
    """Return the terms of a search result's title and snippet."""
    return frozenset(terms(f"{result.title}\n{result.snippet}"))


def all_listed(material: Material) -> list[tuple[Listed, int]]:
    """Return each listed url once, with its best rank (from 0) over the searches."""
    best: dict[str, tuple[Listed, int]] = {}
    for search in material.searches:
        for rank, result in enumerate(search.results):
            older = best.get(result.url)
            if older is None or rank < older[1]:
                best[result.url] = (result, rank)
    return list(best.values())
