"""The timing benchmark's quick form: what it measures is right (its figures are printed, not
tested)."""

import asyncio
import statistics

import pytest

from lazyboy_jupyter.core.waterfall import WATERFALL_SQL, Stage, waterfall
from lazyboy_jupyter.store.database import Database
from tests.benchmarks.timing import STAGES, TASK_ROWS, fill, lateness, report

ROWS = 20_000


def test_percentiles_are_exact(database: Database) -> None:
    fill(database, ROWS)
    view = {row["stage"]: row for row in database.rows("SELECT * FROM stage_percentiles")}
    assert list(view) == sorted(STAGES)
    for stage in STAGES:
        rows = database.rows("SELECT elapsed_ms AS e FROM timing WHERE stage = ?", [stage])
        values = [row["e"] for row in rows]
        cuts = statistics.quantiles(values, n=100, method="inclusive")
        shown = [view[stage][name] for name in ("p50_ms", "p95_ms", "p99_ms", "max_ms", "n")]
        assert shown == pytest.approx([cuts[49], cuts[94], cuts[98], max(values), len(values)])


def test_one_tasks_waterfall_is_all_of_it(database: Database) -> None:
    fill(database, ROWS)
    rows = database.rows(WATERFALL_SQL.format(task_id="t000000100"))
    stages = [Stage(**row) for row in rows]
    assert len(stages) == TASK_ROWS
    assert stages[0].offset_ms == 0
    assert [one.offset_ms for one in stages] == sorted(one.offset_ms for one in stages)
    chart = waterfall("t", stages, "")
    assert sum("together" in bar.label for bar in chart.bars) > 0


def test_all_that_is_written_is_there(database: Database) -> None:
    late, rate = asyncio.run(lateness(0.2, database))
    assert late
    assert rate > 0
    assert database.rows("SELECT count(*) % 20 AS rest, count(*) > 0 AS some FROM timing") == [
        {"rest": 0, "some": True}
    ]


def test_the_report_is_whole() -> None:
    assert len(list(report(rows=ROWS, seconds=0.05))) == 8
