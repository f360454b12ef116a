"""Owns the way from the thread of the API to the engine, and the log of what happens there."""

import asyncio
from collections.abc import Callable, Coroutine
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from ..errors import EngineClosedError, UnknownTaskError
from ..threads import off_loop
from .events import EventLog

if TYPE_CHECKING:
    from ..engine.engine import Engine
    from ..engine.task import ResearchTask

T = TypeVar("T")


class Bridge:
    """`open_engine` returns the engine, and starts it when it is the first to ask. On the API's
    loop; it never holds it up. `first`: events are numbered from there."""

    def __init__(self, open_engine: "Callable[[], Engine]", first: int) -> None:
        self._open = open_engine
        self._engine: Engine | None = None
        self._opening = asyncio.Lock()
        self.log = EventLog(first)

    async def engine(self) -> "Engine":
        """Return the engine. Raises `LazyboyError` when it cannot be started, or was closed."""
        if self._engine is None or self._engine.closed:
            async with self._opening:
                if self._engine is None or self._engine.closed:
                    engine = await off_loop(self._open)
                    self.log.follow(engine)
                    self._engine = engine
        return self._engine

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

    async def task(self, task_id: str) -> "ResearchTask":
        """Return a task by its whole id. Raises `UnknownTaskError`."""
        task = await self.read(lambda engine: engine.task(task_id))
        if task.id != task_id:  # a part of an id, or a name: enough for a person, not for a program
            raise UnknownTaskError("There is no such task here.", "GET /api/tasks lists them.")
        return task
