"""Owns which passages of the pages read are worth quoting; writes no guide."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from lazyboy_jupyter.adapters.models.evidence import term_weights
from lazyboy_jupyter.adapters.models.material import Material
from lazyboy_jupyter.adapters.models.passages import PagePassage, page_passages
from lazyboy_jupyter.adapters.models.question import Question, Wants
from lazyboy_jupyter.adapters.ranking.bm25 import bm25_over_counts
from lazyboy_jupyter.adapters.ranking.sentences import LIMIT
from lazyboy_jupyter.adapters.ranking.synonyms import WEIGHT as RELATED
from lazyboy_jupyter.adapters.ranking.words import is_stop_word, term_counts

_NEIGHBOUR = 0.4
_HEADING = 0.5
_TITLE = 0.4
_LENGTH = 0.5
_PRIOR = 0.5
_NUMBER = re.compile(
    r"\d|\b(?:one|two|three|four|five|six|seven|eight|nine|ten|twice|dozen|hundred|"
    r"thousand|million|billion)\b",
    re.IGNORECASE,
)
_TIME = re.compile(
    r"\b(?:1\d|20)\d\d\b|\b(?:january|february|march|april|may|june|july|august|"
    r"september|october|november|december|century)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A quotable span of one page with its score; `passages` are indexes into the passage list."""

    page: int
    start: int
    end: int
    score: float
    paragraph: int
    heading: str
    terms: frozenset[str]


def best_candidates(material: Material, question: Question, count: int) -> list[Candidate]:
    """Return the best spans, best first, no two of them saying the same."""
    passages = page_passages(material.pages, question.labels)
    scores = _scores(material, question, passages)
    order = sorted(range(len(passages)), key=lambda at: (-scores[at], at))
    chosen: list[Candidate] = []
    taken: set[int] = set()
    for at in order:
        if len(chosen) >= count or scores[at] <= 0:
            break
        if at in taken or passages[at].kind in ("heading", "signature", "code"):
            continue
        span = _extended(material, passages, scores, at, taken)
        candidate = _candidate(material, passages, scores, span)
        if any(_same(candidate, other) for other in chosen):
            continue
        taken.update(span)
        chosen.append(candidate)
    return chosen


def _scores(material: Material, question: Question, passages: list[PagePassage]) -> list[float]:
    """BM25 over passages in their context; better pages and the right kind of answer help."""
    counts = _in_context(material, passages)
    query = {**dict.fromkeys(question.related, RELATED), **question.weights}
    scored = bm25_over_counts(counts).scores(query, _LENGTH)
    prior = _page_priors(question, passages, len(material.pages))
    return [
        score * prior[p.page] * _kind_factor(material, p, question.wants)
        for score, p in zip(scored, passages, strict=True)
    ]


def _in_context(material: Material, passages: list[PagePassage]) -> list[Counter[str]]:
    """Return each passage's terms with a share of its neighbours', its heading's, its title's."""
    titles = [term_counts(page.title) for page in material.pages]
    own = [term_counts(material.pages[p.page].text[p.start : p.end]) for p in passages]
    found: list[Counter[str]] = []
    for at, passage in enumerate(passages):
        near: Counter[str] = Counter(own[at])
        for other in (at - 1, at + 1):
            if 0 <= other < len(passages) and passages[other].page == passage.page:
                _add(near, own[other], _NEIGHBOUR)
        _add(near, term_counts(passage.heading), _HEADING)
        _add(near, titles[passage.page], _TITLE)
        found.append(near)
    return found


def _page_priors(question: Question, passages: list[PagePassage], pages: int) -> list[float]:
    """A page that speaks of more of the question is trusted more, up to twice as much."""
    found: list[set[str]] = [set() for _ in range(pages)]
    for passage in passages:
        found[passage.page].update(passage.terms)
    weights = term_weights(question, found)
    covered = [weights.covered(terms_of_page) for terms_of_page in found]
    top = max(covered, default=0.0) or 1.0
    return [_PRIOR + (1 - _PRIOR) * share / top for share in covered]


def _add(target: Counter[str], extra: Counter[str], weight: float) -> None:
    for term, count in extra.items():
        target[term] += count * weight  # type: ignore[assignment]


def _kind_factor(material: Material, passage: PagePassage, wants: Wants) -> float:
    text = material.pages[passage.page].text[passage.start : passage.end]
    if (wants == "number" and _NUMBER.search(text)) or (wants == "time" and _TIME.search(text)):
        return 1.2
    return 1.0


def _extended(
    material: Material, passages: list[PagePassage], scores: list[float], at: int, taken: set[int]
) -> list[int]:
    """Let a sentence take its better neighbours of the same paragraph in, while it stays short."""
    first = last = at
    while True:
        options = []
        for other in (last + 1, first - 1):
            if not 0 <= other < len(passages) or other in taken:
                continue
            p = passages[other]
            if p.page != passages[at].page or p.paragraph != passages[at].paragraph:
                continue
            if p.kind in ("heading", "code"):
                continue
            low, high = passages[min(first, other)].start, passages[max(last, other)].end
            if high - low <= LIMIT:
                options.append((-scores[other], other))
        if not options:
            return list(range(first, last + 1))
        other = min(options)[1]
        first, last = min(first, other), max(last, other)


def _candidate(
    material: Material, passages: list[PagePassage], scores: list[float], span: list[int]
) -> Candidate:
    head, tail = passages[span[0]], passages[span[-1]]
    found = frozenset(t for at in span for t in passages[at].terms if not is_stop_word(t))
    return Candidate(
        head.page,
        head.start,
        tail.end,
        max(scores[at] for at in span),
        head.paragraph,
        head.heading,
        found,
    )


def _same(one: Candidate, other: Candidate) -> bool:
    """Near-duplicates (re-exports, boilerplate) share nearly all of their words."""
    shared = len(one.terms & other.terms)
    return shared >= 0.8 * max(1, min(len(one.terms), len(other.terms)))
