"""Owns turning HTML into a title and Markdown; fetches nothing, executes nothing.

Order matters: what is hidden is gone before anything is chosen, so that no later step can let it
through (FIELD_CASES P10).
"""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urljoin

from lxml.html import HtmlElement

from .blocks import Block, word_key, written
from .characters import visible
from .formulas import spell_formulas
from .hidden import remove_hidden
from .links import Links
from .reader import PageReader
from .selection import main_blocks
from .table_repair import repair_tables
from .title import page_title
from .tree import parse_html, strip_machinery


@dataclass(frozen=True, slots=True)
class HtmlPage:
    """What an HTML page holds: its title, all its blocks, and those that are its content.

    `root` is its tree, without what is hidden.
    """

    title: str
    root: HtmlElement
    blocks: list[Block]
    content: list[Block]
    links: Links

    @property
    def text(self) -> str:
        """The content as Markdown."""
        text: str = visible(written(self.content, self.links))
        return text

    @property
    def letters(self) -> int:
        """How many letters and digits stand outside navigation."""
        return sum(len(block.key) for block in self.blocks if not block.zone)

    @property
    def everything(self) -> str:
        """All visible words of the page, navigation included, without link targets."""
        return visible("\n".join(block.plain for block in self.blocks))


def html_to_text(html: str | bytes, url: str = "") -> tuple[str, str]:
    """Return title and text as Markdown; both are empty when there is nothing to read.

    `url` resolves relative links; without it they are given as text alone. Never raises.
    """
    if isinstance(html, bytes):
        from .charset import decode

        html, _ = decode(html, "text/html")
    page = read_html(html, url)
    return (page.title, page.text) if page else ("", "")


def read_html(html: str, url: str, *, scripted: bool = True) -> HtmlPage | None:
    """Read a page, or return None when there is no element in it. Never raises.

    `scripted`: false shows what a browser without scripts shows, `<noscript>` included.
    """
    root = parse_html(html)
    if root is None:
        return None
    if not scripted:
        for element in root.iter("noscript"):
            element.tag = "div"
    repair_tables(root)
    links = Links(_base(root, url), url)
    title = page_title(root)
    spell_formulas(root)
    remove_hidden(root)
    strip_machinery(root)
    reader = PageReader(root)
    blocks = reader.read()
    content = _without_title(main_blocks(root, reader), title)
    return HtmlPage(title, root, blocks, content, links)


def _base(root: HtmlElement, url: str) -> str:
    for base in root.iter("base"):
        if href := (base.get("href") or "").strip():
            try:
                return str(urljoin(url, href))
            except ValueError:
                break
    return url


def _without_title(content: list[Block], title: str) -> list[Block]:
    """The content without a first heading that only repeats the title, which is given apart."""
    if len(content) > 1 and content[0].kind == "h" and content[0].key == word_key(title):
        return content[1:]
    return content
