"""Owns the kernel's side of the browser: it starts the process, asks it, and starts it again.

Neither Playwright nor Chromium is ever loaded here (DESIGN §17).
"""

import asyncio
import contextlib
import importlib.util
import os
import shutil
import sys
from collections.abc import Callable, Collection, Mapping
from pathlib import Path, PurePath

from ....errors import SourceError
from ...child_session import ChildSession, passed_on
from .failures import nothing_open, stopped
from .find import Found, Machine, find_browser
from .limits import Limits
from .messages import Action, Ask, Cancel, Failed, Start
from .shown import BrowserPage

_CLOSE_SECONDS = 8.0
_CHILD = "adapters.sources.browser.child"
# Chromium makes a socket below it, and does not start when its path has over about 100 bytes.
_LONGEST_TMPDIR = 55


class ChromiumBrowser:
    """The port `Browser`. To be used on one loop, the engine's.

    `allow_hosts`: what else than the public internet may be reached, as `AddressPolicy` reads it.
    `find`: says where the browser is; asked once.
    """

    def __init__(
        self,
        allow_hosts: Collection[str] = (),
        *,
        limits: Limits | None = None,
        find: Callable[[], Found] | None = None,
    ) -> None:
        self._allow_hosts = tuple(allow_hosts)
        self._limits = limits or Limits()
        self._find = find or find_here
        self._found: Found | None = None
        self._session: _Session | None = None
        self._starting = asyncio.Lock()
        self._is_closed = False

    def missing(self) -> str:
        """Return "" when a browser is found, else a sentence that says how to get one."""
        if self._found is None:
            self._found = self._find()
        return self._found.missing

    async def open(self, owner: str, url: str) -> BrowserPage:
        """Open `url` in place of the owner's page, and return it. Raises `SourceError`.

        The first one starts the process, and so does the first after its end. A cancelled one
        stops loading.
        """
        session = await self._running()
        try:
            return await _page(session, "open", owner, url)
        except SourceError:
            if not session.has_retired:
                raise
        # It ended because nobody had used it for a while, just as this was asked.
        return await _page(await self._running(), "open", owner, url)

    async def snapshot(self, owner: str) -> BrowserPage:
        """Return the page that the owner has open, as it is now. Raises `SourceError`."""
        session = self._session
        if session is None or session.is_over:
            raise nothing_open()
        return await _page(session, "snapshot", owner)

    async def release(self, owner: str) -> None:
        """Close the owner's page and forget its cookies. Never raises."""
        session = self._session
        if session is not None and not session.is_over:
            with contextlib.suppress(SourceError):
                await session.ask("release", owner)

    async def close(self) -> None:
        """End the browser's process, and with it all it started. Safe to call twice."""
        self._is_closed = True
        async with self._starting:
            session, self._session = self._session, None
            if session is not None:
                await session.close(_CLOSE_SECONDS)

    async def _running(self) -> "_Session":
        async with self._starting:
            if self._is_closed:
                raise stopped()
            if self.missing():
                raise SourceError("not_configured", self.missing())
            if self._session is None or self._session.is_over:
                if self._session is not None:
                    await self._session.close(_CLOSE_SECONDS)
                assert self._found is not None
                start = Start(self._found.executable, self._allow_hosts, self._limits)
                self._session = await _Session.begin(_CHILD, environment_of(os.environ), stopped)
                self._session.send(start)
            return self._session


class _Session(ChildSession[BrowserPage | Failed | None]):
    """One life of the process."""

    @property
    def has_retired(self) -> bool:
        """Whether it ended by itself because nobody had used it for a while."""
        return self.is_over and self.process.returncode == 0

    async def ask(self, action: Action, owner: str, url: str = "") -> BrowserPage | None:
        """Return the outcome. Raises `SourceError`."""
        # A page half closed would never be closed at all.
        cancelled = None if action == "release" else Cancel
        outcome = await self.outcome(lambda number: Ask(number, action, owner, url), cancelled)
        if isinstance(outcome, Failed):
            raise outcome.error()
        return outcome


async def _page(session: _Session, action: Action, owner: str, url: str = "") -> BrowserPage:
    page = await session.ask(action, owner, url)
    if page is None:
        raise stopped()
    return page


def environment_of(environ: Mapping[str, str]) -> dict[str, str]:
    """Return what of the environment the browser's process gets. Keys and passwords stay in the
    kernel: pages run their scripts over there."""
    passed = passed_on(environ, frozenset(("PLAYWRIGHT_NODEJS_PATH",)), ("FONTCONFIG_", "SNAP"))
    if len(passed.get("TMPDIR", "")) > _LONGEST_TMPDIR:
        del passed["TMPDIR"]
    return passed


def find_here() -> Found:
    """Look for a browser on this machine."""
    return find_browser(
        Machine(
            environ=os.environ,
            platform=sys.platform,
            home=Path.home(),
            which=shutil.which,
            is_file=_is_file,
            has_package=importlib.util.find_spec("playwright") is not None,
        )
    )


def _is_file(path: PurePath) -> bool:
    return os.path.isfile(path)
