"""Owns how text becomes comparable terms; never looks at whole passages, scores or sources.

Index and query must go through the same functions, otherwise nothing matches. `FINGERPRINT` names
the behaviour: an index that was built under another fingerprint has to be rebuilt.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

import snowballstemmer

_VERSION = "3"
FINGERPRINT = f"words-{_VERSION}/snowball-{getattr(snowballstemmer, '__version__', '?')}"

# `\w` leaves out combining marks, which cuts Indic, Thai and decomposed Latin words in the middle.
_MARKS = (
    "\u00ad\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u0610-\u061a\u064b-\u065f\u0900-\u0963"
    "\u0966-\u0dff\u0e00-\u0e4e\u0e50-\u0eff\u1000-\u109f\u1780-\u17d3\u3099\u309a\u200c\u200d"
)
_CHAR = rf"[\w{_MARKS}]"
# An operator counts only where it stands alone (`a == b`, `"=="`), not as rule, bullet or emphasis.
_OPERATOR = r"(?<![^\s\"'`“(])[=!<>+*/%@:|&^~]?[=*/<>%@|&^~](?![^\s\"'`”),?.;])|(?<=\s)->(?=\s)"
_WORD = re.compile(rf"\d{{1,3}}(?:,\d{{3}})+(?!\d)|{_CHAR}+(?:[.'’]{_CHAR}+)*|{_OPERATOR}")
_CAMEL = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
# Scripts written without spaces: their "words" are whole clauses, so bigrams stand in for words.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+"
)

STOP_WORDS = frozenset(
    """
    a about above after again against all also although always am an and another any anybody
    anyone anything are around as at be because been before being below besides between both
    but by can cannot could did do does doing done down during each either else ever every
    few for from further get gets getting give gives given go goes going got had has have
    having he her here hers herself him himself his i if in into is it its itself just kind
    kinds let like lot made make makes making many may me might mine more most much must my
    myself need needs neither no nor not now of off often on once one only onto or other
    others our ours out over own per please rather really same shall she should since so
    some somebody someone something still such sure than that the their theirs them
    themselves then there these they thing things this those though through thus to too
    toward towards under until unless up upon us use used uses using very via want wants was
    way ways we well were whether while will with within without would yes yet you your
    yours don doesn didn isn aren wasn weren won wouldn couldn shouldn hasn haven hadn ll ve
    re
    """.split()
)
QUESTION_WORDS = frozenset(
    """
    what which who whom whose when where why how whoever whatever whichever
    """.split()
)


# In documentation these are subjects as often as small words.
_KEYWORD = re.compile(
    r"(?:for|while|if|with)(?=\s+(?:statement|loop|clause|block|condition|suite)s?\b)"
    r"|(?:and|or|not|in|is|as|from|else|if|for|with|do)(?=\s+(?:operator|keyword)\b)",
    re.IGNORECASE,
)
_QUOTES = frozenset("\"'`“”‘’")
# The stemmer would make them other words: `final`, `new`.
_UNSTEMMED = frozenset(("finally", "news"))

# Content, but little of it: question talk that would outweigh the subject where it is rare.
LIGHT_WORDS = frozenset(
    """
    write writing written work working works happen happens happening become becomes turn
    turns whole particular instead call called calling put keep keeps look looks looking
    start started starting end own new old difference differences different differ differs
    good better best case first last two one three next part parts place python program
    script time times serve live lives come comes came run runs running ran try trying tries
    go find finds need help meant mean means meaning know known happen actually exactly
    correctly properly possible simple simply easy easily quickly certain specific unlike
    versus vs able take takes taken taking
    """.split()
)


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a text with its place (character offsets) and the terms it stands for.

    `parts` are the pieces of an identifier: `task` and `group` say less than `TaskGroup`.
    """

    text: str
    start: int
    end: int
    terms: tuple[str, ...]
    parts: tuple[str, ...]
    is_stop: bool

    @property
    def is_light(self) -> bool:
        """Whether the word is content, but hardly ever the subject."""
        return self.text.lower() in LIGHT_WORDS


def fold(text: str) -> str:
    """Return `text` in NFKC, case-folded, without accents and soft hyphens."""
    if text.isascii():
        return text.lower()
    plain = text.replace("\u00ad", "").replace("’", "'")
    bare = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", plain).casefold())
    kept = "".join(c for c in bare if not "\u0300" <= c <= "\u036f")
    return unicodedata.normalize("NFC", kept)


