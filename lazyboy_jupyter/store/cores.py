"""Owns how many cores DuckDB uses: one while rows go in, all of them when a person asks something.

With more, a second thread wakes up for each of the many small inserts and finds nothing to do,
which cost a sixth of all CPU that the kernel spends on a task.
"""

import contextlib
import threading
import time
from collections.abc import Callable, Iterator

import duckdb

QUIET_SECONDS = 300.0
"""How long after a question the cores stay: a relation runs whenever it is read, unseen."""


class Cores:
    """For one open store, which was opened with one thread. Safe to use from any thread."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._lock = threading.Lock()
        self._asked: float | None = None
        self._running = 0

    def for_question(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Let the questions that follow have as many threads as DuckDB takes by itself."""
        with self._lock:
            if self._asked is None:
                connection.execute("RESET threads")
            self._asked = self._now()

    @contextlib.contextmanager
    def asking(self, connection: duckdb.DuckDBPyConnection) -> Iterator[None]:
        """Let a question have them for as long as it runs."""
        with self._lock:
            self._running += 1
        try:
            self.for_question(connection)
            yield
        finally:
            with self._lock:
                self._running -= 1
                self._asked = self._now()

    def for_rows(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Go back to one thread when nothing has been asked for a while; outside a transaction.

        DuckDB waits for a question that runs just then, so it must not be one that was just asked.
        """
        if self._asked is None or self._now() - self._asked < QUIET_SECONDS:
            return
        with self._lock:
            if self._running:
                return
            connection.execute("SET threads = 1")
            self._asked = None
