"""The archive: what is written, when, and what takes it away again."""

import logging
import subprocess
import sys
from pathlib import Path

import duckdb
import pytest

from lazyboy_jupyter.errors import StoreError
from lazyboy_jupyter.store.archive import Archive
from lazyboy_jupyter.store.archive_files import FORMAT, KINDS, ArchiveFiles
from lazyboy_jupyter.store.database import Database, open_database
from lazyboy_jupyter.store.views import BASES, COLUMNS
from tests.store.archiving import archived, files_of, store_answer, store_task


def test_a_task_is_one_file_a_kind(database: Database, tmp_path: Path) -> None:
    store_task(database, "t1")
    store_answer(database, "t1")
    database.archive.keep("t1").result(30)
    assert files_of(tmp_path) == [
        f"{kind}/t1.parquet"
        for kind in ("conversations", "events", "side_questions", "sources", "tasks", "timing")
    ]
    for kind in ("events", "side_questions", "sources", "tasks", "timing"):
        own = database.rows(f"SELECT * FROM {kind}")
        assert archived(tmp_path, kind) == own
        assert list(own[0]) == list(COLUMNS[kind])
    (conversation,) = archived(tmp_path, "conversations")
    assert conversation["notebook"] == "store.ipynb"
    assert set(KINDS) == set(BASES) | {"conversations"}


def test_a_file_says_what_it_is_and_is_compressed(database: Database, tmp_path: Path) -> None:
    store_task(database, "t1")
    database.archive.keep("t1").result(30)
    path = tmp_path / "archive" / "timing" / "t1.parquet"
    with duckdb.connect() as connection:
        marks = connection.execute(
            f"SELECT decode(key), decode(value) FROM parquet_kv_metadata('{path}')"
        ).fetchall()
        packed = connection.execute(
            f"SELECT DISTINCT compression FROM parquet_metadata('{path}')"
        ).fetchall()
    assert {
        ("lazyboy_format", str(FORMAT)),
        ("lazyboy_kind", "timing"),
        ("lazyboy_task", "t1"),
        ("lazyboy_store", "store.duckdb"),
    } <= set(marks)
    assert packed == [("ZSTD",)]


def test_writing_again_replaces(database: Database, tmp_path: Path) -> None:
    store_task(database, "t1")
    database.archive.keep("t1").result(30)
    assert archived(tmp_path, "side_questions") == []
    store_answer(database, "t1")
    database.archive.keep("t1").result(30)
    (side,) = archived(tmp_path, "side_questions")
    assert (side["answer"], side["status"]) == ("Nine.", "completed")
    assert len(archived(tmp_path, "events")) == 2


def test_clearing_side_questions_purges_them(database: Database, tmp_path: Path) -> None:
    store_task(database, "t1")
    store_answer(database, "t1")
    database.archive.keep("t1").result(30)
    database.clear_side_questions("t1").result(30)
    assert archived(tmp_path, "side_questions") == []
    assert len(archived(tmp_path, "tasks")) == 1
    database.archive.keep("t1").result(30)
    assert archived(tmp_path, "side_questions") == []


def test_deleting_purges_and_nothing_comes_back(database: Database, tmp_path: Path) -> None:
    for task_id in ("t1", "t2"):
        store_task(database, task_id)
        database.archive.keep(task_id).result(30)
    waiting = database.archive.keep("t1")
    database.delete_task("t1").result(30)
    late = database.archive.keep("t1")
    waiting.result(30)
    late.result(30)
    assert {Path(name).stem for name in files_of(tmp_path)} == {"t2"}


def test_catching_up_writes_what_is_missing_or_changed(tmp_path: Path) -> None:
    path = tmp_path / "s.duckdb"
    database = open_database(path)
    for task_id in ("t1", "t2"):
        store_task(database, task_id)
    store_task(database, "t3", ended=False)
    database.archive.keep("t1").result(30)
    # Written before its side question was asked, as after a crash in between.
    store_answer(database, "t1")
    database.close()

    database = open_database(path)
    database.archive.catch_up()
    database.close()  # which writes what is queued
    assert {row["task_id"] for row in archived(tmp_path, "tasks")} == {"t1", "t2"}
    assert len(archived(tmp_path, "side_questions")) == 1


