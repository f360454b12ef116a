"""Owns turning any user text into a valid FTS5 query; never touches a database.

Terms are always quoted and never contain a quote, so no text can be a syntax error.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from lazyboy_jupyter.adapters.ranking.synonyms import expansions, phrase_expansions
from lazyboy_jupyter.adapters.ranking.words import Word, terms, words

MAX_TERMS = 48
MAX_PHRASES = 12
MAX_TITLE_WORDS = 10
MAX_CHARACTERS = 10_000

_QUOTED = re.compile(r"\"([^\"]{2,120})\"|“([^”]{2,120})”|`([^`]{2,120})`|«([^»]{2,120})»")
_ARTICLE = re.compile(r"^(?:the|an?)\s+", re.IGNORECASE)
_FEW_WORDS = 2
"""In a query of so few words each may be the very name of a symbol."""
_QUALIFIER = re.compile(r"\s*\([^()]*\)\s*$")


@dataclass(frozen=True, slots=True)
class SearchQuery:
    """The parts of a query: its own words, weaker related ones, titles it may be naming."""

    terms: tuple[str, ...]
    phrases: tuple[tuple[str, ...], ...]
    related: tuple[str, ...]
    title_keys: tuple[str, ...]
    names: tuple[str, ...] = ()

    @property
    def match(self) -> str:
        """Return the FTS5 expression: any of the terms, phrases, or names of symbols."""
        parts = [quoted(term) for term in (*self.terms, *self.names)]
        parts += [" + ".join(quoted(term) for term in phrase) for phrase in self.phrases]
        return " OR ".join(parts)

    @property
    def related_match(self) -> str:
        """Return the FTS5 expression of the weaker evidence, "" without any."""
        return " OR ".join(quoted(term) for term in self.related)


def quoted(term: str) -> str:
    """Return a term as an FTS5 string."""
    return '"' + term.replace('"', "") + '"'


def title_key(title: str) -> str:
    """Return the form under which a title is looked up: its terms, without a "(qualifier)"."""
    head = title.partition(" — ")[0]
    plain = _ARTICLE.sub("", _QUALIFIER.sub("", head)) or head
    return " ".join(terms(plain)[: MAX_TITLE_WORDS * 3])


def name_term(heading: str) -> str:
    """Return the term of a symbol's own name: asked for `zip`, `zip` is meant before `zipfile`."""
    return f".name.{heading.rpartition('.')[2].strip().lower().replace(' ', '_')}"


def parse_query(text: str) -> SearchQuery:
    """Return the query for any text; without a usable word every part is empty."""
    text = text[:MAX_CHARACTERS].replace("\x00", " ")
    found = list(words(text))
    kept = [word for word in found if not word.is_stop] or found
    heavy = [word for word in kept if not word.is_light] or kept
    own = list(dict.fromkeys(term for word in heavy for term in word.terms))[:MAX_TERMS]
    light = [term for word in kept for term in word.terms]
    parts = [part for word in kept for part in word.parts]
    related = dict.fromkeys([*light, *parts, *expansions(own), *phrase_expansions(text)])
    return SearchQuery(
        tuple(own),
        tuple(_phrases(text, found))[:MAX_PHRASES],
        tuple(term for term in related if term not in own)[:MAX_TERMS],
        tuple(_title_keys(found)),
        tuple(name_term(word.text) for word in heavy) if len(heavy) <= _FEW_WORDS else (),
    )


def _phrases(text: str, found: list[Word]) -> list[tuple[str, ...]]:
    """Return quoted phrases, then runs of capitalised words, as sequences of terms."""
    phrases = [tuple(terms(next(g for g in m.groups() if g))) for m in _QUOTED.finditer(text)]
    run: list[Word] = []
    for word in [*found, None]:
        capital = word is not None and word.text[0].isupper() and not word.is_stop
        near = word is not None and (not run or text[run[-1].end : word.start].strip() in ("", "."))
        if word is not None and capital and near:
            run.append(word)
            continue
        if len(run) > 1:
            phrases.append(tuple(term for w in run for term in w.terms))
        run = [word] if word is not None and capital else []
    return [p for p in dict.fromkeys(phrases) if 1 < len(p) <= 12]


def _title_keys(found: list[Word]) -> list[str]:
    """Return each run of words that could be a whole title; small words alone are none."""
    keys: dict[str, None] = {}
    for first in range(min(len(found), 400)):
        run: list[str] = []
        content = False
        for word in found[first : first + MAX_TITLE_WORDS]:
            run.extend(word.terms)
            content = content or not word.is_stop
            if content or len(run) > 2:
                keys[" ".join(run)] = None
    return list(keys)
