"""Owns when tasks are written to the archive: on one thread of its own, beside everything else.

Nothing waits for it but who asks for it. What cannot be written (a full disk) is said once in the
log, harms nothing, and is written when the store is next opened.
"""

import itertools
import logging
import threading
import time
from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import Future
from queue import PriorityQueue

import duckdb

from ..errors import StoreError
from .archive_files import FINISHED, ArchiveFiles

REST = 4.0
"""After each task it rests so many times as long as it took: others run meanwhile."""
LONGEST_REST = 0.5
CLOSING_SECONDS = 2.0
"""What is not written so long after the store's closing is written at its next opening."""
Work = Callable[[duckdb.DuckDBPyConnection], None]
_END: tuple[int, int, Work | None] = (2, 0, None)
_log = logging.getLogger("lazyboy_jupyter")


class Archive:
    """Writes finished tasks to the archive of one store. Safe to use from any thread."""

    def __init__(
        self, files: ArchiveFiles, connect: Callable[[], duckdb.DuckDBPyConnection]
    ) -> None:
        self.files = files
        self._connect = connect
        self._queue: PriorityQueue[tuple[int, int, Work | None]] = PriorityQueue()
        self._numbers = itertools.count()
        self._soon: set[str] = set()
        # Two, so that who queues work, such as the loop, never waits for a disk.
        self._lock = threading.Lock()
        self._placing = threading.Lock()
        self._thread: threading.Thread | None = None
        self._cursor: duckdb.DuckDBPyConnection | None = None
        self._waiting: dict[str, Future[None]] = {}
        self._purges: defaultdict[str, int] = defaultdict(int)
        self._gone: set[str] = set()
        self._awaited = threading.Event()
        self._closing = threading.Event()
        self._abandoned = threading.Event()
        self._said = False

    def keep(self, task_id: str, *, soon: bool = False) -> "Future[None]":
        """Write what the store has of a task now, in place of what was written before.

        Never waits. The future is done when all of it has its final name; it fails with
        `StoreError`. `soon`: someone waits for it, so do not rest before.
        """
        with self._lock:
            if self._closing.is_set() and task_id not in self._waiting:
                done: Future[None] = Future()
                done.set_exception(StoreError("The store is closed."))
                return done
            if soon:
                self._soon.add(task_id)
                self._awaited.set()
            return self._queued(task_id, soon=soon)

    def _queued(self, task_id: str, *, soon: bool = False) -> "Future[None]":
        """The caller holds the lock."""
        new = task_id not in self._waiting
        done = self._waiting.setdefault(task_id, Future())
        if new or soon:  # one that waits already is overtaken by itself
            self._submit(lambda cursor: self._keep(cursor, task_id, done), rank=0 if soon else 1)
        return done

    def catch_up(self) -> None:
        """Write every finished task that is not written yet, or has changed since. Never waits."""
        with self._lock:
            if not self._closing.is_set():
                self._submit(self._catch_up)

    def purge(self, task_id: str, *kinds: str) -> None:
        """Remove a task's files, or those of `kinds`; without kinds it is never written again.

        What is being written of it just now is not put in place. Raises `OSError`.
        """
        with self._placing:
            self._purges[task_id] += 1
            if not kinds:
                self._gone.add(task_id)
            self.files.purge(task_id, *kinds)

    def close(self) -> None:
        """Write what is queued, for two seconds at most; then end the thread. Safe to call
        twice."""
        with self._lock:
            self._closing.set()
            thread, self._thread = self._thread, None
        self._awaited.set()
        if thread is None:
            return
        self._queue.put(_END)
        thread.join(CLOSING_SECONDS)
        if thread.is_alive():
            self._abandoned.set()
            if self._cursor is not None:
                self._cursor.interrupt()
            thread.join()

    def _submit(self, work: Work | None, rank: int = 1) -> None:
        """The caller holds the lock. The lower `rank` goes first."""
        self._queue.put((rank, next(self._numbers), work))
        if self._thread is None and not self._closing.is_set():
            self._thread = threading.Thread(target=self._run, name="lazyboy-archive", daemon=True)
            self._thread.start()

    def _run(self) -> None:
        """On the archive's thread. However it ends, nobody waits for ever, and the next work starts
        another."""
        why = StoreError("The store was closed meanwhile.")
        try:
            self._cursor = self._connect()
            self._work(self._cursor)
        except Exception as error:  # noqa: BLE001 - whoever waits must hear of it
            self._say(error)
            why = _unwritten(error)
        with self._lock:
            waiting, self._waiting = list(self._waiting.values()), {}
            self._soon.clear()
            if self._thread is threading.current_thread():
                self._thread = None
        for done in waiting:
            done.set_exception(why)

    def _work(self, cursor: duckdb.DuckDBPyConnection) -> None:
        while not self._abandoned.is_set():
            *_, work = self._queue.get()
            if work is None:
                return
            began = time.monotonic()
            work(cursor)
            took = time.monotonic() - began
            self._awaited.wait(min(took * REST, LONGEST_REST))

    def _catch_up(self, cursor: duckdb.DuckDBPyConnection) -> None:
        try:
            self.files.clean()
            rows = cursor.execute(FINISHED).fetchall()
            for task_id, changed_us in rows:
                if self.files.written(task_id) != changed_us:
                    with self._lock:
                        self._queued(task_id)
        except (duckdb.Error, OSError, StoreError) as error:
            self._say(error)

    def _keep(self, cursor: duckdb.DuckDBPyConnection, task_id: str, done: "Future[None]") -> None:
        with self._lock:
            if self._waiting.get(task_id) is not done:
                return  # it has overtaken itself
            self._waiting.pop(task_id)  # what changes from now on needs another writing
        failure: StoreError | None = None
        try:
            while not self._kept(cursor, task_id):
                continue
        except Exception as error:  # noqa: BLE001 - whoever waits must hear of it
            self._say(error)
            failure = _unwritten(error)
        with self._lock:
            self._soon.discard(task_id)
            if not self._soon and not self._closing.is_set():
                self._awaited.clear()
        if failure is None:
            self._said = False
            done.set_result(None)
        else:
            done.set_exception(failure)

    def _kept(self, cursor: duckdb.DuckDBPyConnection, task_id: str) -> bool:
        """Write the task; False: something of it was purged meanwhile, so what was read is old."""
        with self._placing:
            purges = self._purges[task_id]
        try:
            made = self.files.prepare(cursor, task_id)
            with self._placing:
                if purges != self._purges[task_id]:
                    return False
                if task_id in self._gone or "tasks" not in made:
                    made = {}
                self.files.finish(made, task_id)
        finally:
            self.files.clean()
        return True

    def _say(self, error: Exception) -> None:
        if not self._said:
            self._said = True
            _log.warning("The archive %s is not written: %s", self.files.folder, _first_line(error))


def _unwritten(error: Exception) -> StoreError:
    return StoreError(
        f"The archive could not be written: {_first_line(error)}",
        "The task is safe in its store. Free the disk, then try again.",
    )


def _first_line(error: object) -> str:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return reason.strip().partition("\n")[0]
