"""Owns bringing a page to the point where its text can be read, within its times."""

import asyncio
import re
from typing import Any

from playwright.async_api import Error as PlaywrightError

from ..web.statuses import status_failure
from . import page_scripts
from .failures import circle, no_page, too_large, too_slow
from .limits import Limits
from .shown import BrowserPage
from .tab import Tab, drop

_SHOWN = re.compile(r"text/|application/(xhtml\+xml|xml|json|ld\+json|.*\+(xml|json))\b", re.I)
_MOST_DOCUMENTS = 6
_TRIES = 3
_SOON_SECONDS = 5.0
# Answers that a page may take back once its script has run (FIELD_CASES P1).
_MAY_BE_LIFTED = frozenset((401, 403, 405, 429, 503))
_CHECKING = re.compile(
    r"checking (your|the) browser|just a moment|verif(y|ying) (that )?you are|please wait"
    r"|ddos[ -]protection|security check|enable javascript|redirecting",
    re.IGNORECASE,
)
_SHORT_TEXT = 1_500


class Visit:
    """Loads one address in a tab. One visit, one `load`."""

    def __init__(self, tab: Tab, limits: Limits) -> None:
        self._tab = tab
        self._limits = limits
        self._end = asyncio.get_running_loop().time() + limits.whole

    async def load(self, url: str) -> BrowserPage:
        """Return the page once its text has settled. Raises `SourceError`."""
        await self._begin(url)
        if not _is_shown(self._tab.content_type) or self._tab.has_downloaded:
            raise no_page(self._tab.host, self._tab.content_type)
        is_parsed = await self._parse()
        if self._tab.has_spent and not is_parsed:
            raise too_large(self._tab.host, self._limits.page_bytes)
        is_settled = is_parsed and await self._settle()
        self._tab.check()
        self._refuse_circles()
        if self._tab.status >= 400:
            raise status_failure(self._tab.status, self._tab.host, self._tab.retry_after)
        return await read_page(self._tab, self._limits, is_whole=is_settled)

    async def _begin(self, url: str) -> None:
        """Return when the main document's first bytes are there."""
        tab = self._tab
        going = asyncio.ensure_future(tab.page.goto(url, wait_until="commit", timeout=0))
        ended = asyncio.ensure_future(tab.until_ended())
        try:
            async with asyncio.timeout(self._limits.begin):
                await asyncio.wait({going, ended}, return_when=asyncio.FIRST_COMPLETED)
            if not going.done():
                raise tab.failure("")
            await going
        except TimeoutError:
            raise too_slow(tab.host) from None
        except PlaywrightError as error:
            if "interrupted by another navigation" in error.message and tab.documents:
                return
            if tab.has_downloaded or "Download is starting" in error.message:
                raise no_page(tab.host, tab.content_type) from None
            raise tab.failure(error.message) from None
        finally:
            drop(going)
            drop(ended)

    async def _parse(self) -> bool:
        """Wait until the document is complete; return whether it is."""
        try:
            async with asyncio.timeout(self._left(self._limits.parse)):
                await self._tab.page.wait_for_load_state("domcontentloaded", timeout=0)
        except TimeoutError:
            return False
        except PlaywrightError as error:
            raise self._tab.failure(error.message) from None
        return True

    async def _settle(self) -> bool:
        """Wait until the text has stopped changing; return whether it has."""
        end = asyncio.get_running_loop().time() + self._left(self._limits.settle)
        patience = self._limits.challenge
        while (left := end - asyncio.get_running_loop().time()) > 0:
            self._refuse_circles()
            self._tab.changed.clear()
            document = self._tab.documents
            try:
                awaited = await self._quiet_and_look(left)
            except PlaywrightError as error:
                # The document went away in the middle: the next one is on its way.
                if not await self._changes_within(left):
                    raise self._tab.failure(error.message) from None
                continue
            if self._tab.documents != document:
                continue
            if not awaited:
                return self._tab.is_idle.is_set()
            # A page that says it will go on is given its time, once.
            began = asyncio.get_running_loop().time()
            left = self._left(min(awaited, patience))
            if not await self._changes_within(left):
                return True
            patience -= asyncio.get_running_loop().time() - began
            end = max(end, asyncio.get_running_loop().time() + self._left(self._limits.settle / 2))
        return False

    def _refuse_circles(self) -> None:
        if self._tab.navigations > _MOST_DOCUMENTS:
            raise circle(self._tab.host)

    async def _quiet_and_look(self, left: float) -> float:
        """Wait for silence of the network and of the text; return how long to wait for a change."""
        tab, loop = self._tab, asyncio.get_running_loop()
        began = loop.time()
        if not await self._parse():
            return 0.0
        seen = await tab.evaluate(page_scripts.look(), self._limits.look)
        if not seen["scripts"] and not seen["frames"]:
            return self._expected(seen)  # nothing is there that could change it
        # Some requests are never answered: the text is worth reading without them.
        await _within(tab.is_idle.wait(), left / 2)
        while (remaining := left - (loop.time() - began)) > 0.05:
            await tab.evaluate(
                page_scripts.quiet(self._limits.quiet_ms, int(remaining * 1000)),
                remaining + self._limits.look,
            )
            if tab.is_idle.is_set() or not await _within(
                tab.is_idle.wait(), (left - (loop.time() - began)) / 2
            ):
                break
        return self._expected(await tab.evaluate(page_scripts.look(), self._limits.look))

    def _expected(self, seen: dict[str, Any]) -> float:
        """Return within how many seconds the page seems to be about to be another; 0: not."""
        refresh = seen["refresh"]
        if refresh is not None and refresh <= _SOON_SECONDS:
            return float(refresh) + 1.0
        is_checking = seen["length"] < _SHORT_TEXT and _CHECKING.search(seen["start"])
        if seen["scripts"] and (is_checking or self._tab.status in _MAY_BE_LIFTED):
            return self._limits.challenge
        return 0.0

    async def _changes_within(self, seconds: float) -> bool:
        return seconds > 0 and await _within(self._tab.changed.wait(), seconds)

    def _left(self, seconds: float) -> float:
        """`seconds`, or what is left of the whole."""
        return max(0.0, min(seconds, self._end - asyncio.get_running_loop().time()))


async def read_page(tab: Tab, limits: Limits, *, is_whole: bool = True) -> BrowserPage:
    """Return what the tab shows now. Raises `SourceError`."""
    for tries_left in reversed(range(_TRIES)):
        try:
            found = await tab.evaluate(page_scripts.read(), limits.read)
            break
        except PlaywrightError as error:
            # The page may just be going on to another document.
            if not tries_left:
                raise tab.failure(error.message) from None
    return BrowserPage(
        url=found["url"],
        title=found["title"],
        html=found["html"],
        text=found["text"],
        status=tab.status,
        truncated=found["truncated"] or tab.has_spent or not is_whole,
    )


async def _within(work: "asyncio._CoroutineLike[object]", seconds: float) -> bool:
    try:
        await asyncio.wait_for(work, seconds)
    except TimeoutError:
        return False
    return True


def _is_shown(content_type: str) -> bool:
    """Whether a browser shows such content as a page; so it does when nothing is said."""
    return not content_type or _SHOWN.match(content_type) is not None
