"""Owns what `%timing` does: the ready views with their plots, and a person's SQL."""

import difflib
import re

from ..core.timing_views import NAMES, READY, ReadyView
from ..engine.charts import escaped, ready_chart, waterfall_chart
from ..engine.engine import Engine
from ..errors import UnknownTaskError, UsageError
from ..store.reading import Head
from .arguments import TimingOptions, words_of
from .result import Charts, SqlResult

_SQL = re.compile(
    r"\s*(\(|--|/\*|(select|with|from|values|table|describe|show|summarize|explain|pivot|unpivot"
    r"|insert|update|delete|create|drop|alter|copy|attach|set|pragma|call)\b)",
    re.IGNORECASE,
)
_NEWEST = "SELECT max(task_id) FROM tasks WHERE started_at IS NOT NULL"


def run_timing(
    engine: Engine, options: TimingOptions, text: str, *, is_sql: bool
) -> Charts | SqlResult | str:
    """Do what the line or the cell asks; return what the cell shows. Raises `UsageError`, and
    KeyboardInterrupt when the query was ended so."""
    if is_sql or _SQL.match(text):
        query = engine.query(text, everything=options.all)
        return SqlResult(query, query.head(options.limit))
    asked = Asked(engine, everything=options.all)
    words = words_of(text)
    if not words:
        return asked.overview()
    if words[0] == "waterfall" and len(words) <= 2:
        return asked.waterfall(words[1] if len(words) == 2 else None)
    if words[0] in READY and len(words) == 1:
        return asked.ready(READY[words[0]])
    close = difflib.get_close_matches(words[0], NAMES, n=1)
    raise UsageError(
        f"There is no view {text[:40]!r}.",
        f"Did you mean %timing {close[0]}?"
        if close and len(words) == 1
        else f"There are {', '.join(NAMES)}; SQL goes below %%timing.",
    )


class Asked:
    """One asking for plots. `everything`: of the other notebooks of the folder too."""

    def __init__(self, engine: Engine, *, everything: bool) -> None:
        self._engine = engine
        self._everything = everything
        self._left_out: dict[str, None] = {}

    def overview(self) -> Charts | str:
        """Show the time by stage, and the waterfall of the newest task."""
        stages = self.ready(READY["stages"])
        if not stages.charts[0].bars:
            return "Nothing was timed yet. Try: %research How does the with statement work?"
        newest = self.waterfall(None)
        more = newest.charts if isinstance(newest, Charts) else ()
        return Charts((*stages.charts, *more), tuple(self._left_out))

    def ready(self, view: ReadyView) -> Charts:
        """Show a ready view."""
        return Charts((ready_chart(self._head, view),), tuple(self._left_out))

    def waterfall(self, reference: str | None) -> Charts | str:
        """Show a task's waterfall; without a reference that of the newest one."""
        if reference is not None:
            return self._waterfall(self._task(reference))
        newest = self._head(_NEWEST, 1).rows[0][0]
        if newest is None:
            return "Nothing was timed yet. Try: %research How does the with statement work?"
        return self._waterfall(str(newest))

    def _task(self, reference: str) -> str:
        try:
            return self._engine.task(reference).id
        except UnknownTaskError:
            if not self._everything or len(reference) < 4:
                raise
            sql = f"SELECT task_id FROM tasks WHERE ends_with(task_id, '{escaped(reference)}')"
            found = self._head(sql, 2).rows
            if len(found) != 1:
                raise
            return str(found[0][0])

    def _waterfall(self, task_id: str) -> Charts:
        return Charts((waterfall_chart(self._head, task_id),), tuple(self._left_out))

    def _head(self, sql: str, limit: int) -> Head:
        head = self._engine.query(sql, everything=self._everything).head(limit)
        self._left_out.update(dict.fromkeys(head.left_out))
        return head
