import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from lazyboy_jupyter.errors import StoreError
from lazyboy_jupyter.store.database import Database, open_database
from lazyboy_jupyter.store.migrations import MIGRATIONS
from lazyboy_jupyter.store.rows import Batch, at
from lazyboy_jupyter.store.schema import CITATION, EVENT, SIDE_TABLES, TABLES, TIMING
from lazyboy_jupyter.store.views import VIEWS

COLUMNS = {
    "tasks": "task_id, conversation_id, agent_id, parent_task_id, task_type, name, question, "
    "status, phase, error, model, search, created_at, started_at, ended_at, searches, pages, "
    "rounds, resumed_from",
    "rounds": "task_id, round_id, request_no, phase, prompt_version, model, input_tokens, "
    "output_tokens, cached_tokens, outcome, started_at",
    "sources": "task_id, source_id, url, final_url, title, via, state, error, characters, gap, "
    "request_no, call_id, started_at, elapsed_ms",
    "publications": "task_id, number, published_at, summary, body, gaps",
    "citations": "task_id, publication, claim_no, claim, source_id, url, quote, offset, state, "
    "output_id",
    "events": "event_id, task_id, seq, ts, kind, data",
    "timing": "ts, conversation_id, task_id, agent_id, round_id, request_no, call_id, stage, "
    "elapsed_ms, outcome",
    "first_delivery": "task_id, started_at, first_ms, final_ms",
    "slow_sources": "url, host, calls, p50_ms, p95_ms, failures",
    "stage_percentiles": "stage, n, p50_ms, p95_ms, p99_ms, max_ms",
    "side_questions": "request_id, parent, ordinal, question, answer, status, model, snapshot_at, "
    "input_tokens, output_tokens, asked_at, ended_at",
    "conversations": "conversation_id, notebook, created_at, turns",
}


@pytest.mark.parametrize("view", sorted(VIEWS))
def test_a_views_columns_are_a_promise(database: Database, view: str) -> None:
    assert ", ".join(database.relation(f"SELECT * FROM {view}").columns) == COLUMNS[view]


def test_there_is_no_view_without_a_promise() -> None:
    assert set(VIEWS) == set(COLUMNS)


def rows_of(count: int, task_id: str = "t") -> Batch:
    batch = Batch()
    for number in range(count):
        batch.add(TIMING, ts=at(number), task_id=task_id, stage="s", elapsed_ms=number / 2)
    return batch


def test_acknowledged_rows_are_read_by_every_thread(database: Database) -> None:
    for future in [database.append(rows_of(7)) for _ in range(100)]:
        future.result(10)
    assert database.rows("SELECT count(*) AS n, max(elapsed_ms) AS m FROM timing") == [
        {"n": 700, "m": 3.0}
    ]


def test_a_batch_is_committed_whole_or_not_at_all(database: Database) -> None:
    bad = rows_of(3).add(EVENT, event_id="e", task_id="t", seq="no number")
    good = [rows_of(2), rows_of(2)]
    futures = [database.append(batch) for batch in (good[0], bad, good[1])]

    with pytest.raises(StoreError, match="could not be written"):
        futures[1].result(10)
    futures[0].result(10)
    futures[2].result(10)
    assert database.rows("SELECT count(*) AS n FROM timing") == [{"n": 4}]


def test_a_row_names_only_columns_that_are_there() -> None:
    with pytest.raises(KeyError, match="no_such"):
        Batch().add(TIMING, no_such=1)


def test_deleting_a_task_leaves_nothing_of_it_and_all_of_others(database: Database) -> None:
    for task_id in ("one", "two"):
        database.append(rows_of(3, task_id).add(EVENT, task_id=task_id, seq=1)).result(10)
    database.delete_task("one").result(10)
    assert database.rows("SELECT DISTINCT task_id FROM timing") == [{"task_id": "two"}]
    assert database.rows("SELECT DISTINCT task_id FROM events") == [{"task_id": "two"}]


def test_one_engine_owns_a_file_and_the_next_takes_the_next_name(tmp_path: Path) -> None:
    path = tmp_path / ".lazyboy" / "nb.duckdb"
    first = open_database(path)
    with pytest.raises(StoreError, match="Another engine is using the store"):
        open_database(path)
    second = open_database(path, alternatives=True)
    third = open_database(path, alternatives=True)
    assert [db.path.name for db in (first, second, third)] == [
        "nb.duckdb",
        "nb-2.duckdb",
        "nb-3.duckdb",
    ]
    for db in (first, second, third):
        db.close()
    again = open_database(path, alternatives=True)
    assert again.path == path
    again.close()
    assert (path.parent / ".gitignore").read_text() == "*\n"


