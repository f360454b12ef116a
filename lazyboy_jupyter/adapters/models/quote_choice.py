"""Owns which passages of the pages read are worth quoting; writes no guide."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass

from lazyboy_jupyter.adapters.models.material import Material
from lazyboy_jupyter.adapters.models.passages import PagePassage
from lazyboy_jupyter.adapters.models.question import Question
from lazyboy_jupyter.adapters.models.quote_order import best_order
from lazyboy_jupyter.adapters.models.wants import Wants
from lazyboy_jupyter.adapters.ranking.bm25 import bm25_over_counts
from lazyboy_jupyter.adapters.ranking.sentences import LIMIT
from lazyboy_jupyter.adapters.ranking.synonyms import WEIGHT as RELATED
from lazyboy_jupyter.adapters.ranking.words import (
    fold,
    is_stop_word,
    term_counts,
    terms,
)

# Shares of a passage's context in its terms. Development figures hardly move when any of these
# numbers is halved or doubled; they are round on purpose.
_NEIGHBOUR = 0.25
_HEADING = 0.5
_LENGTH = 0.5
# What the search pointed at counts as much as the best passage by its words; half of that, twice
# over, for the rest of its section and for each two ranks further down.
_SHOWN = 1.0
_AROUND = 0.5
_DECAY = 0.5
_FOCUS = 1.5
_NOISE = 0.25
_SAME = 0.85
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
_POINTER = re.compile(
    r"\W*(?:see\s*:|see (?:also|the|section|\w+ for)|for (?:more|further|module)|more information|"
    r"refer to|(?:new|changed|deprecated)\b.{0,20}version)",
    re.IGNORECASE,
)
_FRAGMENT = re.compile(r"(?:and|or|but|of|which|that|with|to|then|nor|than|by|as)\b|[,;.)\]]")
_SHORT = 25
_POINTS_ONLY = 90
# Of each guide so many quotes are shown whatever their scores. After them, one below `_FAINT` of
# the best score ends the guide, and so does one below `_STEEP` of the quote before it unless it has
# `_GOOD` of the best: on the development questions this left out 9 % of the quotes.
_SURE = 3
_GOOD = 0.6
_FAINT = 0.35
_STEEP = 0.7


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


def beginnings(passages: list[PagePassage], count: int) -> list[Candidate]:
    """Return what the pages begin with, for a question that only names them."""
    prose = [at for at, passage in enumerate(passages) if passage.kind == "prose"]
    return [
        Candidate(
            passages[at].page,
            passages[at].start,
            passages[at].end,
            1.0,
            passages[at].paragraph,
            passages[at].heading,
            frozenset(passages[at].counts),
        )
        for at in prose[:count]
    ]


def best_candidates(
    material: Material, question: Question, passages: list[PagePassage], count: int
) -> list[Candidate]:
    """Return the best spans, best first, no two of them saying the same.

    Where the scores fall off the rest is left out, unless the question names more than code.
    """
    scores = _scores(material, question, passages)
    noise = _NOISE * max(scores, default=0.0)
    chosen: list[Candidate] = []
    taken: set[int] = set()
    for at in best_order(question, passages, scores):
        if len(chosen) >= count:
            break
        if scores[at] <= noise:
            continue
        if at in taken or passages[at].kind not in ("prose", "item"):
            continue
        span = _extended(material, passages, scores, at, taken)
        candidate = _candidate(passages, scores, span)
        if _says_nothing(material, candidate):
            continue
        if any(_same(candidate, other) for other in chosen):
            continue
        taken.update(span)
        chosen.append(candidate)
    # Of several people or works, one is named in few words: a weak quote may be half of the answer.
    is_plain = all(name.is_identifier for name in question.names)
    return _without_tail(chosen) if is_plain else chosen


def _without_tail(chosen: list[Candidate]) -> list[Candidate]:
    """Return what comes before the scores fall off, but the first few in any case."""
    top = max((one.score for one in chosen), default=0.0)
    kept = chosen[:_SURE]
    for one in chosen[_SURE:]:
        is_good = one.score >= _GOOD * top
        if not is_good and (one.score < _FAINT * top or one.score < _STEEP * kept[-1].score):
            break
        kept.append(one)
    return kept


def _says_nothing(material: Material, candidate: Candidate) -> bool:
    """ "It proceeds as follows:" promises what the quote does not hold, "See also" sends away."""
    text = material.pages[candidate.page].text[candidate.start : candidate.end]
    return text.endswith(":") or (len(text) < _POINTS_ONLY and _POINTER.match(text) is not None)


def _scores(material: Material, question: Question, passages: list[PagePassage]) -> list[float]:
    """BM25 over passages in their context, times what else speaks for a passage."""
    counts = _in_context(material, passages)
    query = {**dict.fromkeys(question.related, RELATED), **question.weights}
    scored = bm25_over_counts(counts).scores(query, _LENGTH)
    shown = _shown_share(material, passages, has_names=bool(question.names))
    top = max(scored, default=0.0)
    found: list[float] = []
    for at, passage in enumerate(passages):
        score = scored[at] + _SHOWN * top * shown[at]
        score *= _kind_factor(material, passage, question.wants)
        found.append(score * _focus_factor(passage.heading, question))
    return found


def _shown_share(
    material: Material, passages: list[PagePassage], *, has_names: bool
) -> list[float]:
    """Return 1 for a passage in the snippet of a first result, less further down, else 0.

    The search saw the whole corpus and perhaps words that the page does not use: where it points
    is evidence of its own. It counts for less where it speaks of a part of the query only, but not
    when the question names things: of several, a page on one is half of the answer.
    """
    snippets: dict[str, list[tuple[float, str]]] = {}
    for search in material.searches:
        most = max((result.matched or 0.0 for result in search.results), default=0.0)
        for rank, result in enumerate(search.results):
            share = 1 / (1 + rank * _DECAY)
            if most and result.matched is not None and not has_names:
                share *= result.matched / most
            snippets.setdefault(result.url, []).append((share, _folded(result.snippet)))
    found: list[float] = []
    for passage in passages:
        page = material.pages[passage.page]
        near = snippets.get(page.url, [])
        text = _folded(page.text[passage.start : passage.end])[:100] if near else ""
        found.append(
            max((share for share, snippet in near if text and text in snippet), default=0.0)
        )
    of_section: dict[tuple[int, str], float] = {}
    for passage, share in zip(passages, found, strict=True):
        key = (passage.page, passage.heading)
        of_section[key] = max(of_section.get(key, 0.0), share)
    return [
        max(share, _AROUND * of_section[p.page, p.heading])
        for p, share in zip(passages, found, strict=True)
    ]


def _folded(text: str) -> str:
    return " ".join(text.split())


def _focus_factor(heading: str, question: Question) -> float:
    """What stands under the very name that was asked about explains it, whatever its words."""
    name = heading.partition("(")[0].strip()
    if not name or " " in name or not re.search(r"[(._]", heading):
        return 1.0
    plain = fold(name)
    for asked in question.names:
        if asked.is_identifier and f".{plain}".endswith(f".{fold(asked.text)}"):
            return _FOCUS
    tail = terms(plain.rpartition(".")[2])
    is_asked = bool(tail) and all(
        question.weights.get(term, 0) >= 1 and "." not in question.labels[term] for term in tail
    )
    return _FOCUS if is_asked else 1.0


def _in_context(material: Material, passages: list[PagePassage]) -> list[Counter[str]]:
    """Return each passage's terms with a share of its neighbours', its heading's, its title's."""
    titles = [term_counts(page.title) for page in material.pages]
    headings = {heading: term_counts(heading) for heading in {p.heading for p in passages}}
    found: list[Counter[str]] = []
    for at, passage in enumerate(passages):
        near: Counter[str] = Counter(passage.counts)
        for other in (at - 1, at + 1):
            if 0 <= other < len(passages) and _is_near(passage, passages[other]):
                _add(near, passages[other].counts, _NEIGHBOUR)
        _add(near, headings[passage.heading], _HEADING)
        _add(near, titles[passage.page], _HEADING)
        found.append(near)
    return found


def _is_near(passage: PagePassage, other: PagePassage) -> bool:
    """Neighbours stand under the same heading; the heading itself is counted apart."""
    same = passage.page == other.page and passage.heading == other.heading
    return same and other.kind not in ("heading", "signature")


def _add(target: Counter[str], extra: Counter[str], weight: float) -> None:
    for term, count in extra.items():
        target[term] += count * weight  # type: ignore[assignment]


def _kind_factor(material: Material, passage: PagePassage, wants: Wants) -> float:
    text = material.pages[passage.page].text[passage.start : passage.end]
    if len(text) < _SHORT or _POINTER.match(text) or _FRAGMENT.match(text):
        return 0.5
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
        leads = material.pages[passages[at].page].text[: passages[last].end].endswith(":")
        for other in (last + 1,) if leads else (last + 1, first - 1):
            if not 0 <= other < len(passages) or other in taken:
                continue
            if not _may_join(material, passages, at, last, other):
                continue
            low, high = passages[min(first, other)].start, passages[max(last, other)].end
            if _length(material.pages[passages[at].page].text, low, high) <= LIMIT:
                options.append((-scores[other], other))
        if not options:
            return list(range(first, last + 1))
        other = min(options)[1]
        first, last = min(first, other), max(last, other)


def _length(text: str, start: int, end: int) -> int:
    """Return the length of a span once its white space is folded."""
    return (
        end - start if end - start <= LIMIT else len(_folded(text[start : min(end, start + 900)]))
    )


def _may_join(
    material: Material, passages: list[PagePassage], at: int, last: int, other: int
) -> bool:
    """Neighbours of the paragraph may; after "as follows:" what follows may, a blank line on."""
    one, two = passages[at], passages[other]
    if one.page != two.page or two.kind == "heading":
        return False
    if two.paragraph == one.paragraph:
        return two.kind != "code"
    text = material.pages[one.page].text
    leads = text[: passages[last].end].endswith(":") or (
        two.kind == "item" and passages[last].kind == "item"
    )
    return other > last and leads and two.heading == one.heading


def _candidate(passages: list[PagePassage], scores: list[float], span: list[int]) -> Candidate:
    head, tail = passages[span[0]], passages[span[-1]]
    found = frozenset(t for at in span for t in passages[at].counts if not is_stop_word(t))
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
    smaller = max(1, min(len(one.terms), len(other.terms)))
    return shared == smaller or (smaller > 8 and shared >= _SAME * smaller)
