"""Owns which blocks of a page are its content; writes none of them.

An article is chosen by trafilatura, because on articles nothing is better (DESIGN §20): the blocks
that it speaks of are taken from our own reading of the page, which keeps code, tables and links as
they were. A manual, a thread of questions and answers, a list or a form of any kind is no article:
there the page is given whole, without its navigation. So is a page of which trafilatura keeps
little: on 91 articles it kept at least 39 % of the text that is no navigation and no link.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Sequence

from lxml.html import HtmlElement
from trafilatura import bare_extraction

from .alignment import aligned
from .blocks import Block
from .reader import PageReader

logging.getLogger("trafilatura").setLevel(logging.CRITICAL + 1)  # a worker prints nothing

_LEAST_SHARE = 0.35
_LEAST_LETTERS = 150
_MANY_BLOCKS = 6_000
"""Blocks, rows included, above which trafilatura's time grows with their square."""
_MANY_ELEMENTS = 40_000
_DEEP = 120
_PERMALINKS = 4
_CODE_BLOCKS = 2
_NEAR = 4
_LONGEST_LINK_LINE = 100
_REGION_SHARE = 0.5

_GENERATORS = re.compile(
    r"rustdoc|sphinx|mkdocs|docusaurus|mdbook|javadoc|doxygen|texinfo|makeinfo|texi2html|docbook"
    r"|gitbook|pdoc|jsdoc|typedoc|vuepress|vitepress|starlight|antora|asciidoc|hevea|latex2html"
    r"|mediawiki|dokuwiki|discourse|phpbb|vbulletin|xenforo|pandoc|quarto|yard|scaladoc|dartdoc",
    re.IGNORECASE,
)
_THREADS = re.compile(
    r'"@type"\s*:\s*\[?\s*"(?:QAPage|DiscussionForumPosting|TechArticle|APIReference|SoftwareSourceCode'
    r'|Product|CollectionPage|SearchResultsPage|HowTo|Dataset)"'
)
_ARTICLES = re.compile(
    r'"@type"\s*:\s*\[?\s*"(?:\w*NewsArticle|Article|BlogPosting|LiveBlogPosting|ReportageNewsArticle)"'
)
_TYPES = re.compile(
    r"schema\.org/(?:QAPage|DiscussionForumPosting|Question|TechArticle|APIReference|Product"
    r"|SoftwareSourceCode|SearchResultsPage)\b"
)


def main_blocks(root: HtmlElement, reader: PageReader) -> list[Block]:
    """Return the blocks that are the page's content, in order."""
    blocks = reader.blocks
    if _is_no_article(root, blocks, reader.permalinks) or _is_too_large(root, reader):
        return page_blocks(root, blocks)
    kept = aligned(blocks, _extracted(root))
    _complete(blocks, kept)
    chosen = [block for block, keep in zip(blocks, kept, strict=True) if keep]
    letters = sum(len(block.key) for block in chosen)
    if letters >= _LEAST_SHARE * sum(len(block.key) for block in blocks if is_prose(block)):
        return chosen if letters >= _LEAST_LETTERS else page_blocks(root, blocks) or chosen
    return page_blocks(root, blocks)


def page_blocks(root: HtmlElement, blocks: Sequence[Block]) -> list[Block]:
    """Return the whole page without navigation; within its main part, where it names one."""
    plain = [block for block in blocks if not block.zone]
    region = _region(root)
    if region is not None:
        inside = set(region.iter("*"))
        within = [block for block in plain if block.element in inside]
        if _letters(within) >= _REGION_SHARE * _letters(plain):
            plain = within
    return _without_link_edges(plain) or plain or PageReader(root, skim=False).read()


def _is_no_article(root: HtmlElement, blocks: Sequence[Block], permalinks: int) -> bool:
    kinds = set()
    for meta in root.iter("meta"):
        name = (meta.get("name") or meta.get("property") or "").lower()
        content = meta.get("content") or ""
        if name == "generator" and _GENERATORS.search(content):
            return True
        if name == "og:type":
            kinds.add(content.lower())
    if permalinks >= _PERMALINKS:
        return True
    data = [script.text for script in root.iter("script") if script.text]
    if any(_ARTICLES.search(text) for text in data):
        return False
    if any(_THREADS.search(text) for text in data) or kinds & {"product", "object"}:
        return True
    if any(_TYPES.search(one.get("itemtype")) for one in root.iterfind(".//*[@itemtype]")):
        return True
    return "article" not in kinds and sum(b.kind == "pre" for b in blocks) >= _CODE_BLOCKS


def _is_too_large(root: HtmlElement, reader: PageReader) -> bool:
    """Whether trafilatura would take too long, or find nothing."""
    if len(reader.blocks) > _MANY_BLOCKS or reader.deepest > _DEEP:
        return True
    return sum(1 for _ in root.iter("*")) > _MANY_ELEMENTS


def _extracted(root: HtmlElement) -> list[str]:
    """The pieces of text that trafilatura takes for the page's content."""
    try:
        document = bare_extraction(root, fast=True, include_comments=False, output_format="txt")
    except Exception:  # noqa: BLE001 - hostile trees raise all kinds; there is a way without it
        return []
    body = getattr(document, "body", None)
    return [] if body is None else list(body.itertext())


def _complete(blocks: Sequence[Block], kept: list[bool]) -> None:
    """Keep code, tables and definitions that stand between kept blocks: some get lost."""
    for at, block in enumerate(blocks):
        if kept[at] or not is_prose(block):
            continue
        if block.kind == "h" and any(kept[:at]) and any(kept[at + 1 : at + 2]):
            kept[at] = True
        if block.kind not in ("pre", "table", "dl"):
            continue
        if any(kept[max(0, at - _NEAR) : at]) and any(kept[at + 1 : at + 1 + _NEAR]):
            kept[at] = True


def is_prose(block: Block) -> bool:
    """Whether the block is text of the page itself: no navigation, not mostly links."""
    return not block.zone and block.linked < 0.5 * len(block.plain)


def _letters(blocks: Sequence[Block]) -> int:
    return sum(len(block.key) for block in blocks)


def _region(root: HtmlElement) -> HtmlElement | None:
    """The one element that the page names its main part, if it names just one."""
    for path in (".//main", ".//*[@role='main']", ".//article"):
        found = root.findall(path)
        if found:
            return found[0] if len(found) == 1 else None
    return None


def _without_link_edges(blocks: list[Block]) -> list[Block]:
    """Drop the links before the first and after the last text: what leads to other pages."""
    start, end = 0, len(blocks)
    while start < end and _is_links(blocks[start]):
        start += 1
    while end > start and _is_links(blocks[end - 1]):
        if end > start + 1 and blocks[end - 2].kind == "h":
            break  # the text of a card that is a link as a whole
        end -= 1
    inner = blocks[start:end]
    return inner if 2 * _letters(inner) > _letters(blocks) else blocks


def _is_links(block: Block) -> bool:
    plain = block.plain
    if block.kind in ("h", "pre", "table") or len(plain) > _LONGEST_LINK_LINE:
        return False
    return block.linked > 0.7 * len(plain)
