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
        self._stages: dict[str, object] = {}
        self._asked: dict[str, str] = {}

    def follow(self, engine: "Engine") -> None:
        """Take down what happens in this engine, and no longer in the one before."""
        self._unfollow()
        self._stages, self._asked = {}, {}
        loop = asyncio.get_running_loop()

        def told(kind: Kind, key: str, data: dict[str, Any]) -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(self._take, kind, key, data)

        def task_changed(task_id: str) -> None:
            stage = engine.stage_of(task_id)
            if stage is not None:  # else it is just being stored
                tell(task_id, stage)

        def tell(task_id: str, stage: "Stage | None") -> None:
            status, phase, publications = stage or (None, None, 0)
            activity = activity_state(engine.activity())
            told("task", task_id, {
                "task_id": task_id, "status": status, "phase": phase,
                "publications": publications, "activity": activity,
            })  # fmt: skip

        def side_changed(parent: str) -> None:
            newest = engine.side.newest(parent)
            state = "" if newest is None else f"{newest.request_id} {newest.status}"
            told("side", parent, {"parent": parent, "newest": state})

        leave = [
            engine.hub.subscribe(task_changed),
            engine.removed.subscribe(lambda task_id: tell(task_id, None)),
            engine.side.hub.subscribe(side_changed),
        ]

        def unfollow() -> None:
            for one in leave:
                one()

        self._unfollow = unfollow
        self._add("state", {})

    def _take(self, kind: Kind, key: str, data: dict[str, Any]) -> None:
        """Most changes are more of the same stage: those are no events."""
        if kind == "side":
            newest = data.pop("newest")
            if self._asked.get(key) == newest and newest:
                return
            self._asked[key] = newest
        else:
            stage = (data["status"], data["phase"], data["publications"])
            if data["status"] is not None and self._stages.get(key) == stage:
                return
            self._stages[key] = stage
        self._add(kind, data)

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
