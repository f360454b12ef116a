"""Owns letting the person's own code run between ours, while there is work of ours to do.

The interpreter lets a thread that waits for its lock have it every 5 ms; a cell passes through
several threads, so beside a busy engine each of its steps waits that long. While tasks run it is
1 ms: a cell beside twenty tasks then takes about half of what it took (ARCHITECTURE "Measured").
"""

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

SECONDS = 0.001


class Yielding:
    """Shortens the interpreter's switch interval while someone is at work, and puts it back."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._at_work = 0
        self._before = 0.0

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Be at work. What someone else sets meanwhile stays."""
        with self._lock:
            self._at_work += 1
            if self._at_work == 1:
                self._before = sys.getswitchinterval()
                if self._before > SECONDS:
                    sys.setswitchinterval(SECONDS)
        try:
            yield
        finally:
            with self._lock:
                self._at_work -= 1
                if not self._at_work and _is(SECONDS):
                    sys.setswitchinterval(self._before)


def _is(seconds: float) -> bool:
    # The interpreter keeps whole microseconds.
    return abs(sys.getswitchinterval() - seconds) < 1e-6
