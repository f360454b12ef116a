"""Owns the open pages, one for each owner, in a context of its own: no cookie is shared."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Coroutine
from dataclasses import dataclass, field

from playwright.async_api import BrowserContext, Page
from playwright.async_api import Error as PlaywrightError

from ....errors import SourceError
from ..web.client import web_address
from .failures import nothing_open, released, stopped
from .guard import Guard
from .lane import Lane
from .launch import Launched
from .limits import Limits
from .shown import BrowserPage
from .tab import Tab, refuse_unwanted
from .visit import Visit, read_page

_AT_ONCE = 4
_CLOSE_SECONDS = 5.0


@dataclass(slots=True)
class _Owner:
    """`lock`: held while the page is opened or read. `is_expecting`: a page of ours is made."""

    context: BrowserContext
    lane: Lane
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    tab: Tab | None = None
    is_expecting: bool = False
    is_released: bool = False


class Pages:
    """The pages of a running browser. To be used on one loop."""

    def __init__(self, launched: Launched, guard: Guard, limits: Limits) -> None:
        self._launched = launched
        self._guard = guard
        self._limits = limits
        self._owners: dict[str, _Owner] = {}
        self._making = asyncio.Lock()
        self._turns = asyncio.Semaphore(_AT_ONCE)
        self._later: set[asyncio.Task[None]] = set()

    @property
    def is_empty(self) -> bool:
        """Whether nobody has anything open."""
        return not self._owners

    async def open(self, owner: str, url: str) -> BrowserPage:
        """Open an address in place of the owner's page. Raises `SourceError`.

        One that fails or is cancelled leaves the owner without a page, and with its cookies. An
        owner takes one turn at most: its other pages wait for its own.
        """
        address = str(web_address(url))
        held = await self._owner(owner)
        async with self._using(held), self._turns:
            await self._leave_tab(held)
            held.tab = await self._new_tab(held)
            try:
                return await Visit(held.tab, self._limits).load(address)
            except BaseException:
                await self._leave_tab(held)
                raise

    async def snapshot(self, owner: str) -> BrowserPage:
        """Return the owner's page as it is now. Raises `SourceError`."""
        held = self._owners.get(owner)
        if held is None:
            raise nothing_open()
        async with self._using(held):
            if held.tab is None:
                raise nothing_open()
            return await read_page(held.tab, self._limits)

    async def release(self, owner: str) -> None:
        """Close everything of an owner; what it waits for fails as "interrupted"."""
        held = self._owners.pop(owner, None)
        if held is not None:
            held.is_released = True
            await self._guard.end(held.lane)
            await _bounded(held.context.close())

    @contextlib.asynccontextmanager
    async def _using(self, held: _Owner) -> AsyncIterator[None]:
        async with held.lock:
            try:
                if held.is_released:
                    raise released()
                yield
            except (SourceError, PlaywrightError) as error:
                if held.is_released:
                    raise released() from None
                raise stopped() if isinstance(error, PlaywrightError) else error from None

    async def _owner(self, name: str) -> _Owner:
        """Return the owner's record, now the one last used."""
        async with self._making:
            held = self._owners.pop(name, None)
            if held is None:
                await self._make_room()
                lane = self._guard.lane()
                try:
                    context = await self._launched.context(lane)
                    await context.route("**/*", refuse_unwanted)
                except BaseException:
                    await self._guard.end(lane)
                    raise
                held = _Owner(context, lane)
                context.on("page", lambda page: self._on_page(held, page))
            self._owners[name] = held
            return held

    async def _make_room(self) -> None:
        """Close the page that nobody has used for longest, when as many as may be are open."""
        idle = [name for name, held in self._owners.items() if not held.lock.locked()]
        if len(self._owners) >= self._limits.pages and idle:
            await self.release(idle[0])

    async def _new_tab(self, held: _Owner) -> Tab:
        held.is_expecting = True
        page = await held.context.new_page()
        session = await held.context.new_cdp_session(page)
        return Tab(page, session, held.lane, self._limits)

    async def _leave_tab(self, held: _Owner) -> None:
        """End what the owner's page loads, and let it close in its own time: a busy one is slow."""
        tab, held.tab = held.tab, None
        if tab is not None:
            self._soon(_bounded(tab.page.close()))
        if not held.is_released:
            await held.lane.renew()

    def _on_page(self, held: _Owner, page: Page) -> None:
        """Close windows that a page opens by itself."""
        if held.is_expecting:
            held.is_expecting = False
        else:
            self._soon(_bounded(page.close()))

    def _soon(self, work: Coroutine[object, object, None]) -> None:
        task = asyncio.ensure_future(work)
        self._later.add(task)
        task.add_done_callback(self._later.discard)


async def _bounded(closing: Coroutine[object, object, None]) -> None:
    with contextlib.suppress(PlaywrightError, TimeoutError):
        await asyncio.wait_for(closing, _CLOSE_SECONDS)
