"""Owns telling tables of data from tables that lay a page out, and writing the former."""

from __future__ import annotations

from collections.abc import Sequence

from lxml.html import HtmlElement

from .blocks import added
from .code import is_gutter

_HEAVY = ("h1", "h2", "h3", "h4", "h5", "h6", "pre", "table", "form", "article", "section", "nav")
_LONG_CELL = 400
_LONG_CELL_UNDER_HEADER = 1_500
_WIDEST = 60


def own_parts(table: HtmlElement, tag: str) -> list[HtmlElement]:
    """Return the table's own rows or captions in order, not those of a table inside it."""
    found: list[HtmlElement] = []
    for child in table:
        if child.tag == tag:
            found.append(child)
        elif child.tag in ("thead", "tbody", "tfoot"):
            found.extend(one for one in child if one.tag == tag)
    return found


def numbered_code(table: HtmlElement) -> HtmlElement | None:
    """Return the code of a table that only sets line numbers beside it."""
    rows = own_parts(table, "tr")
    if len(rows) != 1 or len(rows[0]) != 2:
        return None
    numbers, code = rows[0]
    pre = code.find(".//pre")
    if pre is None:
        return None
    words = "".join(numbers.itertext()).split()
    return pre if is_gutter(numbers) or all(word.isdigit() for word in words) else None


def is_data_table(table: HtmlElement) -> bool:
    """Whether rows and columns mean something: small cells, or a header, and no page inside."""
    rows = own_parts(table, "tr")
    if table.get("role") in ("presentation", "none") or not rows:
        return False
    if any(one is not table for one in table.iter(*_HEAVY)):
        return False
    widths = [sum(1 for cell in row if cell.tag in ("td", "th")) for row in rows]
    if max(widths) < 2 or sum(width > 1 for width in widths) * 2 < len(rows):
        return False
    headed = table.find(".//th") is not None
    lengths = (sum(len(text.strip()) for text in cell.itertext()) for row in rows for cell in row)
    longest = _LONG_CELL_UNDER_HEADER if headed else _LONG_CELL
    return (headed or len(rows) > 1) and max(lengths, default=0) <= longest


def span(cell: HtmlElement) -> int:
    """Return how many columns the cell takes."""
    columns = cell.get("colspan") or "1"
    if not (columns.isascii() and columns.isdigit()):
        return 1
    return max(1, min(int(columns[:4]), _WIDEST))


def written_table(rows: Sequence[Sequence[tuple[str, int]]]) -> str:
    """Return rows of (text, columns spanned) as Markdown; the first row is the header."""
    grid: list[list[str]] = []
    for row in rows:
        line: list[str] = []
        for text, columns in row:
            line.extend([text.replace("|", added("\\") + "|"), *[""] * (columns - 1)])
        if any(line):
            grid.append(line[:_WIDEST])
    width = max((max(at for at, text in enumerate(line) if text) for line in grid), default=-1) + 1
    lines: list[str] = []
    for number, line in enumerate(grid):
        cells = [*line, *[""] * width][:width]
        lines.append(added("| ") + f" {added('| ')}".join(cells) + added(" |"))
        if number == 0:
            lines.append(added("|" + " --- |" * width))
    return "\n".join(lines)
