"""Owns who may go on now: so many requests at once to a provider, foreground ones first; one task
at a time of an agent.

On the engine's thread.
"""

import asyncio
import heapq
import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

FOREGROUND, WORKER = 0, 1


class Slots:
    """The slots of one provider. Waiting is in the order of asking, foreground before workers."""

    def __init__(self, size: int) -> None:
        self._free = size
        self._order = itertools.count()
        self._waiting: list[tuple[int, int, asyncio.Future[None]]] = []

    @asynccontextmanager
    async def hold(self, priority: int = WORKER) -> AsyncIterator[None]:
        """Hold a slot; wait for one while none is free."""
        if self._free:
            self._free -= 1
        else:
            await self._wait(priority)
        try:
            yield
        finally:
            self._hand_on()

    async def _wait(self, priority: int) -> None:
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        heapq.heappush(self._waiting, (priority, next(self._order), turn))
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._hand_on()  # the slot came at the very moment of the cancelling
            raise

    def _hand_on(self) -> None:
        while self._waiting:
            _, _, turn = heapq.heappop(self._waiting)
            if not turn.done():
                turn.set_result(None)
                return
        self._free += 1


class ModelSlots:
    """The slots of each provider, which is the part of a model's name before its colon."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._providers: dict[str, Slots] = {}

    def of(self, model: str) -> Slots:
        """Return the slots of the model's provider."""
        return self._providers.setdefault(model.partition(":")[0], Slots(self._size))


class AgentTurns:
    """Lets an agent do one task at a time, in the order they were given."""

    def __init__(self) -> None:
        self._agents: dict[str, tuple[Slots, int]] = {}

    @asynccontextmanager
    async def hold(self, agent_id: str) -> AsyncIterator[None]:
        """Hold the agent's turn; wait for it while another task of the agent has it."""
        slots, users = self._agents.get(agent_id, (Slots(1), 0))
        self._agents[agent_id] = (slots, users + 1)
        try:
            async with slots.hold():
                yield
        finally:
            slots, users = self._agents.pop(agent_id)
            if users > 1:
                self._agents[agent_id] = (slots, users - 1)
