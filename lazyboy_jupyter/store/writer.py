"""Owns the one thread that writes; it alone changes rows, and it never runs a caller's code.

An idle writer commits a batch at once. While it commits, others queue up, and it takes them
together into the next transaction; one that is busy rests a little before it does (`duty.py`).
"""

import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from queue import Full, Queue

import duckdb

from ..errors import StoreError
from .cores import Cores
from .duty import Duty
from .rows import Batch, Row, columns_of
from .schema import Table

GROUP_ROWS = 5_000
"""At most so many rows are grouped into one transaction."""
INSERTED_ROWS = 125
"""At most so many rows go in by one statement: their values are read under the interpreter's lock,
at a microsecond each, and no other thread gets its turn meanwhile."""
TURN_SECONDS = 0.0002
"""Between two of them this thread sleeps: it would have the lock again before who waits for it."""
ENOUGH = 64
"""With so many batches waiting, resting would bring nothing more together."""
QUEUED = 20_000
"""More batches than that waiting means that the disk does not keep up."""

Change = Callable[[duckdb.DuckDBPyConnection], None]


@dataclass(frozen=True, slots=True)
class _Item:
    work: Batch | Change
    done: Future[None]


class Writer:
    """Writes batches in the order they were given. Safe to use from any thread.

    A future that is done without an exception means that its rows are committed.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection, cores: Cores) -> None:
        self._changing = connection
        # Rows go in, and no more: there is nothing to optimise, and trying is a third of the time.
        self._inserting = connection.cursor()
        self._inserting.execute("PRAGMA disable_optimizer")
        self._duty = Duty()
        self._cores = cores
        self._closing = threading.Event()
        self._inserts: dict[Table, duckdb.Statement] = {}
        self._queue: Queue[_Item | None] = Queue(QUEUED)
        self._entrance = threading.Lock()
        self._closed = False
        self._thread = threading.Thread(target=self._run, name="lazyboy-writer", daemon=True)
        self._thread.start()

    def submit(self, work: Batch | Change) -> Future[None]:
        """Queue rows, or a change that runs in a transaction of its own; never waits."""
        done: Future[None] = Future()
        done.set_running_or_notify_cancel()  # who stops waiting does not take the write back
        with self._entrance:  # nothing may be queued behind the end
            if self._closed:
                done.set_exception(StoreError("The store is closed."))
                return done
            try:
                self._queue.put_nowait(_Item(work, done))
            except Full:
                sentence = f"{QUEUED:,} writes wait for the disk."
                done.set_exception(StoreError(sentence, "Check that it is not stuck."))
        return done

    def close(self) -> None:
        """Write what is queued, then end the thread. Safe to call twice."""
        with self._entrance:
            if not self._closed:
                self._closed = True
                self._closing.set()
                self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        """On the writer thread."""
        ended = False
        while not ended:
            group: list[_Item] = []
            alone: _Item | None = None
            rows = 0
            # Wait for the first; then take what already waits, and not a moment more.
            while not group or (rows < GROUP_ROWS and not self._queue.empty()):
                item = self._queue.get()
                if not group:
                    self._rest()
                if item is None:
                    ended = True
                    break
                if not isinstance(item.work, Batch):
                    alone = item
                    break
                group.append(item)
                rows += len(item.work)
            began = time.monotonic()
            self._write(group)
            if alone is not None:
                self._write([alone])
            self._duty.worked(began, time.monotonic())

    def _rest(self) -> None:
        """Let more batches come, as long as a busy writer should; closing ends it."""
        seconds = self._duty.rest(time.monotonic())
        if seconds and self._queue.qsize() < ENOUGH:
            self._closing.wait(seconds)

    def _write(self, group: list[_Item]) -> None:
        failure = self._commit(group) if group else None
        if failure is not None and len(group) > 1:
            # One batch's failure is not its neighbours': each gets a transaction of its own.
            for item in group:
                self._write([item])
            return
        for item in group:
            if failure is None:
                item.done.set_result(None)
            else:
                item.done.set_exception(failure)

    def _commit(self, group: list[_Item]) -> StoreError | None:
        """Commit batches together, or one change."""
        batches = [item.work for item in group if isinstance(item.work, Batch)]
        connection = self._inserting if batches else self._changing
        try:
            self._cores.for_rows(connection)
            connection.execute("BEGIN")
            self._insert(batches)
            for item in group:
                if not isinstance(item.work, Batch):
                    item.work(connection)
            connection.execute("COMMIT")
        except Exception as error:  # noqa: BLE001 - whatever failed, its callers must hear of it
            _roll_back(connection)
            return error if isinstance(error, StoreError) else _readable(error)
        return None

    def _insert(self, group: list[Batch]) -> None:
        merged: dict[Table, list[Row]] = {}
        for batch in group:
            for table, rows in batch.rows.items():
                merged.setdefault(table, []).extend(rows)
        for table, rows in merged.items():
            for first in range(0, len(rows), INSERTED_ROWS):
                columns = columns_of(table, rows[first : first + INSERTED_ROWS])
                self._inserting.execute(self._insert_into(table), columns)
                if first + INSERTED_ROWS < len(rows):
                    time.sleep(TURN_SECONDS)

    def _insert_into(self, table: Table) -> duckdb.Statement:
        """Return the table's statement, parsed once: parsing is 0.7 of 1.6 ms of a small insert."""
        if table not in self._inserts:
            self._inserts[table] = self._inserting.extract_statements(table.insert)[0]
        return self._inserts[table]


def _roll_back(connection: duckdb.DuckDBPyConnection) -> None:
    try:
        connection.rollback()
    except duckdb.Error:
        return  # the failed commit has ended the transaction already


def _readable(error: Exception) -> StoreError:
    """Name the disk's failure in one sentence; DuckDB's own first line says which."""
    first_line = str(error).strip().partition("\n")[0]
    return StoreError(
        f"The store could not be written: {first_line}",
        "What was stored before is safe. Free the disk or choose another store, then ask again.",
    )
