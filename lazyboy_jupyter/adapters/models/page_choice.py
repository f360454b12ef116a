"""Owns what to search for and which results to open; never reads a page or writes a guide."""

from __future__ import annotations

import re
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from lazyboy_jupyter.adapters.models.evidence import (
    TermWeights,
    all_listed,
    listed_terms,
    term_weights,
)
from lazyboy_jupyter.adapters.models.material import Listed, Material
from lazyboy_jupyter.adapters.models.passages import PagePassage, page_passages
from lazyboy_jupyter.adapters.models.question import (
    Question,
    capitalised_runs,
    is_identifier,
    keywords,
    read_question,
)
from lazyboy_jupyter.adapters.ranking.words import fold, is_stop_word, terms, words

_MAX_QUERY = 300
_NAMES_OFFLINE = 8
_NAMES_ONLINE = 2
_RANK = 1.0
_TITLED = re.compile(r"[\"“]([A-Z0-9][^\"”()\[\]{}=<>*]{2,58})[\"”]")
_NO_NAMES = frozenset(("None", "True", "False", "NotImplemented", "Python", "Note"))
_QUALIFIER = re.compile(r"\s*\([^()]*\)\s*$")


@dataclass(frozen=True, slots=True)
class Mention:
    """A name that a page read mentions, with how close to the question it stands."""

    text: str
    score: float


def first_query(question: str) -> str:
    """Return what to search for first: the question's own words without its small ones.

    Empty where nothing but addresses was asked about.
    """
    read = read_question(question)
    return (keywords(read) or read.text)[:_MAX_QUERY].strip()


def choose_pages(material: Material, count: int) -> tuple[str, ...]:
    """Return up to `count` urls to open next, the most promising first."""
    question = read_question(material.question)
    opened = material.tried_urls | {page.url for page in material.pages}
    candidates = [(r, rank) for r, rank in all_listed(material) if r.url not in opened]
    found = {result.url: listed_terms(result) for result, _ in all_listed(material)}
    weights = term_weights(question, found.values())
    passages = page_passages(material.pages, question.labels)
    residual = _residual(weights, passages)
    mentions = _title_mentions(material, weights, passages, [result for result, _ in candidates])
    scored: list[tuple[float, int, str]] = []
    for order, (result, rank) in enumerate(candidates):
        score = _RANK / (1 + rank) + weights.covered(found[result.url])
        score += residual.covered(found[result.url]) if material.pages else 0.0
        score += 0.5 * _title_share(result, question) + mentions.get(result.url, 0.0)
        scored.append((-score, order, result.url))
    return tuple(url for _, _, url in sorted(scored)[: max(0, count)])


def follow_up_query(material: Material) -> str | None:
    """Return the second search: names the pages read lead to, words not covered yet; or None."""
    question = read_question(material.question)
    weights, passages = _weighted(question, material)
    names = mentioned_names(material, question, weights, passages)
    limit = _NAMES_ONLINE if _is_online(material) else _NAMES_OFFLINE
    titles = " \n ".join(fold(result.title) for result, _ in all_listed(material))
    parts = [
        f'"{n.text}"' for n in question.names if not n.is_identifier and fold(n.text) not in titles
    ]
    parts += [
        mention.text if is_identifier(mention.text) else f'"{mention.text}"'
        for mention in names[:limit]
    ]
    parts += _uncovered_words(question, weights, passages)
    query = ""
    for part in dict.fromkeys(parts):
        if len(query) + len(part) < _MAX_QUERY:
            query = f"{query} {part}".strip()
    before = {" ".join(search.query.split()).casefold() for search in material.searches}
    return query if query and query.casefold() not in before else None


def _uncovered_words(
    question: Question, weights: TermWeights, passages: list[PagePassage]
) -> list[str]:
    """Return the question's words that the best passage so far does not speak of."""
    sets = [frozenset(passage.counts) for passage in passages]
    best = max(sets, key=weights.covered, default=frozenset())
    left = [term for term in question.labels if term not in best]
    return list(dict.fromkeys(question.labels[term] for term in left))


def gap_query(gap: str, material: Material) -> str:
    """Return the search for a gap: its own words, with the question's names for context."""
    own = first_query(gap)
    question = read_question(material.question)
    context = [name.text for name in question.names if fold(name.text) not in fold(own)]
    return " ".join([own, *context[:2]])[:_MAX_QUERY]


