"""Timing rows by the million: percentiles and a waterfall through the views, and what writing them
costs the loop that others run on."""

import asyncio
import os
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from lazyboy_jupyter.core.waterfall import WATERFALL_SQL
from lazyboy_jupyter.engine.yielding import Yielding
from lazyboy_jupyter.store.database import Database, open_database
from tests.benchmarks.store import timing_rows

ROWS = 10_000_000
TASK_ROWS = 100
WRITE_SECONDS = 3.0
BATCH_ROWS = 20
RATE = 22_000
"""Rows a second that the writing case asks for; what is acknowledged is measured."""
TICK = 0.002
STAGES = (
    "worker_model_queue", "model_response", "tool_execution", "research_source",
    "research_first_delivery", "research_final_delivery", "model_retry_backoff",
    "side_question_response",
)  # fmt: skip


def fill(database: Database, rows: int) -> None:
    """Make rows inside DuckDB, `TASK_ROWS` a task, in the order of time."""
    stages = ", ".join(f"'{stage}'" for stage in STAGES)
    # No caller may write but through the writer; a benchmark may, before it measures.
    database._connection.cursor().execute(
        f"""INSERT INTO data.timing BY NAME
            SELECT TIMESTAMPTZ '2026-01-01 00:00:00+00' + to_milliseconds(i) AS ts,
                   'c' AS conversation_id,
                   't' || lpad((i // {TASK_ROWS})::VARCHAR, 9, '0') AS task_id, 'a' AS agent_id,
                   'r' || (i // 10) AS round_id, (i % {TASK_ROWS} // 10 + 1)::INTEGER AS request_no,
                   'k' || i AS call_id, [{stages}][1 + (hash(i) % {len(STAGES)})::INTEGER] AS stage,
                   (hash(i * 7) % 1000000) / 1000.0 AS elapsed_ms, 'ok' AS outcome
            FROM range({rows}) r(i)"""
    )


def best(database: Database, sql: str, tries: int = 5) -> tuple[float, list[tuple[object, ...]]]:
    """Return the shortest of some runs of a person's query, in seconds, and the rows."""
    took = []
    for _ in range(tries):
        began = time.perf_counter()
        rows = database.relation(sql).fetchall()
        took.append(time.perf_counter() - began)
    return min(took), rows


async def lateness(seconds: float, database: Database | None) -> tuple[list[float], float]:
    """Return by how many milliseconds a timer was late, each time, and the rows a second that were
    acknowledged meanwhile. The rows are handed over on the loop, as the engine does."""
    loop = asyncio.get_running_loop()
    ends, late = loop.time() + seconds, []
    given, last = 0, None

    async def write(into: Database) -> None:
        nonlocal given, last
        began = loop.time()
        while loop.time() < ends:
            while given < (loop.time() - began) * RATE and loop.time() < ends:
                # Writes are acknowledged in their order; as the engine, it keeps none of them.
                last = into.append(timing_rows(BATCH_ROWS, given))
                given += BATCH_ROWS
                await asyncio.sleep(0)
            await asyncio.sleep(0.0005)

    writing = asyncio.ensure_future(write(database)) if database is not None else None
    began = loop.time()
    while loop.time() < ends:
        due = loop.time() + TICK
        await asyncio.sleep(TICK)
        late.append((loop.time() - due) * 1000)
    if writing is not None:
        await writing
        if last is not None:
            await asyncio.wrap_future(last)
    return late, given / (loop.time() - began)


def figures(late: list[float]) -> str:
    ordered = sorted(late)
    part = [ordered[int(len(ordered) * share)] for share in (0.5, 0.99, 0.999)]
    return "p50 {:.1f}, p99 {:.1f}, p99.9 {:.1f}, longest {:.1f} ms".format(*part, ordered[-1])


def report(rows: int = ROWS, seconds: float = WRITE_SECONDS) -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        database = open_database(Path(folder, "s.duckdb"))
        began = time.perf_counter()
        fill(database, rows)
        yield f"{rows:,} rows made in {time.perf_counter() - began:.0f} s"
        took, found = best(database, "SELECT * FROM stage_percentiles")
        yield f"p50, p95, p99 of {len(found)} stages over {rows:,} rows: {took:.3f} s (goal 0.3)"
        scan = "SELECT stage, count(*), max(elapsed_ms) FROM timing GROUP BY stage"
        yield f"the same by stage without percentiles: {best(database, scan)[0]:.3f} s"
        task = f"t{rows // TASK_ROWS // 2:09d}"
        took, found = best(database, WATERFALL_SQL.format(task_id=task))
        yield f"one task's waterfall, {len(found)} rows: {took * 1000:.1f} ms (goal 10)"
        database.close()
        database = open_database(Path(folder, "w.duckdb"))
        alone: list[float] = []
        beside: list[float] = []
        rates = []
        with Yielding().at_work():  # as an engine with tasks
            for _ in range(3):  # in turns, so that the machine's other work falls on both
                alone += asyncio.run(lateness(seconds, None))[0]
                late, rate = asyncio.run(lateness(seconds, database))
                beside += late
                rates.append(rate)
        yield f"written and acknowledged: {statistics.median(rates):,.0f} rows/s (goal 20,000)"
        yield f"the loop without writing late by {figures(alone)}"
        yield f"the loop beside the writing late by {figures(beside)} (goal: 5 more at most)"
        yield f"load at the end: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
        database.close()
