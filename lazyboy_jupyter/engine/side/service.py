"""Owns the side questions of one engine: asking, stopping, clearing, their histories.

On the engine's thread. A parent's questions are one list of values that are replaced and never
changed, so whoever reads it sees one truth; `hub` tells a parent's id when its list has changed.
Nothing here touches a run: it reads snapshots, and writes rows of its own (DESIGN §9).
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial

from ...core.prompts import promoted_note
from ...core.side import AT_ONCE, LONGEST_QUESTION, Seen, SideQuestion
from ...core.side_context import LONGEST_TOLD, Pair
from ...core.snapshot import Snapshot
from ...errors import (
    EngineClosedError,
    SideQuestionRefused,
    StoreError,
    UnknownSideQuestionError,
    UsageError,
)
from ...ports import Ids, Model
from ...store.rows import Batch
from ...store.side import add_question, add_step, is_retired, load_questions, owner_of, parent_of
from ...threads import off_loop
from ..hub import Hub
from ..questions import checked_question
from ..services import Services
from ..task_run import TaskRun
from . import refusals
from .live import LiveQuestion
from .summaries import Summaries

RunOf = Callable[[str], TaskRun | None]
"""Gives the run of a task, or of a conversation's turn, while it is live."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A side question as it was asked. `ended` gives it as it ended, also when it was cleared
    since, and never fails. `again`: the same id had asked it before."""

    side: SideQuestion
    ended: "Future[SideQuestion]"
    again: bool = False


@dataclass(slots=True)
class _Parent:
    """A parent's questions, oldest first. `turn`: what changes the list takes it."""

    items: tuple[SideQuestion, ...] = ()
    loaded: bool = False
    retired: bool = False
    turn: asyncio.Lock = field(default_factory=asyncio.Lock)
    running: LiveQuestion | None = None
    ended: "Future[SideQuestion]" = field(default_factory=Future)

    def put(self, side: SideQuestion) -> None:
        self.items = tuple(side if one.ordinal == side.ordinal else one for one in self.items)


