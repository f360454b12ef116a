"""Owns cutting a text into passages with exact offsets; never changes a character of the text.

A passage is a sentence, a list item's sentence, a heading, a signature or a piece of code. It
never crosses a blank line and is never longer than `LIMIT` characters. Our own few lines were as
good as large sentence libraries on reference pages (DESIGN, section 20), which cut
`asyncio.TaskGroup`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lazyboy_jupyter.adapters.ranking.layout import Block, Kind, blocks_of

LIMIT = 300

_END = re.compile(r"[.!?…]+[\"'”’»)\]*_`]*(?=\s)|[。！？।؟]+[”’」』）]*")
_OPENER = re.compile(r"[\"'“‘«(\[*_`<¿¡>-]*")
_ABBREVIATIONS = frozenset(
    """
    mr mrs ms dr prof sr jr st mt ft gen col sgt capt lt cmdr adm gov sen rep rev hon pres
    vs etc inc ltd co corp bros dept univ assn est no nos vol vols ed eds fig figs eq sec ch
    pp pg e.g i.e cf al approx ca viz resp incl excl esp c.f a.k.a jan feb mar apr jun jul
    aug sep sept oct nov dec
    """.split()
)
# After these a capital letter nearly always goes on with the same name; after "Inc." it may not.
_CLAUSE_ENDS = (
    re.compile(r"[;:]\s"),
    re.compile(r"\s[—–-]\s|—"),
    re.compile(r",\s"),
    re.compile(r"\s"),
)


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a text by character offsets; `paragraph` counts the runs between blank lines."""

    start: int
    end: int
    kind: Kind
    paragraph: int


def split(text: str, limit: int = LIMIT) -> list[Passage]:
    """Return the passages of `text` in order, each at most `limit` characters long."""
    found: list[Passage] = []
    for block in blocks_of(text):
        for start, end in _cuts(text, block):
            found.extend(
                Passage(a, b, block.kind, block.paragraph)
                for a, b in _shortened(text, start, end, limit)
            )
    return found


def _cuts(text: str, block: Block) -> Iterator[tuple[int, int]]:
    """Yield the sentences of a block; headings, signatures and code stay whole."""
    if block.kind in ("heading", "signature", "code"):
        yield from _trimmed(text, block.start, block.end)
        return
    start = block.start
    for match in _END.finditer(text, block.start, block.end):
        if _ends_sentence(text, match, start, block.end):
            yield from _trimmed(text, start, match.end())
            start = match.end()
    yield from _trimmed(text, start, block.end)


def _ends_sentence(text: str, mark: re.Match[str], start: int, end: int) -> bool:
    """Decide by the word before the mark and the character after it."""
    if mark.group()[0] not in ".…":
        return True
    following = text[mark.end() : mark.end() + 40].lstrip()
    following = following[_OPENER.match(following).end() :]  # type: ignore[union-attr]
    if following and following[0].islower() and not _starts_identifier(following):
        return False
    before = text[max(start, mark.start() - 30) : mark.start()]
    word = re.split(r"[\s(\[\"“]", before)[-1]
    if word.lower() in _ABBREVIATIONS:
        return False
    is_initial = len(word) == 1 and word.isalpha() and word.isupper()
    is_letters = re.fullmatch(r"(?:[A-Za-z]\.)+[A-Za-z]", word) is not None
    is_number_mark = word.isdigit() and text[start : mark.start()].strip() == word
    return not (is_initial or is_letters or is_number_mark)


def _starts_identifier(following: str) -> bool:
    """Documentation starts sentences with names: "maxsize is ...", "asyncio.run() does ..."."""
    word = re.split(r"\s", following, maxsplit=1)[0]
    return "_" in word or "(" in word or "." in word.rstrip(".,;:")


def _trimmed(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    piece = text[start:end]
    bare = piece.strip()
    if bare:
        at = start + len(piece) - len(piece.lstrip())
        yield at, at + len(bare)


def _shortened(text: str, start: int, end: int, limit: int) -> Iterator[tuple[int, int]]:
    """Cut an overlong sentence after the last good place, never before its middle if possible."""
    while end - start > limit:
        cut = _cut_place(text, start, start + limit)
        yield from _trimmed(text, start, cut)
        while cut < end and text[cut].isspace():
            cut += 1
        start = cut
    if start < end:
        yield from _trimmed(text, start, end)


def _cut_place(text: str, start: int, stop: int) -> int:
    least = start + (stop - start) // 3
    line = text.rfind("\n", least, stop)
    for pattern in _CLAUSE_ENDS:
        places = [m.end() for m in pattern.finditer(text, least, stop)]
        if places:
            return places[-1]
    return line if line > start else stop
