"""Owns the roster over HTTP: the tasks that run or wait and those that ended, newest first.

On threads that may wait for the store. What an ended task looks like is read once.
"""

import threading
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..core.roster import TaskSeen, roster_of, stored_task
from ..errors import LazyboyError

if TYPE_CHECKING:
    from ..engine.engine import Engine

NEWEST = 50
Values = dict[str, Any]


class Rosters:
    """Remembers the ended tasks that were shown last."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._ended: dict[str, TaskSeen] = {}

    def roster(self, engine: "Engine", agent_id: str | None = None) -> Values:
        """Return the newest tasks, or those of one agent, with the agents whose they are."""
        live = {one.view.task_id: one for one in engine.live_tasks()}
        rows = [row for row in engine.tasks() if agent_id in {None, row["agent_id"]}][:NEWEST]
        kept = {row["task_id"] for row in rows}
        # A turn of the conversation is in no list, and at work while it is live.
        turns = [
            one
            for task_id, one in sorted(live.items(), reverse=True)
            if task_id not in kept and agent_id in {None, one.agent_id}
        ]
        with self._lock:
            seen = [live.get(row["task_id"]) or self._stored(engine, row) for row in rows]
            if agent_id is None:
                self._ended = {key: one for key, one in self._ended.items() if key in kept}
        listed = [*turns, *(one for one in seen if one is not None)]
        names = engine.agents.names
        named = {one: name for one, name in names.items() if agent_id in {None, one}}
        return roster_of(listed, f"Stored in {engine.path}.", named)

    def _stored(self, engine: "Engine", row: Mapping[str, Any]) -> TaskSeen | None:
        known = self._ended.get(row["task_id"])
        if known is not None:
            return known
        try:
            task = engine.task(row["task_id"])
        except LazyboyError:  # deleted meanwhile
            return None
        seen = stored_task(task.view(), row, engine.agents.name_of(row["agent_id"]))
        if not seen.view.live:
            self._ended[row["task_id"]] = seen
        return seen
