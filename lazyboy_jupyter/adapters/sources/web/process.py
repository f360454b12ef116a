"""Owns the kernel's side of reading pages: it starts the pages' process, asks it, starts it again.

A page costs the kernel one small message each way: no HTTP is spoken here for it, which was a third
of what the engine's loop did.
"""

import asyncio
import itertools
from asyncio.subprocess import PIPE, Process
from collections.abc import Collection

from ....errors import SourceError
from ....ports import Page
from ...child import child_command, frame
from ...parent_side import end_child, receive_frame
from ..documents import Failure
from .messages import Answer, Cancel, Read, Request, Start

_CLOSE_SECONDS = 3.0


def stopped() -> SourceError:
    """Return the error for a process that ended while its answer was waited for."""
    return SourceError(
        "connection", "The process that reads pages ended.", "The next page starts another."
    )


class PageProcess:
    """The port `PageReader` for the web. To be used on one loop, the engine's.

    `allow_hosts`: what else than the public internet may be read, as `AddressPolicy` reads it.
    """

    def __init__(self, allow_hosts: Collection[str] = ()) -> None:
        self._start = Start(tuple(allow_hosts))
        self._session: _Session | None = None
        self._starting = asyncio.Lock()
        self._is_closed = False

    def reads(self, url: str) -> bool:
        """Whether `url` is an address of the web, or of no other reader, which is refused then."""
        return True

    async def read(self, url: str) -> Page:
        """Return the page as Markdown. Raises `SourceError`.

        The first one starts the process, and so does the first after its end. Being cancelled ends
        the request on the wire.
        """
        return await (await self._running()).read(url)

    async def close(self) -> None:
        """End the process. Pages under way fail. Safe to call twice."""
        self._is_closed = True
        async with self._starting:
            session, self._session = self._session, None
            if session is not None:
                await session.close()

    async def _running(self) -> "_Session":
        async with self._starting:
            if self._is_closed:
                raise stopped()
            if self._session is None or self._session.is_over:
                if self._session is not None:
                    await self._session.close()
                self._session = await _Session.begin(self._start)
            return self._session


class _Session:
    """One life of the process. Many pages are on their way at once, by number."""

    def __init__(self, process: Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._process = process
        self._in = process.stdin
        self._out = process.stdout
        self._numbers = itertools.count(1)
        self._waiting: dict[int, asyncio.Future[Page | Failure]] = {}
        self._reader = asyncio.ensure_future(self._read())

    @classmethod
    async def begin(cls, start: Start) -> "_Session":
        """Start a process."""
        process = await asyncio.create_subprocess_exec(
            *child_command("adapters.sources.web.child"),
            stdin=PIPE,
            stdout=PIPE,
            start_new_session=True,
            limit=2**20,
        )
        session = cls(process)
        session.send(start)
        return session

    @property
    def is_over(self) -> bool:
        """Whether it answers nothing any more."""
        return self._reader.done() or self._process.returncode is not None

    async def read(self, url: str) -> Page:
        """Return the page. Raises `SourceError`."""
        number = next(self._numbers)
        answer: asyncio.Future[Page | Failure] = asyncio.get_running_loop().create_future()
        self._waiting[number] = answer
        try:
            self.send(Read(number, url))
            outcome = await answer
        except BaseException:
            if not self.is_over:
                self.send(Cancel(number))
            raise
        finally:
            self._waiting.pop(number, None)
        if isinstance(outcome, Failure):
            raise SourceError(outcome.kind, outcome.sentence, outcome.hint)
        return outcome

    def send(self, message: Request) -> None:
        """Send a message; when the process is gone, whoever waits hears of it."""
        if self.is_over:
            self._end()
        else:
            self._in.write(frame(message))

    async def close(self) -> None:
        """Let the process end; kill it when it does not. Return when it is gone."""
        await end_child(self._process, _CLOSE_SECONDS)
        await asyncio.wait({self._reader})

    async def _read(self) -> None:
        try:
            while True:
                message: Answer = await receive_frame(self._out)
                answer = self._waiting.get(message.number)
                if answer is not None and not answer.done():
                    answer.set_result(message.outcome)
        except (OSError, EOFError):
            await self._process.wait()
        finally:
            self._end()

    def _end(self) -> None:
        for answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(stopped())
