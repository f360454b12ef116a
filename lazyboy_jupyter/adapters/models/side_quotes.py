"""Owns which sentences answer a side question, word for word; the ranking is the guide's. Pure.

A quote is given only when `core/side_evidence` will find it in the text it is from, so that people
can follow each to its place.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import islice

from lazyboy_jupyter.adapters.models.answerability import Coverage, coverage
from lazyboy_jupyter.adapters.models.claims import claim_of, readable
from lazyboy_jupyter.adapters.models.material import Material, ReadPage
from lazyboy_jupyter.adapters.models.passages import PagePassage, page_passages
from lazyboy_jupyter.adapters.models.question import Question, read_question
from lazyboy_jupyter.adapters.models.quote_choice import Candidate, beginnings, best_candidates
from lazyboy_jupyter.adapters.models.side_history import Known
from lazyboy_jupyter.adapters.ranking.sentences import split
from lazyboy_jupyter.adapters.ranking.synonyms import expansions
from lazyboy_jupyter.adapters.ranking.words import terms
from lazyboy_jupyter.core.folding import FoldedText
from lazyboy_jupyter.core.quotes import find_quote
from lazyboy_jupyter.core.replies import understood
from lazyboy_jupyter.core.sanitise import visible
from lazyboy_jupyter.core.tools import TOOL_NAMES

MOST = 4
_TRIED = 3 * MOST
_SHORTEST = 25
_LONGEST_HEADING = 60
# Of the question's weight a sentence has, with its heading and title, at least so much, and so much
# of what the best one has; and of the best one's score so much.
_LEAST = 0.3
_BESIDE_BEST = 0.6
_FAINT = 0.4
_WHOLE = 0.75
_MOST_NEAR = 2
_SIGNATURE = re.compile(r"(?:class\s+|def\s+)?([\w.]+)\(")
_BULLET = re.compile(r"^(?:[-*+•:>]|#{1,6}|\(?\d{1,2}[.)])\s+")


@dataclass(frozen=True, slots=True)
class SideQuote:
    """A piece of the text of `source`. `heading`: what it stands under, "" when nothing more than
    the title says; `is_snippet`: from a search result whose page was not read."""

    text: str
    source: str
    title: str
    heading: str = ""
    is_snippet: bool = False


@dataclass(frozen=True, slots=True)
class Found:
    """What answers, best first.

    `is_near`: no sentence speaks of all that was asked. `has_words`: the texts have the words of
    it, whether or not a sentence could be quoted. `missing`: words that no text has; `lacking`:
    where what was read of a thing does not mention what was asked of it, a sentence on that.
    """

    quotes: tuple[SideQuote, ...] = ()
    is_near: bool = False
    has_words: bool = False
    missing: tuple[str, ...] = ()
    lacking: str = ""


def quotes_on(asked: str, known: Known, *, only: Collection[str] = (), task: bool = False) -> Found:
    """Return what the texts say of `asked`; of the sources in `only`, when it names any.

    `task`: it is the agent's own question, so that what its searches pointed at counts. Snippets
    of pages that were not read are asked when no page answers.
    """
    question = read_question(asked)
    read = Material(asked, known.outcomes if task else (), _pages(known, only))
    if not question.labels:
        return Found()
    found = _quotes(question, read, known, is_snippet=False)
    if found.quotes or only:
        return found
    unread = _quotes(question, Material(asked, (), known.unread), known, is_snippet=True)
    return unread if unread.quotes else found


def first_quotes(known: Known, only: Collection[str]) -> Found:
    """Return what the pages begin with, for a question that names nothing but pages."""
    material = Material("", (), _pages(known, only))
    candidates = beginnings(page_passages(material.pages, ()), MOST)
    quotes = _made(material, candidates, known, (), is_snippet=False)
    return Found(tuple(islice(quotes, MOST)))


def _pages(known: Known, only: Collection[str]) -> tuple[ReadPage, ...]:
    return tuple(page for page in known.read if not only or page.source in only)


def _quotes(question: Question, material: Material, known: Known, *, is_snippet: bool) -> Found:
    passages = page_passages(material.pages, question.labels)
    covered = coverage(question, material, passages)
    if not covered.answers:
        return _without_answer(question, covered, passages)
    fullest = _fullest_first(
        question, material, best_candidates(material, question, passages, _TRIED)
    )
    share = max((share for share, _ in fullest), default=0.0)
    near = [one for own, one in fullest if own >= max(_LEAST, _BESIDE_BEST * share)]
    is_near = share < _WHOLE
    made = _made(material, near, known, question.labels, is_snippet=is_snippet)
    quotes = islice(made, _MOST_NEAR if is_near else MOST)
    missing = (*covered.missing_names, *covered.missing_words)
    return Found(tuple(quotes), is_near, has_words=True, missing=missing)


def _without_answer(
    question: Question, covered: Coverage, passages: Collection[PagePassage]
) -> Found:
    feature = covered.missing_feature
    if feature is not None:
        return Found(lacking=f"{feature.owner} is not said to have {feature.feature}")
    if passages and not any(_has(t, one.counts) for one in passages for t in question.labels):
        return Found(lacking="none of its words stands there")
    return Found(missing=(*covered.missing_names, *covered.missing_words))


def _made(
    material: Material,
    candidates: Collection[Candidate],
    known: Known,
    wanted: Collection[str],
    *,
    is_snippet: bool,
) -> Iterator[SideQuote]:
    """Yield the candidates that can be quoted, each with the source that it will be found in."""
    places = _Places(known, wanted)
    for candidate in candidates:
        page = material.pages[candidate.page]
        text = quotable(_BULLET.sub("", claim_of(material, candidate).quotes[0].text))
        source = page.source
        if not is_snippet:
            text, source = places.placed(text)
        if len(text) >= _SHORTEST and source:
            title = page.title if is_snippet else known.pages[source].title
            heading = _heading(candidate.heading, title)
            yield SideQuote(text, source, title, heading, is_snippet)


def _fullest_first(
    question: Question, material: Material, candidates: list[Candidate]
) -> list[tuple[float, Candidate]]:
    """Return the candidates with how much of the question each speaks of, the fullest first, else
    in their own order; none that scores low, and none that only says what it stands under."""
    least = _FAINT * max((one.score for one in candidates), default=0.0)
    found: list[tuple[float, Candidate]] = []
    for candidate in candidates:
        title = material.pages[candidate.page].title
        above = set(terms(f"{title}\n{candidate.heading}"))
        if candidate.score >= least and not candidate.terms <= above:
            found.append((_share(question, {*candidate.terms, *above}), candidate))
    return sorted(found, key=lambda one: -round(one[0], 1))


def _share(question: Question, said: Collection[str]) -> float:
    """Return the share of the question's weight that `said` speaks of, from 0 to 1."""
    weights = question.weights
    return sum(w for term, w in weights.items() if _has(term, said)) / sum(weights.values())


