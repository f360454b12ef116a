"""Owns how often a display is drawn: soon after a change, and never more often than it should."""

import asyncio
from collections.abc import Callable

SHORTEST_INTERVAL = 0.25
"""Seconds between two drawings of one display: four a second (DESIGN §12)."""


class Pace:
    """Calls `draw` at most four times a second. On the engine's thread."""

    def __init__(self, draw: Callable[[], None]) -> None:
        self._draw = draw
        self._timer: asyncio.TimerHandle | None = None
        self._due = float("inf")
        self._drawn = float("-inf")

    def changed(self) -> None:
        """Draw as soon as it may be drawn again."""
        self._draw_at(self._drawn + SHORTEST_INTERVAL)

    def after(self, seconds: float) -> None:
        """Draw so long after the last time, unless it is drawn before."""
        self._draw_at(self._drawn + seconds)

    def now(self) -> None:
        """Draw at once."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._drawn, self._due = asyncio.get_running_loop().time(), float("inf")
        self._draw()

    def finish(self) -> None:
        """Draw at once what waits to be drawn: there will be no later."""
        if self._timer is not None:
            self.now()

    def _draw_at(self, when: float) -> None:
        if when >= self._due:
            return
        if self._timer is not None:
            self._timer.cancel()
        self._due = when
        self._timer = asyncio.get_running_loop().call_at(when, self.now)