def test_another_process_is_kept_out_before_it_touches_the_file(tmp_path: Path) -> None:
    path = tmp_path / "s.duckdb"
    owner = open_database(path)
    code = (
        "import sys, pathlib\n"
        "from lazyboy_jupyter.errors import StoreError\n"
        "from lazyboy_jupyter.store.database import open_database\n"
        "try:\n    open_database(pathlib.Path(sys.argv[1]))\n"
        "except StoreError as error:\n    print(error.sentence)\n"
    )
    told = subprocess.run(
        [sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True
    )
    assert "Another engine is using the store" in told.stdout
    owner.append(rows_of(1)).result(10)
    owner.close()


def test_closing_writes_what_is_queued_and_reopening_reads_it(tmp_path: Path) -> None:
    path = tmp_path / "s.duckdb"
    db = open_database(path)
    futures = [db.append(rows_of(10)) for _ in range(50)]
    db.close()
    db.close()
    assert all(future.exception() is None for future in futures)
    with pytest.raises(StoreError, match="closed"):
        db.rows("SELECT 1")
    with pytest.raises(StoreError, match="closed"):
        db.append(rows_of(1)).result(10)
    db = open_database(path)
    assert db.rows("SELECT count(*) AS n FROM timing") == [{"n": 500}]
    db.close()


def test_a_store_of_a_later_version_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "s.duckdb"
    open_database(path).close()
    with duckdb.connect(str(path)) as raw:
        raw.execute("INSERT INTO data.migration VALUES (?, now())", [len(MIGRATIONS) + 1])
    with pytest.raises(StoreError, match="Upgrade lazyboy-jupyter"):
        open_database(path)


def test_a_store_of_the_first_version_gets_what_came_later(tmp_path: Path) -> None:
    path = tmp_path / "s.duckdb"
    open_database(path).close()
    with duckdb.connect(str(path)) as raw:
        raw.execute("DROP VIEW citations")
        raw.execute("DROP VIEW side_questions")
        for table in SIDE_TABLES:
            raw.execute(f"DROP TABLE data.{table.name}")
        raw.execute("ALTER TABLE data.citation DROP COLUMN output_id")
        raw.execute("INSERT INTO data.citation (task_id, state) VALUES ('t', 'verbatim')")
        raw.execute("DELETE FROM data.migration WHERE number > 1")
    database = open_database(path)
    database.append(Batch().add(CITATION, task_id="u", output_id="O1")).result(10)
    assert database.relation("SELECT task_id, output_id FROM citations ORDER BY 1").fetchall() == [
        ("t", None),
        ("u", "O1"),
    ]
    database.close()


@pytest.mark.parametrize("kind", ["file in the way", "no database", "folder"])
def test_a_store_that_cannot_be_written_is_one_sentence(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "s.duckdb"
    if kind == "file in the way":
        (tmp_path / "file").write_text("x")
        path = tmp_path / "file" / "s.duckdb"
    elif kind == "no database":
        path.write_bytes(b"not a database" * 1000)
    else:
        path.mkdir()
    with pytest.raises(StoreError) as caught:
        open_database(path)
    assert "\n" not in str(caught.value)
    assert "LAZYBOY_STORE" in caught.value.hint


def test_a_forked_child_that_exits_harms_nothing(tmp_path: Path) -> None:
    code = (
        "import os, sys, pathlib\n"
        "from lazyboy_jupyter.store.database import open_database\n"
        "from tests.store.test_database import rows_of\n"
        "db = open_database(pathlib.Path(sys.argv[1]))\n"
        "db.append(rows_of(5)).result()\n"
        "child = os.fork()\n"
        "if child == 0:\n    sys.exit(0)\n"
        "os.waitpid(child, 0)\n"
        "for _ in range(5):\n    db.append(rows_of(5)).result()\n"
        "os.kill(os.getpid(), 9)\n"
    )
    path = tmp_path / "s.duckdb"
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code, str(path)], check=False)
    assert done.returncode == -9
    database = open_database(path)
    assert database.rows("SELECT count(*) AS n FROM timing") == [{"n": 30}]
    database.close()


def test_no_table_has_an_index_or_a_foreign_key(database: Database) -> None:
    assert database.rows("SELECT * FROM duckdb_indexes()") == []
    kinds = database.rows("SELECT constraint_type AS kind FROM duckdb_constraints()")
    assert {row["kind"] for row in kinds} <= {"NOT NULL"}
    assert len(TABLES) == 14
