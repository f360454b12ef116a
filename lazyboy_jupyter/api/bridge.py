"""Owns the way from the thread of the API to the engine, and the log of what happens there."""

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from ..errors import EngineClosedError, UnknownTaskError
from ..threads import off_loop
from .events import EventLog

if TYPE_CHECKING:
    from ..engine.engine import Engine
    from ..engine.task import Task

T = TypeVar("T")


class Engines(Protocol):
    """Where the engine of this process is. Both raise `EngineClosedError` for a closed one: a
    person who closed it does not want it back for a page that looks."""

    def running(self) -> "Engine | None":
        """Return it, or None before its first use. At once."""
        ...

    def start(self) -> "Engine":
        """Return it, started where it is not. It may take a second."""
        ...


class Bridge:
    """On the API's loop; it never holds it up. `first`: events are numbered from there."""

    def __init__(self, engines: "Engines", first: int) -> None:
        self._engines = engines
        self._followed: Engine | None = None
        self.log = EventLog(first)

    async def running(self) -> "Engine | None":
        """Return the engine, or None before its first use: who only asks how things stand starts
        none. Raises `EngineClosedError` when it was closed."""
        engine = self._engines.running()
        if engine is not None and engine is not self._followed:
            self.log.follow(engine)
            self._followed = engine
        return engine

    async def engine(self) -> "Engine":
        """Return the engine, started on first use. Raises `LazyboyError` when it cannot be, or was
        closed."""
        while (engine := await self.running()) is None:
            await off_loop(self._engines.start)
        return engine

    async def run(self, work: "Callable[[Engine], Coroutine[Any, Any, T]]") -> T:
        """Return what the work gives, done on the engine's own thread."""
        engine = await self.engine()
        future = engine.submit(work(engine))
        try:
            return await asyncio.wrap_future(future)
        except asyncio.CancelledError:
            if engine.closed:
                raise EngineClosedError("The engine was closed meanwhile.") from None
            raise

    async def read(self, work: "Callable[[Engine], T]") -> T:
        """Return what the work gives, done on a thread of its own: it may wait for the store."""
        engine = await self.engine()
        return await off_loop(partial(work, engine))

    async def task(self, task_id: str) -> "Task":
        """Return a task by its whole id. Raises `UnknownTaskError`."""
        task = await self.read(lambda engine: engine.task(task_id))
        if task.id != task_id:  # a part of an id, or a name: enough for a person, not for a program
            raise UnknownTaskError("There is no such task here.", "GET /api/tasks lists them.")
        return task
