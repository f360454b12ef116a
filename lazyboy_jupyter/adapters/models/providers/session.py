"""Owns one life of the models' process as the kernel sees it: start, requests by number, end."""

import os
from asyncio.subprocess import Process
from collections.abc import Callable, Mapping

from ....errors import ModelError
from ....ports import ModelReply, ModelRequest
from ...child_session import ChildSession, passed_on
from .messages import Answer, Ask, Cancel, Failed, Heard
from .reference import Reference

CLOSE_SECONDS = 3.0
_PROXIES = frozenset(
    ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR")
)


def stopped() -> ModelError:
    """Return the error for a process that ended while its answer was waited for."""
    return ModelError(
        "The process that talks to models ended.", "The next request starts another.",
        kind="connection",
    )  # fmt: skip


class Session(ChildSession[ModelReply | Failed]):
    """One life of the process. A reply's pieces are heard before it."""

    def __init__(self, process: Process, stopped: Callable[[], Exception]) -> None:
        super().__init__(process, stopped)
        self._heard: dict[int, Callable[[str], None]] = {}

    @classmethod
    async def start(cls) -> "Session":
        """Start a process. A key reaches it with the request that needs it; no library over there
        finds one, or another setting of its own, by itself."""
        return await cls.begin(
            "adapters.models.providers.child", environment_of(os.environ), stopped
        )

    async def ask(
        self, reference: Reference, request: ModelRequest, key: str, heard: Callable[[str], None]
    ) -> ModelReply:
        """Return the reply. Raises `ModelError`. Cancelling ends the request on the wire."""
        numbers: list[int] = []

        def asked(number: int) -> Ask:
            numbers.append(number)
            self._heard[number] = heard
            return Ask(number, reference, request, key)

        try:
            outcome = await self.outcome(asked, Cancel)
        finally:
            for number in numbers:
                self._heard.pop(number, None)
        if isinstance(outcome, Failed):
            raise outcome.error()
        return outcome

    def take(self, message: Heard | Answer) -> None:
        """Take in a reply, or pieces of several."""
        if isinstance(message, Answer):
            super().take(message)
            return
        for number, piece in message.pieces.items():
            self._hear(number, piece)

    def _hear(self, number: int, piece: str) -> None:
        answer = self.waiting.get(number)
        if answer is None or answer.done():
            return
        try:
            self._heard[number](piece)
        except Exception as error:  # noqa: BLE001 - it is the caller's, and must not end the others
            answer.set_exception(error)


def environment_of(environ: Mapping[str, str]) -> dict[str, str]:
    """Return what of the environment the process gets."""
    return passed_on(environ, _PROXIES)
