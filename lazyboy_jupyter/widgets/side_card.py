"""Owns the live panel of side questions in a cell of its own: all of a task's, or those asked here.

On the engine's thread, but for its making.
"""

from collections.abc import Callable
from typing import Any

from ..core.activity import Activity
from ..core.view import RunView
from ..engine.engine import Engine
from ..errors import UsageError
from .feed import Feed
from .messages import Ask, Context, Export, Wish
from .replies import TaskReplies
from .side_follower import SideFollower


class SideCard:
    """`only`: the side questions that this card shows, those asked from it added; None: all."""

    def __init__(self, engine: Engine, parent: str, only: set[str] | None = None) -> None:
        self._engine = engine
        self._agent_id, self._parent = engine.side.agent_of(parent), parent
        self._only = only
        self._unsubscribe: Callable[[], None] = lambda: None
        self._panel = SideFollower(engine, parent, lambda: self.feed.changed(), only)
        self._replies = TaskReplies(engine, parent, _no_guide)
        self.feed = Feed(engine, "side", self, self._answer)

    def begin(self) -> None:
        """Nothing is followed before a view is there."""

    def appeared(self) -> None:
        """Follow the side questions, and how far the agent is."""
        self._panel.begin()
        self._unsubscribe = self._engine.hub.subscribe(self._moved)

    def gone(self) -> None:
        """Follow them no longer."""
        self._panel.end()
        self._unsubscribe()

    def state(self) -> dict[str, Any]:
        """Return what the widget shows now."""
        return dict(self._panel.state)

    def _moved(self, task_id: str) -> None:
        if self._parent in {task_id, self._engine.conversation_id}:
            self._panel.moved()

    async def _answer(self, message: Wish) -> dict[str, Any]:
        if isinstance(message, Context | Export):
            _no_guide()
        told = await self._replies.reply(message)
        if isinstance(message, Ask) and self._only is not None:
            self._only.add(told["request_id"])
            self._panel.moved()
        return told

    def standing(self) -> tuple[str, int, Activity]:
        """Return the agent, the version shown, and what the agent does now."""
        return self._agent_id, self._panel.version, self._engine.activity(self._agent_id)


def _no_guide() -> RunView:
    raise UsageError("A panel has no guide.", "%lazyboy show ID shows it.")
