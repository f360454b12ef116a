"""Owns reading a cleaned tree into blocks, in document order; chooses none of them.

The walk recurses with the tree but skips over boxes that only hold one box, and a part that is
nested deeper than the interpreter could follow gives its bare text.
"""

from __future__ import annotations

from collections.abc import Iterator

from lxml.html import HtmlElement

from .blocks import BREAK, Block, added, folded
from .code import code_language, code_text, fenced
from .links import is_permalink, stated_target
from .tables import is_data_table, numbered_code, own_parts, span, written_table
from .tree import texts_by_box
from .zones import Zones

_BLOCKS = frozenset(
    """
    address article aside blockquote body caption center dd details dialog dir div dl dt fieldset
    figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr legend li main menu nav ol
    p pre search section summary table tbody td tfoot th thead tr ul listing xmp
    """.split()
)
_BOXES = frozenset(("div", "section", "main", "article", "center", "body"))
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_SKIMMED = frozenset(("nav", "footer", "header", "menu"))
_SKIPPED = frozenset(("head", "script"))
_DEEPEST = 150


class PageReader:
    """Reads one tree once. `blocks` is what it found, `permalinks` counts the headings and terms
    that link to themselves, `deepest` is the depth of the tree without boxes that hold one box.
    `skim`: navigation is read as one block each, since it is hardly ever given.
    """

    def __init__(self, root: HtmlElement, *, skim: bool = True) -> None:
        self._skim = skim
        self.blocks: list[Block] = []
        self.permalinks = 0
        self.deepest = 0
        self._parts: list[str] = []
        self._linked = 0
        self._local = 0
        self._zone = 0
        self._root = self._home = root
        self._zones = Zones(root)
        self._target = ""
        self._link_start = -1
        self._prefix = ""
        self._indent = ""
        self._items = 0
        self._heading = 0
        self._in_link = False
        self._in_cell = False
        self._item = 0
        self._kind = "p"

    def read(self) -> list[Block]:
        """Return the blocks of the whole tree."""
        self._walk(self._root, 0)
        self._flush()
        return self.blocks

    def _walk(self, element: HtmlElement, depth: int) -> None:
        while (
            element.tag in _BOXES
            and len(element) == 1
            and element[0].tag in _BOXES
            and not (element.text or "").strip()
            and not (element[0].tail or "").strip()
            and (self._zone or not self._zones.is_apart(element))
        ):
            element = element[0]
        tag = element.tag
        if not isinstance(tag, str) or tag in _SKIPPED:
            return
        if depth > self.deepest:
            self.deepest = depth
        if depth > _DEEPEST:
            self._bare(element)
        elif tag in _BLOCKS:
            self._block(element, tag, depth)
        else:
            self._inline(element, tag, depth)

    def _children(self, element: HtmlElement, depth: int) -> None:
        if element.text:
            self._text(element.text)
        for child in element:
            self._walk(child, depth + 1)
            if child.tail:
                self._text(child.tail)

    def _text(self, text: str) -> None:
        self._parts.append(text)
        if self._in_link:
            self._linked += len(text.strip())

    # Blocks

    def _block(self, element: HtmlElement, tag: str, depth: int) -> None:
        self._flush()
        apart = not self._zone and self._zones.is_apart(element)
        home, self._home = self._home, element
        self._zone += apart
        if apart and self._skim and tag in _SKIMMED:
            self._parts.append(" ".join(element.itertext()))
        elif tag in _HEADINGS:
            self._heading = int(tag[1])
            self._children(element, depth)
            self._flush()
            self._heading = 0
        elif tag in ("pre", "listing", "xmp") and not self._in_cell:
            self._code(element)
        elif tag == "table" and not self._in_cell:
            self._table(element, depth)
        elif tag in ("ul", "ol", "menu", "dir"):
            self._list(element, tag == "ol", depth)
        elif tag == "blockquote":
            self._nested(element, depth, "> ", "> ")
        elif tag in ("dt", "dd"):
            kind, self._kind = self._kind, "dl"
            if tag == "dd":
                self._nested(element, depth, ": ", "  ")
            else:
                self._children(element, depth)
                self._flush()
            self._kind = kind
        elif tag == "li":
            self._item_block(element, depth, "- ")
        else:
            self._children(element, depth)
        self._flush()
        self._zone -= apart
        self._home = home

    def _nested(self, element: HtmlElement, depth: int, first: str, rest: str) -> None:
        """Read what is inside a list item or a quotation, whose lines begin in their own way."""
        prefix, indent = self._prefix, self._indent
        self._prefix, self._indent = prefix + first, indent + rest
        self._children(element, depth)
        self._flush()
        begun = self._prefix == self._indent
        self._prefix, self._indent = (indent if begun else prefix), indent

    def _list(self, element: HtmlElement, ordered: bool, depth: int) -> None:  # noqa: FBT001
        number = _whole_number(element.get("start"), 1)
        if element.text:
            self._text(element.text)
        for child in element:
            if child.tag == "li":
                self._item_block(child, depth + 1, f"{number}. " if ordered else "- ")
                number += 1
            else:
                self._walk(child, depth + 1)
            if child.tail:
                self._text(child.tail)

    def _item_block(self, element: HtmlElement, depth: int, marker: str) -> None:
        self._flush()
        apart = not self._zone and self._zones.is_apart(element)
        home, self._home = self._home, element
        self._zone += apart
        self._items += 1
        item, self._item = self._item, self._items
        self._nested(element, depth, marker, " " * len(marker))
        self._item = item
        self._zone -= apart
        self._home = home

    def _code(self, element: HtmlElement) -> None:
        code = code_text(element)
        if code.strip():
            opening, closing = fenced(code, code_language(element))
            self._add("pre", added(opening) + code + added(closing))

    def _table(self, element: HtmlElement, depth: int) -> None:
        if (code := numbered_code(element)) is not None:
            self._code(code)
            return
        data = is_data_table(element)
        for caption in own_parts(element, "caption"):
            self._walk(caption, depth + 1)
        rows = [[*self._cells(row, depth, data=data)] for row in own_parts(element, "tr")]
        if data and (marked := written_table(rows)):
            self._add("table", marked)
        self._linked = 0

    def _cells(self, row: HtmlElement, depth: int, *, data: bool) -> Iterator[tuple[str, int]]:
        """The cells of a table of data, with the columns each spans.

        A row of a table that only lays the page out is read as blocks at once; cells without
        blocks of their own read as one line.
        """
        self._flush()
        in_cell, self._in_cell = self._in_cell, self._in_cell or data
        for cell in row:
            if cell.tag not in ("td", "th"):
                continue
            home, self._home = self._home, cell
            self._parts.append(" ")
            self._children(cell, depth + 1)
            self._parts.append(" ")
            self._home = home
            if data:
                yield folded(self._parts).replace("\n", " "), span(cell)
                self._parts = []
        self._in_cell = in_cell
        if not data:
            self._flush()

    # Text inside a block

    def _inline(self, element: HtmlElement, tag: str, depth: int) -> None:
        if tag == "br":
            self._parts.append(BREAK)
        elif tag == "a":
            self._anchor(element, depth)
        elif tag in ("code", "kbd", "samp", "tt") and not self._heading:
            self._code_span(element, depth)
        elif tag == "wbr" or tag == "img":
            return
        elif tag == "label":
            self._parts.append(" ")
            self._children(element, depth)
            self._parts.append(" ")
        elif tag == "q":
            self._parts.append("“")
            self._children(element, depth)
            self._parts.append("”")
        elif tag == "sup" and (text := "".join(element.itertext()).strip()).isdigit():
            before = "".join(self._parts[-1:])[-1:]
            if element.find(".//a") is None:
                self._parts.append(f"^{text}" if before.isalnum() else text)
            else:
                self._children(element, depth)
        elif tag != "span" or not self._zones.is_noise(element):
            self._children(element, depth)

    def _code_span(self, element: HtmlElement, depth: int) -> None:
        if element.find(".//a") is not None or len(element) > 20:
            self._children(element, depth)
            return
        text = "".join(element.itertext())
        if not text.strip():
            return
        tick = "``" if "`" in text else "`"
        self._text(added(tick) + text.strip() + added(tick))

    def _anchor(self, element: HtmlElement, depth: int) -> None:
        if is_permalink(element, in_heading=self._heading > 0):
            self.permalinks += bool(self._heading) or element.getparent().tag == "dt"
            return
        outer = self._in_link
        target = "" if outer else stated_target(element)
        local = (element.get("href") or "").startswith("#")
        linked = self._linked
        self._in_link = True
        if target:
            self._target, self._link_start = target, len(self._parts)
            self._parts.append(added("["))
        self._children(element, depth)
        if target:
            self._end_link()
        if local:
            self._local += self._linked - linked
        self._in_link = outer

    def _end_link(self) -> None:
        """Close the open link around what was said in it, or take its beginning back."""
        if self._link_start < 0:
            return
        label = " ".join("".join(self._parts[self._link_start + 1 :]).split())
        if not label.strip(BREAK + " ") or label == self._target or self._heading == 1:
            del self._parts[self._link_start]
        else:
            self._parts.append(added(f"]({self._target})"))
        self._link_start = -1

    def _flush(self) -> None:
        """End the block that is being read; in a cell, only its line."""
        if not self._parts:
            return
        if self._in_cell:
            self._parts.append(" ")
            return
        reopened = ""
        if self._link_start >= 0:
            said = "".join(self._parts[self._link_start + 1 :]).strip(BREAK + " \n\t")
            reopened = "" if said else self._target
            self._end_link()
        text = folded(self._parts)
        self._parts = []
        if text:
            level = self._heading
            if level:
                text = text.replace("\n", " ").rstrip("¶").rstrip()
                if text:
                    self._add("h", added("#" * level + " ") + text)
            else:
                self._add("li" if self._item else self._kind, text)
        self._linked = self._local = 0
        if reopened:
            self._link_start = 0
            self._parts.append(added("["))

    def _add(self, kind: str, marked: str) -> None:
        # An item that only leads to a place on this page belongs to a table of contents.
        contents = kind == "li" and self._local >= 0.8 * len(marked)
        block = Block(
            kind, marked, self._linked, self._zone > 0 or contents, self._home,
            self._prefix, self._indent, self._item,
        )  # fmt: skip
        self._prefix = self._indent
        if block.key or kind == "pre":
            self.blocks.append(block)

    def _bare(self, element: HtmlElement) -> None:
        """The text of what is nested too deep to follow, a paragraph for each of its boxes."""
        for text in texts_by_box(element, _BLOCKS):
            self._flush()
            self._parts.append(text)
        self._flush()


def _whole_number(text: str | None, otherwise: int) -> int:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 7 else otherwise
