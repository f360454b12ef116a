"""Owns what Tab offers inside the body of a `%%timing` cell: views, their columns, words of SQL.

It reads the cell's text and nothing else; it starts no engine.
"""

import re
from typing import Any

from IPython.core.completer import SimpleCompletion, context_matcher

from ..store.views import COLUMNS

_WORDS = (
    "SELECT", "DISTINCT", "FROM", "JOIN", "LEFT JOIN", "USING", "WHERE", "GROUP BY", "HAVING",
    "ORDER BY", "LIMIT", "WITH", "AND", "OR", "NOT", "IN", "BETWEEN", "IS NULL", "DESC", "AS",
    "CASE", "WHEN", "THEN", "ELSE", "END", "FILTER", "UNION ALL", "DESCRIBE", "SUMMARIZE",
    "count(*)", "sum(", "avg(", "min(", "max(", "median(", "quantile_cont(", "date_trunc(",
)  # fmt: skip
_FRAGMENT = re.compile(r"[\w.]*\Z")
_NAMED = re.compile(rf"\b({'|'.join(COLUMNS)})\b(?:\s+(?:as\s+)?(\w+))?", re.IGNORECASE)
_AFTER_TABLE = {"on", "using", "where", "group", "order", "join", "left", "limit", "as", "union"}


def sql_completions(before: str, after: str = "") -> tuple[str, list[str]]:
    """Return the fragment before the cursor that a completion replaces, and what may stand there.

    `before` and `after`: the cell's body around the cursor.
    """
    found = _FRAGMENT.search(before)
    fragment = found.group() if found else ""
    words = re.findall(r"\w+|,", before[: len(before) - len(fragment)])
    last = words[-1].lower() if words else ""
    if last in {"from", "join", "describe", "summarize"}:
        return fragment, _starting([*COLUMNS], fragment)
    views = _views(before[: len(before) - len(fragment)] + " ; " + after)
    alias, dot, _ = fragment.rpartition(".")
    if dot:
        view = views.get(alias.lower())
        columns = COLUMNS[view] if view is not None else {}
        return fragment, _starting([f"{alias}.{_column(name)}" for name in columns], fragment)
    named = dict.fromkeys(views.values()) or COLUMNS
    columns_of_all = dict.fromkeys(_column(name) for view in named for name in COLUMNS[view])
    offered = _starting(columns_of_all | dict.fromkeys(COLUMNS), fragment)
    return fragment, [*offered, *(_starting(_WORDS, fragment) if fragment else [])]


def _views(text: str) -> dict[str, str]:
    """Return the views that a text names, by name and by alias."""
    views: dict[str, str] = {}
    for name, alias in _NAMED.findall(text):
        views[name.lower()] = name.lower()
        if alias and alias.lower() not in _AFTER_TABLE:
            views[alias.lower()] = name.lower()
    return views


def _column(name: str) -> str:
    return '"offset"' if name == "offset" else name


def _starting(names: Any, fragment: str) -> list[str]:
    wanted = fragment.lower()
    return [name for name in names if name.lower().replace('"', "").startswith(wanted)]


@context_matcher()
def timing_body_matcher(context: Any) -> dict[str, Any]:
    """Complete the body of a `%%timing` cell; other cells are left to others."""
    lines = context.full_text.split("\n")
    if context.cursor_line == 0 or not re.match(r"%%timing\b", lines[0].lstrip()):
        return {"completions": [], "suppress": False}
    line = lines[context.cursor_line]
    before = [*lines[1 : context.cursor_line], line[: context.cursor_position]]
    after = [line[context.cursor_position :], *lines[context.cursor_line + 1 :]]
    fragment, offered = sql_completions("\n".join(before), "\n".join(after))
    return {
        "completions": [SimpleCompletion(text, type="sql") for text in offered],
        "matched_fragment": fragment,
        "ordered": True,
        "suppress": True,
    }
