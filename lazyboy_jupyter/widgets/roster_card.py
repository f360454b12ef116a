"""Owns the live dashboard of an engine: its agents and tasks, each with the one activity.

On the engine's thread, but for its making.
"""

import asyncio
from collections.abc import Mapping, Set
from functools import partial
from typing import Any

from ..core.activity import Activity
from ..core.roster import TaskSeen, roster_of, stored_task
from ..engine.engine import Engine
from ..errors import LazyboyError, UsageError
from ..threads import off_loop
from .feed import BEAT_SECONDS, Feed
from .messages import Answer, Stop, Wish
from .pace import Pace

ALL = ""
"""The agent of a view that shows them all."""
_MOST = 50


class RosterCard:
    """Shows the tasks that run or wait, and those that `ended` before, the newest first.

    It follows them while there is a view of it.
    """

    def __init__(self, engine: Engine, ended: Mapping[str, TaskSeen], note: str) -> None:
        self._engine = engine
        self._seen = dict(ended)
        self._stale: set[str] = set()
        self._note = note
        self._version = 1
        self._pace = Pace(self._draw)
        self._drawing: asyncio.Task[None] | None = None
        self._followed = False
        self._beating: asyncio.TimerHandle | None = None
        self._seen.update(self._live())
        self.feed = Feed(engine, "status", self, self._answer)

    def begin(self) -> None:
        """Note which tasks have news; before a view is there nothing is done with it."""
        self._engine.hub.subscribe(self._changed)

    def appeared(self) -> None:
        """Follow the tasks, new ones too; what happened meanwhile is looked up."""
        self._followed = True
        self._stale.update(self._seen)
        self._pace.changed()
        self._beat()

    def gone(self) -> None:
        """Follow them no longer."""
        self._followed = False
        if self._beating is not None:
            self._beating.cancel()

    def _changed(self, task_id: str) -> None:
        self._stale.add(task_id)
        if self._followed:
            self._pace.changed()

    def _live(self) -> dict[str, TaskSeen]:
        return {one.view.task_id: one for one in self._engine.live_tasks()}

    def state(self) -> dict[str, Any]:
        """Return what the widget shows: the newest tasks."""
        tasks = sorted(self._seen.values(), key=lambda one: one.view.task_id, reverse=True)
        roster = roster_of(tasks[:_MOST], self._note, self._engine.agents.names)
        return {"roster": {**roster, "version": self._version}}

    def _draw(self) -> None:
        if self._drawing is not None and not self._drawing.done():
            self._pace.changed()  # the store is being asked: once more when it has answered
            return
        self._drawing = asyncio.ensure_future(self._redraw())

    async def _redraw(self) -> None:
        live = self._live()
        ended = self._stale - live.keys()
        self._stale.clear()
        if ended:
            for task_id, seen in (await off_loop(partial(self._stored, ended))).items():
                if seen is not None:
                    self._seen[task_id] = seen
                else:
                    self._seen.pop(task_id, None)
        self._seen.update(live)
        self._version += 1
        self.feed.changed()

    def _stored(self, task_ids: Set[str]) -> dict[str, TaskSeen | None]:
        """Tasks as they are stored; None: deleted, or put away. Reads the store."""
        rows = {row["task_id"]: row for row in self._engine.tasks()}
        return {task_id: self._ended(rows.get(task_id)) for task_id in task_ids}

    def _ended(self, row: Mapping[str, Any] | None) -> TaskSeen | None:
        if row is None:
            return None
        try:
            agent = self._engine.agents.name_of(row["agent_id"])
            return stored_task(self._engine.task(row["task_id"]).view(), row, agent)
        except LazyboyError:
            return None

    async def _answer(self, message: Wish) -> dict[str, Any]:
        if isinstance(message, Stop) and message.task_id is not None:
            await self._engine.halt(message.task_id)
            return {}
        if isinstance(message, Answer) and message.task_id is not None:
            await self._engine.give_answer(message.task_id, message.text)
            return {}
        raise UsageError("A dashboard cannot do that.", "%lazyboy show ID shows the task.")

    def standing(self) -> tuple[str, int, Activity]:
        """Return all agents, the version shown, and what they do now."""
        return ALL, self._version, self._engine.activity()

    def _beat(self) -> None:
        if self._engine.activity().state != "idle":
            self.feed.beat()
        self._beating = asyncio.get_running_loop().call_later(BEAT_SECONDS, self._beat)
