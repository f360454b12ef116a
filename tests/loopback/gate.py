"""A gate that a test opens; the world's server waits at it, so that no test has to sleep."""

import asyncio
import threading
from concurrent.futures import Future


class Gate:
    """Open it from any thread. `reached` is set when the server waits here, all before it sent."""

    def __init__(self) -> None:
        self.reached = threading.Event()
        self._opened: Future[None] = Future()

    def open(self) -> None:
        """Let through whoever waits and whoever comes; a second time changes nothing."""
        if not self._opened.done():
            self._opened.set_result(None)

    async def passed(self) -> None:
        """Return when it is open. On the server's loop; to cancel it leaves other waiters alone."""
        self.reached.set()
        await asyncio.shield(asyncio.wrap_future(self._opened))
