"""Owns the database file: its lock, its opening, its two operations: append a batch, and query.

One `Database` owns one file for its life. An exclusive lock on `<file>.lock` is taken *before*
DuckDB opens the file, and nothing else ever opens it, not even to look (DESIGN §15).
"""

import ctypes
import os
import threading
import weakref
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import duckdb
from filelock import FileLock, Timeout

from ..errors import StoreError
from .archive import Archive
from .archive_files import ArchiveFiles
from .cores import Cores
from .everything import Everything
from .migrations import migrate
from .reading import Query
from .rows import Batch
from .schema import (
    CONVERSATION_TABLES,
    SIDE_QUESTION,
    SIDE_STEP,
    SIDE_TABLES,
    TASK_TABLES,
)
from .writer import Change, Writer

Relation = duckdb.DuckDBPyRelation
MEMORY_LIMIT = "1GB"
_ALTERNATIVES = 50


class Database:
    """The open store. Safe to use from any thread; each reading thread gets its own cursor.

    It belongs to the process that opened it. In a forked child it is closed, and its connection
    is kept from ever being destroyed: that would truncate the log of the parent's file.
    """

    def __init__(self, path: Path, lock: FileLock, connection: duckdb.DuckDBPyConnection) -> None:
        self.path = path
        self._lock = lock
        self._connection = connection
        self._cursors = threading.local()
        self._closed = False
        self._cores = Cores()
        self._writer = Writer(connection.cursor(), self._cores)
        self.archive = Archive(ArchiveFiles(path), connection.cursor)
        self._everything = Everything(self.archive.files, self._new_cursor)
        _OPEN.add(self)

    def append(self, batch: Batch) -> Future[None]:
        """Queue the batch; the future is done when its rows are committed, all or none.

        Fails with `StoreError` when the disk is full, read-only or stuck. Never waits.
        """
        return self._writer.submit(batch)

    def relation(self, sql: str, params: Sequence[Any] = ()) -> Relation:
        """Return a query as a relation of the calling thread's cursor; it runs when it is read.

        Raises `duckdb.Error` for what is wrong with the SQL.
        """
        cursor = self._cursor()
        self._cores.for_question(cursor)
        return cursor.sql(sql, params=list(params) or None)

    def rows(self, sql: str, params: Sequence[Any] = ()) -> list[dict[str, Any]]:
        """Return a query's rows, fetched whole, as dictionaries by column."""
        cursor = self._cursor().execute(sql, list(params))
        names = [column[0] for column in cursor.description or ()]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]

    def query(self, sql: str, *, everything: bool = False) -> Query:
        """Return a person's query, which may only read; it is run when it is asked for rows.

        `everything`: over the archive of other stores too. Raises `QueryError`.
        """
        opened = self._everything.cursor if everything else self._plain_cursor
        return Query(sql, opened, self._cores.asking)

    def relation_over_all(self, sql: str) -> tuple[Relation, list[str]]:
        """Return a query over the own rows and the archive of other stores, and what was left out
        of it, a sentence each. Raises `duckdb.Error`."""
        cursor, left_out = self._everything.cursor(sql)
        self._cores.for_question(cursor)
        return cursor.sql(sql), left_out

    def delete_task(self, task_id: str) -> Future[None]:
        """Delete every row of a task, its side questions' too, in one transaction, and its
        archive."""

        def change(connection: duckdb.DuckDBPyConnection) -> None:
            # A summary that speaks of a deleted turn is made anew without it.
            connection.execute(
                """DELETE FROM data.history_summary WHERE upto >= $1 AND conversation_id IN
                   (SELECT conversation_id FROM data.turn_message WHERE task_id = $1)""",
                [task_id],
            )
            for table in TASK_TABLES:
                connection.execute(f"DELETE FROM data.{table.name} WHERE task_id = ?", [task_id])
            for table in SIDE_TABLES:
                connection.execute(f"DELETE FROM data.{table.name} WHERE parent = ?", [task_id])

        return self._forgotten(change, lambda: self.archive.purge(task_id))

    def clear_side_questions(self, parent: str) -> Future[None]:
        """Delete a parent's side questions in one transaction, and from the archive; its
        snapshots stay."""

        def change(connection: duckdb.DuckDBPyConnection) -> None:
            for table in (SIDE_QUESTION, SIDE_STEP):
                connection.execute(f"DELETE FROM data.{table.name} WHERE parent = ?", [parent])

        return self._forgotten(change, lambda: self.archive.purge(parent, "side_questions"))

    def delete_conversation(self, conversation_id: str) -> Future[None]:
        """Delete what a conversation has beside its tasks, in one transaction: its agents, its side
        questions. The conversation itself stays: its notebook does."""

        def change(connection: duckdb.DuckDBPyConnection) -> None:
            for table in CONVERSATION_TABLES:
                connection.execute(
                    f"DELETE FROM data.{table.name} WHERE conversation_id = ?", [conversation_id]
                )
            for table in SIDE_TABLES:
                connection.execute(
                    f"DELETE FROM data.{table.name} WHERE parent = ?", [conversation_id]
                )

        return self._forgotten(change, lambda: self.archive.purge(conversation_id))

    def _forgotten(self, change: Change, purge: Callable[[], None]) -> Future[None]:
        """Remove files before the rows, so that a crash in between leaves nothing that no store
        knows of; and once more after them, for what was being written meanwhile."""
        done: Future[None] = Future()

        def both(connection: duckdb.DuckDBPyConnection) -> None:
            purge()
            change(connection)

        def end(deleted: Future[None]) -> None:
            try:
                deleted.result()
                purge()
            except Exception as error:  # noqa: BLE001 - whoever waits must hear of it
                done.set_exception(error)
            else:
                done.set_result(None)

        self._writer.submit(both).add_done_callback(end)
        return done

    def close(self) -> None:
        """Write what is queued, close the file, give the lock back. Safe to call twice."""
        if self._closed:
            return
        self._closed = True
        self._writer.close()
        self.archive.close()
        self._connection.close()
        self._lock.release()

    def disown(self) -> None:
        """Let go of the file without touching it: for a forked child."""
        self._closed = True
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(self._connection))

    def _cursor(self) -> duckdb.DuckDBPyConnection:
        cursor: duckdb.DuckDBPyConnection | None = getattr(self._cursors, "cursor", None)
        if cursor is None or self._closed:
            cursor = self._cursors.cursor = self._new_cursor()
        return cursor

    def _new_cursor(self) -> duckdb.DuckDBPyConnection:
        if self._closed:
            raise StoreError("The store is closed.", "Start a new engine to read it again.")
        return self._connection.cursor()

    def _plain_cursor(self, sql: str) -> tuple[duckdb.DuckDBPyConnection, list[str]]:
        return self._new_cursor(), []


