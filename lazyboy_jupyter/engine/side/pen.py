"""Owns storing one answer as it grows: at most every 250 ms, its end at once. On the loop."""

import asyncio
import contextlib
from concurrent.futures import Future

from ...core.side import SideQuestion
from ...core.timing import Stage, TimingRow
from ...errors import StoreError
from ...store.database import Database
from ...store.rows import Batch
from ...store.side import add_step
from ..services import Services
from ..timing_log import add_timing

EVERY_SECONDS = 0.25
_TRIES = 3
_BETWEEN_SECONDS = 0.2


class Pen:
    """Writes down one side question. One write is under way at a time: what a failed one had, the
    next one has again, so the pieces that are stored are always a beginning of the answer."""

    def __init__(self, services: Services, agent_id: str, conversation_id: str) -> None:
        self._database: Database = services.database
        self._services = services
        self._agent_id = agent_id
        self._conversation_id = conversation_id
        self._written = self._committed = 0
        self._given: Future[None] = Future()
        self._given.set_result(None)
        self._given_times = Batch()
        self._newest: SideQuestion | None = None
        self._due: asyncio.Task[None] | None = None
        self._last_us = 0
        self._times = Batch()

    def note(self, side: SideQuestion) -> None:
        """Store the question's newest step soon: the first at once, later ones in their turn."""
        self._newest = side
        if self._due is None:
            waited = (self._services.clock.now_us() - self._last_us) / 1_000_000
            if waited >= EVERY_SECONDS and self._given.done():
                self._write()
            else:
                self._due = asyncio.ensure_future(self._later(EVERY_SECONDS - waited))

    def time(self, side: SideQuestion, stage: Stage, began_us: int, outcome: str) -> None:
        """Add a timing row, which is stored with the next step."""
        now = self._services.clock.now_us()
        row = TimingRow(
            now,
            self._conversation_id,
            side.parent,
            self._agent_id,
            stage,
            (now - began_us) / 1000,
            outcome,
            round_id=side.request_id,
            request_no=side.seen.request_no,
        )
        add_timing(self._times, row, self._services.timing_log)

    async def end(self, side: SideQuestion) -> None:
        """Store the end, and try again a few times when it fails. Returns when it is stored, or
        cannot be: the answer stands on the screen in any case."""
        if self._due is not None:
            self._due.cancel()
        self._settle()
        times, self._times = self._times, Batch()
        for number in range(1, _TRIES + 1):
            batch = add_step(Batch().update(times), side, "", side.ended_us or 0)
            future = self._database.append(batch)
            with contextlib.suppress(StoreError):
                await asyncio.wrap_future(future)
                return
            if number < _TRIES:
                await self._services.clock.sleep(_BETWEEN_SECONDS * number)

    async def _later(self, seconds: float) -> None:
        await self._services.clock.sleep(max(0.0, seconds))
        with contextlib.suppress(StoreError):
            await asyncio.wrap_future(self._given)
        self._due = None
        self._write()

    def _write(self) -> None:
        side = self._newest
        assert side is not None
        self._settle()
        self._last_us = self._services.clock.now_us()
        times = self._given_times = self._times
        self._times = Batch()
        piece, self._written = side.answer[self._committed :], len(side.answer)
        # Not awaited: a failure is met again by the next step, or by the end.
        batch = add_step(Batch().update(times), side, piece, self._last_us)
        self._given = self._database.append(batch)

    def _settle(self) -> None:
        """Learn what became of the last write, once it is over."""
        if not self._given.done():
            return
        if self._given.exception() is None:
            self._committed = self._written
        else:
            self._times = self._given_times.update(self._times)
        self._given_times = Batch()