def mentioned_names(
    material: Material, question: Question, weights: TermWeights, passages: list[PagePassage]
) -> list[Mention]:
    """Return names of the pages that the question does not have, nearest to the question first."""
    asked = fold(question.text)
    read_titles = {fold(_core(page.title)) for page in material.pages}
    ordinary = frozenset(
        re.findall(r"(?<![\w.])[a-z]{2,}", " ".join(p.text for p in material.pages))
    )
    best: dict[str, Mention] = {}
    for passage, relevance in zip(passages, _relevances(weights, passages), strict=True):
        page = material.pages[passage.page]
        for name in _names_in(page.text[passage.start : passage.end], ordinary):
            key = fold(name)
            if key in asked or key in read_titles or len(key) < 3:
                continue
            score = relevance + 0.01 * len(name.split())
            if key not in best or best[key].score < score:
                best[key] = Mention(name, score)
    return sorted(best.values(), key=lambda m: (-m.score, m.text))


def _weighted(question: Question, material: Material) -> tuple[TermWeights, list[PagePassage]]:
    texts = [listed_terms(result) for result, _ in all_listed(material)]
    return term_weights(question, texts), page_passages(material.pages, question.labels)


def _relevances(weights: TermWeights, passages: list[PagePassage]) -> list[float]:
    """Return each passage's coverage of the question, its neighbours included."""
    sets = [frozenset(p.counts) for p in passages]
    found: list[float] = []
    for at, passage in enumerate(passages):
        near = set(sets[at])
        for other in (at - 1, at + 1):
            if 0 <= other < len(passages) and passages[other].page == passage.page:
                near |= sets[other]
        found.append((weights.covered(sets[at]) + weights.covered(near)) / 2)
    return found


def _residual(weights: TermWeights, passages: list[PagePassage]) -> TermWeights:
    covered = {term for passage in passages for term in passage.counts}
    return TermWeights({t: w for t, w in weights.of.items() if t not in covered})


def _title_mentions(
    material: Material,
    weights: TermWeights,
    passages: list[PagePassage],
    candidates: list[Listed],
) -> Mapping[str, float]:
    """Return url → closeness of the best sentence of a page read that names the result's title."""
    texts = [fold(material.pages[p.page].text[p.start : p.end]) for p in passages]
    relevances = _relevances(weights, passages)
    found: dict[str, float] = {}
    for result in candidates:
        core = fold(_core(result.title))
        if len(core) < 3:
            continue
        pattern = re.compile(rf"(?<!\w){re.escape(core)}(?!\w)")
        scores = [r for text, r in zip(texts, relevances, strict=True) if pattern.search(text)]
        if scores:
            found[result.url] = 0.5 + max(scores)
    return found


def _title_share(result: Listed, question: Question) -> float:
    """Return 1 when the whole title stands in the question, less for a part of it."""
    core = terms(_core(result.title))
    if not core:
        return 0.0
    if f" {' '.join(core)} " in f" {' '.join(terms(question.text))} ":
        return 1.0
    content = [t for t in core if not is_stop_word(t)]
    return 0.5 * sum(t in question.labels for t in content) / max(1, len(content))


def _core(title: str) -> str:
    head = title.partition(" — ")[0]
    return _QUALIFIER.sub("", head) or head


def _names_in(text: str, ordinary: AbstractSet[str]) -> list[str]:
    """Return the names in a sentence; its first word only if it is never written small."""
    found = list(words(text))
    if found and found[0].text.lower() in ordinary and found[0].text.isalpha():
        found = found[1:]
    names = [w.text for w in found if is_identifier(w.text)]
    names += [text[run[0].start : run[-1].end] for run in capitalised_runs(text, found)]
    names += _TITLED.findall(text)
    return [" ".join(name.split()) for name in names if len(name) <= 60 and name not in _NO_NAMES]


def _is_online(material: Material) -> bool:
    """Web searches want few words; our own indexes read a list of names as a list of titles."""
    urls = [result.url for result, _ in all_listed(material)]
    return sum(url.startswith(("http:", "https:")) for url in urls) * 2 > len(urls)
