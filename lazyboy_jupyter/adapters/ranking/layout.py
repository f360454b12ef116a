"""Owns the line layout of a text: which lines are headings, list items, code; never cuts sentences.

Markdown, reStructuredText and docstrings are told apart by their lines only, so that offsets into
the original text stay exact.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Kind = Literal["heading", "item", "code", "signature", "prose"]

_HEADING = re.compile(r"\s{0,3}#{1,6}\s+\S")
_UNDERLINE = re.compile(r"\s*([=\-~^\"'#*+`:.])\1{2,}\s*$")
_ROW = re.compile(r"\s*\|(?:[^|]*\|){2,}\s*")  # of a Markdown table
_FENCE = re.compile(r"\s*(```|~~~)")
_ITEM = re.compile(r"\s*(?:[-*+•‣▪]|\(?\d{1,3}[.)]|\(?[a-zA-Z][.)])\s+\S")
_SIGNATURE = re.compile(
    r"\s*(?:async\s+|class\s+|def\s+)*[A-Za-z_][\w.]*\((?:[^()\"“]|\([^()]*\))*\)"
    r"(?:\s*-+>\s*\S.*)?:?\s*$"
)
_CODE_LINE = re.compile(
    r"\s*(?:>>>|\.\.\.(?:\s|$)|\$ |@\w|#!|(?:from|import)\s+[\w.]+|(?:def|class)\s+\w+.*:$"
    r"|(?:for|while|if|elif|with|try|except|else|finally)\b[^.]*:$|return\b|raise \w+"
    r"|[\w.\[\]'\", ]+\s(?:=|\+=|-=|->|::=|:=)\s|[{}\[\]()]|\w+\s*:=|</?\w+)"
)
_CODE_END = re.compile(r"[)\]};{,]\s*$|^\s*[\w.]+\([^)]*\)\s*(?:#.*)?$")


@dataclass(frozen=True, slots=True)
class Line:
    """One line by character offsets (`end` without the line break) and its indentation."""

    start: int
    end: int
    indent: int
    blank: bool


@dataclass(frozen=True, slots=True)
class Block:
    """Lines that belong together: a paragraph, one list item, one code block, one heading."""

    start: int
    end: int
    kind: Kind
    paragraph: int


def lines_of(text: str) -> list[Line]:
    """Return the lines of `text`; only line feeds and carriage returns break lines."""
    found: list[Line] = []
    for match in re.finditer(r"[^\r\n]*(?:\r\n|\r|\n|$)", text):
        raw = match.group().rstrip("\r\n")
        if match.start() == len(text) and match.start() > 0:
            break
        body = raw.strip()
        indent = len(raw.expandtabs(4)) - len(raw.expandtabs(4).lstrip()) if body else 0
        found.append(Line(match.start(), match.start() + len(raw), indent, not body))
    return found


def blocks_of(text: str) -> list[Block]:
    """Return the blocks of `text` in order; no block crosses a blank line."""
    blocks: list[Block] = []
    for number, group in enumerate(_paragraphs(text)):
        blocks.extend(_blocks_of_paragraph(text, group, number))
    return blocks


def _paragraphs(text: str) -> Iterator[tuple[list[Line], bool]]:
    """Yield runs of lines without a blank one, and whether they stand inside a code fence."""
    group: list[Line] = []
    fenced = False
    for line in lines_of(text):
        if _FENCE.match(text, line.start, line.end):
            if group:
                yield group, fenced
            group, fenced = [], not fenced
        elif line.blank:
            if group:
                yield group, fenced
            group = []
        else:
            group.append(line)
    if group:
        yield group, fenced


def _blocks_of_paragraph(
    text: str, paragraph: tuple[list[Line], bool], number: int
) -> Iterator[Block]:
    """Cut one paragraph into blocks where the kind of line changes."""
    lines, fenced = paragraph
    if fenced or _is_code(text, lines):
        yield Block(lines[0].start, lines[-1].end, "code", number)
        return
    open_from: Line | None = None
    kind: Kind = "prose"
    last = lines[0]
    for line, following in zip(lines, [*lines[1:], None], strict=True):
        # Inside a paragraph a call that fills a line is prose; only headings stack.
        may_sign = open_from is None or kind in ("heading", "signature")
        new = _kind_of_line(text, line, following, is_first=may_sign)
        if _UNDERLINE.match(text, line.start, line.end):
            if open_from is not None:
                yield Block(open_from.start, last.end, kind, number)
            open_from = None
            continue
        joins = new == "prose" and kind in ("prose", "item") and open_from is not None
        if not joins:
            if open_from is not None:
                yield Block(open_from.start, last.end, kind, number)
            open_from, kind = line, new
        last = line
    if open_from is not None:
        yield Block(open_from.start, last.end, kind, number)


def _kind_of_line(text: str, line: Line, following: Line | None, *, is_first: bool) -> Kind:
    if _HEADING.match(text, line.start, line.end):
        return "heading"
    if (
        following is not None
        and _UNDERLINE.match(text, following.start, following.end)
        and following.end - following.start >= 3
    ):
        return "heading"
    raw = text[line.start : line.end]
    if _ITEM.match(raw) or _ROW.fullmatch(raw):
        return "item"
    if is_first and _SIGNATURE.match(raw):
        return "signature"
    return "prose"


def _is_code(text: str, lines: list[Line]) -> bool:
    """Say whether an indented paragraph reads like code; indented prose in docstrings is prose."""
    raws = [text[line.start : line.end] for line in lines]
    if raws[0].lstrip().startswith((">>>", "$ ", "+--", "+==", "| ")):
        return not all(map(_ROW.fullmatch, raws))
    if min(line.indent for line in lines) < 2:
        return False
    marked = sum(bool(_CODE_LINE.match(raw) or _CODE_END.search(raw)) for raw in raws)
    return marked * 2 >= len(raws) and not _ITEM.match(raws[0])
