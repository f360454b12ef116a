"""Owns the models' process: every provider's library lives in it; it prints nothing.

Requests come in on standard input, pieces of replies and answers go out. When its parent ends,
however it ends, this process does, and with it every request it has on the wire.
"""

import asyncio
import contextlib
import sys

from ....ports import ModelReply
from ...child import frame
from ...child_service import Inbox, Put, serve
from .clients import Clients
from .failures import failure_of
from .messages import Answer, Ask, Cancel, Failed, Heard, Warm
from .reference import PROVIDERS
from .request import perform

_NICENESS = 5
EVERY_SECONDS = 0.05
"""What has arrived is passed on this often at most, and at once where it is a request's first."""


def main() -> None:
    """Serve until standard input ends."""
    serve(_NICENESS, _serve)


async def _serve(inbox: Inbox, put: Put) -> int:
    service = Service(put)
    while (request := await inbox.get()) is not None:
        service.take(request)
    return 0  # the system closes the connections


class Service:
    """Performs requests, many at once."""

    def __init__(self, put: Put) -> None:
        self._put = put
        self._clients = Clients()
        self._running: dict[int, asyncio.Task[None]] = {}
        self._heard: dict[int, str] = {}
        self._flush_due: asyncio.TimerHandle | None = None

    def take(self, request: Warm | Ask | Cancel) -> None:
        """Begin what is asked. Returns at once."""
        match request:
            case Warm(provider):
                self._running[0] = asyncio.ensure_future(self._warm(provider))
            case Ask(number):
                self._running[number] = asyncio.ensure_future(self._answer(request))
            case Cancel(number) if number in self._running:
                self._running[number].cancel()
            case _:
                pass  # cancelled after it was answered

    async def _warm(self, provider: str) -> None:
        with contextlib.suppress(ImportError):  # a request says so better
            await self._clients.load(PROVIDERS[provider])

    async def _answer(self, ask: Ask) -> None:
        outcome: ModelReply | Failed
        has_begun = False

        def hear(piece: str) -> None:
            nonlocal has_begun
            self._heard[ask.number] = self._heard.get(ask.number, "") + piece
            if not has_begun:
                has_begun = True
                self._flush()
            elif self._flush_due is None:
                loop = asyncio.get_running_loop()
                self._flush_due = loop.call_later(EVERY_SECONDS, self._flush)

        try:
            outcome = await perform(ask, self._clients, hear)
        except Exception as error:  # noqa: BLE001 - whoever waits must hear of it
            outcome = failure_of(error, ask.reference, ask.key)
        finally:
            self._running.pop(ask.number, None)
        if ask.number in self._heard:
            self._flush()
        self._put(frame(Answer(ask.number, outcome)))

    def _flush(self) -> None:
        if self._flush_due is not None:
            self._flush_due.cancel()
            self._flush_due = None
        pieces, self._heard = self._heard, {}
        self._put(frame(Heard(pieces)))


if __name__ == "__main__":
    sys.exit("This module is started by the engine.")
