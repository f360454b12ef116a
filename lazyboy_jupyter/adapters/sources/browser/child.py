"""Owns the browser's process: Playwright, Chromium and the guard live in it; it prints nothing.

Requests come in on standard input, answers go out. When its parent ends, however it ends, this
process does; Playwright's driver sees that, and ends Chromium. It ends too when the browser dies or
nobody has used it for a while: the next request starts another.
"""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from typing import Any

from ....errors import SourceError
from ...child import frame
from ...child_service import Inbox, Put, serve
from .messages import Answer, Ask, Cancel, Failed, Start
from .shown import BrowserPage

_NICENESS = 10
_CLOSE_SECONDS = 3.0
_FAILED = 1


def main() -> None:
    """Serve until standard input ends, or the browser does."""
    serve(_NICENESS, _serve)


async def _serve(inbox: Inbox, put: Put) -> int:
    """Return the exit code: 0 when the process was not needed any more."""
    start = await inbox.get()
    if not isinstance(start, Start):
        return 0
    return await _Service(start, inbox, put).run()


class _Service:
    """Performs requests, many at once."""

    def __init__(self, start: Start, inbox: Inbox, put: Put) -> None:
        self._start = start
        self._inbox = inbox
        self._put = put
        self._running: dict[int, asyncio.Task[None]] = {}
        self._is_alive: Callable[[], Awaitable[bool]]

    async def run(self) -> int:
        """Serve until there is no more to serve. Return the exit code."""
        from playwright.async_api import Error as PlaywrightError
        from playwright.async_api import async_playwright

        from ..web.addresses import AddressPolicy
        from ..web.network import SystemNetwork
        from .failures import not_started
        from .guard import Guard
        from .launch import launch
        from .pages import Pages

        policy = AddressPolicy.allowing(self._start.allow_hosts)
        guard = Guard(SystemNetwork(), policy, self._start.limits.page_bytes)
        try:
            port = await guard.start()
            playwright = await async_playwright().start()
            launched = await launch(playwright, self._start.executable, port)
        except (PlaywrightError, OSError) as error:
            await self._fail_all(not_started(str(error)))
            return _FAILED
        launched.browser.on("disconnected", lambda _: self._inbox.put_nowait(None))
        self._is_alive = launched.is_alive
        is_idle = await self._work(Pages(launched, guard, self._start.limits))
        # Waited for from outside: a dead driver lets its callers neither end nor be cancelled.
        for closing in (launched.browser.close(), playwright.stop()):
            await asyncio.wait({asyncio.ensure_future(closing)}, timeout=_CLOSE_SECONDS)
        return 0 if is_idle else _FAILED

    async def _work(self, pages: Any) -> bool:
        """Perform what comes in; return whether it ended because nothing came for a while."""
        while True:
            try:
                request = await asyncio.wait_for(self._inbox.get(), self._start.limits.idle)
            except TimeoutError:
                if pages.is_empty and not self._running:
                    return True
                continue
            match request:
                case Ask():
                    task = asyncio.ensure_future(self._answer(pages, request))
                    self._running[request.number] = task
                case Cancel(number) if number in self._running:
                    self._running[number].cancel()
                case None:
                    return False
                case _:
                    pass  # cancelled after it was answered

    async def _answer(self, pages: Any, request: Ask) -> None:
        outcome: BrowserPage | Failed | None = None
        try:
            match request.action:
                case "open":
                    outcome = await pages.open(request.owner, request.url)
                case "snapshot":
                    outcome = await pages.snapshot(request.owner)
                case "release":
                    await pages.release(request.owner)
        except SourceError as error:
            outcome = Failed.of(error)
        except Exception as error:  # noqa: BLE001 - whoever waits must hear of it
            outcome = Failed("unreadable", f"The browser failed: {type(error).__name__}.", "")
        finally:
            self._running.pop(request.number, None)
        # The driver can die without a word: then nothing works any more.
        is_grave = isinstance(outcome, Failed) and outcome.kind == "unreadable"
        if is_grave and not await self._is_alive():
            self._inbox.put_nowait(None)
            return
        self._put(frame(Answer(request.number, outcome)))

    async def _fail_all(self, failure: SourceError) -> None:
        """Answer whatever was asked until the process is known to have failed."""
        while (request := await self._inbox.get()) is not None:
            if isinstance(request, Ask):
                self._put(frame(Answer(request.number, Failed.of(failure))))
            if self._inbox.empty():
                return


if __name__ == "__main__":
    sys.exit("This module is started by the engine.")
