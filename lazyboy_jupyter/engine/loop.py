"""Owns the one thread on which the engine's asyncio loop runs, and the one door to it."""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import CancelledError, Future
from typing import Any, TypeVar

from ..errors import EngineClosedError

T = TypeVar("T")
_JOIN_SECONDS = 5


class LoopThread:
    """A daemon thread that runs one loop. Other threads enter through `submit` only."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run, name="lazyboy-engine", daemon=True)
        self._thread.start()

    def submit(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Run a coroutine on the loop; its result is the future's. Safe from any thread.

        Raises `EngineClosedError` after `close`.
        """
        if self._loop.is_closed() or not self._thread.is_alive():
            work.close()
            raise EngineClosedError("The engine is closed.", "Make a new one to go on.")
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def run(self, work: Coroutine[Any, Any, T], timeout: float | None = None) -> T:
        """Run a coroutine on the loop and wait for its result. Not on the loop's own thread."""
        if threading.current_thread() is self._thread:
            work.close()
            raise RuntimeError("the loop's own thread cannot wait for itself")
        try:
            return self.submit(work).result(timeout)
        except CancelledError:
            raise EngineClosedError("The engine was closed meanwhile.") from None

    def call_soon(self, function: Callable[[], object]) -> None:
        """Call `function` on the loop's thread, soon. Nothing happens after `close`."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(function)

    def close(self) -> None:
        """Cancel what runs, stop the loop, join its thread. Safe to call twice."""
        if self._loop.is_closed():
            return
        asyncio.run_coroutine_threadsafe(self._end_all(), self._loop)
        self._thread.join(_JOIN_SECONDS)

    async def _end_all(self) -> None:
        """Cancel what still runs, so that nobody waits for ever for its result; then stop."""
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        self._loop.stop()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_forever()
        finally:
            self._loop.run_until_complete(self._loop.shutdown_asyncgens())
            self._loop.close()