def _has(term: str, said: Collection[str]) -> bool:
    return term in said or any(other in said for other in expansions((term,)))


def quotable(raw: str) -> str:
    """Return a piece as it can stand in curly quotation marks, "" when it cannot.

    Its own curly marks become straight ones, which are the same to whoever looks it up. What a
    reader of replies would take for more than text, such as a call, is not repeated.
    """
    text = visible(raw).translate(_STRAIGHT)
    return "" if is_more_than_text(text) else text


_STRAIGHT = str.maketrans("“”", '""')


def is_more_than_text(text: str) -> bool:
    """Whether a reader of a model's replies would see reasoning or a call in it."""
    return understood(text, (), TOOL_NAMES, supplement=False) != (text, ())


def _heading(raw: str, title: str) -> str:
    """Return a heading that says more than the title; of a signature its name."""
    heading = visible(readable(raw).replace("`", ""))
    if signature := _SIGNATURE.match(heading):
        heading = signature[1]
    said = set(terms(title))
    is_new = any(term not in said for term in terms(heading))
    return heading if is_new and len(heading) <= _LONGEST_HEADING else ""


class _Places:
    """Finds the source that a quote will be attributed to: the first one seen that has it."""

    def __init__(self, known: Known, wanted: Collection[str]) -> None:
        self._wanted = frozenset(wanted)
        self._slices = [
            (source, text)
            for source in known.order
            if source in known.pages
            for slices in known.pages[source].texts.values()
            for text in slices.values()
        ]
        self._folded: dict[int, FoldedText] = {}

    def placed(self, quote: str) -> tuple[str, str]:
        """Return a quote with its source. Where one goes over the end of what was delivered at
        once, it is the sentence of it that is found and says most of what is asked."""
        if source := self._of(quote):
            return quote, source
        pieces = [quote[piece.start : piece.end] for piece in split(quote)]
        for piece in sorted(pieces, key=lambda one: -len(self._wanted & set(terms(one)))):
            if source := self._of(piece):
                return piece, source
        return "", ""

    def _of(self, quote: str) -> str:
        for number, (source, text) in enumerate(self._slices):
            if number not in self._folded:
                self._folded[number] = FoldedText(text)
            if find_quote(self._folded[number], quote) is not None:
                return source
        return ""