def test_catching_up_leaves_what_is_there(tmp_path: Path) -> None:
    database = open_database(tmp_path / "s.duckdb")
    store_task(database, "t1")
    database.archive.keep("t1").result(30)
    before = {name: (tmp_path / "archive" / name).stat().st_mtime_ns for name in files_of(tmp_path)}
    database.archive.catch_up()
    database.close()
    after = {name: (tmp_path / "archive" / name).stat().st_mtime_ns for name in files_of(tmp_path)}
    assert before == after


def test_two_stores_share_a_folder(tmp_path: Path) -> None:
    one, two = open_database(tmp_path / "a.duckdb"), open_database(tmp_path / "b.duckdb")
    done = []
    for number in range(10):
        for name, database in (("a", one), ("b", two)):
            store_task(database, f"{name}{number}")
            done.append(database.archive.keep(f"{name}{number}"))
    for future in done:
        future.result(60)
    one.close()
    two.close()
    assert len(archived(tmp_path, "tasks")) == 20
    assert [name for name in files_of(tmp_path) if name.startswith(".")] == []


def test_an_unwritable_archive_is_said_once_and_written_later(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "archive").write_text("in the way")
    database = open_database(tmp_path / "s.duckdb")
    with caplog.at_level(logging.WARNING, "lazyboy_jupyter"):
        for task_id in ("t1", "t2"):
            store_task(database, task_id)
            with pytest.raises(StoreError, match="The archive could not be written"):
                database.archive.keep(task_id).result(30)
    assert len(caplog.records) == 1
    assert "is not written" in caplog.text
    database.close()
    (tmp_path / "archive").unlink()

    database = open_database(tmp_path / "s.duckdb")
    database.archive.catch_up()
    database.close()
    assert {row["task_id"] for row in archived(tmp_path, "tasks")} == {"t1", "t2"}


# A limit on the size of files stands for the disk: the write fails with the same kind of error.
FULL = """
import resource, sys
from pathlib import Path
from lazyboy_jupyter.errors import StoreError
from lazyboy_jupyter.store.database import open_database
from tests.store.archiving import store_task
import random

database = open_database(Path(sys.argv[1]))
noise = random.Random(0).randbytes(1_000_000).hex()
store_task(database, "big", text=noise)
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, resource.RLIM_INFINITY))
try:
    database.archive.keep("big").result(30)
except StoreError as error:
    print(error.sentence)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
store_task(database, "small")
database.archive.keep("small").result(30)
database.close()
"""


def test_a_full_disk_leaves_no_half_file(tmp_path: Path) -> None:
    code = [sys.executable, "-c", FULL, str(tmp_path / "s.duckdb")]
    done = subprocess.run(code, capture_output=True, text=True, check=True)
    assert "Traceback" not in done.stderr
    assert "The archive could not be written" in done.stdout
    assert [row["task_id"] for row in archived(tmp_path, "tasks")] == ["small"]
    assert [name for name in files_of(tmp_path) if "big" in name] == []
    database = open_database(tmp_path / "s.duckdb")
    database.archive.catch_up()
    database.close()
    assert {row["task_id"] for row in archived(tmp_path, "tasks")} == {"big", "small"}


def test_an_odd_id_is_no_path(database: Database, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="cannot be archived"):
        database.archive.files.path("tasks", "../../x")


def test_after_closing_nothing_is_taken(tmp_path: Path) -> None:
    database = open_database(tmp_path / "s.duckdb")
    database.close()
    with pytest.raises(StoreError, match="The store is closed"):
        database.archive.keep("t1").result(30)


def test_a_thread_that_fails_leaves_nobody_waiting_and_the_next_work_starts_another(
    database: Database, tmp_path: Path
) -> None:
    tries = iter(range(2))

    def connect() -> duckdb.DuckDBPyConnection:
        if next(tries) == 0:
            raise RuntimeError("no thread can be had")
        return database._connection.cursor()

    archive = Archive(ArchiveFiles(tmp_path / "other.duckdb"), connect)
    with pytest.raises(StoreError, match="no thread can be had"):
        archive.keep("t", soon=True).result(10)
    archive.keep("t", soon=True).result(10)
    archive.close()
