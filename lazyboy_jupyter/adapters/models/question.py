"""Owns reading a question: its terms, names, parts and what kind of answer it wants; no sources."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from lazyboy_jupyter.adapters.models.wants import Wants, wants_of
from lazyboy_jupyter.adapters.ranking.synonyms import expansions, phrase_expansions, phrase_spans
from lazyboy_jupyter.adapters.ranking.words import Word, is_stop_word, terms, words
from lazyboy_jupyter.core.urls import urls_in_text

_MAX_CHARACTERS = 4_000
_COMMANDS = frozenset(
    """
    explain describe tell show list define name give summarize summarise compare
    """.split()
)
_QUOTED = re.compile(
    r"\"([^\"]{1,120})\"|“([^”]{1,120})”|`([^`]{1,120})`|«([^»]{1,120})»"
    r"|(?<!\w)'([^']{1,60})'(?!\w)|‘([^’]{1,60})’"
)


# What follows "without" is what the asker does not want: no subject to search for.
_EXCLUSION = re.compile(
    r"\b(?:without|instead of|rather than|other than)\s+([^,;?.]+)", re.IGNORECASE
)
_CONSTRUCT = re.compile(
    r"(?:for|while|if|with|and|or|not|in|is|as|from|else)\s+(?:statement|loop|"
    r"clause|block|condition|operator|keyword)s?\b",
    re.IGNORECASE,
)
_IDIOM = re.compile(
    r"\bcounts? as\b|\blooks? like\b|\bin one go\b|\bone particular\b|\bend up\b|"
    r"\bat all\b|\btell apart\b",
    re.IGNORECASE,
)
# They ask for a measure, or for words: no page need have them.
_ASKING = re.compile(
    r"\bhow\s+(?:long|often|old|far|big|large|deep|fast|tall|high)\b"
    r"|\b(?:say|says|said|tells?|speaks?)\s+(?:about|of|on)\b|\bsee\b",
    re.IGNORECASE,
)
_COMPARISON = re.compile(
    r"\b(?:differen\w+|differs?|versus|vs|compared?|unlike|or|both|than|first|"
    r"same|common|when\b.*\bwhen)\b",
    re.IGNORECASE,
)
# "the difference between a list and a tuple", "copy versus deepcopy"
_SIDES = re.compile(
    r"\bdifferences?\s+between\s+(?P<one>[^,;?]{1,40}?)\s+and\s+(?P<other>[^,;?]{1,40}?)\s*(?:[,;?]|$)"
    r"|\bdo(?:es)?\s+(?P<that>[^,;?]{1,40}?)\s+differ\s+from\s+(?P<this>[^,;?]{1,40}?)\s*(?:[,;?]|$)"
    r"|^\W*(?P<left>[^,;?]{1,40}?)\s+(?:versus|vs\.?)\s+(?P<right>[^,;?]{1,40}?)\s*(?:[,;?]|$)",
    re.IGNORECASE,
)
_CALLED = re.compile(r"(?<![\w.])([A-Za-z_][\w.]*)\(")
_ASSIGNED = re.compile(r"(?<![\w.])([A-Za-z_]\w*)=(?!=)")
_ROLE = re.compile(
    r"\b([a-z_]\w+)\s+(?:argument|parameter|option|flag|attribute)\b"
    r"|\bthe\s+([a-z_]\w+)\s+(?:module|package)\b"
    r"|\b(?:module|package|function|method)\s+(?:called\s+|named\s+)?([a-z_]\w+)"
)
# Names that people write in lower case; to ask about one is to ask about it by name.
_PROPER = frozenset(
    """
    airflow anaconda aws azure bash conda css dask django docker excel fastapi flask git github
    golang hadoop java javascript jupyter kafka keras kubernetes latex linux macos mariadb
    matlab matplotlib mongodb mysql nginx nodejs numba numpy opencv oracle pandas perl php plotly
    polars postgres postgresql powershell pyspark pytorch react redis requests ruby rust scala
    scikit scipy seaborn selenium sklearn spark sqlalchemy stata statsmodels tableau tensorflow
    terraform torch typescript ubuntu vim vscode
    """.split()
)
_LIGHT = 0.4
_NAMED = 1.5


@dataclass(frozen=True, slots=True)
class Name:
    """Something the question calls by name: quoted, an identifier, or capitalised words."""

    text: str
    terms: tuple[str, ...]
    is_identifier: bool = False


@dataclass(frozen=True, slots=True)
class Question:
    """A question taken apart.

    `labels` maps each content term to the word it came from, `weights` to how much it says
    (1: an ordinary word); `related` are weaker terms from the thesaurus. `sides` are the terms of
    what is told apart, where the question asks for nothing but a difference.
    """

    text: str
    labels: Mapping[str, str]
    weights: Mapping[str, float]
    related: tuple[str, ...]
    names: tuple[Name, ...]
    wants: Wants
    is_comparison: bool
    sides: tuple[tuple[str, ...], ...] = ()


def read_question(text: str) -> Question:
    """Return the parts of any text; one without content words has no terms."""
    text = " ".join(_without_addresses(text[:_MAX_CHARACTERS]).split())
    found = _content_words(text)
    excluded = [match.span(1) for match in _EXCLUSION.finditer(text)]
    excluded += [match.span() for match in _IDIOM.finditer(text)]
    names = tuple(_names(text, list(words(text)), _quoted_spans(text)))
    named = {term for name in names for term in name.terms}
    labels: dict[str, str] = {}
    weights: dict[str, float] = {}
    for word in found:
        weight = _LIGHT if word.is_light or _spans(excluded, word) else 1.0
        for term in word.terms:
            if len(term) == 1 and len(word.terms) > 1:  # the x of `x.sort` is anybody's
                continue
            labels.setdefault(term, word.text)
            factor = _NAMED if term in named else 1.0
            if "." in word.text and term != word.terms[0]:  # of `copy.deepcopy` the tail says most
                factor = 1.0 if term == word.terms[-1] else 0.5
            weights[term] = max(weights.get(term, 0.0), weight * factor)
    parts = [part for word in found for part in word.parts]
    related = dict.fromkeys([*parts, *expansions(labels), *phrase_expansions(text)])
    return Question(
        text,
        labels,
        weights,
        tuple(term for term in related if term not in labels),
        names,
        wants_of(text),
        len(names) > 1 and bool(_COMPARISON.search(text)),
        _sides(text),
    )


def _without_addresses(text: str) -> str:
    """Return a question without the addresses in it: they are pages to open, and no subjects."""
    for url in urls_in_text(text):
        text = text.replace(url, " ")
    return text


def _sides(text: str) -> tuple[tuple[str, ...], ...]:
    """Return the content terms of both things that a question wants told apart, or nothing."""
    match = _SIDES.search(text)
    pieces = [piece for piece in match.groups() if piece] if match else []
    found = [
        tuple(t for w in words(piece) if not (w.is_stop or w.is_light) for t in w.terms)
        for piece in pieces
    ]
    return tuple(found) if found and all(found) else ()


def keywords(question: Question) -> str:
    """Return the question's words worth searching for, in its own order, quotes kept.

    Small words inside a name stay ("Welcome to the Show"): a search may know it as a title.
    """
    text = question.text
    quoted = _quoted_spans(text)
    named = [
        (run[0].start, run[-1].end)
        for run in capitalised_runs(text, list(words(text)), _WIDE_LINKS)
    ]
    excluded = [match.span(1) for match in _EXCLUSION.finditer(text)]
    content = {word.start for word in _content_words(text) if not _spans(excluded, word)}
    whole = [*named, *phrase_spans(text)]
    kept: list[str] = []
    place = 0
    for word in words(text):
        if word.start < place:
            continue
        inside = next((s for s in quoted if s[0] <= word.start and word.end <= s[1]), None)
        if inside is not None:
            kept.append(text[inside[0] : inside[1]])
            place = inside[1]
        elif word.start in content or _spans(whole, word):
            kept.append(word.text)
        elif (found := _CONSTRUCT.match(text, word.start)) is not None:
            kept.append(found.group())
            place = found.end()
    return " ".join(kept)


def _content_words(text: str) -> list[Word]:
    found = list(words(text))
    if found and found[0].text.lower() in _COMMANDS:
        found = found[1:]
    quoted = _quoted_spans(text)
    asking = [match.span() for match in _ASKING.finditer(text)]
    return [
        word for word in found if _spans(quoted, word) or not (word.is_stop or _spans(asking, word))
    ]


def _quoted_spans(text: str) -> list[tuple[int, int]]:
    return [match.span() for match in _QUOTED.finditer(text)]


def _spans(spans: list[tuple[int, int]], word: Word) -> bool:
    return any(start <= word.start and word.end <= end for start, end in spans)


def _names(text: str, found: list[Word], quoted: list[tuple[int, int]]) -> list[Name]:
    names: dict[str, Name] = {}
    for start, end in quoted:
        piece = text[start:end].strip("\"“”`«»'‘’ ,.?")
        if piece:
            is_code = text[start] == "`" and re.fullmatch(r"[A-Za-z_][\w.]*", piece) is not None
            names.setdefault(piece.lower(), Name(piece, tuple(terms(piece)), is_code))
    called = {
        match.start(match.lastindex or 1)
        for pattern in (_CALLED, _ASSIGNED, _ROLE)
        for match in pattern.finditer(text)
    }
    for word in found:
        is_code = is_identifier(word.text) or (
            word.start in called and not (word.is_stop or word.is_light)
        )
        if word.text in _PROPER and not _spans(quoted, word):
            names.setdefault(word.text, Name(word.text, word.terms))
        elif is_code and not _spans(quoted, word):
            names.setdefault(word.text.lower(), Name(word.text, word.terms, is_identifier=True))
    for run in capitalised_runs(text, found):
        piece = text[run[0].start : run[-1].end]
        if all(_spans(quoted, w) for w in run) or is_identifier(piece):
            continue
        for part in _split_at_and(run):
            piece = text[part[0].start : part[-1].end]
            names.setdefault(piece.lower(), Name(piece, tuple(t for w in part for t in w.terms)))
    return list(names.values())


def _split_at_and(run: list[Word]) -> list[list[Word]]:
    """Two names joined by "and" are two, unless both sides are short: "Simon and Garfunkel"."""
    places = [number for number, word in enumerate(run) if word.text.lower() == "and"]
    if len(places) == 1 and len(run) > 3:
        left, right = run[: places[0]], run[places[0] + 1 :]
        if left and right:
            return [left, right]
    return [run]


def is_identifier(word: str) -> bool:
    """Say whether a word can only be a name in code: `lru_cache`, `asyncio.run`, `TaskGroup`."""
    if not word.isascii() or not (word[0].isalpha() or word[0] == "_"):
        return False
    if "_" in word.strip("_") or (word.startswith("__") and word.endswith("__")):
        return True
    return (
        "." in word
        and all((len(p) > 1 and not p[0].isupper()) or len(p) > 3 for p in word.split(".") if p)
        and word.count(".") < 5
    )


_LINKS = frozenset(
    """
    of the de la du van von der den and al el ap y di da des
    """.split()
)
_WIDE_LINKS = _LINKS | frozenset(
    """
    in on to with a an for from at by or
    """.split()
)


def capitalised_runs(
    text: str, found: list[Word], links: frozenset[str] = _LINKS
) -> list[list[Word]]:
    """Return runs of capitalised words that name something; a sentence's first word needs company.

    Small words join ("Recovery of Aristotle"), punctuation other than a full stop of an initial,
    a hyphen or an apostrophe ends a run.
    """
    runs: list[list[Word]] = []
    run: list[Word] = []
    for number, word in enumerate(found):
        gap = text[found[number - 1].end : word.start] if number else ""
        capital = word.text[0].isupper() or (word.text[0].isdigit() and bool(run))
        if run and not _joins(gap, run[-1].text):
            runs.append(run)
            run = []
        if capital or (run and word.text.lower() in links):
            run.append(word)
        elif run:
            runs.append(run)
            run = []
    if run:
        runs.append(run)
    return [kept for raw in runs if (kept := _cleaned(text, raw))]


def _joins(gap: str, before: str) -> bool:
    bare = gap.strip()
    return bare in ("", "-", "–", "&") or (bare == "." and len(before) <= 2)


def _cleaned(text: str, run: list[Word]) -> list[Word]:
    """Drop small words at both ends, and a lone first word of a sentence."""
    kept = list(run)
    while (
        kept
        and (kept[-1].text.lower() in _WIDE_LINKS or is_stop_word(kept[-1].text))
        and not kept[-1].text[0].isdigit()
    ):
        kept.pop()
    while kept and is_stop_word(kept[0].text):
        kept.pop(0)
    if not kept:
        return []
    before = text[: kept[0].start].rstrip(" \"“'(*_`")
    starts = not before or before[-1] in ".?!:\n#>"
    if len(kept) == 1 and starts and not text[: kept[0].start].rstrip(" ").endswith(('"', "“")):
        return []
    return kept
