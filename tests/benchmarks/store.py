"""What the store takes: rows a second, acknowledged, and percentiles over many rows."""

import os
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from lazyboy_jupyter.store.database import open_database
from lazyboy_jupyter.store.rows import Batch, at
from lazyboy_jupyter.store.schema import TIMING

BATCHES = 20_000
ROWS = 10_000_000 if os.environ.get("LAZYBOY_TEST_FULL") else 1_000_000


def timing_rows(count: int, number: int) -> Batch:
    batch = Batch()
    for row in range(count):
        batch.add(
            TIMING, ts=at(number), conversation_id="c", task_id=f"t{number % 50}", agent_id="a",
            round_id="r", request_no=1, call_id="k", stage="tool_execution", elapsed_ms=row * 0.5,
            outcome="ok",
        )  # fmt: skip
    return batch


def report() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as folder:
        database = open_database(Path(folder, "s.duckdb"))
        single = []
        for number in range(50):
            began = time.perf_counter()
            database.append(timing_rows(1, number)).result()
            single.append(time.perf_counter() - began)
        yield f"one row, acknowledged alone: {statistics.median(single) * 1000:.1f} ms median"
        began = time.perf_counter()
        futures = [database.append(timing_rows(2, number)) for number in range(BATCHES)]
        for future in futures:
            future.result()
        rate = 2 * BATCHES / (time.perf_counter() - began)
        yield f"{BATCHES:,} batches of 2 rows, all acknowledged: {rate:,.0f} rows/s"
        connection = database._connection.cursor()
        connection.execute(
            f"""INSERT INTO data.timing BY NAME
                SELECT now() AS ts, 't' || i % 1000 AS task_id, 's' || i % 8 AS stage,
                       random() * 1000 AS elapsed_ms FROM range({ROWS}) r(i)"""
        )
        began = time.perf_counter()
        database.relation("SELECT * FROM stage_percentiles").fetchall()
        took = time.perf_counter() - began
        yield f"p50, p95, p99 by stage over {ROWS:,} rows: {took:.2f} s"
        database.close()
