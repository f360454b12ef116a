"""Owns reading which feature of which thing a question asks about; looks at no source.

"What does the timeout argument of subprocess.run do?" asks about a feature of something known. What
is said of the thing then has the feature, or there is no such feature: `feature_search.py` looks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lazyboy_jupyter.adapters.models.question import is_identifier
from lazyboy_jupyter.adapters.ranking.words import LIGHT_WORDS, is_stop_word

_ROLES = (
    r"(?:keyword\s+)?(?:arguments?|args?|parameters?|params?)|keywords?|options?|flags?|attributes?|"
    r"propert(?:y|ies)|methods?|functions?|modes?|settings?|switch(?:es)?|fields?|callbacks?|clauses?"
)
_NAME = r"[A-Za-z_][\w-]*"
_PHRASE = rf"(?:{_NAME}\s+){{0,2}}{_NAME}"
_VALUE = r"(?:\s*=\s*[\w'\"]+|=)?"
# Of a phrase before its role only what follows an article belongs to it.
_MARKED = re.compile(
    rf"\b(?:the|an?|any|which|what|its|no|'s|’s)\s+[`'\"]?(?P<feature>{_PHRASE}){_VALUE}[`'\"]?"
    rf"\s+(?:{_ROLES})\b|['’]s\s+[`'\"]?(?P<owned>{_NAME})[`'\"]?\s+(?:{_ROLES})\b",
    re.IGNORECASE,
)
_MEANT = re.compile(
    rf"\bwhat\s+(?:does|do|is|are)\s+[`'\"]?(?P<feature>{_NAME}){_VALUE}[`'\"]?\s+"
    r"(?:(?:do|mean|control|stand)\s+)?(?:for\s+)?(?:in|of|for|to)\b",
    re.IGNORECASE,
)
_OFFERED = re.compile(
    rf"\b(?:support|have|accept|take|offer|provide|allow|use|(?:used|work|called)\s+with)\s+"
    rf"(?:(?:an?|the|any)\s+)?[`'\"]?(?P<feature>{_PHRASE})[`'\"]?\s*(?:\?|$|,|\.$"
    r"|\b(?:to|for|when|if|so|that|in|on|at|of|as)\b)",
    re.IGNORECASE,
)
_ACCEPTED = re.compile(
    rf"\b(?:which|what)\s+(?P<feature>{_PHRASE})\s+(?:does|do|can|will)\b.*"
    r"\b(?:support|have|accept|take|offer|provide|allow)\b",
    re.IGNORECASE,
)
_ASSIGNED = re.compile(r"(?<![\w.])(?P<feature>[A-Za-z_]\w*)\s?=(?!=)(?=\s?[\w'\"]|\s)")
_DEFINED = re.compile(rf"`(?P<feature>{_NAME})`\s+\(")
_YES_NO = re.compile(r"\W*(?:does|do|can|could|is|are|will|has|have)\b", re.IGNORECASE)
_CONSTRUCT = re.compile(
    r"\b(for|while|if|with|try|match|case|class|def|lambda|import|assert|raise|return|del|global|"
    r"nonlocal|async|await|except|finally|yield)\s+"
    r"(?:statements?|loops?|blocks?|definitions?|expressions?)\b",
    re.IGNORECASE,
)
_DOTTED = re.compile(r"(?<![\w.])[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*(?![\w.]*=)")
_BEFORE_OWNER = re.compile(
    rf"(?:\b(?:{_ROLES})\s+(?:of|in|for|to)|\b(?:does|do|can))\s+(?:the\s+)?[`'\"]?$", re.IGNORECASE
)
_AFTER_OWNER = re.compile(r"[`'\"]?(?:\(|['’]s\b)")
# They say what kind of feature is meant, or that there is one: none of them is its name.
_NO_FEATURE = frozenset(
    """
    optional positional keyword default extra additional required special right correct built-in
    builtin static instance abstract magic dunder command line line-up several multiple named
    argument arguments parameter parameters option options flag flags method methods function
    functions attribute attributes value values way ways kind type types name names object objects
    error errors exception exceptions class classes module modules support used callable callback
    clause clauses keywords property properties mode modes setting settings switch field fields
    purpose point difference possible similar equivalent standard library
    """.split()
)


@dataclass(frozen=True, slots=True)
class Feature:
    """Something asked about as a part of something else, both as the question writes them.

    `owners` are what it may be a part of, the likeliest first: symbols, constructs ("with
    statement"), plain words. `is_marked`: called an argument, a method, ..., or written as code.
    """

    name: str
    owners: tuple[str, ...]
    is_marked: bool


def asked_features(text: str) -> tuple[Feature, ...]:
    """Return the features that a question asks about, none for most; the surest first."""
    found: dict[str, Feature] = {}
    for phrase, start, is_marked in _phrases(text):
        name = _core(phrase)
        if not name or name.lower() in found:
            continue
        owners = tuple(_owners(text, (start, start + len(phrase))))
        if owners:
            found[name.lower()] = Feature(name, owners, is_marked or "_" in name.strip("_"))
    return tuple(found.values())


def is_construct(owner: str) -> str | None:
    """Return the keyword of an owner such as "with statement", or None for a name."""
    match = _CONSTRUCT.fullmatch(owner)
    return match[1].lower() if match else None


def _phrases(text: str) -> Iterator[tuple[str, int, bool]]:
    """Yield what may be a feature, where it begins, and whether it is marked as one."""
    for pattern in (_MARKED, _ASSIGNED, _DEFINED):
        for match in pattern.finditer(text):
            group = match.lastgroup or "feature"
            yield match[group], match.start(group), True
    for pattern in (_MEANT, _ACCEPTED, *((_OFFERED,) if _YES_NO.match(text) else ())):
        for match in pattern.finditer(text):
            yield match["feature"], match.start("feature"), False


def _core(phrase: str) -> str:
    """Return the content words of a phrase, "" when none is left."""
    kept = [
        word
        for word in phrase.split()
        if word.lower() not in _NO_FEATURE
        and word.lower() not in LIGHT_WORDS
        and not (is_stop_word(word) and (len(word) > 1 or word.lower() in "ai"))
    ]
    return " ".join(kept)


def _owners(text: str, taken: tuple[int, int]) -> Iterator[str]:
    """Yield what stands outside the feature and may own it: code, constructs, then plain words."""
    plain: list[str] = []
    for match in _DOTTED.finditer(text):
        word = match.group()
        if match.start() < taken[1] and match.end() > taken[0]:
            continue
        if _is_code(word):
            yield word
        elif not is_stop_word(word) and (
            _BEFORE_OWNER.search(text, 0, match.start()) or _AFTER_OWNER.match(text, match.end())
        ):
            plain.append(word)
    for match in _CONSTRUCT.finditer(text):
        if match.end() <= taken[0] or match.start() >= taken[1]:
            yield match.group()
    yield from plain


def _is_code(word: str) -> bool:
    """A name in code: dotted, with an underscore, or with a capital inside."""
    return is_identifier(word) or re.search(r"[a-z][A-Z]", word) is not None