_OPEN: "weakref.WeakSet[Database]" = weakref.WeakSet()


def _disown_all() -> None:
    for database in list(_OPEN):
        database.disown()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_disown_all)


def open_database(path: Path, *, alternatives: bool = False) -> Database:
    """Open the store at `path`, making it and its folder when missing.

    `alternatives`: when another engine owns the file, take the next free `-2`, `-3`, … instead of
    failing. Raises `StoreError`, with the next step, when the file cannot be had.
    """
    _make_folder(path.parent)
    for candidate in _candidates(path, alternatives=alternatives):
        lock = FileLock(f"{candidate}.lock", thread_local=False, is_singleton=False)
        try:
            lock.acquire(timeout=0)
        except Timeout:
            continue
        except OSError as error:
            raise _unwritable(candidate, error) from error
        try:
            return _open_locked(candidate, lock)
        except BaseException:
            lock.release()
            raise
    raise StoreError(
        f"Another engine is using the store {path}.",
        "Close it, restart its kernel, or choose another store with LAZYBOY_STORE.",
    )


def _candidates(path: Path, *, alternatives: bool) -> list[Path]:
    if not alternatives:
        return [path]
    others = [path.with_stem(f"{path.stem}-{n}") for n in range(2, _ALTERNATIVES + 1)]
    return [path, *others]


def _make_folder(folder: Path) -> None:
    """Make the folder; one named `.lazyboy` ignores itself in git."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        ignore = folder / ".gitignore"
        if folder.name == ".lazyboy" and not ignore.exists():
            ignore.write_text("*\n", encoding="utf-8")
    except OSError as error:
        raise _unwritable(folder, error) from error


def _open_locked(path: Path, lock: FileLock) -> Database:
    """Open the file; the caller holds its lock."""
    if path.exists() and not os.access(path, os.W_OK):
        raise _unwritable(path, PermissionError("it is read-only"))
    try:
        connection = duckdb.connect(
            str(path),
            config={
                "autoinstall_known_extensions": "false",
                "memory_limit": MEMORY_LIMIT,
                "threads": "1",
            },
        )
    except duckdb.Error as error:
        raise _unwritable(path, error) from error
    try:
        migrate(connection)
    except duckdb.Error as error:
        connection.close()
        raise _unwritable(path, error) from error
    except StoreError:
        connection.close()
        raise
    return Database(path, lock, connection)


def _unwritable(path: Path, error: Exception) -> StoreError:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return StoreError(
        f"The store {path} cannot be written: {reason.strip().partition(chr(10))[0]}.",
        "Choose a folder you may write to with LAZYBOY_STORE, or Engine(store=…).",
    )
