"""Owns the live card of one task: its widget's state follows the task. On the engine's thread,
but for its making."""

import asyncio
from collections.abc import Callable
from typing import Any

from ..core.activity import Activity
from ..core.card import card_values
from ..core.view import RunView
from ..engine.engine import Engine
from ..engine.task import Task
from .feed import BEAT_SECONDS, Feed
from .replies import TaskReplies
from .side_follower import SideFollower


class RunCard:
    """The card of one task, live or as it is stored. Made on the thread of the cell that shows it,
    then followed from `begin` on: the task while it is live, its side questions while there is a
    view."""

    def __init__(self, engine: Engine, task: Task) -> None:
        self._engine = engine
        self._task: Task | None = task
        self._task_id, self._agent_id = task.id, task.agent_id
        self._last = task.view()
        self._version = 0
        self._unsubscribe: Callable[[], None] = lambda: None
        self._beating: asyncio.TimerHandle | None = None
        parent = task.side_parent
        self._panel = SideFollower(engine, parent, lambda: self.feed.changed())
        replies = TaskReplies(engine, parent, lambda: self._view, self._task_id)
        self.feed = Feed(engine, "run", self, replies.reply)

    @property
    def _view(self) -> RunView:
        if self._task is not None:
            self._last = self._task.view()
        return self._last

    def begin(self) -> None:
        """Follow the task."""
        if self._task is not None:
            self._unsubscribe = self._engine.hub.subscribe(self._changed, self.feed.finish)
            self.feed.changed()
            self._beat()

    def appeared(self) -> None:
        """Follow its side questions."""
        self._panel.begin()

    def gone(self) -> None:
        """Follow them no longer."""
        self._panel.end()

    def _changed(self, task_id: str) -> None:
        if task_id == self._task_id:
            self.feed.changed()
            self._panel.moved()

    def state(self) -> dict[str, Any]:
        """Return what the widget shows now; of an ended task that is the last to be said."""
        self._version += 1
        view = self._view
        values = card_values(view, self._agent_id, self._engine.activity(self._agent_id))
        values["card"]["version"] = self._version
        if not view.live and self._beating is not None:
            self._end()
        return {**values, **self._panel.state}

    def _end(self) -> None:
        self._unsubscribe()
        self._task = None  # its texts are in the store; what is shown of it stays
        if self._beating is not None:
            self._beating.cancel()
            self._beating = None

    def standing(self) -> tuple[str, int, Activity]:
        """Return the agent, the version shown, and what the agent does now."""
        return self._agent_id, self._version, self._engine.activity(self._agent_id)

    def _beat(self) -> None:
        self.feed.beat()
        self._beating = asyncio.get_running_loop().call_later(BEAT_SECONDS, self._beat)
