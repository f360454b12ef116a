"""Owns running a blocking function beside the loop, on a daemon thread of its own."""

import asyncio
import contextlib
import threading
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")


async def off_loop(function: Callable[[], T]) -> T:
    """Return what `function` returns, computed on a daemon thread of its own.

    `asyncio.to_thread` would not do: its threads keep the interpreter from exiting, and cannot be
    started any more once it has begun to.
    """
    loop = asyncio.get_running_loop()
    done: asyncio.Future[T] = loop.create_future()

    def settle(set_outcome: Callable[[Any], None], outcome: Any) -> None:
        if not done.done():
            set_outcome(outcome)

    def tell(set_outcome: Callable[[Any], None], outcome: Any) -> None:
        with contextlib.suppress(RuntimeError):  # the loop was closed meanwhile: nobody waits
            loop.call_soon_threadsafe(settle, set_outcome, outcome)

    def run() -> None:
        try:
            result = function()
        except BaseException as error:  # noqa: BLE001 - whatever it is, the caller must hear of it
            tell(done.set_exception, error)
        else:
            tell(done.set_result, result)

    try:
        threading.Thread(target=run, name="lazyboy-helper", daemon=True).start()
    except RuntimeError:  # the interpreter is shutting down and starts no threads
        return function()
    return await done
