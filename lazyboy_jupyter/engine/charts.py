"""Owns what a chart of the store's figures is read with: the ready views, a task's waterfall."""

from collections.abc import Callable

from ..core.chart import Chart
from ..core.render_text import short_id
from ..core.sanitise import visible
from ..core.timing_views import MOST_BARS, ReadyView, chart_of
from ..core.waterfall import WATERFALL_SQL, Stage, waterfall
from ..store.reading import Head

Reads = Callable[[str, int], Head]
"""Gives the first rows of a query, so many at most."""
_MOST_STAGES = 10_000
_QUESTION = 60


def ready_chart(read: Reads, view: ReadyView) -> Chart:
    """Return the chart of a ready view, as it stands now."""
    return chart_of(view, read(view.sql, MOST_BARS).rows)


def waterfall_chart(read: Reads, task_id: str) -> Chart:
    """Return the waterfall of a task, of whose stages the first `_MOST_STAGES` are looked at."""
    sql = WATERFALL_SQL.format(task_id=escaped(task_id))
    stages = [Stage(*row) for row in read(sql, _MOST_STAGES).rows]
    asked = f"SELECT question FROM tasks WHERE task_id = '{escaped(task_id)}'"
    rows = read(asked, 1).rows
    question = f" ({visible(rows[0][0], _QUESTION)})" if rows else ""
    return waterfall(f"task {short_id(task_id)}{question}", stages, sql)


def escaped(text: str) -> str:
    """Return a text for between an SQL literal's quotes."""
    return text.replace("'", "''")
