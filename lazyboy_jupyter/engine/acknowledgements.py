"""Owns the way from the writer's thread back to the loop: commits are told there, in order.

A commit may hold the batches of a hundred tasks. Each acknowledgement wakes one of them up, so only
a few are told in one turn of the loop: whatever else waits on it gets its turn in between.
"""

import asyncio
import contextlib
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future

_A_TURN = 4
Told = Callable[[BaseException | None], None]


class Acknowledgements:
    """For one loop, whose thread alone may call `tell`."""

    def __init__(self) -> None:
        self._committed: deque[tuple[Told, BaseException | None]] = deque()
        self._entrance = threading.Lock()
        self._is_due = False

    def tell(self, commit: Future[None], told: Told) -> None:
        """Have `told` called on this loop, with the commit's failure, if any, once it is done."""
        loop = asyncio.get_running_loop()

        def on_writer_thread(done: Future[None]) -> None:
            with self._entrance:
                self._committed.append((told, done.exception()))
                if self._is_due:
                    return
                self._is_due = True
            with contextlib.suppress(RuntimeError):  # the loop was closed meanwhile: nobody waits
                loop.call_soon_threadsafe(self._tell_some, loop)

        commit.add_done_callback(on_writer_thread)

    def _tell_some(self, loop: asyncio.AbstractEventLoop) -> None:
        for _ in range(_A_TURN):
            with self._entrance:
                if not self._committed:
                    self._is_due = False
                    return
                told, failure = self._committed.popleft()
            told(failure)
        loop.call_soon(self._tell_some, loop)
