"""Owns queries that people write: only reading ones, on a thread that an interrupt can end.

A person's own kernel may read any file (`read_csv`); what is refused is whatever would change the
store, a file or a setting. Nothing of it ever runs on the engine's loop.
"""

import contextlib
import importlib
import importlib.util
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

import duckdb

from ..core.sanitise import visible
from ..errors import UsageError
from .views import VIEWS

T = TypeVar("T")
Cursor = duckdb.DuckDBPyConnection
Form = Literal["df", "pl", "arrow", "rows"]
_NEEDS: dict[Form, tuple[str, ...]] = {
    "df": ("pandas",),
    "pl": ("polars", "pyarrow"),
    "arrow": ("pyarrow",),
    "rows": (),
}
_POLL_SECONDS = 0.2
PATIENCE_SECONDS = 0.5
"""How long an interrupt waits for the query to end; what cannot be cut, such as a frame that is
being made of rows, ends by itself."""
_EXPLAIN = re.compile(r"explain\b\s*(\([^()]*\)\s*|analyze\b\s*)?", re.IGNORECASE)
_QUOTED = r"'(?:[^']|'')*'|\"[^\"]*\"|\$(\w*)\$.*?\$\2\$"
_COMMENT = re.compile(rf"({_QUOTED})|--[^\n]*|/\*.*?\*/", re.DOTALL)
_OVER = "SELECT * FROM (\n{}\n)"
_TEXT = re.compile(f"({_QUOTED})", re.DOTALL)
# In a SELECT too, DuckDB lets parts of a query write, and functions change what all queries see.
_WRITING = re.compile(
    r"\(\s*(copy|insert|update|delete|merge|truncate|create|drop|alter)\s+[^\s),]", re.IGNORECASE
)
_CHANGING = re.compile(
    r"\b(enable_logging|disable_logging|truncate_duckdb_logs|enable_profiling|disable_profiling"
    r"|checkpoint|force_checkpoint|nextval|(?:add|remove)_grammar_extension"
    r"|(?:create|destroy|register|deregister)_external_resource(?:_type)?)\"?\s*\(",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Head:
    """The first rows of a result, and how many more there are. `left_out`: of the archive."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    more: int
    left_out: tuple[str, ...]


class Query:
    """One query of a person. It runs anew each time it is asked for rows, as of that moment.

    Raises `UsageError`, in one line, for what is wrong with the SQL; a KeyboardInterrupt ends the
    query and is raised again.
    """

    def __init__(
        self,
        sql: str,
        open_cursor: Callable[[str], tuple[Cursor, list[str]]],
        asking: Callable[[Cursor], contextlib.AbstractContextManager[None]],
    ) -> None:
        self.sql = sql.strip()
        self._open = open_cursor
        self._asking = asking

    def head(self, limit: int) -> Head:
        """Return the first `limit` rows; the others are counted, in the same snapshot."""

        def read(cursor: Cursor, query: str, left_out: list[str]) -> Head:
            explains = query.lower().startswith("explain")
            found = cursor.execute(
                query if explains else f"{_OVER.format(query)} LIMIT {limit + 1}"
            )
            columns = tuple(column[0] for column in found.description or ())
            rows, more = found.fetchall(), 0
            if len(rows) > limit:
                counted = cursor.execute(f"SELECT count(*) FROM ({_OVER.format(query)})").fetchone()
                more = max(counted[0] if counted else 0, len(rows)) - limit
            return Head(columns, tuple(rows[:limit]), more, tuple(left_out))

        return self._run(read)

    def result(self, form: Form) -> Any:
        """Return all of it: a pandas or Polars frame, an Arrow table, or a list of tuples.

        Raises `UsageError` when the package for it is not installed.
        """
        missing = [name for name in _NEEDS[form] if importlib.util.find_spec(name) is None]
        if missing:
            verb = "are" if len(missing) > 1 else "is"
            raise UsageError(
                f"{' and '.join(missing)} {verb} not installed.",
                f"%pip install {' '.join(_NEEDS[form])}, then ask again.",
            )
        make: dict[Form, Callable[[Any], Any]] = {
            "df": lambda relation: relation.df(),
            # Polars by itself would pull the rows in a way that no interrupt can end.
            "pl": lambda relation: relation.to_arrow_table(),
            "arrow": lambda relation: relation.to_arrow_table(),
            "rows": lambda relation: relation.fetchall(),
        }
        made = self._run(lambda cursor, query, _: make[form](cursor.sql(query)))
        return importlib.import_module("polars").from_arrow(made) if form == "pl" else made

    def _run(self, read: Callable[[Cursor, str, list[str]], T]) -> T:
        cursors: list[Cursor] = []

        def once() -> T:
            cursor, left_out = self._open(self.sql)
            cursors.append(cursor)
            query = only_reading(cursor, self.sql)
            with self._asking(cursor):
                cursor.execute("BEGIN TRANSACTION READ ONLY")
                try:
                    return read(cursor, query, left_out)
                finally:
                    with contextlib.suppress(duckdb.Error):
                        cursor.rollback()

        def work() -> T:
            try:
                return once()
            except duckdb.IOException:
                return once()  # another engine may have just written a file of the archive anew

        def interrupt() -> None:
            for cursor in cursors:
                cursor.interrupt()

        try:
            return _interruptible(work, interrupt)
        except duckdb.Error as error:
            raise query_error(error) from None


def _interruptible(work: Callable[[], T], interrupt: Callable[[], None]) -> T:
    """Return what `work` returns, on a thread of its own; a KeyboardInterrupt ends both.

    DuckDB looks for signals by itself in some of its calls only, and then hides them.
    """
    done = threading.Event()
    outcome: list[T] = []
    failures: list[BaseException] = []

    def run() -> None:
        try:
            outcome.append(work())
        except BaseException as error:  # noqa: BLE001 - whatever it is, the caller must hear of it
            failures.append(error)
        finally:
            done.set()

    threading.Thread(target=run, name="lazyboy-query", daemon=True).start()
    try:
        while not done.wait(_POLL_SECONDS):
            continue
    except KeyboardInterrupt:
        interrupt()
        done.wait(PATIENCE_SECONDS)
        raise
    if failures:
        raise failures[0]
    return outcome[0]


def only_reading(cursor: Cursor, sql: str) -> str:
    """Return the one statement of `sql`, without what stands around it; raise `UsageError` unless
    it only reads."""
    statements = cursor.extract_statements(sql)
    if not statements:
        raise UsageError(
            "There is no SQL.", "Write some: SELECT stage, count(*) FROM timing GROUP BY stage."
        )
    if len(statements) > 1:
        raise UsageError(
            f"There are {len(statements)} statements.", "Write one; WITH names the steps of it."
        )
    bare = _COMMENT.sub(_without_comment, sql).strip().rstrip("; \n\t")
    kind = statements[0].type.name
    if kind == "EXPLAIN":
        inner = _EXPLAIN.sub("", bare, count=1).strip()
        if inner.lower().startswith("explain"):
            raise UsageError("EXPLAIN explains one query.", "Write EXPLAIN once.")
        only_reading(cursor, inner)
        return bare
    if kind == "MULTI":
        raise UsageError(
            "PIVOT without its values would make a type.", "Name them: ON stage IN ('…', '…')."
        )
    writes = _WRITING.search(_TEXT.sub("''", bare))
    changes = _CHANGING.search(bare)
    if kind != "SELECT" or writes or changes:
        what = writes.group(1) if writes else changes.group(1) if changes else kind
        raise UsageError(
            f"Only what reads runs here, and {what.upper()} does not only read.",
            "SELECT, WITH, FROM, DESCRIBE, SUMMARIZE, SHOW and EXPLAIN do.",
        )
    return bare


def _without_comment(found: "re.Match[str]") -> str:
    """Keep what is quoted; of a comment keep its lines, so that places stay true."""
    return found[1] or " " + "\n" * found[0].count("\n")


_PLACE = re.compile(r"\n\n(LINE (\d+): )([^\n]*)\n( *)(\^+)")


def query_error(error: duckdb.Error) -> UsageError:
    """Return DuckDB's error as one line: what is wrong, where, its suggestion, the next step."""
    text = str(error)
    if isinstance(error, duckdb.InterruptException):
        return UsageError("The query was interrupted.", "Ask again.")
    place = _PLACE.search(text)
    said = text[: place.start()] if place else text
    said = re.sub(r"^[\w ]+ Error: ", "", said.partition("\n\nLINE ")[0])
    sentence = visible(said, 400).rstrip(".!?:") + ("?" if said.rstrip().endswith("?") else "")
    where = ""
    if place is not None:
        begin = len(place[4]) - len(place[1])
        word = visible(place[3][max(begin, 0) : begin + len(place[5])], 40)
        # What is parsed is the person's text; what is run stands under a line of ours.
        line = int(place[2]) - (not isinstance(error, duckdb.ParserException))
        where = f" (line {max(line, 1)}, at {word or 'its end'})"
    end = "" if sentence.endswith("?") else "."
    hint = "%timing? shows examples."
    if re.search(r"Table with name .* does not exist", said):
        hint = f"Views are {', '.join(VIEWS)}."
    return UsageError(f"{sentence}{where}{end}", hint)
