"""Owns the life of one task, of whatever kind, from its queueing to its end.

On the engine's thread. Whatever happens, a run comes to an end state, or, when the store itself
has failed, to a failure that only this process knows of.
"""

import asyncio
import json
import logging
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import asdict

from ..core.briefs import Brief
from ..core.budget import Budget
from ..core.decisions import Fail, closing_reason, seconds_left
from ..core.events import (
    CollectionClosed,
    Event,
    NoteGiven,
    SourceFinished,
    TaskCancelled,
    TaskFailed,
    TaskInterrupted,
    TaskQueued,
    TaskResumed,
    TaskType,
)
from ..core.guide import Guide, guide_of
from ..core.messages import Message, user_note
from ..core.phases import COLLECTING
from ..core.research import ResearchState
from ..core.snapshot import Boundary
from ..core.view import RunView, view_of
from ..errors import StoreError
from ..store.rows import Batch, at
from ..store.schema import TASK
from .book import SourceBook
from .publishing import Publisher
from .recorder import Recorder
from .resuming import Left
from .rounds import Rounds
from .services import Services, TaskSpec
from .snapshots import SnapshotTaker
from .source_calls import SourceCaller

STORE_FAILED = "store_failed"
_log = logging.getLogger("lazyboy_jupyter")


class TaskRun(ABC):
    """One live task. What it shows may be read from any thread.

    `parent`: whose snapshots it takes: the task itself, or the conversation of a turn.
    """

    task_type: TaskType

    def __init__(
        self, services: Services, spec: TaskSpec, brief: Brief, parent: str | None = None
    ) -> None:
        self.spec = spec
        self.book = SourceBook()
        self.recorder = Recorder(services, spec)
        self.publisher = Publisher(self.recorder)
        self._services = services
        self._taker = SnapshotTaker(
            services.snapshots, parent or spec.task_id, spec.model, spec.task_id
        )
        self.rounds = Rounds(services, spec, brief, self.recorder, self._taker)
        self._caller = SourceCaller(services, self.recorder, self.book, spec.sources, spec.task_id)
        self.created_us = 0
        self._messages: list[Message] = []
        self._notes: list[tuple[str, str, Callable[[], None]]] = []
        self._halted: Event | None = None
        self._last_taken = False
        self._saving: asyncio.Future[None] | None = None
        self._task: asyncio.Task[None] | None = None

    @property
    def state(self) -> ResearchState:
        """The state now."""
        return self.recorder.state

    @property
    def guide(self) -> Guide | None:
        """The guide as published so far."""
        sources = tuple(self.book.sources.values())
        return guide_of(self.state.question, self.publisher.publications, sources)

    def view(self, now_us: int) -> RunView:
        """Return what the run looks like at `now_us`."""
        return view_of(
            self.spec.task_id,
            self.state,
            now_us,
            sources=tuple(self.book.sources.values()),
            running=tuple(self._caller.running.values()),
            guide=self.guide,
            problems=self._caller.problems,
            search=self.spec.sources.described,
            arriving=self.rounds.partial,
        )

    @abstractmethod
    def _begin_messages(self, question: str) -> list[Message]:
        """Return what the first request says."""

    def _add(self, message: Message) -> None:
        """Add a message to the agent's history."""
        self._messages.append(message)

    @abstractmethod
    async def _work(self) -> None:
        """Do what is due until the task has ended."""

    async def queue(self, question: str, budget: Budget, more: Batch | None = None) -> None:
        """Commit the task's existence, with `more` rows. Raises `StoreError` when it cannot be
        stored."""
        self._messages = self._begin_messages(question)
        rows = self._row(question, budget).update(more or Batch())
        await self.recorder.record(TaskQueued(question, budget, self.task_type), rows)

    async def take_over(self, left: Left) -> None:
        """Commit the task's existence as that of one that goes on with what another has left: its
        seconds, its reservations, its evidence. Raises `StoreError`."""
        state, recorder = left.state, self.recorder
        rows = self._row(state.question, state.budget)
        left.add_rows(rows, self.spec.task_id)
        recorder.take_over(left.log, rows, left.source_seq)
        self.book.restore(left.sources, left.outputs)
        for call_id, content in left.evidence.items():
            self.book.evidence[call_id] = asyncio.get_running_loop().create_future()
            self.book.evidence[call_id].set_result(content)
        self.publisher.publications = left.publications
        if state.phase == "queued":  # it had not begun
            await recorder.save(rows)
        else:
            away = recorder.now_us() - left.log[-1][0]
            await recorder.record(TaskResumed(left.task_id, away, left.lost), rows)
        self._messages = [*self._begin_messages(state.question), user_note(left.note())]

    def _row(self, question: str, budget: Budget) -> Batch:
        self.created_us = self.recorder.now_us()
        return Batch().add(
            TASK,
            **self.recorder.row(
                conversation_id=self.spec.conversation_id,
                agent_id=self.spec.agent_id,
                parent_task_id=self.spec.parent_task_id,
                task_type=self.task_type,
                name=self.spec.name,
                question=question,
                model=self.spec.model.name,
                search=self.spec.sources.described,
                budget=json.dumps(asdict(budget)),
                created_at=at(self.created_us),
                resumed_from=self.spec.resumed_from,
            ),
        )

    @property
    def ended(self) -> "asyncio.Task[None]":
        """What is done when the run has ended; of one that was started."""
        assert self._task is not None
        return self._task

    def start(self) -> "asyncio.Task[None]":
        """Begin to work; the task returned is done when the run has ended, and never raises."""
        self._task = asyncio.ensure_future(self._live())
        return self._task

    async def stop(self) -> None:
        """End the run as `cancelled`, what it has is kept. Returns when it has ended."""
        await self._halt(TaskCancelled())

    async def abandon(self) -> None:
        """End the run as `interrupted`, since its engine closes. Returns when it has ended."""
        await self._halt(TaskInterrupted())

    def give(self, request_id: str, note: str, delivered: Callable[[], None]) -> bool:
        """Take in what a person gives the agent: it stands before the next request, if there is
        one, and `delivered` is called then. Return whether the agent can use it."""
        if self.state.ended or not self.spec.model.takes_notes:
            return False
        self._notes.append((request_id, note, delivered))
        return True

    async def _halt(self, event: Event) -> None:
        """The first to halt a run decides how it ends; a second cancel would cut its end short."""
        if self._task is None:  # it is only being committed: it ends when it would begin
            self._halted = self._halted or event
            return
        if self._task.done():
            return
        if self._halted is None:
            self._halted = event
            self._task.cancel()
        await asyncio.wait({self._task})
        await self._end(self._halted)  # it was cancelled before it had even begun

    async def _live(self) -> None:
        try:
            if self._halted is not None:
                raise asyncio.CancelledError
            async with self._services.turns.hold(self.spec.agent_id):
                with self._services.yielding.at_work():
                    await self._work()
                    await self._save_last()
        except asyncio.CancelledError:
            await self._end(self._halted or TaskInterrupted())
        except StoreError as error:
            self._fail_unstored(error)
        except Exception as error:  # noqa: BLE001 - a run always comes to an end state
            _log.exception("task %s failed", self.spec.task_id)
            detail = f"An error of ours ended the task: {type(error).__name__}: {error}"
            await self._end(TaskFailed("internal_error", detail))
        finally:
            if (browser := self.spec.sources.browser) is not None:
                # A browser that hangs must hold up no end; whoever closes the engine ends it.
                releasing = asyncio.ensure_future(browser.release(self.spec.task_id))
                self._services.background.add(releasing)
                releasing.add_done_callback(self._services.background.discard)

    async def _end(self, event: Event) -> None:
        """Record the end; calls still running become interrupted evidence first. One that has
        ended by itself keeps its end, and what it had still to store is stored."""
        try:
            if not self.state.ended:
                for call_id in sorted(self.state.running):
                    await self.recorder.record(SourceFinished(call_id, "interrupted"))
                self._take_last()
                await self.recorder.record(event, self._taker.last_rows())
            await self._save_last()
        except StoreError as error:
            self._fail_unstored(error)

    def _fail_unstored(self, error: StoreError) -> None:
        """The store has failed: only this process will know how the task ended."""
        self._taker.unsaved()
        if not self.state.ended:
            self.recorder.fold_only(TaskFailed(STORE_FAILED, str(error)))

    async def _save_last(self) -> None:
        """Return when the last snapshot is stored, and what waited for a next record. Being
        cancelled leaves that to go on, so that who halts the run can wait for it."""
        if self._saving is None:
            self._take_last()
            self.recorder.save_later(self._taker.last_rows())
            self._saving = asyncio.ensure_future(self.recorder.save_all())
        await asyncio.shield(self._saving)

    def _take_last(self) -> None:
        """Take the snapshot of the end, once."""
        if not self._last_taken:
            self._last_taken = True
            self._take("end")

    def _take(self, boundary: Boundary) -> None:
        """Take a snapshot for side questions."""
        state, now = self.state, self.recorder.now_us()
        self._taker.take(boundary, self._messages, state.request_no, now)

    async def _fail(self, step: Fail, *more: str) -> None:
        """Record the failure, with the newest reasons for it."""
        last = "".join(f" {reason}" for reason in (self.rounds.last_error, *more) if reason)
        await self.recorder.record(TaskFailed(step.error, step.detail + last))

    async def _take_in_notes(self) -> None:
        """What a person gave the agent stands before the next request."""
        while self._notes:
            request_id, note, delivered = self._notes.pop(0)
            await self.recorder.record(NoteGiven(request_id))
            self._add(user_note(note))
            delivered()

    async def _fail_when_hopeless(self) -> None:
        """Fail where no later round could succeed either."""
        if (error := self.rounds.hopeless) is not None:
            await self.recorder.record(TaskFailed(f"model_{error.kind}", self.rounds.last_error))

    async def _closing(self) -> None:
        """Record the collection's end when its time comes while calls are still running."""
        while self.state.phase in COLLECTING:
            now = self.recorder.now_us()
            reason = closing_reason(self.state, now)
            if reason is not None:
                await self.recorder.record(CollectionClosed(reason))
                return
            await self._services.clock.sleep(seconds_left(self.state, now))
