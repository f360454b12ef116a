"""Owns the pages' process: fetching behind the guard, and the workers that take pages apart.

Requests come in on standard input, pages go out; it prints nothing. When its parent ends, however
it ends, this process does, and with it its connections and its workers.
"""

import asyncio
import sys

from ....errors import SourceError
from ....ports import Page, PageReader
from ...child import frame
from ...child_service import Inbox, Put, serve
from ...workers import WorkerPool
from ..documents import Failure
from ..page_texts import PageTexts
from .access import WebAccess
from .messages import Answer, Cancel, Read, Request, Start
from .reader import WebReader

_NICENESS = 5


def main() -> None:
    """Serve until standard input ends."""
    serve(_NICENESS, _serve)


async def _serve(inbox: Inbox, put: Put) -> int:
    start = await inbox.get()
    if not isinstance(start, Start):
        return 0
    web = WebAccess(start.allow_hosts)
    service = Service(WebReader(web.client, PageTexts(WorkerPool())), put)
    while (request := await inbox.get()) is not None:
        service.take(request)
    return 0  # the system closes the connections, the workers see it


class Service:
    """Performs requests, many at once."""

    def __init__(self, reader: PageReader, put: Put) -> None:
        self._reader = reader
        self._put = put
        self._running: dict[int, asyncio.Task[None]] = {}

    def take(self, request: Request) -> None:
        """Begin what is asked. Returns at once."""
        match request:
            case Read(number):
                self._running[number] = asyncio.ensure_future(self._read(request))
            case Cancel(number) if number in self._running:
                self._running[number].cancel()
            case _:
                pass  # cancelled after it was answered

    async def _read(self, request: Read) -> None:
        outcome: Page | Failure
        try:
            outcome = await self._reader.read(request.url)
        except SourceError as error:
            outcome = Failure(error.kind, error.sentence, error.hint)
        except Exception as error:  # noqa: BLE001 - whoever waits must hear of it
            # Of the system's own errors the text is told; any other may hold what nobody should.
            why = str(error) if isinstance(error, OSError) else type(error).__name__
            outcome = Failure("unreadable", f"The page failed: {why}.")
        finally:
            self._running.pop(request.number, None)
        self._put(frame(Answer(request.number, outcome)))


if __name__ == "__main__":
    sys.exit("This module is started by the engine.")
