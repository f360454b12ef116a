"""Owns one life of the models' process as the kernel sees it: start, requests by number, end."""

import asyncio
import itertools
import os
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ....errors import ModelError
from ....ports import ModelReply, ModelRequest
from ...child import child_command, frame
from ...parent_side import end_child, receive_frame
from .messages import Answer, Ask, Cancel, Failed, Heard, Warm
from .reference import Reference

_CLOSE_SECONDS = 3.0
# What the process needs of the environment. A key reaches it with the request that needs it; no
# library over there finds one, or another setting of its own, by itself.
_PASSED_ON = frozenset(
    (
        "PATH", "HOME", "USER", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TMP", "TEMP",
        "LD_LIBRARY_PATH", "PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "CONDA_PREFIX",
        "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR",
        "SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "USERPROFILE", "APPDATA",
        "LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES", "PROGRAMFILES(X86)", "PROGRAMW6432",
    )
)  # fmt: skip


def stopped() -> ModelError:
    """Return the error for a process that ended while its answer was waited for."""
    return ModelError(
        "The process that talks to models ended.", "The next request starts another.",
        kind="connection",
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class _Waiting:
    """Who waits for an answer, and hears what arrives before it."""

    answer: "asyncio.Future[ModelReply | Failed]"
    heard: Callable[[str], None]


class Session:
    """One life of the process. Many requests are on their way at once, by number."""

    def __init__(self, process: Process) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.process = process
        self._in = process.stdin
        self._out = process.stdout
        self._numbers = itertools.count(1)
        self._waiting: dict[int, _Waiting] = {}
        self._reader = asyncio.ensure_future(self._read())

    @classmethod
    async def begin(cls) -> "Session":
        """Start a process."""
        return cls(
            await asyncio.create_subprocess_exec(
                *child_command("adapters.models.providers.child"),
                stdin=PIPE,
                stdout=PIPE,
                env=passed_on(os.environ),
                start_new_session=True,
                limit=2**20,
            )
        )

    @property
    def is_over(self) -> bool:
        """Whether it answers nothing any more."""
        return self._reader.done() or self.process.returncode is not None

    async def ask(
        self, reference: Reference, request: ModelRequest, key: str, heard: Callable[[str], None]
    ) -> ModelReply:
        """Return the reply. Raises `ModelError`. Cancelling ends the request on the wire."""
        number = next(self._numbers)
        answer: asyncio.Future[ModelReply | Failed]
        answer = asyncio.get_running_loop().create_future()
        self._waiting[number] = _Waiting(answer, heard)
        try:
            self.send(Ask(number, reference, request, key))
            outcome = await answer
        except BaseException:
            if not self.is_over:
                self.send(Cancel(number))
            raise
        finally:
            self._waiting.pop(number, None)
        if isinstance(outcome, Failed):
            raise outcome.error()
        return outcome

    def send(self, message: Warm | Ask | Cancel) -> None:
        """Send a message; when the process is gone, whoever waits hears of it."""
        if self.is_over:
            self._end()
        else:
            self._in.write(frame(message))

    async def close(self) -> None:
        """Let the process end; kill it when it does not. Return when it is gone."""
        await end_child(self.process, _CLOSE_SECONDS)
        await asyncio.wait({self._reader})

    async def _read(self) -> None:
        try:
            while True:
                message: Heard | Answer = await receive_frame(self._out)
                if isinstance(message, Answer):
                    waiting = self._waiting.get(message.number)
                    if waiting is not None and not waiting.answer.done():
                        waiting.answer.set_result(message.outcome)
                else:
                    for number, piece in message.pieces.items():
                        self._hear(number, piece)
        except (OSError, EOFError):
            await self.process.wait()
        finally:
            self._end()

    def _hear(self, number: int, piece: str) -> None:
        waiting = self._waiting.get(number)
        if waiting is None or waiting.answer.done():
            return
        try:
            waiting.heard(piece)
        except Exception as error:  # noqa: BLE001 - it is the caller's, and must not end the others
            waiting.answer.set_exception(error)

    def _end(self) -> None:
        for waiting in self._waiting.values():
            if not waiting.answer.done():
                waiting.answer.set_exception(stopped())


def passed_on(environ: Mapping[str, str]) -> dict[str, str]:
    """Return what of the environment the process gets."""
    return {
        name: value
        for name, value in environ.items()
        if name.upper() in _PASSED_ON or name.startswith(("LC_", "XDG_"))
    }
