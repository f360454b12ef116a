"""Owns the blocks that a page is read into and how they are written; chooses none of them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from lxml.html import HtmlElement

from .links import Links

OPEN, CLOSE = "\x02", "\x03"
"""Marks around what Markdown adds to the words; no page's text can hold them."""
BREAK = "\x04"
"""Stands for a line break inside a block until its white space is folded."""
_ADDED = re.compile(f"{OPEN}[^{CLOSE}]*{CLOSE}")
_LINK = re.compile(
    f"{OPEN}\\[{CLOSE}([^{OPEN}]*(?:{OPEN}(?!\\]\\()[^{OPEN}]*)*){OPEN}\\]\\(([^{CLOSE}]*)\\){CLOSE}"
)
_MARKS = str.maketrans("", "", OPEN + CLOSE)
_NO_WORD = re.compile(r"[\W_]+")
_NO_ASCII_WORD = dict.fromkeys(one for one in range(128) if not chr(one).isalnum())
_SPACES = re.compile(r" *\n[ \n]*")


@dataclass(slots=True)
class Block:
    """One paragraph, heading, list item, code block or table.

    `marked` is its Markdown with marks around all that is not the page's own words. `linked`
    counts the characters of its links. `zone` is true inside navigation, footers and the like.
    `item` names the list item or quoted block that it belongs to, so that their lines stay close.
    """

    kind: str
    marked: str
    linked: int
    zone: bool
    element: HtmlElement
    prefix: str = ""
    indent: str = ""
    item: int = 0
    key: str = ""

    def __post_init__(self) -> None:
        self.key = word_key(self.plain)

    @property
    def plain(self) -> str:
        """The page's own words."""
        return _ADDED.sub("", self.marked)

    def markdown(self, links: Links) -> str:
        """Return the block as it is written; a link without an address is only its text."""

        def linked(found: re.Match[str]) -> str:
            target = links.target(found.group(2))
            return f"[{found.group(1)}]({target})" if target else found.group(1)

        text = _LINK.sub(linked, self.marked).translate(_MARKS)
        if not self.prefix and not self.indent:
            return text
        lines = text.split("\n")
        rest = [self.indent + line if line else line for line in lines[1:]]
        return "\n".join([self.prefix + lines[0], *rest])


def word_key(text: str) -> str:
    """Return the letters and digits of `text` alone, by which two renderings compare."""
    return text.translate(_NO_ASCII_WORD) if text.isascii() else _NO_WORD.sub("", text)


def added(markup: str) -> str:
    """Mark what Markdown adds to the words."""
    return f"{OPEN}{markup}{CLOSE}"


def folded(parts: Iterable[str]) -> str:
    """Return inline text with white space folded and line breaks in their place."""
    text = " ".join("".join(parts).split())
    if BREAK in text:
        text = _SPACES.sub("\n", text.replace(BREAK, "\n")).strip("\n ")
    return text


def written(blocks: Iterable[Block], links: Links) -> str:
    """Return the blocks as Markdown: one blank line between blocks, none within a list."""
    parts: list[str] = []
    before: Block | None = None
    for block in blocks:
        if before is not None:
            close = block.item and before.item and block.kind == before.kind == "li"
            parts.append("\n" if close else "\n\n")
        parts.append(block.markdown(links))
        before = block
    return "".join(parts)
