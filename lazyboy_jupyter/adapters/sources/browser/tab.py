"""Owns one open page: what the network does for it, and looking into it within a time."""

import asyncio
from collections.abc import Coroutine
from typing import Any
from urllib.parse import urlsplit

from playwright.async_api import CDPSession, Frame, Page, Request, Response, Route
from playwright.async_api import Error as PlaywrightError

from ....errors import SourceError
from .failures import browser_failure, crashed, too_busy, too_large
from .lane import Lane
from .limits import Limits

# What a page loads that has no text in it. The types are Playwright's.
_UNWANTED = frozenset(("image", "media", "font", "texttrack", "manifest"))
# What may still bring text; event streams and sockets are open for as long as the page is.
_AWAITED = frozenset(("document", "script", "stylesheet", "xhr", "fetch"))


class Tab:
    """A page of one owner's context. `status`, `content_type`: of its main document."""

    def __init__(self, page: Page, session: CDPSession, lane: Lane, limits: Limits) -> None:
        self.page = page
        self.status = 0
        self.content_type = ""
        self.retry_after = ""
        self.navigations = 0
        """How many main documents were asked for; a chain of redirects is one."""
        self.documents = 0
        """How often the address has changed, moves within a document included."""
        self.changed = asyncio.Event()
        """Set when `documents` grows; whoever waits for it clears it first."""
        self.is_idle = asyncio.Event()
        self._is_crashed = asyncio.Event()
        self._is_download = asyncio.Event()
        self._asked = page.url
        self._error = ""
        self._session = session
        self._lane = lane
        self._limits = limits
        self._in_flight: set[Request] = set()
        self.is_idle.set()
        page.on("request", self._on_request)
        page.on("requestfinished", self._on_end)
        page.on("requestfailed", self._on_end)
        page.on("response", self._on_response)
        page.on("framenavigated", self._on_navigated)
        page.on("crash", lambda _: self._is_crashed.set())
        page.on("download", lambda _: self._is_download.set())

    @property
    def host(self) -> str:
        """The host that the main document was last asked from."""
        return _host_and_port(self._asked)[0]

    @property
    def has_downloaded(self) -> bool:
        """Whether an address led to a file that a browser saves."""
        return self._is_download.is_set()

    @property
    def has_spent(self) -> bool:
        """Whether the page has loaded as much as it may."""
        return self._lane.spent.is_set()

    def failure(self, message: str) -> SourceError:
        """Return why the main document could not be had, `message` being the browser's word."""
        guards = self._lane.failure_of(*_host_and_port(self._asked))
        return self._ended() or guards or browser_failure(message, self.host)

    def check(self) -> None:
        """Raise `SourceError` when the browser shows an error of its own in the page's place."""
        if self.page.url.startswith("chrome-error:"):
            raise self.failure(self._error)

    def _ended(self) -> SourceError | None:
        if self._is_crashed.is_set():
            return crashed(self.host)
        return too_large(self.host, self._limits.page_bytes) if self.has_spent else None

    async def until_ended(self) -> None:
        """Return when the tab has crashed or has loaded all it may."""
        ends = [
            asyncio.ensure_future(event.wait()) for event in (self._is_crashed, self._lane.spent)
        ]
        try:
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for end in ends:
                drop(end)

    async def evaluate(self, expression: str, seconds: float) -> Any:
        """Return the value of a script run beside the page's own.

        Raises `SourceError` ("timeout") when the page leaves it no time, Playwright's error when
        the document went away meanwhile.
        """
        answer = await self._bounded(self._run(expression, seconds), seconds)
        if "exceptionDetails" in answer:
            raise SourceError(
                "unreadable", f"The page of {self.host} cannot be read.", "Use another source."
            )
        return answer["result"].get("value")

    async def _run(self, expression: str, seconds: float) -> dict[str, Any]:
        tree = await self._session.send("Page.getFrameTree")
        frame = tree["frameTree"]["frame"]["id"]
        world = await self._session.send(
            "Page.createIsolatedWorld", {"frameId": frame, "worldName": "lazyboy"}
        )
        answer: dict[str, Any] = await self._session.send(
            "Runtime.evaluate",
            {
                "expression": expression,
                "contextId": world["executionContextId"],
                "returnByValue": True,
                "awaitPromise": True,
                "timeout": seconds * 1000,
            },
        )
        return answer

    async def _bounded(
        self, work: Coroutine[Any, Any, dict[str, Any]], seconds: float
    ) -> dict[str, Any]:
        """Return what `work` does; a crashed page answers nothing, and says nothing either."""
        running = asyncio.ensure_future(work)
        crash = asyncio.ensure_future(self._is_crashed.wait())
        try:
            await asyncio.wait(
                {running, crash}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED
            )
            if not running.done():
                raise self._ended() or too_busy(self.host)
            return running.result()
        finally:
            drop(running)
            drop(crash)

    def _on_request(self, request: Request) -> None:
        if request.is_navigation_request() and request.frame == self.page.main_frame:
            self._asked = request.url
            self.navigations += request.redirected_from is None
            self._in_flight.clear()  # the old document's requests end without a word
        if request.resource_type in _AWAITED:
            self._in_flight.add(request)
            self.is_idle.clear()

    def _on_end(self, request: Request) -> None:
        self._in_flight.discard(request)
        if not self._in_flight:
            self.is_idle.set()
        if request.failure and request.url == self._asked:
            self._error = request.failure

    def _on_response(self, response: Response) -> None:
        request = response.request
        if request.is_navigation_request() and request.frame == self.page.main_frame:
            self.status = response.status
            self.content_type = response.headers.get("content-type", "")
            self.retry_after = response.headers.get("retry-after", "")

    def _on_navigated(self, frame: Frame) -> None:
        if frame == self.page.main_frame:
            self.documents += 1
            self.changed.set()


def drop(task: asyncio.Future[Any]) -> None:
    """Cancel a task and do not wait for it: a busy page or a dead driver may never answer."""
    task.cancel()
    task.add_done_callback(lambda done: done.cancelled() or done.exception())


async def refuse_unwanted(route: Route) -> None:
    """Let through what may bring text, over http alone; nothing else is even asked for."""
    request = route.request
    scheme = urlsplit(request.url).scheme
    try:
        if request.resource_type in _UNWANTED or scheme not in {"http", "https"}:
            await route.abort("blockedbyclient")
        else:
            await route.fallback()
    except PlaywrightError:
        return  # the page was closed meanwhile


def _host_and_port(url: str) -> tuple[str, int]:
    try:
        parts = urlsplit(url)
        return parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
    except ValueError:
        return "", 0
