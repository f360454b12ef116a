"""Owns the kernel's side of the browser: it starts the process, asks it, and starts it again.

Neither Playwright nor Chromium is ever loaded here (DESIGN §17).
"""

import asyncio
import contextlib
import importlib.util
import itertools
import os
import shutil
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Collection, Mapping
from pathlib import Path, PurePath

from ....errors import SourceError
from ...child import child_command, frame
from ...parent_side import end_child, receive_frame
from .failures import nothing_open, stopped
from .find import Found, Machine, find_browser
from .limits import Limits
from .messages import Action, Answer, Ask, Cancel, Failed, Request, Start
from .shown import BrowserPage

_CLOSE_SECONDS = 8.0
# What the process needs of the environment. Keys and passwords stay in the kernel: pages run
# their scripts over there.
_PASSED_ON = frozenset(
    (
        "PATH", "HOME", "USER", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TMP", "TEMP",
        "LD_LIBRARY_PATH", "PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "CONDA_PREFIX",
        "PLAYWRIGHT_NODEJS_PATH", "SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT",
        "USERPROFILE", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES",
        "PROGRAMFILES(X86)", "PROGRAMW6432",
    )
)  # fmt: skip
# Chromium makes a socket below it, and does not start when its path has over about 100 bytes.
_LONGEST_TMPDIR = 55
_PASSED_PREFIXES = ("LC_", "XDG_", "FONTCONFIG_", "SNAP")


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
                await session.close()

    async def _running(self) -> "_Session":
        async with self._starting:
            if self._is_closed:
                raise stopped()
            if self.missing():
                raise SourceError("not_configured", self.missing())
            if self._session is None or self._session.is_over:
                if self._session is not None:
                    await self._session.close()
                assert self._found is not None
                start = Start(self._found.executable, self._allow_hosts, self._limits)
                self._session = await _Session.begin(start)
            return self._session


class _Session:
    """One life of the process. Many requests are on their way at once, by number."""

    def __init__(self, process: Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.process = process
        self._in = process.stdin
        self._out = process.stdout
        self._numbers = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[BrowserPage | Failed | None]] = {}
        self._reader = asyncio.ensure_future(self._read())

    @classmethod
    async def begin(cls, start: Start) -> "_Session":
        """Start a process."""
        process = await asyncio.create_subprocess_exec(
            *child_command("adapters.sources.browser.child"),
            stdin=PIPE,
            stdout=PIPE,
            env=passed_on(os.environ),
            start_new_session=True,
            limit=2**20,
        )
        session = cls(process)
        session._send(start)
        return session

    @property
    def is_over(self) -> bool:
        """Whether it answers nothing any more."""
        return self._reader.done() or self.process.returncode is not None

    @property
    def has_retired(self) -> bool:
        """Whether it ended by itself because nobody had used it for a while."""
        return self.is_over and self.process.returncode == 0

    async def ask(self, action: Action, owner: str, url: str = "") -> BrowserPage | None:
        """Return the outcome. Raises `SourceError`."""
        number = next(self._numbers)
        answer: asyncio.Future[BrowserPage | Failed | None]
        answer = asyncio.get_running_loop().create_future()
        self._waiting[number] = answer
        try:
            self._send(Ask(number, action, owner, url))
            outcome = await answer
        except asyncio.CancelledError:
            if action != "release":  # a page half closed would never be closed at all
                self._send(Cancel(number))
            raise
        finally:
            self._waiting.pop(number, None)
        if isinstance(outcome, Failed):
            raise outcome.error()
        return outcome

    async def close(self) -> None:
        """Let the process end in good order; kill it when it does not. Return when it is gone."""
        await end_child(self.process, _CLOSE_SECONDS)
        await asyncio.wait({self._reader})

    def _send(self, message: Request) -> None:
        if self.is_over:
            self._end()
        else:
            self._in.write(frame(message))

    async def _read(self) -> None:
        try:
            while True:
                answer: Answer = await receive_frame(self._out)
                waiting = self._waiting.get(answer.number)
                if waiting is not None and not waiting.done():
                    waiting.set_result(answer.outcome)
        except (OSError, EOFError):
            await self.process.wait()
        finally:
            self._end()

    def _end(self) -> None:
        for waiting in self._waiting.values():
            if not waiting.done():
                waiting.set_exception(stopped())


async def _page(session: _Session, action: Action, owner: str, url: str = "") -> BrowserPage:
    page = await session.ask(action, owner, url)
    if page is None:
        raise stopped()
    return page


def passed_on(environ: Mapping[str, str]) -> dict[str, str]:
    """Return what of the environment the browser's process gets."""
    return {
        name: value
        for name, value in environ.items()
        if (name.upper() in _PASSED_ON or name.startswith(_PASSED_PREFIXES))
        and (name != "TMPDIR" or len(value) <= _LONGEST_TMPDIR)
    }


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
