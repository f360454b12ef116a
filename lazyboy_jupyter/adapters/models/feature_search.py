"""Owns whether what was read of a thing mentions a feature of it; reads no question.

A function with its whole signature shown says all that it takes. One that hands arguments on, or a
class that inherits, may say it anywhere in the pages of its module.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lazyboy_jupyter.adapters.models.feature import Feature, is_construct
from lazyboy_jupyter.adapters.models.material import Material
from lazyboy_jupyter.adapters.models.passages import PagePassage
from lazyboy_jupyter.adapters.ranking.synonyms import expansions
from lazyboy_jupyter.adapters.ranking.words import fold, terms

_TOKEN = re.compile(r"[A-Za-z_][\w-]*")
_SHORT = 120
_PREFIX = 3


@dataclass(frozen=True, slots=True)
class Missing:
    """A feature that what was read on its owner does not mention."""

    feature: str
    owner: str


def missing_feature(
    asked: Sequence[Feature], material: Material, passages: Sequence[PagePassage]
) -> Missing | None:
    """Return the first feature asked about that is not there; None also where nobody can tell."""
    for feature in asked:
        said: list[str] = []
        owner = ""
        for one in feature.owners:
            if owner and not re.search(r"[._]", one):
                break
            of_owner = _said_of(one, feature, material, passages)
            if of_owner:
                owner = owner or one
                said += of_owner
        if owner and not (
            _mentions(said, feature.name) or _stands(feature, owner, material, passages)
        ):
            return Missing(feature.name, owner)
    return None


def _stands(
    feature: Feature, owner: str, material: Material, passages: Sequence[PagePassage]
) -> bool:
    """Whether the very words of the feature stand in a page that mentions its owner.

    Of a manual with signatures the section says all, so there only a name that is no plain word
    counts wherever it stands. Any other page may be laid out as it likes.
    """
    own = re.compile(rf"(?<!\w){re.escape(owner.rpartition('.')[2])}(?!\w)", re.IGNORECASE)
    name = re.compile(rf"(?<!\w){re.escape(feature.name)}(?!\w)", re.IGNORECASE)
    is_plain = feature.name.islower() and "_" not in feature.name
    manuals = {p.page for p in passages if "(" in p.heading} if is_plain else set()
    return any(
        own.search(f"{page.title}\n{page.text}") and name.search(page.text)
        for number, page in enumerate(material.pages)
        if number not in manuals
    )


def _said_of(
    owner: str, feature: Feature, material: Material, passages: Sequence[PagePassage]
) -> list[str]:
    """Return the texts that speak of `owner`, nothing when the pages read do not cover it."""
    keyword = is_construct(owner)
    if keyword is not None:
        return _said_of_construct(keyword, material, passages)
    wanted = fold(owner)
    names = {p.heading: _name(p.heading) for p in passages}
    own = {heading: name for heading, name in names.items() if _is_named(name, wanted)}
    pages = {n for n, page in enumerate(material.pages) if _title(page.title) == wanted}
    if not own and not pages:
        return []
    below = tuple(f"{name}." for name in (wanted, *own.values()))
    inside = [p for p in passages if p.heading in own or names[p.heading].startswith(below)]
    said = [material.pages[p.page].text[p.start : p.end] for p in inside] + list(own)
    has_parts = any(name.startswith(below) for name in names.values())
    if pages or has_parts or not feature.is_marked or any(_is_open(one, inside) for one in own):
        roots = {name.partition(".")[0] for name in own.values() if "." in name} | {wanted}
        near = pages | {n for n, page in enumerate(material.pages) if _root(page.title) in roots}
        said += [f"{material.pages[n].title}\n{material.pages[n].text}" for n in sorted(near)]
    if any("(" in heading for heading in own) and (pages or has_parts):  # a class may inherit it
        said += [name.rpartition(".")[2] for name in names.values()]
    mention = re.compile(rf"(?<![\w.]){re.escape(wanted)}(?!\w)")
    pieces = (material.pages[p.page].text[p.start : p.end] for p in passages)
    return said + [piece for piece in pieces if mention.search(fold(piece))]


def _said_of_construct(
    keyword: str, material: Material, passages: Sequence[PagePassage]
) -> list[str]:
    """A chapter whose title has the keyword, or sections under such a heading."""
    wanted = {keyword, f".lit.{keyword}", *terms(keyword)}
    chapters = {n for n, page in enumerate(material.pages) if wanted & set(terms(page.title))}
    found = [material.pages[n].text for n in chapters if "." not in _title(material.pages[n].title)]
    found += [
        material.pages[p.page].text[p.start : p.end]
        for p in passages
        if p.page not in chapters and wanted & set(terms(p.heading)) and "(" not in p.heading
    ]
    return found


def _name(heading: str) -> str:
    """Return the symbol that a heading is about, folded: a heading of prose has none."""
    name = heading.partition(" — ")[0].partition("(")[0].strip()
    return fold(name) if name and " " not in name else ""


def _title(title: str) -> str:
    return fold(title.partition(" — ")[0].strip())


def _root(title: str) -> str:
    return _title(title).partition(".")[0]


def _is_named(name: str, wanted: str) -> bool:
    return bool(name) and (f".{name}".endswith(f".{wanted}") or f"builtins.{name}" == wanted)


def _is_open(heading: str, inside: Sequence[PagePassage]) -> bool:
    """Say whether a signature leaves out what it takes, and the section does not make up for it."""
    if "**" in heading or "(...)" in heading:
        return True
    length = sum(p.end - p.start for p in inside if p.heading == heading and p.kind != "heading")
    return "(" not in heading and length < _SHORT


def _mentions(said: Iterable[str], name: str) -> bool:
    """Whether any of the words of `name` stands there, a name in code in any spelling."""
    text = "\n".join(said)
    tokens = [_squeezed(token) for token in _TOKEN.findall(text)]
    spelled = {"".join(tokens[at : at + n]) for at in range(len(tokens)) for n in (1, 2, 3)}
    there = set(terms(" ".join(dict.fromkeys(_TOKEN.findall(text)))))
    there |= {
        part for token in set(_TOKEN.findall(text)) for part in terms(token.replace("_", " "))
    }
    for word in name.split():
        if _squeezed(word) in spelled:
            return True
        if "_" in word.strip("_"):
            continue
        own = set(terms(word.replace("-", " ")))
        if own & there or there & set(expansions(own)) or _shortened(word, text):
            return True
    return False


def _squeezed(word: str) -> str:
    return re.sub(r"[_-]", "", fold(word))


def _shortened(word: str, text: str) -> bool:
    """Whether a parameter's name is the beginning of the word: `sep` is the separator."""
    plain = fold(word)
    shown = re.findall(r"[(,*\s](\w+)=", fold(text))
    return any(
        len(name) >= _PREFIX and (plain.startswith(name) or name.startswith(plain))
        for name in shown
        if len(plain) >= _PREFIX
    )
