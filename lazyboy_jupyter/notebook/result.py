"""Owns what `%timing` shows: charts, and the relation of a person's SQL. It runs none itself."""

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from IPython.core.error import UsageError as OneLine

from ..core.chart import Chart, chart_to_html, chart_to_markdown, chart_to_text
from ..core.sanitise import visible
from ..errors import LazyboyError
from .session import one_line
from .tables import Table

if TYPE_CHECKING:
    from ..store.reading import Form, Head, Query

_CELL = 80


@dataclass(frozen=True, slots=True)
class Charts:
    """Charts below each other; shows itself as text, Markdown and HTML."""

    charts: tuple[Chart, ...]
    left_out: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return "\n\n".join(map(chart_to_text, self.charts))

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {
            "text/plain": repr(self),
            "text/markdown": "\n\n".join(map(chart_to_markdown, self.charts)),
            "text/html": "".join(map(chart_to_html, self.charts)),
        }


class SqlResult:
    """A query with its first rows as they were; `.df()` and its kin run it again, whole.

    They fail in one line, and a kernel interrupt ends them.
    """

    def __init__(self, query: "Query", head: "Head") -> None:
        self._query = query
        self._head = head
        self.sql = query.sql
        self.columns = head.columns
        self.left_out = head.left_out

    def df(self) -> Any:
        """Return a pandas frame."""
        return self._read("df")

    def pl(self) -> Any:
        """Return a Polars frame."""
        return self._read("pl")

    def arrow(self) -> Any:
        """Return an Arrow table."""
        return self._read("arrow")

    def fetchall(self) -> Any:
        """Return a list of tuples."""
        return self._read("rows")

    def _read(self, form: "Form") -> Any:
        try:
            return self._query.result(form)
        except LazyboyError as error:
            raise OneLine(one_line(error)) from None
        except KeyboardInterrupt:
            raise OneLine("Interrupted: the query is ended; research goes on.") from None

    def __repr__(self) -> str:
        return self._plan or str(self._table)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"text/plain": self._plan} if self._plan else self._table._repr_mimebundle_()

    @property
    def _plan(self) -> str:
        """What EXPLAIN gave: a drawing, and no table."""
        explained = self.columns == ("explain_key", "explain_value")
        return "\n".join(str(value) for _, value in self._head.rows) if explained else ""

    @property
    def _table(self) -> Table:
        more = self._head.more
        rows = tuple(tuple(_cell(value) for value in row) for row in self._head.rows)
        note = f"… {more:,} more; .df(), .pl(), .arrow() and .fetchall() have all." if more else ""
        if not rows:
            note = f"No rows. Columns: {', '.join(map(visible, self.columns))}."
        return Table(tuple(map(visible, self.columns)), rows, note)


def _cell(value: object) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, float):
        return f"{value:,.3f}".rstrip("0").rstrip(".") if abs(value) < 1e15 else f"{value:g}"
    if isinstance(value, datetime) and value.tzinfo is not None:
        return value.astimezone().isoformat(" ", "milliseconds")
    return visible(str(value), _CELL)
