"""Owns putting broken tables in order, as browsers do (HTML Standard §13.2.6.4.9); reads no text.

lxml keeps `<table><td>` and `<table><p>` as they were written. Then a cell has no row, and what
stands between the rows belongs to none: a page laid out so would lose its text.
"""

from __future__ import annotations

from lxml import html
from lxml.html import HtmlElement

_SECTIONS = ("thead", "tbody", "tfoot")
_CELLS = ("td", "th")
_OF_TABLES = frozenset((*_SECTIONS, *_CELLS, "tr", "caption", "colgroup", "col"))
_SILENT = frozenset(("script", "style", "template", "input"))


def repair_tables(root: HtmlElement) -> None:
    """Give every stray cell a row, and move what belongs to no cell before its table."""
    for table in list(root.iter("table")):
        for part in [table, *(child for child in table if child.tag in _SECTIONS)]:
            _give_rows(part)
            _move_out(part, table)


def _give_rows(part: HtmlElement) -> None:
    row: HtmlElement | None = None
    for child in list(part):
        if child.tag not in _CELLS:
            row = None
            continue
        if row is None:
            row = html.Element("tr")
            child.addprevious(row)
        row.append(child)


def _move_out(part: HtmlElement, table: HtmlElement) -> None:
    """Move elements that no table has; text between rows too, in an element of its own."""
    if table.getparent() is None:
        return
    strays = [_lifted(part, "text")] if (part.text or "").strip() else []
    for child in list(part):
        tail = _lifted(child, "tail") if (child.tail or "").strip() else None
        if isinstance(child.tag, str) and child.tag not in _OF_TABLES | _SILENT:
            part.remove(child)
            strays.append(child)
        if tail is not None:
            strays.append(tail)
    for stray in strays:
        table.addprevious(stray)


def _lifted(element: HtmlElement, where: str) -> HtmlElement:
    box = html.Element("div")
    box.text = getattr(element, where)
    setattr(element, where, None)
    return box
