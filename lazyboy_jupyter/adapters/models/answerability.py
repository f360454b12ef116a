"""Owns whether the pages read speak of what was asked, and what is missing; quotes nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from lazyboy_jupyter.adapters.models.feature import asked_features
from lazyboy_jupyter.adapters.models.feature_search import Missing, missing_feature
from lazyboy_jupyter.adapters.models.material import Material
from lazyboy_jupyter.adapters.models.passages import PagePassage
from lazyboy_jupyter.adapters.models.question import Name, Question
from lazyboy_jupyter.adapters.ranking.synonyms import expansions
from lazyboy_jupyter.adapters.ranking.words import fold, term_counts

_ENOUGH_MATCHED = 0.3
_ENOUGH = 0.5
_ENOUGH_NAMED = 0.6
_ENOUGH_TOGETHER = 0.85
_HEAVY = 0.9
_MAX_UNKNOWNS = 4


@dataclass(frozen=True, slots=True)
class Coverage:
    """What of a question the material speaks of.

    `missing_names` and `missing_words` stand nowhere, `missing_feature` not in what was read of the
    thing it is asked of; `answers` says whether enough is there for quotes to be worth reading.
    """

    missing_names: tuple[str, ...]
    missing_words: tuple[str, ...]
    missing_feature: Missing | None
    answers: bool


def coverage(question: Question, material: Material, passages: Sequence[PagePassage]) -> Coverage:
    """Return what the pages read, cut into `passages`, have of the question."""
    pages: list[set[str]] = [set(term_counts(page.title)) for page in material.pages]
    for passage in passages:
        pages[passage.page].update(passage.counts)
    together: set[str] = set().union(*pages) if pages else set()
    absent = [name for name in question.names if not _has_name(name, material, together)]
    missing_names = tuple(name.text for name in absent)
    gone = " ".join(fold(name) for name in missing_names)
    missing_words = dict.fromkeys(
        label
        for term, label in question.labels.items()
        if question.weights[term] >= _HEAVY
        and not _has_term(term, together)
        and fold(label) not in gone
        and "." not in term
    )
    feature = missing_feature(asked_features(question.text), material, passages)
    return Coverage(
        missing_names,
        tuple(missing_words)[: max(0, _MAX_UNKNOWNS - len(missing_names))],
        feature,
        feature is None
        and bool(pages)
        and _answers(question, absent, pages, together, _matched(material)),
    )


def _matched(material: Material) -> float | None:
    """Return how much of the first query the best page read speaks of, as its search says."""
    read = {page.url for page in material.pages}
    said = [
        result.matched
        for search in material.searches[:1]
        for result in search.results
        if result.url in read and result.matched is not None
    ]
    return max(said, default=None)


def _answers(
    question: Question,
    absent: list[Name],
    pages: list[set[str]],
    together: set[str],
    matched: float | None,
) -> bool:
    """A missing name in code, or half of the names, or most of the words: no answer is there.

    A search that says how much it matched knows better than the pages' own words: it may know
    what people call the thing.
    """
    if any(name.is_identifier for name in absent):
        return False
    if absent and len(absent) * 2 >= len(question.names):
        return False
    if matched is not None:
        return matched >= _ENOUGH_MATCHED
    if any(_share(question, page) > _ENOUGH for page in pages):
        return True
    return _share(question, together) >= (_ENOUGH_NAMED if question.names else _ENOUGH_TOGETHER)


def _share(question: Question, found: AbstractSet[str]) -> float:
    """Return the share of the question's weight that `found` speaks of, from 0 to 1."""
    total = sum(question.weights.values()) or 1.0
    return sum(w for term, w in question.weights.items() if _has_term(term, found)) / total


def _has_term(term: str, found: AbstractSet[str]) -> bool:
    return term in found or any(other in found for other in expansions((term,)))


def _has_name(name: Name, material: Material, found: AbstractSet[str]) -> bool:
    """An identifier counts by its own last name, unstemmed; of other names half must be there."""
    if name.is_identifier:
        tail = re.escape(name.text.rpartition(".")[2].strip("_"))
        own = re.compile(rf"(?<![A-Za-z]){tail}(?![A-Za-z0-9])", re.IGNORECASE)
        return any(own.search(page.title) or own.search(page.text) for page in material.pages)
    if not name.terms:
        return True
    return sum(term in found for term in name.terms) * 2 > len(name.terms)
