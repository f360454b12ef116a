"""Owns the live dashboard of an engine: its agents and tasks, each with the one activity.

On the engine's thread, but for its making.
"""

import asyncio
from collections.abc import Mapping
from functools import partial
from typing import Any

from ..core.activity import Activity
from ..core.card import activity_state
from ..core.roster import TaskSeen, roster_of
from ..engine.engine import Engine
from ..errors import LazyboyError, UsageError
from ..threads import off_loop
from .feed import BEAT_SECONDS, Feed
from .messages import Hello, Message, Reconcile, Stop
from .pace import Pace

ALL = ""
"""The agent of a view that shows them all."""


class RosterCard:
    """Shows the tasks that run or wait, and those that `ended` before, the newest first."""

    def __init__(self, engine: Engine, ended: Mapping[str, TaskSeen], note: str) -> None:
        self._engine = engine
        self._seen = dict(ended)
        self._note = note
        self._version = 1
        self._pace = Pace(self._draw)
        self._drawing: asyncio.Task[None] | None = None
        self._seen.update(self._live())
        self.feed = Feed(engine, self._answer, kind="status", roster=self._state())

    def begin(self) -> None:
        """Follow the tasks, new ones too, for good."""
        self._engine.hub.subscribe(lambda _: self._pace.changed())
        self._beat()

    def _live(self) -> dict[str, TaskSeen]:
        return {one.view.task_id: one for one in self._engine.live_tasks()}

    def _state(self) -> dict[str, Any]:
        tasks = sorted(self._seen.values(), key=lambda one: one.view.task_id, reverse=True)
        return {**roster_of(tasks, self._note), "version": self._version}

    def _ended(self, seen: TaskSeen) -> TaskSeen | None:
        """A task as its end is stored; None when it was deleted. Reads the store."""
        try:
            view = self._engine.task(seen.view.task_id).view()
        except LazyboyError:
            return None
        return TaskSeen(view, seen.agent_id, seen.model, seen.name)

    def _draw(self) -> None:
        if self._drawing is not None and not self._drawing.done():
            self._pace.changed()  # the store is being asked: once more when it has answered
            return
        self._drawing = asyncio.ensure_future(self._redraw())

    async def _redraw(self) -> None:
        live = self._live()
        for task_id, seen in list(self._seen.items()):
            if seen.owned and task_id not in live:  # it has ended since it was last drawn
                ended = await off_loop(partial(self._ended, seen))
                if ended is None:
                    del self._seen[task_id]
                else:
                    self._seen[task_id] = ended
        self._seen.update(live)
        self._version += 1
        self.feed.put(roster=self._state())

    async def _answer(self, message: Message) -> dict[str, Any]:
        match message:
            case Hello() | Reconcile():
                state = activity_state(self._activity())
                return {"agent_id": ALL, "version": self._version, "activity": state}
            case Stop(task_id=str(task_id)):
                await self._engine.halt(task_id)
                return {}
            case _:
                raise UsageError("A dashboard cannot do that.", "%lazyboy show ID shows the task.")

    def _activity(self) -> Activity:
        return self._engine.activity()

    def _beat(self) -> None:
        if self._engine.activity().state != "idle":
            self.feed.beat(self._version, activity_state(self._activity()))
        asyncio.get_running_loop().call_later(BEAT_SECONDS, self._beat)