class SideQuestions:
    """`open_model` gives the model of a name, and raises `UsageError` where there is none.

    `ids` are its own: a run's must not depend on who asks beside it.
    """

    def __init__(
        self,
        services: Services,
        open_model: Callable[[str], Model],
        ids: Ids,
        run_of: RunOf,
        conversation_id: str,
    ) -> None:
        self.conversation_id = conversation_id
        self.hub = Hub()
        self._services = services
        self._open_model = open_model
        self._ids = ids
        self.run_of = run_of
        self._summaries = Summaries(services.clock)
        self._parents: dict[str, _Parent] = {}
        self._busy: set[str] = set()
        self._given: set[str] = set()
        self._closed = False

    async def ask(self, parent: str, question: str, client_request_id: str) -> Asked:
        """Ask a question of the parent's newest snapshot; return it when it is stored and begun.

        The same `client_request_id` with the same question gives the same side question again.
        Raises `UsageError`, `SideQuestionRefused`, `StoreError` when it cannot be stored, and
        `EngineClosedError`.
        """
        asked = checked_question(
            question,
            LONGEST_QUESTION,
            "%btw What was found so far?",
            "Ask a shorter one: what the agent has read it knows already.",
        )
        own = await self._parent(parent)
        async with own.turn:
            if self._closed:
                raise EngineClosedError("The engine is closed.", "Make a new one to go on.")
            for known in own.items:
                if known.client_request_id == client_request_id:
                    ended = _over(known) if known.ended else own.ended
                    return Asked(_same(known, asked), ended, again=True)
            if (refusal := self._refusal(own, parent)) is not None:
                raise refusal
            self._busy.add(parent)
            try:
                return await self._begin(own, parent, asked, client_request_id)
            finally:
                if own.running is None:
                    self._busy.discard(parent)

    async def refusal(self, parent: str) -> SideQuestionRefused | None:
        """Return why nothing can be asked of a parent now, if so, its snapshot apart."""
        return self._refusal(await self._parent(parent), parent)

    def _refusal(self, own: _Parent, parent: str) -> SideQuestionRefused | None:
        if own.retired:
            return refusals.archived(parent)
        if own.running is not None:
            return refusals.busy(parent)
        return refusals.too_many(min(self._busy)) if len(self._busy) >= AT_ONCE else None

    async def _begin(self, own: _Parent, parent: str, asked: str, client_id: str) -> Asked:
        snapshots, database = self._services.snapshots, self._services.database
        owner = await off_loop(partial(owner_of, database, parent))
        # Nothing is waited for between choosing one that is at hand and queueing its rows.
        snapshot = snapshots.at_hand(parent) or await off_loop(partial(snapshots.stored, parent))
        if snapshot is None:
            raise self.without_snapshot(parent)
        model = self._model_of(snapshot)
        side = SideQuestion(
            self._ids.new(),
            parent,
            own.items[-1].ordinal + 1 if own.items else 1,
            client_id,
            asked,
            snapshot.identity.model,
            Seen(
                snapshot.run_id,
                snapshot.version,
                snapshot.boundary,
                snapshot.taken_us,
                snapshot.request_no,
            ),
            self._services.clock.now_us(),
        )
        # The snapshot is stored with its question, and before its question is sent.
        rows = add_question(snapshots.rows(parent), side)
        try:
            await asyncio.wrap_future(database.append(rows))
        except StoreError:
            snapshots.unsaved(parent)
            raise
        pairs = [
            Pair(one.ordinal, one.question, one.answer[:LONGEST_TOLD])
            for one in own.items
            if one.status == "completed"
        ]
        own.items = (*own.items, side)
        live = own.running = LiveQuestion(
            self._services, side, owner, partial(self._changed, own, parent)
        )
        live.begin(model, snapshot, pairs, self._summaries)
        own.ended = Future()
        self.hub.publish(parent)
        return Asked(side, own.ended)

    def without_snapshot(self, parent: str) -> SideQuestionRefused:
        """Return why a parent without a snapshot cannot be asked."""
        return refusals.without_snapshot(live=self.run_of(parent) is not None)

    def _changed(self, own: _Parent, parent: str, side: SideQuestion) -> None:
        own.put(side)
        if side.ended:
            own.running = None
            self._busy.discard(parent)
            own.ended.set_result(side)
            if self.run_of(parent) is None and parent != self.conversation_id:
                # Else its end comes, and writes this too; a conversation has none.
                self._services.database.archive.keep(parent)
        self.hub.publish(parent)

    def _model_of(self, snapshot: Snapshot) -> Model:
        name = snapshot.identity.model
        try:
            model = self._open_model(name)
        except UsageError as error:
            raise refusals.model_gone(name, error) from None
        if model.identity != snapshot.identity.digest:
            raise refusals.model_moved(name)
        return model

    async def stop(self, parent: str, request_id: str | None = None) -> SideQuestion | None:
        """End the answer that is running; its text is kept. Returns when it has ended, with it, or
        None when none was running. `request_id`: only when it is this one."""
        live = (await self._parent(parent)).running
        if live is None or request_id not in {None, live.side.request_id}:
            return None
        await live.stop()
        return live.side

    async def clear(self, parent: str) -> int:
        """End the running answer and delete the parent's questions; its snapshot stays. Return how
        many there were."""
        own = await self._parent(parent)
        async with own.turn:
            await self.stop(parent)
            await asyncio.wrap_future(self._services.database.clear_side_questions(parent))
            count, own.items = len(own.items), ()
            self._summaries.forget(parent)
        self.hub.publish(parent)
        return count

    async def forget(self, parent: str) -> None:
        """End what runs of a parent that is about to be deleted, and refuse what comes later."""
        self._services.snapshots.forget(parent)
        own = await self._parent(parent)
        async with own.turn:
            await self.stop(parent)
            own.items = ()
            self._summaries.forget(parent)
        self.hub.publish(parent)

    async def retire(self, parent: str) -> None:
        """End what runs of a parent that is put away, stored, and refuse what comes later."""
        own = await self._parent(parent)
        async with own.turn:
            await self.stop(parent)
            own.retired = True
        self.hub.publish(parent)

    def restore(self, parent: str) -> None:
        """Take questions again: it could not be put away. On the engine's thread."""
        self._parents[parent].retired = False
        self.hub.publish(parent)

    def now(self, parent: str, request_id: str) -> SideQuestion | None:
        """Return a question as it stands; None when it was cleared. Safe from any thread."""
        own = self._parents.get(parent)
        items = own.items if own is not None else ()
        return next((one for one in items if one.request_id == request_id), None)

    def newest(self, parent: str) -> SideQuestion | None:
        """Return the newest question of this life of the engine. Safe from any thread."""
        own = self._parents.get(parent)
        return own.items[-1] if own is not None and own.items else None

    async def history(self, parent: str) -> tuple[SideQuestion, ...]:
        """Return the parent's questions, oldest first."""
        return (await self._parent(parent)).items

    async def find(self, request_id: str) -> SideQuestion:
        """Return a question by its id. Raises `UnknownSideQuestionError`."""
        parent = await off_loop(partial(parent_of, self._services.database, request_id))
        if parent is not None:
            for side in await self.history(parent):
                if side.request_id == request_id:
                    return side
        raise UnknownSideQuestionError("There is no such side question here.", "%btw shows them.")

    async def promotion(self, parent: str, ordinal: int | None) -> tuple[SideQuestion, str]:
        """Return the side question (the newest, without an ordinal) and the note that its agent
        would get. Raises `UsageError`."""
        items = (await self._parent(parent)).items
        chosen = [one for one in items if ordinal is None or one.ordinal == ordinal][-1:]
        if not chosen or not chosen[0].ended:
            raise UsageError(
                "There is no answer to give to the agent.", "%btw shows them by number."
            )
        return chosen[0], promoted_note(chosen[0].question, chosen[0].answer)

    async def promote(self, parent: str, ordinal: int | None) -> SideQuestion:
        """Give one answer to the agent, which gets it before its next request. Once; it counts as
        promoted when the agent has it.

        Raises `UsageError` when the task has ended, has it already, or can do nothing with it.
        """
        own = await self._parent(parent)
        async with own.turn:
            side, note = await self.promotion(parent, ordinal)
            run = self.run_of(parent)
            if run is None or run.state.ended:
                raise UsageError(
                    "The task has ended: its agent takes nothing in any more.",
                    "Ask anew, with what you know now: %research QUESTION.",
                )
            if side.promoted_us is not None or side.request_id in self._given:
                raise UsageError(f"The agent has answer {side.ordinal} already.")
            if not run.give(side.request_id, note, partial(self._delivered, own, side)):
                raise UsageError(
                    f"{side.model} quotes, and takes nothing in.", "Ask anew: %research QUESTION."
                )
            self._given.add(side.request_id)
        return side

    def _delivered(self, own: _Parent, side: SideQuestion) -> None:
        """The agent has it now: it stands in its next request."""
        given = side.promoted(self._services.clock.now_us())
        if self.now(side.parent, side.request_id) is not None:
            own.put(given)
            self._services.database.append(add_step(Batch(), given, "", given.promoted_us or 0))
            self.hub.publish(side.parent)

    async def close(self) -> None:
        """End what runs as `interrupted`, stored, and refuse what is asked from now on."""
        self._closed = True
        await asyncio.gather(*map(self._interrupt, list(self._parents.values())))

    async def _interrupt(self, own: _Parent) -> None:
        if own.running is None:
            async with own.turn:  # one may be just about to begin
                pass
        if own.running is not None:
            await own.running.stop(interrupted=True)

    async def _parent(self, parent: str) -> _Parent:
        own = self._parents.setdefault(parent, _Parent())
        if not own.loaded:
            async with own.turn:
                if not own.loaded:
                    database = self._services.database
                    own.items = tuple(await off_loop(partial(load_questions, database, parent)))
                    own.retired = await off_loop(partial(is_retired, database, parent))
                    own.loaded = True
        return own


def _same(known: SideQuestion, asked: str) -> SideQuestion:
    if known.question != asked:
        raise refusals.id_reused()
    return known


def _over(side: SideQuestion) -> "Future[SideQuestion]":
    ended: Future[SideQuestion] = Future()
    ended.set_result(side)
    return ended