def words(text: str) -> Iterator[Word]:
    """Yield the words of `text` in order; offsets count characters of the original text."""
    for match in _WORD.finditer(text):
        raw = match.group()
        found, parts, stop = _facts(raw)
        if stop and _is_literal(text, match):
            yield Word(raw, match.start(), match.end(), (f".lit.{fold(raw)}",), (), is_stop=False)
        elif found:
            yield Word(raw, match.start(), match.end(), found, parts, stop)


@lru_cache(maxsize=65_536)
def _facts(raw: str) -> tuple[tuple[str, ...], tuple[str, ...], bool]:
    found = terms_of_word(raw)
    return found, parts_of_word(raw), is_stop_word(raw)


def _is_literal(text: str, match: re.Match[str]) -> bool:
    """The `with` of `"with"` and of "the with statement" is meant as a word of its own."""
    start, end = match.span()
    if start and end < len(text) and text[start - 1] in _QUOTES and text[end] in _QUOTES:
        return True
    found = _KEYWORD.match(text, start, end + 14)
    return found is not None and found.end() == end


def terms(text: str) -> list[str]:
    """Return the terms of `text` in order, stop words included (phrases need them)."""
    return [term for word in words(text) for term in word.terms]


def term_counts(text: str, parts_weight: float = 0.4) -> Counter[str]:
    """Return how often each term occurs; pieces of identifiers count as `parts_weight`."""
    counts: Counter[str] = Counter()
    for word in words(text):
        for term in word.terms:
            counts[term] += 1
        for part in word.parts:
            counts[part] += parts_weight  # type: ignore[assignment]
    return counts


def is_stop_word(word: str) -> bool:
    """Say whether a single word carries no content of its own."""
    if not (word[0].isalnum() or word[0] == "_" or word[0] > "\x7f"):
        return False
    pieces = fold(word).split("'")
    return all(
        piece in STOP_WORDS or piece in QUESTION_WORDS or (len(piece) < 2 and not piece.isdigit())
        for piece in pieces
    ) and (len(word) > 1 or word.isascii())


def terms_of_word(word: str) -> tuple[str, ...]:
    """Return the terms of one word: itself stemmed; of a dotted name also the names in it."""
    if word[0].isdigit() and "," in word:
        return (word.replace(",", ""),)
    if word.isascii() and not (word[0].isalnum() or word[0] == "_"):
        return (f".op.{word.encode().hex()}",)
    if _UNSPACED.search(word):
        return tuple(_unspaced_terms(fold(word)))
    if "'" in word or "’" in word:
        pieces = [piece for piece in re.split("['’]", word) if piece not in ("", "s", "S")]
        return tuple(term for piece in pieces for term in terms_of_word(piece))
    if "." in word:
        return _unique([fold(word), *(stem(fold(piece)) for piece in word.split("."))])
    return _unique([stem(fold(word))])


def parts_of_word(word: str) -> tuple[str, ...]:
    """Return the stemmed pieces of the identifiers in one word, without its `terms_of_word`."""
    found: list[str] = []
    for name in re.split("[.'’]", word):
        pieces = [piece for piece in name.split("_") if piece]
        if len(pieces) > 1 or name.startswith("_"):
            found.extend(fold(piece) for piece in pieces)
        for piece in pieces:
            camel = _CAMEL.findall(piece) if piece.isascii() and not piece.islower() else []
            if len(camel) > 1 and all(len(part) > 1 for part in camel):
                found.extend(part.lower() for part in camel)
    known = terms_of_word(word)
    return tuple(part for part in _unique([stem(plain) for plain in found]) if part not in known)


def _unspaced_terms(plain: str) -> Iterator[str]:
    """Yield character bigrams of unspaced script, and ordinary words between them."""
    place = 0
    for run in _UNSPACED.finditer(plain):
        yield from (stem(w) for w in re.findall(r"\w+", plain[place : run.start()]))
        piece = run.group()
        if len(piece) == 1:
            yield piece
        yield from (piece[i : i + 2] for i in range(len(piece) - 1))
        place = run.end()
    yield from (stem(w) for w in re.findall(r"\w+", plain[place:]))


@lru_cache(maxsize=65_536)
def stem(plain: str) -> str:
    """Return the English snowball stem of a folded word; other scripts come back unchanged."""
    if (
        plain in _UNSTEMMED
        or len(plain) < 3
        or len(plain) > 40
        or not plain.isascii()
        or not plain.isalpha()
    ):
        return plain[:64]
    return str(snowballstemmer.stemmer("english").stemWord(plain))


def _unique(found: list[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(term for term in found if term))
