"""Owns the extractive model's guide: summary, steps, findings, unknowns, gaps; performs nothing.

Pure: material in, draft out. Every published sentence stands in a page that was read.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace

from lazyboy_jupyter.adapters.models.evidence import all_listed, listed_terms, term_weights
from lazyboy_jupyter.adapters.models.material import (
    Additions,
    Claim,
    Draft,
    Gap,
    Listed,
    Material,
    Quote,
    ReadPage,
    SearchOutcome,
)
from lazyboy_jupyter.adapters.models.page_choice import (
    choose_pages,
    first_query,
    follow_up_query,
    gap_query,
)
from lazyboy_jupyter.adapters.models.question import Question, read_question
from lazyboy_jupyter.adapters.models.quote_choice import Candidate, best_candidates
from lazyboy_jupyter.adapters.ranking.words import fold, terms

__all__ = [
    "Additions",
    "Claim",
    "Draft",
    "Gap",
    "Listed",
    "Material",
    "Quote",
    "ReadPage",
    "SearchOutcome",
    "choose_pages",
    "compose",
    "compose_additions",
    "first_query",
    "follow_up_query",
    "gap_query",
]

MAX_QUOTES = 6
_ENOUGH = 0.4


def compose(material: Material, max_gaps: int) -> Draft:
    """Return publication 0 from what was read."""
    question = read_question(material.question)
    missing = _missing(question, material)
    if not material.pages or not _answers(question, material, missing):
        return _nothing(question, material, missing, max_gaps)
    chosen = best_candidates(material, question, MAX_QUOTES)
    if not chosen:
        return _nothing(question, material, missing, max_gaps)
    claims = [_claim(material, candidate) for candidate in chosen]
    summary = claims[0].text
    steps = tuple(claims) if question.is_how_to else ()
    findings = () if question.is_how_to else tuple(claims)
    unknowns = tuple(_unknown(word) for word in missing)
    return Draft(summary, steps, findings, unknowns, _gaps(question, missing, max_gaps))


def compose_additions(
    material: Material, gaps: tuple[Gap, ...], already_quoted: Collection[str]
) -> Additions:
    """Return publication 1: for each gap new quotes, or that it stays unknown."""
    used = {" ".join(text.split()) for text in already_quoted}
    additions: list[Claim] = []
    unknowns: list[str] = []
    for gap in gaps:
        inner = replace(material, question=gap.question)
        question = read_question(gap.question)
        missing = _missing(question, inner)
        found = []
        if material.pages and _answers(question, inner, missing):
            claims = [_claim(inner, c) for c in best_candidates(inner, question, MAX_QUOTES)]
            found = [c for c in claims if c.quotes[0].text not in used][:2]
        used.update(c.quotes[0].text for c in found)
        additions.extend(found)
        if not found:
            unknowns.append(f"The sources read do not answer: {gap.question}")
    return Additions(tuple(additions), tuple(unknowns))


def _claim(material: Material, candidate: Candidate) -> Claim:
    page = material.pages[candidate.page]
    raw = " ".join(page.text[candidate.start : candidate.end].split())
    return Claim(_readable(raw), (Quote(page.source, raw),))


def _readable(raw: str) -> str:
    """Return a quoted sentence without the marks of a list or a heading."""
    return re.sub(r"^(?:[-*+•]\s+|\(?\d{1,2}[.)]\s+|#+\s+)", "", raw)


def _missing(question: Question, material: Material) -> list[str]:
    """Return the question's words and names that stand in no page read and no result."""
    found: set[str] = set()
    for page in material.pages:
        found.update(terms(page.title))
        found.update(terms(page.text[:400_000]))
    missing: dict[str, None] = {}
    for name in question.names:
        if name.terms and not all(term in found for term in name.terms):
            absent = [t for t in name.terms if t not in found]
            if len(absent) * 2 >= len(name.terms):
                missing[name.text] = None
    named = " ".join(fold(text) for text in missing)
    for term, label in question.labels.items():
        if term not in found and fold(label) not in named:
            missing[label] = None
    return list(missing)


def _answers(question: Question, material: Material, missing: list[str]) -> bool:
    """Say whether the pages speak of what was asked: its names, and enough of its words."""
    texts = [listed_terms(result) for result, _ in all_listed(material)]
    weights = term_weights(question, texts)
    names = {name.text for name in question.names}
    if any(label in names for label in missing):
        named = [name for name in question.names if name.text in missing]
        if any(name.is_identifier for name in named) or len(named) * 2 >= len(question.names):
            return False
    best = max(
        (
            weights.covered(frozenset(terms(page.title + " " + page.text[:400_000])))
            for page in material.pages
        ),
        default=0.0,
    )
    return best >= _ENOUGH


def _nothing(question: Question, material: Material, missing: list[str], max_gaps: int) -> Draft:
    unknowns = tuple(_unknown(word) for word in missing) or (
        f"The sources read do not answer: {question.text}",
    )
    return Draft(
        f"Nothing in the sources read answers “{question.text}”",
        (),
        (),
        unknowns,
        _gaps(question, missing, max_gaps),
    )


def _unknown(word: str) -> str:
    return f"The sources read do not mention “{word}”."


def _gaps(question: Question, missing: list[str], max_gaps: int) -> tuple[Gap, ...]:
    names = [name.text for name in question.names if name.text in missing]
    return tuple(
        Gap(f"What is {name}?", f"No source read mentions “{name}”.") for name in names[:max_gaps]
    )
