"""Owns the worker processes that do CPU work, so that the kernel's own thread never waits for it.

Workers are plain child processes in a session of their own: a kernel interrupt is sent to the
kernel's process group, and `%reset` breaks multiprocessing's spawn (DESIGN §17). One that is over
its time is killed, and the next job gets a new one.
"""

import asyncio
import pickle
from asyncio.subprocess import PIPE, Process
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from .child import LENGTH, child_command
from .parent_side import receive_frame

_SLICE = 65_536


class WorkerError(Exception):
    """The job raised, or its worker died; the text says what happened."""


class WorkerTimeout(WorkerError):  # noqa: N818 - named as the outcome it is
    """The job was over its time, and its worker was killed."""


class WorkerPool:
    """Runs jobs in at most `size` processes. To be used on one loop, the engine's.

    A job is named by module and function of this package; its arguments and its result are
    pickled. Processes start with the first job and stay.
    """

    def __init__(self, size: int = 2) -> None:
        self._slots = asyncio.Semaphore(size)
        self._idle: deque[Process] = deque()
        self._all: set[Process] = set()
        self._closed = False

    async def run(self, job: str, *args: Any, timeout: float) -> Any:  # noqa: ASYNC109
        """Return what `job`, "module:function" below `lazyboy_jupyter`, returns for `args`.

        `timeout`: seconds for the job itself; waiting for a free worker is not counted. Raises
        `WorkerTimeout` after killing the worker, `WorkerError` when the job raised or died.
        """
        async with self._slots:
            if self._closed:
                raise WorkerError("the engine is closing")
            process = await self._take()
            try:
                async with asyncio.timeout(timeout):
                    failed, value = await _exchange(process, (job, args))
            except TimeoutError:
                await self._kill(process)
                raise WorkerTimeout(f"{job} took longer than {timeout:g} s") from None
            except (EOFError, OSError, asyncio.IncompleteReadError) as error:
                await self._kill(process)
                raise WorkerError(f"the worker of {job} died") from error
            except BaseException:
                # Cancelled: the worker is still busy with a job that nobody wants.
                await self._kill(process)
                raise
            self._idle.append(process)
        if failed:
            raise WorkerError(value)
        return value

    async def _take(self) -> Process:
        while self._idle:
            process = self._idle.pop()
            if process.returncode is None:
                return process
            self._all.discard(process)
        process = await asyncio.create_subprocess_exec(
            *child_command("adapters.worker_main"),
            stdin=PIPE,
            stdout=PIPE,
            start_new_session=True,
            limit=2**20,
        )
        self._all.add(process)
        if self._closed:  # while it was being started
            await self._kill(process)
            raise WorkerError("the engine is closing")
        return process

    async def _kill(self, process: Process) -> None:
        self._all.discard(process)
        if process.returncode is None:
            with _gone_is_fine():
                process.kill()
            await process.wait()

    async def close(self) -> None:
        """Kill every worker and wait for it; no job runs any more. Safe to call twice."""
        self._closed = True
        self._idle.clear()
        for process in list(self._all):
            await self._kill(process)


async def _exchange(process: Process, request: tuple[str, tuple[Any, ...]]) -> tuple[bool, Any]:
    assert process.stdin is not None
    assert process.stdout is not None
    body = pickle.dumps(request)
    process.stdin.write(LENGTH.pack(len(body)))
    whole = memoryview(body)
    for start in range(0, len(whole), _SLICE):
        # A page can have megabytes: handed over at once, the loop would shift them about for
        # every piece that the pipe takes.
        process.stdin.write(whole[start : start + _SLICE])
        await process.stdin.drain()
    answer: tuple[bool, Any] = await receive_frame(process.stdout)
    return answer


@contextmanager
def _gone_is_fine() -> Iterator[None]:
    try:
        yield
    except ProcessLookupError:
        return
