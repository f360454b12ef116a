"""Owns what a model request may still use, as a value and in the words a model reads. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from .decisions import seconds_left
from .phases import COLLECTING
from .research import ResearchState


@dataclass(frozen=True, slots=True)
class BudgetLeft:
    """What a request may still use, beside its messages and never among them.

    It stands outside the cached prefix: its words are the request's tail.
    `gaps`: in a supplement, each gap's question with its searches and pages left.
    """

    phase: str
    supplement: bool
    seconds: float
    searches: int
    pages: int
    rounds: int
    max_gaps: int
    gaps: tuple[tuple[str, int, int], ...] = ()


def budget_left(state: ResearchState, now_us: int) -> BudgetLeft:
    """Return what may still be used, for the end of the next request."""
    budget = state.budget
    limit = budget.rounds if state.phase in COLLECTING else None
    rounds = (limit or budget.synthesis_rounds) - state.rounds
    gaps: tuple[tuple[str, int, int], ...] = ()
    if state.publications:
        gaps = tuple(
            (gap, budget.gap_searches - searches, budget.gap_pages - pages)
            for gap, searches, pages in zip(
                state.gaps, state.gap_searches, state.gap_pages, strict=True
            )
        )
    collecting = state.phase in {"collecting", "working"}
    return BudgetLeft(
        phase=state.phase,
        supplement=bool(state.publications),
        seconds=seconds_left(state, now_us),
        searches=budget.searches - state.searches if collecting else sum(g[1] for g in gaps),
        pages=budget.pages - state.pages if collecting else sum(g[2] for g in gaps),
        rounds=rounds,
        max_gaps=budget.gaps,
        gaps=gaps,
    )


def tail_of(left: BudgetLeft, offered: Sequence[str]) -> str:
    """Return what stands at the end of a request: the phase, what is left, what may be called.

    It changes in every round, so it is never part of what a provider caches (DESIGN §6).
    """
    lines = [_phase_words(left)]
    if left.gaps:
        lines += [
            f"gap {number}: {_count(searches, 'search', 'searches')} and "
            f"{_count(pages, 'page', 'pages')} left"
            for number, (_, searches, pages) in enumerate(left.gaps)
        ]
    lines.append(f"You may call: {', '.join(offered)}.")
    return "\n".join(lines)


def standard_tail(left: BudgetLeft, offered: Sequence[str]) -> str:
    """Return what stands at the end of a standard task's request: its ceilings, and its tools."""
    replies = _count(left.rounds, "reply", "replies")
    if left.phase not in COLLECTING:
        return f"Answer now, in text, from what you have; {replies} left, this one included."
    spent = (
        f"{left.seconds:.0f} s, {replies}, {_count(left.searches, 'search', 'searches')} and "
        f"{_count(left.pages, 'page', 'pages')}"
    )
    return (
        f"Left at most: {spent}. A reply without a call is your answer, and ends the task. "
        f"You may call: {', '.join(offered)}."
    )


def _phase_words(left: BudgetLeft) -> str:
    rounds = _count(left.rounds, "reply", "replies")
    what = "the additions" if left.supplement else "the guide"
    if left.phase not in COLLECTING:
        return (
            f"The collection is closed. Publish {what} now from what was read, with "
            f"publish_research; {rounds} left, this one included."
        )
    spent = f"{left.seconds:.0f} s, {rounds}"
    if not left.gaps:
        spent += (
            f", {_count(left.searches, 'search', 'searches')} and "
            f"{_count(left.pages, 'page', 'pages')}"
        )
    return f"Left for collecting: {spent}. Publish {what} before that, with publish_research."


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
