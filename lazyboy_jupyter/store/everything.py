"""Owns the views over everything: the own store's rows with those that other stores archived.

They are temporary views of one cursor, under the public names, so that the same SQL runs over
both. A file that is damaged or none of ours is left out and named, never a reason to fail.
"""

import glob
import re
import threading
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import duckdb

from .archive_files import ArchiveFiles, literal
from .views import BASES, COLUMNS, DERIVED, VIEWS

Cursor = duckdb.DuckDBPyConnection
_KEPT = {"conversation_id": "VARCHAR", "notebook": "VARCHAR", "created_at": "TIMESTAMPTZ"}


class Everything:
    """Makes cursors whose views hold everything. Safe to use from any thread.

    It remembers which files it has looked at, by size and time: each is read whole once.
    """

    def __init__(self, files: ArchiveFiles, new_cursor: Callable[[], Cursor]) -> None:
        self._files = files
        self._new_cursor = new_cursor
        self._lock = threading.Lock()
        self._seen: dict[Path, tuple[int, int, str]] = {}

    def cursor(self, sql: str) -> tuple[Cursor, list[str]]:
        """Return a cursor for `sql`, with the views that it names, and what was left out of them,
        a sentence each. Raises `duckdb.Error`, `StoreError`."""
        cursor = self._new_cursor()
        named = {name for name in VIEWS if re.search(rf"\b{name}\b", sql, re.IGNORECASE)}
        for name in named & DERIVED.keys():
            named |= {base for base in VIEWS if f"{{{base}}}" in DERIVED[name]}
        left_out: list[str] = []
        if named and self._files.folder.is_dir():
            left_out = self._make_views(cursor, named)
        return cursor, left_out

    def _make_views(self, cursor: Cursor, named: set[str]) -> list[str]:
        catalog = _value(cursor, "SELECT current_database()")
        own = {row[0] for row in cursor.execute("SELECT task_id FROM data.task").fetchall()}
        left_out: list[str] = []

        def rows_of(kind: str, columns: dict[str, str]) -> str:
            good, bad = self._good_files(cursor, kind, own)
            left_out.extend(bad)
            return _archived(cursor, good, columns)

        places = {name: f"temp.{name}" for name in VIEWS}
        for name in BASES:
            if name in named:
                _create(
                    cursor,
                    name,
                    f"""SELECT * FROM "{catalog.replace('"', '""')}".main.{name}
                        UNION ALL {rows_of(name, COLUMNS[name])}""",
                )
        for name in named & DERIVED.keys():
            if name == "conversations":
                others = rows_of(name, _KEPT)
                places["kept_conversations"] = f"""(
                    SELECT * FROM data.conversation UNION ALL
                    SELECT DISTINCT ON (conversation_id) * FROM ({others})
                    WHERE conversation_id NOT IN (SELECT conversation_id FROM data.conversation))"""
            _create(cursor, name, DERIVED[name].format_map(places))
        return left_out

    def _good_files(self, cursor: Cursor, kind: str, own: set[str]) -> tuple[list[Path], list[str]]:
        folder = self._files.folder / kind
        found = sorted(folder.glob("*.parquet")) if folder.is_dir() else []
        others = [path for path in found if path.stem not in own]
        with self._lock:
            new = [path for path in others if self._known(path) is None]
            for path, problem in _examined(cursor, kind, new):
                self._note(path, problem)
            problems = [(path, self._known(path)) for path in others]
        return (
            [path for path, problem in problems if problem == ""],
            [f"{path} is left out: {problem}." for path, problem in problems if problem],
        )

    def _known(self, path: Path) -> str | None:
        """Return what is wrong with a file, "" when nothing is, None when it is not known."""
        try:
            status = path.stat()
        except OSError:
            return None  # it was removed since
        size, changed, problem = self._seen.get(path, (-1, -1, ""))
        return problem if (size, changed) == (status.st_size, status.st_mtime_ns) else None

    def _note(self, path: Path, problem: str) -> None:
        try:
            status = path.stat()
        except OSError:
            return
        self._seen[path] = (status.st_size, status.st_mtime_ns, problem)


def _examined(cursor: Cursor, kind: str, paths: Sequence[Path]) -> Iterable[tuple[Path, str]]:
    """Yield each file with what is wrong with it; many at once, and halves where one is bad."""
    if not paths:
        return
    files = _list(paths)
    try:
        marks = cursor.execute(
            f"""SELECT file_name, decode(key), decode(value) FROM parquet_kv_metadata({files})
                WHERE decode(key) IN ('lazyboy_kind', 'lazyboy_task')"""
        ).fetchall()
        # Every value is read, so that a page that is damaged shows itself here and not later.
        cursor.execute(
            f"SELECT bit_xor(hash(r)) FROM read_parquet({files}, union_by_name = true) r"
        ).fetchall()
    except duckdb.Error:
        if len(paths) == 1:
            yield paths[0], "it is damaged, or no Parquet file"
            return
        middle = len(paths) // 2
        yield from _examined(cursor, kind, paths[:middle])
        yield from _examined(cursor, kind, paths[middle:])
        return
    told = {(name, key): value for name, key, value in marks}
    for path in paths:
        ours = (
            told.get((str(path), "lazyboy_kind")) == kind
            and told.get((str(path), "lazyboy_task")) == path.stem
        )
        yield path, "" if ours else "it is not of this archive"


def _archived(cursor: Cursor, paths: Sequence[Path], columns: dict[str, str]) -> str:
    """Return the query of the files' rows under just these columns, null where a file has none."""
    if paths:
        read = f"read_parquet({_list(paths)}, union_by_name = true)"
        there = {row[0] for row in cursor.execute(f"DESCRIBE SELECT * FROM {read}").fetchall()}
    else:
        read, there = "(SELECT 1 WHERE false)", set()
    chosen = ", ".join(
        f"{f'TRY_CAST({_quoted(name)} AS {kind})' if name in there else f'NULL::{kind}'} "
        f"AS {_quoted(name)}"
        for name, kind in columns.items()
    )
    return f"SELECT {chosen} FROM {read}"


def _create(cursor: Cursor, name: str, query: str) -> None:
    cursor.execute(f"CREATE OR REPLACE TEMP VIEW {_quoted(name)} AS {query}")


def _quoted(name: str) -> str:
    return f'"{name}"'


def _list(paths: Sequence[Path]) -> str:
    # What could be a pattern in a path stands for itself.
    return "[" + ", ".join(literal(glob.escape(str(path))) for path in paths) + "]"


def _value(cursor: Cursor, sql: str) -> str:
    row = cursor.execute(sql).fetchone()
    return str(row[0]) if row else ""
