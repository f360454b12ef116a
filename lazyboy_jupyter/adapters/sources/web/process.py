"""Owns the kernel's side of reading pages: it starts the pages' process, asks it, starts it again.

A page costs the kernel one small message each way: no HTTP is spoken here for it, which was a third
of what the engine's loop did.
"""

import asyncio
import os
from collections.abc import Collection

from ....errors import SourceError
from ....ports import Page
from ...child_session import ChildSession, passed_on
from ..documents import Failure
from .messages import Cancel, Read, Start

_CLOSE_SECONDS = 3.0
_CHILD = "adapters.sources.web.child"
_TRUST = frozenset(("SSL_CERT_FILE", "SSL_CERT_DIR"))
_Session = ChildSession[Page | Failure]


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
        session = await self._running()
        outcome = await session.outcome(lambda number: Read(number, url), Cancel)
        if isinstance(outcome, Failure):
            raise SourceError(outcome.kind, outcome.sentence, outcome.hint)
        return outcome

    async def close(self) -> None:
        """End the process. Pages under way fail. Safe to call twice."""
        self._is_closed = True
        async with self._starting:
            session, self._session = self._session, None
            if session is not None:
                await session.close(_CLOSE_SECONDS)

    async def _running(self) -> _Session:
        async with self._starting:
            if self._is_closed:
                raise stopped()
            if self._session is None or self._session.is_over:
                if self._session is not None:
                    await self._session.close(_CLOSE_SECONDS)
                # Pages are foreign: what reads them knows no key.
                environment = passed_on(os.environ, _TRUST)
                self._session = await _Session.begin(_CHILD, environment, stopped)
                self._session.send(self._start)
            return self._session
