"""Owns the order in which passages are considered for quoting; scores nothing, cuts nothing."""

from __future__ import annotations

from collections.abc import Iterable

from lazyboy_jupyter.adapters.models.passages import PagePassage
from lazyboy_jupyter.adapters.models.question import Question
from lazyboy_jupyter.adapters.ranking.words import terms

_WORTH = 0.4
"""The share of the best score that a passage needs to lead because it speaks of both sides."""


def best_order(question: Question, passages: list[PagePassage], scores: list[float]) -> list[int]:
    """Return indexes of passages, best first; of a comparison each side has one near the top."""
    order = sorted(range(len(passages)), key=lambda at: (-scores[at], at))
    if question.sides:
        return _told_apart(question.sides, passages, scores, order)
    if not question.is_comparison:
        return order
    sides = [frozenset(name.terms) for name in question.names]
    first = [at for own in sides for at in _full_of(own, passages, order)[:1]]
    head = sorted(set(first), key=lambda at: (-scores[at], at))
    return [*head, *(at for at in order if at not in head)]


def _told_apart(
    sides: Iterable[tuple[str, ...]],
    passages: list[PagePassage],
    scores: list[float],
    order: list[int],
) -> list[int]:
    """What each is by its own heading, what speaks of both, then the rest that speaks of either."""
    wanted = [frozenset(side) for side in sides]
    speaking = [at for at in order if any(own <= _said(passages[at]) for own in wanted)]
    if not speaking:
        return order
    both = [
        at
        for at in speaking
        if _can_lead(passages[at])
        and all(own <= passages[at].counts.keys() for own in wanted)
        and scores[at] >= _WORTH * scores[order[0]]
    ]
    defined = [
        found for own in wanted if (found := _definition(own, passages, speaking)) is not None
    ]
    full = [at for own in wanted for at in _full_of(own, passages, order)[:1]]
    first = [*defined, *both[:1]] if len(defined) == len(wanted) else [*both[:1], *defined, *full]
    head = list(dict.fromkeys(first))
    return [*head, *(at for at in speaking if at not in head)]


def _definition(own: frozenset[str], passages: list[PagePassage], order: list[int]) -> int | None:
    """Return the first passage under the name itself, of several such names under the shortest."""
    under = [at for at in order if _can_lead(passages[at]) and _is_of(passages[at], own)]
    if not under:
        return None
    best = min(under, key=lambda at: passages[at].heading.partition("(")[0].count("."))
    return min(at for at in under if passages[at].heading == passages[best].heading)


def _can_lead(passage: PagePassage) -> bool:
    return passage.kind in ("prose", "item")


def _is_of(passage: PagePassage, own: frozenset[str]) -> bool:
    """Whether the passage stands under the very name: of `copy.deepcopy(x)` that is `deepcopy`."""
    name = passage.heading.partition("(")[0].strip()
    return " " not in name and (
        frozenset(terms(name.rpartition(".")[2])) == own or frozenset(terms(name)) == own
    )


def _said(passage: PagePassage) -> set[str]:
    return {*passage.counts, *terms(passage.heading)}


def _full_of(own: frozenset[str], passages: list[PagePassage], order: list[int]) -> list[int]:
    return [at for at in order if own <= _said(passages[at]) and _can_lead(passages[at])]
