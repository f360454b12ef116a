"""Runs one task on the test's own loop: no thread, a manual clock, a real database."""

import asyncio
import contextlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from lazyboy_jupyter.core.budget import Budget
from lazyboy_jupyter.engine.hub import Hub
from lazyboy_jupyter.engine.run import ResearchRun
from lazyboy_jupyter.engine.services import Services, Sources, TaskSpec
from lazyboy_jupyter.store.database import Database
from tests.fakes import CountingIds, ManualClock

PATIENCE = 20
"""Real seconds after which a test that waits has failed."""


@dataclass
class Driver:
    """A task under test: `clock` moves only when told to."""

    database: Database
    clock: ManualClock = field(default_factory=ManualClock)
    ids: CountingIds = field(default_factory=CountingIds)
    hub: Hub = field(default_factory=Hub)
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    services: Services | None = None
    browser: Any = None

    async def start(self, model: Any, web: Any, question: str = "Q?", **budget: Any) -> ResearchRun:
        """Queue and start a task; return its run."""
        if self.services is None:
            self.services = Services(self.clock, self.ids, self.database, self.hub)
            self.hub.subscribe(lambda _: self.changed.set())
        spec = TaskSpec(
            self.ids.new(),
            "conversation",
            self.ids.new(),
            "",
            model,
            Sources([web], [web], self.browser),
        )
        run = ResearchRun(self.services, spec)
        await run.queue(question, Budget(**budget))
        run.start()
        return run

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait, in real time, until something changes so that the condition holds."""
        async with asyncio.timeout(PATIENCE):
            while not condition():
                self.changed.clear()
                if not condition():
                    with contextlib.suppress(TimeoutError):
                        await asyncio.wait_for(self.changed.wait(), 0.05)
            for _ in range(10):  # let what has just begun reach its first wait
                await asyncio.sleep(0)

    async def finish(
        self, model: Any, web: Any, question: str = "Q?", **budget: Any
    ) -> ResearchRun:
        """Run a task to its end; return it."""
        run = await self.start(model, web, question, **budget)
        await self.until(lambda: run.state.ended)
        return run
