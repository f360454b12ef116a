"""Owns one life of a child process as its parent's loop sees it: requests by number, their
outcomes, its end. What is asked, and in which words it fails, is its users'."""

import asyncio
import itertools
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Mapping
from typing import Any, Generic, Self, TypeVar

from .child import child_command, frame
from .parent_side import end_child, receive_frame

Outcome = TypeVar("Outcome")
# What any process needs of the environment. Keys and passwords stay in the kernel.
_PASSED_ON = frozenset(
    (
        "PATH", "HOME", "USER", "LANG", "LANGUAGE", "TZ", "TMPDIR", "TMP", "TEMP",
        "LD_LIBRARY_PATH", "PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "CONDA_PREFIX",
        "SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "USERPROFILE", "APPDATA",
        "LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES", "PROGRAMFILES(X86)", "PROGRAMW6432",
    )
)  # fmt: skip
_PREFIXES = ("LC_", "XDG_")


def passed_on(
    environment: Mapping[str, str], more: frozenset[str], prefixes: tuple[str, ...] = ()
) -> dict[str, str]:
    """Return what of the environment a process gets: what any needs, and `more` by name."""
    wanted = _PASSED_ON | more
    return {
        name: value
        for name, value in environment.items()
        if name.upper() in wanted or name.startswith(_PREFIXES + prefixes)
    }


class ChildSession(Generic[Outcome]):
    """One life of the process. Many requests are on their way at once, by number.

    `stopped` makes the error of whoever waits when the process has ended.
    """

    def __init__(self, process: Process, stopped: Callable[[], Exception]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self.process = process
        self.waiting: dict[int, asyncio.Future[Outcome]] = {}
        self._in = process.stdin
        self._out = process.stdout
        self._stopped = stopped
        self._numbers = itertools.count(1)
        self._reader = asyncio.ensure_future(self._read())

    @classmethod
    async def begin(
        cls, module: str, environment: dict[str, str], stopped: Callable[[], Exception]
    ) -> Self:
        """Start a process on the `main` of a module, by its name below the package."""
        process = await asyncio.create_subprocess_exec(
            *child_command(module),
            stdin=PIPE,
            stdout=PIPE,
            env=environment,
            start_new_session=True,
            limit=2**20,
        )
        return cls(process, stopped)

    @property
    def is_over(self) -> bool:
        """Whether it answers nothing any more."""
        return self._reader.done() or self.process.returncode is not None

    async def outcome(
        self, asked: Callable[[int], object], cancelled: Callable[[int], object] | None
    ) -> Outcome:
        """Return what the process answers to the message that `asked` makes of a number.

        `cancelled` makes the message that ends it when nobody waits any more; None lets it go on.
        """
        number = next(self._numbers)
        answer: asyncio.Future[Outcome] = asyncio.get_running_loop().create_future()
        self.waiting[number] = answer
        try:
            self.send(asked(number))
            return await answer
        except BaseException:
            if cancelled is not None and not self.is_over:
                self.send(cancelled(number))
            raise
        finally:
            self.waiting.pop(number, None)

    def send(self, message: object) -> None:
        """Send a message; when the process is gone, whoever waits hears of it."""
        if self.is_over:
            self._end()
        else:
            self._in.write(frame(message))

    async def close(self, seconds: float) -> None:
        """Let the process end; kill it when it has not in `seconds`. Return when it is gone."""
        await end_child(self.process, seconds)
        await asyncio.wait({self._reader})

    def take(self, message: Any) -> None:
        """Take in a message of the process: a number with its outcome."""
        answer = self.waiting.get(message.number)
        if answer is not None and not answer.done():
            answer.set_result(message.outcome)

    async def _read(self) -> None:
        try:
            while True:
                self.take(await receive_frame(self._out))
        except (OSError, EOFError):
            await self.process.wait()
        finally:
            self._end()

    def _end(self) -> None:
        for answer in self.waiting.values():
            if not answer.done():
                answer.set_exception(self._stopped())
