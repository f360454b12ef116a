"""Owns the redrawing of one card while what it shows is live; nothing is printed.

On the engine's thread, at most four times a second and card.
"""

import asyncio
from collections.abc import Callable

from ..engine.engine import Engine
from ..engine.hub import Hub
from .cards import Publish, Shown

SHORTEST_INTERVAL = 0.25
"""Seconds between two redraws of one card."""
TICK = 1.0
"""Seconds after which the clock of a running card is redrawn though nothing else has changed."""
_MANY = 20


class LiveCard:
    """Redraws one display until what it shows has ended. On the engine's thread.

    `hub` tells `key` when it has changed.
    """

    def __init__(self, engine: Engine, hub: Hub, key: str, shown: Shown, update: Publish) -> None:
        self._engine = engine
        self._hub = hub
        self._key = key
        self._shown = shown
        self._update = update
        self._timer: asyncio.TimerHandle | None = None
        self._due = float("inf")
        self._drawn = 0.0
        self._unsubscribe: Callable[[], None] = lambda: None

    def begin(self) -> None:
        """Draw now, and from now on whenever something changes."""
        self._unsubscribe = self._hub.subscribe(self._changed)
        self._draw()

    def _changed(self, key: str) -> None:
        if key == self._key:
            self._draw_at(self._drawn + SHORTEST_INTERVAL)

    def _draw_at(self, when: float) -> None:
        if when >= self._due:
            return
        if self._timer is not None:
            self._timer.cancel()
        self._due = when
        self._timer = asyncio.get_running_loop().call_at(when, self._draw)

    def _draw(self) -> None:
        loop = asyncio.get_running_loop()
        self._drawn, self._due = loop.time(), float("inf")
        live = self._shown.live
        self._update(self._shown._repr_mimebundle_())
        if live:
            # With many tasks at once their clocks tick slower, so that drawing stays cheap.
            busy = len(self._engine.activity().task_ids)
            self._draw_at(self._drawn + TICK * max(1.0, busy / _MANY))
        else:
            self._unsubscribe()
