"""Owns the live card of one task: its widget's state follows the task. On the engine's thread,
but for its making."""

import asyncio
from collections.abc import Callable
from typing import Any

from ..core.activity import Activity
from ..core.card import activity_state, card_of, guide_values, rows_of
from ..core.view import RunView
from ..engine.engine import Engine
from ..engine.task import ResearchTask
from .feed import BEAT_SECONDS, Feed
from .messages import Hello, Message
from .pace import Pace
from .replies import TaskReplies
from .side_follower import SideFollower


class RunCard:
    """The card of one task, live or as it is stored. Made on the thread of the cell that shows it,
    then followed from `begin` on."""

    def __init__(self, engine: Engine, task: ResearchTask) -> None:
        self._engine = engine
        self._task: ResearchTask | None = task
        self._task_id, self._agent_id = task.id, task.agent_id
        self._last = task.view()
        self._version = 1
        self._panel = SideFollower(engine, self._task_id, self._put)
        self._replies = TaskReplies(engine, self._task_id, lambda: self._view, self._shown)
        self.feed = Feed(engine, self._answer, kind="run", **self._state())
        self._pace = Pace(self._draw)
        self._unsubscribe: Callable[[], None] = lambda: None
        self._beating: asyncio.TimerHandle | None = None

    @property
    def _view(self) -> RunView:
        if self._task is not None:
            self._last = self._task.view()
        return self._last

    def begin(self) -> None:
        """Follow the task while it is live, and its side questions for good."""
        self._panel.begin()
        if self._task is None:
            return
        self._unsubscribe = self._engine.hub.subscribe(self._changed)
        self._pace.now()
        if self._task is not None:
            self._beat()

    async def _answer(self, message: Message) -> dict[str, Any]:
        if isinstance(message, Hello):  # a page counts on from here, however old the state was
            self._pace.changed()
            self._panel.fresh()
        return await self._replies.reply(message)

    def _changed(self, task_id: str) -> None:
        if task_id == self._task_id:
            self._pace.changed()

    def _draw(self) -> None:
        self._version += 1
        self._put(**self._state())
        self._panel.moved()
        if not self._last.live:
            self._unsubscribe()
            self._task = None  # its texts are in the store; what is shown of it stays
            if self._beating is not None:
                self._beating.cancel()

    def _put(self, **state: Any) -> None:
        self.feed.put(**state)

    def _state(self) -> dict[str, Any]:
        view = self._view
        card = card_of(view, self._agent_id, self._activity(), can_ask=view.status != "queued")
        return {
            "card": {**card, "version": self._version},
            "sources": rows_of(view),
            "guide": guide_values(view),
        }

    def _activity(self) -> Activity:
        return self._engine.activity(self._agent_id)

    def _shown(self) -> tuple[str, int, Activity]:
        return self._agent_id, self._version, self._activity()

    def _beat(self) -> None:
        self.feed.beat(self._version, activity_state(self._activity()))
        self._beating = asyncio.get_running_loop().call_later(BEAT_SECONDS, self._beat)
