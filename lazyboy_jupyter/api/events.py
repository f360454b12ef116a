"""Owns the log of lifecycle events: numbered, kept for those that come back, never missed.

On the API's loop; the engine's thread only hands over what it saw.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from ..core.card import activity_state

if TYPE_CHECKING:
    from ..engine.engine import Engine
    from ..engine.live_runs import Stage

KEPT = 2_000
"""Events that somebody who lost the connection can have again; after more there is a new state."""
Kind = Literal["task", "side", "state"]


@dataclass(frozen=True, slots=True)
class Event:
    """`task`: a task has come a stage further, or is no longer what it was; `side`: a parent's side
    questions have changed; `state`: forget what you know, here is how it stands."""

    number: int
    kind: Kind
    data: dict[str, Any]


class EventLog:
    """Numbers go up from `first`, over every engine that is followed."""

    def __init__(self, first: int) -> None:
        self.last = first
        self._kept: deque[Event] = deque(maxlen=KEPT)
        self._waiting: set[asyncio.Future[None]] = set()
        self._unfollow: Callable[[], None] = lambda: None

    def follow(self, engine: "Engine") -> None:
        """Take down what happens in this engine, and no longer in the one before."""
        self._unfollow()
        loop = asyncio.get_running_loop()

        def tell(kind: Kind, data: dict[str, Any]) -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(self._add, kind, data)

        self._unfollow = _Watch(engine, tell).begin()
        self._add("state", {})

    def _add(self, kind: Kind, data: dict[str, Any]) -> None:
        self.last += 1
        self._kept.append(Event(self.last, kind, data))
        for one in self._waiting:
            if not one.done():
                one.set_result(None)
        self._waiting.clear()

    def after(self, number: int) -> list[Event] | None:
        """Return the events after a number; None: some of them are not kept any more, or it is none
        of ours."""
        first = self._kept[0].number if self._kept else self.last + 1
        if not first - 1 <= number <= self.last:
            return None
        return [event for event in self._kept if event.number > number]

    async def more(self, number: int, seconds: float) -> bool:
        """Return whether there are events after a number, as soon as there are."""
        if self.last > number:
            return True
        news: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.add(news)
        try:
            await asyncio.wait_for(news, seconds)
        except TimeoutError:
            return False
        finally:
            self._waiting.discard(news)
        return True


class _Watch:
    """Tells what of an engine's changes is an event: most are more of the same stage. On the
    engine's thread, so that none of those wakes another."""

    def __init__(self, engine: "Engine", tell: Callable[[Kind, dict[str, Any]], None]) -> None:
        self._engine = engine
        self._tell = tell
        self._stages: dict[str, Stage] = {}
        self._asked: dict[str, tuple[str, str]] = {}

    def begin(self) -> Callable[[], None]:
        """Watch; the function returned ends it. From any thread."""
        engine = self._engine
        leave = [
            engine.hub.subscribe(self._task_changed),
            engine.removed.subscribe(self._task_left),
            engine.side.hub.subscribe(self._side_changed),
        ]

        def end() -> None:
            for one in leave:
                one()

        return end

    def _task_changed(self, task_id: str) -> None:
        stage = self._engine.stage_of(task_id)
        if stage is not None and self._stages.get(task_id) != stage:  # None: it is being stored
            self._stages[task_id] = stage
            self._tell_task(task_id, *stage)

    def _task_left(self, task_id: str) -> None:
        self._stages.pop(task_id, None)
        self._tell_task(task_id, None, None, 0)

    def _tell_task(
        self, task_id: str, status: str | None, phase: str | None, publications: int
    ) -> None:
        activity = activity_state(self._engine.activity())
        self._tell("task", {
            "task_id": task_id, "status": status, "phase": phase,
            "publications": publications, "activity": activity,
        })  # fmt: skip

    def _side_changed(self, parent: str) -> None:
        newest = self._engine.side.newest(parent)
        state = ("", "") if newest is None else (newest.request_id, newest.status)
        if newest is None or self._asked.get(parent) != state:  # None: all were deleted
            self._asked[parent] = state
            self._tell("side", {"parent": parent})
