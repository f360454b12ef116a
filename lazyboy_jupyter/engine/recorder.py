"""Owns a task's log: an event is folded, queued for the store, and told to everyone, in order.

On the engine's thread. Folding and queueing happen in one step without waiting, so the stored
order is the order of the states; only the acknowledgement is awaited.
"""

import asyncio
from collections.abc import Awaitable, Iterable
from typing import Any

from ..core.events import Event
from ..core.research import ResearchState, fold
from ..core.timing import Stage, TimingRow
from ..store.events import add_event
from ..store.rows import Batch
from .services import Services, TaskSpec
from .timing_log import add_timing


class Recorder:
    """Records the events of one task.

    `state` is the fold of all that was recorded; `acknowledged` the number of the newest event
    that is known to be committed, and every earlier one with it.
    """

    def __init__(self, services: Services, spec: TaskSpec) -> None:
        self.state = ResearchState()
        self.acknowledged = 0
        self._services = services
        self._spec = spec
        self._seq = 0
        self._source_seq = 0
        self._last_us = 0
        self._later = Batch()

    def now_us(self) -> int:
        """Return the time, never before the last event's."""
        return max(self._services.clock.now_us(), self._last_us)

    def record(self, event: Event, rows: Batch | None = None) -> Awaitable[None]:
        """Fold the event now; await the result to know that it and `rows` are committed.

        Raises `InvalidTransition` at once, with nothing changed; the awaitable raises
        `StoreError` when the disk fails.
        """
        now = self.now_us()
        state = fold(self.state, now, event)
        batch = self._with_later(rows if rows is not None else Batch())
        self._seq += 1
        self._add(batch, event, now, state)
        self.state, self._last_us = state, now
        return self._committed(batch, self._seq)

    def _add(self, batch: Batch, event: Event, now: int, state: ResearchState) -> None:
        add_event(
            batch,
            event_id=self._services.ids.new(),
            task_id=self._spec.task_id,
            seq=self._seq,
            at_us=now,
            event=event,
            phase=state.phase,
        )

    def take_over(self, log: Iterable[tuple[int, Event]], rows: Batch, source_seq: int) -> None:
        """Make another task's events this one's own, with their times; they are committed with
        `rows`. `source_seq`: the number of the newest source row among those."""
        for at_us, event in log:
            self.state = fold(self.state, at_us, event)
            self._seq += 1
            self._add(rows, event, at_us, self.state)
            self._last_us = at_us
        self._source_seq = source_seq

    def record_later(self, event: Event, rows: Batch) -> None:
        """Fold the event now, and commit it in one transaction with whatever is recorded next: for
        what nothing is done about before that. Raises `InvalidTransition`, with nothing changed."""
        now = self.now_us()
        state = fold(self.state, now, event)
        self._seq += 1
        self._add(rows, event, now, state)
        self.state, self._last_us = state, now
        self.save_later(rows)

    async def record_committed(self, event: Event, rows: Batch) -> None:
        """Commit the event with `rows`, and fold it only then: for what must never be shown
        without being stored. No other event of the task may be recorded meanwhile.

        Raises `StoreError` with the state unchanged. Being cancelled waits for the commit.
        """
        now, before = self.now_us(), (self.state, self._last_us, self._seq)
        state = fold(self.state, now, event)
        self._seq += 1
        self._add(rows, event, now, state)
        committed = self._committed(self._with_later(rows), self._seq)
        try:
            await asyncio.shield(committed)
        except asyncio.CancelledError:
            await asyncio.wait({committed})
            if committed.exception() is None:
                self.state, self._last_us = state, now
            raise
        except BaseException:
            self.state, self._last_us, self._seq = before
            raise
        self.state, self._last_us = state, now
        self._services.hub.publish(self._spec.task_id)

    def fold_only(self, event: Event) -> None:
        """Fold an event that cannot be stored, because the store has failed."""
        self.state = fold(self.state, self.now_us(), event)
        self._services.hub.publish(self._spec.task_id)

    async def save(self, rows: Batch) -> None:
        """Commit rows that come with no event."""
        await self._committed(self._with_later(rows))

    def save_later(self, rows: Batch) -> None:
        """Commit rows with whatever is recorded next, for what no one waits for: a commit of its
        own costs as much as theirs."""
        self._later.update(rows)

    async def save_all(self) -> None:
        """Commit what still waits for a next record."""
        if self._later:
            await self.save(Batch())

    def _with_later(self, rows: Batch) -> Batch:
        later, self._later = self._later, Batch()
        return rows.update(later)

    def _committed(self, batch: Batch, seq: int = 0) -> "asyncio.Future[None]":
        committed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        committed.add_done_callback(_retrieved)

        def told(failure: BaseException | None) -> None:
            # Told also when nobody waits for it any more.
            if failure is None:
                self.acknowledged = max(self.acknowledged, seq)
                self._services.hub.publish(self._spec.task_id)
            if committed.done():
                return
            if failure is None:
                committed.set_result(None)
            else:
                committed.set_exception(failure)

        self._services.acknowledgements.tell(self._services.database.append(batch), told)
        return committed

    def next_source_seq(self) -> int:
        """Return the number of the next source row; the highest of a source is its newest."""
        self._source_seq += 1
        return self._source_seq

    def row(self, **columns: Any) -> dict[str, Any]:
        """Return columns with the task's id."""
        return {"task_id": self._spec.task_id, **columns}

    def time(
        self,
        rows: Batch,
        stage: Stage,
        began_us: int,
        outcome: str,
        *,
        round_id: str | None = None,
        request_no: int | None = None,
        call_id: str | None = None,
    ) -> float:
        """Add a timing row for what began at `began_us` and ends now; return its milliseconds."""
        now = self.now_us()
        row = TimingRow(
            ts_us=now,
            conversation_id=self._spec.conversation_id,
            task_id=self._spec.task_id,
            agent_id=self._spec.agent_id,
            stage=stage,
            elapsed_ms=(now - began_us) / 1000,
            outcome=outcome,
            round_id=round_id,
            request_no=request_no,
            call_id=call_id,
        )
        add_timing(rows, row, self._services.timing_log)
        return row.elapsed_ms


def _retrieved(committed: "asyncio.Future[None]") -> None:
    """Mark a failure as seen; whoever awaits the commit still gets it."""
    if not committed.cancelled():
        committed.exception()
