"""Owns the live panel of side questions in a cell of its own: all of a task's, or those asked here.

On the engine's thread, but for its making.
"""

from typing import Any

from ..core.activity import Activity
from ..core.view import RunView
from ..engine.engine import Engine
from ..engine.task import ResearchTask
from .feed import Feed
from .messages import Ask, Hello, Message
from .replies import TaskReplies
from .side_follower import SideFollower


class SideCard:
    """`only`: the side questions that this card shows, those asked from it added; None: all."""

    def __init__(self, engine: Engine, task: ResearchTask, only: set[str] | None = None) -> None:
        self._engine = engine
        self._agent_id = task.agent_id
        self._reference = task.id
        self._only = only
        self._replies = TaskReplies(engine, task.id, self._view, self._shown)
        self.feed = Feed(engine, self._answer, kind="side")
        self._panel = SideFollower(engine, task.id, self.feed.put, only)

    def begin(self) -> None:
        """Follow the side questions."""
        self._panel.begin()

    async def _answer(self, message: Message) -> dict[str, Any]:
        if isinstance(message, Hello):
            self._panel.fresh()
        told = await self._replies.reply(message)
        if isinstance(message, Ask) and self._only is not None:
            self._only.add(told["request_id"])
            self._panel.moved()
        return told

    def _view(self) -> RunView:
        return self._engine.task(self._reference).view()

    def _shown(self) -> tuple[str, int, Activity]:
        return self._agent_id, self._panel.version, self._engine.activity(self._agent_id)
