"""Owns letting the person's own code run between ours, while there is work of ours to do.

The interpreter lets a thread that waits for its lock have it every 5 ms; a cell passes through
several threads, so beside a busy engine each of its steps waits that long. While tasks run it is
1 ms: a cell beside twenty tasks then takes about half of what it took (ARCHITECTURE "Measured").

The garbage collector holds everybody up, by default after every 700 objects, and now and then looks
through all that the person has in memory: 57 ms with nothing in it. While tasks run it looks after
every 5,000, which a hundred tasks come to some twenty times.
"""

import gc
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

SECONDS = 0.001
OBJECTS = 5_000


class Yielding:
    """Shortens the interpreter's switch interval while someone is at work, lengthens the garbage
    collector's, and puts both back."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._at_work = 0
        self._seconds_before = 0.0
        self._objects_before = 0

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Be at work. What someone else sets meanwhile stays."""
        with self._lock:
            self._at_work += 1
            if self._at_work == 1:
                self._begin()
        try:
            yield
        finally:
            with self._lock:
                self._at_work -= 1
                if not self._at_work:
                    self._end()

    def _begin(self) -> None:
        self._seconds_before = sys.getswitchinterval()
        if self._seconds_before > SECONDS:
            sys.setswitchinterval(SECONDS)
        self._objects_before, *older = gc.get_threshold()
        if 0 < self._objects_before < OBJECTS:  # 0: the person has switched it off
            gc.set_threshold(OBJECTS, *older)

    def _end(self) -> None:
        if _is(SECONDS):
            sys.setswitchinterval(self._seconds_before)
        objects, *older = gc.get_threshold()
        if objects == OBJECTS:
            gc.set_threshold(self._objects_before, *older)


def _is(seconds: float) -> bool:
    # The interpreter keeps whole microseconds.
    return abs(sys.getswitchinterval() - seconds) < 1e-6
