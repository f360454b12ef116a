"""Owns the extractive model's guide: summary, steps, findings, unknowns, gaps; performs nothing.

Pure: material in, draft out. Every published sentence stands in a page that was read.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from lazyboy_jupyter.adapters.models.answerability import Coverage, coverage
from lazyboy_jupyter.adapters.models.claims import claim_of, summary_of
from lazyboy_jupyter.adapters.models.material import (
    Additions,
    Claim,
    Draft,
    Gap,
    Material,
)
from lazyboy_jupyter.adapters.models.passages import page_passages
from lazyboy_jupyter.adapters.models.question import Question, read_question
from lazyboy_jupyter.adapters.models.quote_choice import Candidate, beginnings, best_candidates
from lazyboy_jupyter.adapters.ranking.words import terms

MAX_QUOTES = 8
_MAX_ADDED = 3
_NOTHING_READ = "No source could be read, so nothing can be said."


def compose(material: Material, max_gaps: int) -> Draft:
    """Return publication 0 from what was read."""
    question = read_question(material.question)
    passages = page_passages(material.pages, question.labels)
    if not material.pages:
        return Draft(_NOTHING_READ, (), (), (f"Not answered: {_shortened(question.text)}",), ())
    if not question.labels:
        claims = [claim_of(material, one) for one in beginnings(passages, MAX_QUOTES)]
        return Draft(summary_of(claims) if claims else _NOTHING_READ, (), tuple(claims), (), ())
    found = coverage(question, material, passages)
    unknowns = _unknowns(found)
    gaps = _gaps(question, found, max_gaps)
    chosen = best_candidates(material, question, passages, MAX_QUOTES) if found.answers else []
    if not chosen:
        asked = _shortened(question.text)
        none = f"Nothing in the sources read answers “{asked}”"
        return Draft(none, (), (), unknowns or (f"The sources read do not answer: {asked}",), gaps)
    claims = [claim_of(material, candidate) for candidate in chosen]
    # No steps: a ranking can tell what speaks of the question, and not in which order to do it.
    return Draft(summary_of(claims), (), tuple(claims), unknowns, gaps)


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
        fresh: list[Claim] = []
        passages = page_passages(material.pages, question.labels)
        if coverage(question, inner, passages).answers:
            best = best_candidates(inner, question, passages, MAX_QUOTES)
            claims = [claim_of(inner, one) for one in best if _speaks_of(inner, one, question)]
            fresh = [c for c in claims if c.quotes[0].text not in used][:_MAX_ADDED]
        used.update(c.quotes[0].text for c in fresh)
        additions.extend(fresh)
        if not fresh:
            unknowns.append(question.names[0].text if question.names else gap.question)
    nothing = f"Following up found nothing on: {'; '.join(unknowns)}"
    return Additions(tuple(additions), (nothing,) if unknowns else ())


def _speaks_of(material: Material, candidate: Candidate, question: Question) -> bool:
    """A gap asks for a name that was missing: what does not mention it is no answer to that."""
    title = material.pages[candidate.page].title
    said = {*candidate.terms, *terms(f"{title} {candidate.heading}")}
    return all(term in said for name in question.names[:1] for term in name.terms)


def _unknowns(found: Coverage) -> tuple[str, ...]:
    """Return what was looked for in vain; the feature of something is said once, with its owner."""
    missing, words = found.missing_feature, (*found.missing_names, *found.missing_words)
    said: tuple[str, ...] = ()
    if missing is not None:
        said = (
            f"The documentation that was read on {missing.owner} does not mention "
            f"{missing.feature}.",
        )
        words = tuple(name for name in found.missing_names if name not in missing.feature)
    return (*said, *(f"The sources read do not mention “{word}”." for word in words))


def _shortened(text: str, limit: int = 200) -> str:
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def _gaps(question: Question, found: Coverage, max_gaps: int) -> tuple[Gap, ...]:
    """A name that no source mentions is worth a search of its own; a single word is not."""
    return tuple(
        Gap(_gap_question(question, name), f"No source read mentions “{name}”.")
        for name in found.missing_names[: max(0, max_gaps)]
    )


def _gap_question(question: Question, name: str) -> str:
    is_code = any(other.is_identifier for other in question.names if other.text == name)
    others = [other.text for other in question.names if other.text != name][:1]
    context = f" ({others[0]})" if others else ""
    # The marks keep a code name a name when the gap's question is read: without it, no answer.
    return f"What is `{name}`{context}?" if is_code else f"Who or what is {name}{context}?"
