"""The views over everything: own rows with those that other stores of the folder archived."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest

from lazyboy_jupyter.store.database import Database, open_database
from lazyboy_jupyter.store.views import COLUMNS, VIEWS
from tests.store.archiving import store_answer, store_task


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "it's [a] *odd* folder"


@pytest.fixture
def own(folder: Path) -> Iterator[Database]:
    """A store with the task `own1`; the archive of its folder has that one too, and two of
    another store's."""
    other = open_database(folder / "other.duckdb")
    for task_id in ("other1", "other2"):
        store_task(other, task_id)
        store_answer(other, task_id)
        other.archive.keep(task_id).result(30)
    other.close()
    with_file = open_database(folder / "own.duckdb")
    store_task(with_file, "own1")
    with_file.archive.keep("own1").result(30)
    yield with_file
    with_file.close()


def ids(database: Database, sql: str = "SELECT task_id FROM tasks ORDER BY 1") -> list[Any]:
    relation, _ = database.relation_over_all(sql)
    return [row[0] for row in relation.fetchall()]


def left_out(database: Database, sql: str = "FROM tasks") -> list[str]:
    return database.relation_over_all(sql)[1]


@pytest.mark.parametrize("view", VIEWS)
def test_each_view_has_its_columns_over_everything(own: Database, view: str) -> None:
    relation, bad = own.relation_over_all(f"SELECT * FROM {view}")
    plain = own.relation(f"SELECT * FROM {view}")
    assert relation.columns == plain.columns == list(COLUMNS[view])
    assert list(map(str, relation.types)) == list(map(str, plain.types))
    promised = [
        kind.replace("TIMESTAMPTZ", "TIMESTAMP WITH TIME ZONE") for kind in COLUMNS[view].values()
    ]
    assert list(map(str, plain.types)) == promised
    assert bad == []
    relation.fetchall()


def test_rows_of_all_stores_each_once(own: Database) -> None:
    assert ids(own) == ["other1", "other2", "own1"]
    assert ids(own, "SELECT count(*) FROM timing") == [6]
    assert ids(own, "SELECT n FROM stage_percentiles") == [6]
    assert ids(own, "SELECT calls FROM slow_sources") == [3]
    assert ids(own, "SELECT notebook FROM conversations ORDER BY 1") == [
        "other.ipynb", "own.ipynb",
    ]  # fmt: skip
    assert ids(own, "SELECT turns FROM conversations ORDER BY notebook") == [2, 1]
    assert ids(own, "SELECT parent FROM side_questions ORDER BY 1") == ["other1", "other2"]
    # Without it, everything is as it was, also on the same thread afterwards.
    assert own.rows("SELECT count(*) AS n FROM timing") == [{"n": 2}]


def test_a_relation_keeps_its_own_views(own: Database) -> None:
    first, _ = own.relation_over_all("SELECT count(*) FROM timing")
    second, _ = own.relation_over_all("SELECT count(*) + 100 FROM tasks")
    assert first.fetchall() == [(6,)]
    assert second.fetchall() == [(103,)]
    assert first.fetchall() == [(6,)]


def test_no_archive_yet(tmp_path: Path) -> None:
    database = open_database(tmp_path / "s.duckdb")
    store_task(database, "t1")
    assert ids(database) == ["t1"]
    assert left_out(database) == []
    database.close()


def test_what_was_written_since_is_seen(own: Database, folder: Path) -> None:
    assert ids(own) == ["other1", "other2", "own1"]
    other = open_database(folder / "third.duckdb")
    store_task(other, "third1")
    other.archive.keep("third1").result(30)
    other.delete_task("third1").result(30)
    store_task(other, "third2")
    other.archive.keep("third2").result(30)
    other.close()
    assert ids(own) == ["other1", "other2", "own1", "third2"]


def damaged(path: Path) -> None:
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])


def empty(path: Path) -> None:
    path.write_bytes(b"")


def text(path: Path) -> None:
    path.write_text("task_id\nx\n" * 100)


def a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def foreign(path: Path) -> None:
    with duckdb.connect() as connection:
        connection.execute(
            "COPY (SELECT 1 AS task_id, DATE '2020-01-01' AS question) TO 'x.parquet'"
        )
    shutil.move("x.parquet", path)


@pytest.mark.parametrize("spoil", [damaged, empty, text, a_folder, foreign])
def test_a_bad_file_is_named_and_left_out(
    own: Database, folder: Path, spoil: object, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    assert callable(spoil)
    path = folder / "archive" / "tasks" / "other1.parquet"
    spoil(path)
    (problem,) = left_out(own)
    assert problem.startswith(f"{path} is left out: it is ")
    assert ids(own) == ["other2", "own1"]
    assert left_out(own) == [problem]  # and it is said each time
    assert left_out(own, "FROM timing") == []


def test_a_damaged_page_is_found_before_it_can_hurt(own: Database, folder: Path) -> None:
    path = folder / "archive" / "events" / "other1.parquet"
    content = bytearray(path.read_bytes())
    content[4 : len(content) // 2] = os.urandom(len(content) // 2 - 4)
    path.write_bytes(content)
    assert len(left_out(own, "FROM events")) == 1
    assert set(ids(own, "SELECT task_id FROM events")) == {"other2", "own1"}


def test_a_copy_under_another_name_counts_nothing_twice(own: Database, folder: Path) -> None:
    tasks = folder / "archive" / "tasks"
    shutil.copy(tasks / "other1.parquet", tasks / "other1 (conflicted copy).parquet")
    assert ids(own) == ["other1", "other2", "own1"]
    assert "it is not of this archive" in left_out(own)[0]


def rewritten(path: Path, select: str, task_id: str) -> None:
    """Write a file of the archive as another version of this package may."""
    with duckdb.connect() as connection:
        old = str(path).replace("'", "''").replace("[", "[[]").replace("*", "[*]")
        new = str(path.parent / f"{task_id}.parquet").replace("'", "''")
        connection.execute(
            f"""COPY (SELECT {select} FROM read_parquet('{old}')) TO '{new}'
                (FORMAT parquet, KV_METADATA {{lazyboy_format: '7', lazyboy_kind: 'tasks',
                                               lazyboy_task: '{task_id}'}})"""
        )


def test_older_and_newer_files_are_read(own: Database, folder: Path) -> None:
    path = folder / "archive" / "tasks" / "other1.parquet"
    rewritten(path, "'new' AS task_id, * EXCLUDE (task_id), 1 AS cost, {'a': 1} AS more", "new")
    rewritten(path, "'old' AS task_id, question, searches::TINYINT AS searches, created_at", "old")
    assert ids(own) == ["new", "old", "other1", "other2", "own1"]
    assert left_out(own) == []
    rows = own.relation_over_all("SELECT question, pages FROM tasks WHERE task_id = 'old'")[0]
    assert rows.fetchall() == [("Q?", None)]
    only_old = folder / "archive" / "tasks"
    for name in ("new", "other1", "other2"):
        (only_old / f"{name}.parquet").unlink()
    assert ids(own) == ["old", "own1"]
