"""Owns what a file of the archive is: its place, its rows, its marks. It never decides when.

`<folder of the store>/archive/<kind>/<task id>.parquet` holds one task's rows of one public view
(DESIGN §15), as any engine that reads Parquet can take them. Its own marks are in the file's
key-value metadata. A file is written elsewhere and renamed when it is whole; that of the kind
`tasks` comes last, so that where it is, all of the task is.
"""

import os
import re
from pathlib import Path

import duckdb

from ..errors import StoreError
from .views import ENDED, side_questions

FORMAT = 1
"""Raised when a file's rows change their meaning; readers go by the columns' names."""
FOLDER = "archive"
_UNFINISHED = ".unfinished"
_NAME = re.compile(r"[A-Za-z0-9][\w.-]{0,99}")
FINISHED = f"""
    SELECT task_id, epoch_us(greatest(max(e.ts), max(s.ts))) AS changed_us
    FROM data.event e
    LEFT JOIN (SELECT parent, max(ts) AS ts FROM data.side_step GROUP BY parent) s
           ON s.parent = e.task_id
    GROUP BY task_id HAVING arg_max(phase, seq) IN {ENDED} ORDER BY task_id"""
"""The finished tasks, and when each has changed last: side questions may come later."""
_CHANGED = """
    SELECT epoch_us(greatest((SELECT max(ts) FROM data.event WHERE task_id = $1),
                             (SELECT max(ts) FROM data.side_step WHERE parent = $1)))"""
_OF_TASK = "WHERE task_id = $1 ORDER BY"

KINDS: dict[str, str] = {
    "events": f"SELECT * FROM events {_OF_TASK} seq",
    "timing": f"SELECT * FROM timing {_OF_TASK} ts",
    "rounds": f"SELECT * FROM rounds {_OF_TASK} request_no, started_at",
    "sources": f"SELECT * FROM sources {_OF_TASK} started_at, source_id",
    "publications": f"SELECT * FROM publications {_OF_TASK} number",
    "citations": f"SELECT * FROM citations {_OF_TASK} publication, claim_no",
    "side_questions": f"{side_questions('parent = $1')} ORDER BY ordinal",
    "conversations": """
        SELECT conversation_id, notebook, created_at FROM data.conversation
        WHERE conversation_id = (SELECT conversation_id FROM data.task WHERE task_id = $1)""",
    "tasks": "SELECT * FROM tasks WHERE task_id = $1",
}
"""Kind to the query of one task's rows, in the order of writing."""


def literal(text: str) -> str:
    """Return `text` as a string of SQL."""
    return "'" + text.replace("'", "''") + "'"


class ArchiveFiles:
    """The archive beside a store, as files. `store`: the database file whose tasks are written.

    Several engines may share a folder: each writes and removes files of its own tasks only.
    """

    def __init__(self, store: Path) -> None:
        self.folder = store.parent / FOLDER
        self._unfinished = self.folder / _UNFINISHED / store.name
        self._store = store.name

    def path(self, kind: str, task_id: str) -> Path:
        """Return the place of a task's rows of a kind. Raises `StoreError` for an odd id."""
        if not _NAME.fullmatch(task_id):
            raise StoreError(f"A task called {task_id[:60]!r} cannot be archived.")
        return self.folder / kind / f"{task_id}.parquet"

    def written(self, task_id: str) -> int | None:
        """Return up to when a task was written whole, in microseconds UTC; None: it was not."""
        try:
            return self.path("tasks", task_id).stat().st_mtime_ns // 1000
        except OSError:
            return None

    def prepare(self, connection: duckdb.DuckDBPyConnection, task_id: str) -> dict[str, Path]:
        """Write the task's rows to unfinished files, as of one moment; return those by kind.

        A kind of which there are no rows has no file; without the kind `tasks` there is no such
        task any more. Raises `duckdb.Error` and `OSError`.
        """
        self._unfinished.mkdir(parents=True, exist_ok=True)
        made: dict[str, Path] = {}
        connection.begin()
        try:
            changed = connection.execute(_CHANGED, [task_id]).fetchone()
            for kind, query in KINDS.items():
                path = self._unfinished / f"{kind}.parquet"
                if self._write(connection, query, path, kind, task_id):
                    made[kind] = path
        finally:
            connection.rollback()
        for path in made.values():
            with path.open("r+b") as file:
                os.fsync(file.fileno())
        if "tasks" in made and changed is not None:
            # Its time is that of the newest row in it: so it is seen when newer ones are missing.
            os.utime(made["tasks"], ns=(changed[0] * 1000, changed[0] * 1000))
        return made

    def finish(self, made: dict[str, Path], task_id: str) -> None:
        """Give whole files their names, `tasks` last; what has no rows any more goes."""
        for kind in KINDS:
            final = self.path(kind, task_id)
            if kind in made:
                final.parent.mkdir(parents=True, exist_ok=True)
                made[kind].replace(final)
            else:
                final.unlink(missing_ok=True)

    def purge(self, task_id: str, *kinds: str) -> None:
        """Remove the task's files, or those of `kinds`. Raises `OSError`.

        `tasks` goes first: a task that is cut in two by a crash counts as not written.
        """
        for kind in kinds or tuple(reversed(KINDS)):
            self.path(kind, task_id).unlink(missing_ok=True)

    def clean(self) -> None:
        """Remove what a killed process of this store has left unfinished."""
        for left in list(self._unfinished.glob("*")) if self._unfinished.is_dir() else []:
            left.unlink(missing_ok=True)

    def _write(
        self,
        connection: duckdb.DuckDBPyConnection,
        query: str,
        path: Path,
        kind: str,
        task_id: str,
    ) -> bool:
        marks = ", ".join(
            f"{name}: {literal(value)}"
            for name, value in (
                ("lazyboy_format", str(FORMAT)),
                ("lazyboy_kind", kind),
                ("lazyboy_task", task_id),
                ("lazyboy_store", self._store),
            )
        )
        row = connection.execute(
            f"""COPY ({query}) TO {literal(str(path))}
                (FORMAT parquet, COMPRESSION zstd, KV_METADATA {{{marks}}})""",
            [task_id],
        ).fetchone()
        return row is not None and row[0] > 0
