"""Owns when displays are drawn: each soon after a change and never more often than it should, and
many one after another."""

import asyncio
from collections.abc import Callable

SHORTEST_INTERVAL = 0.25
"""Seconds between two drawings of one display: four a second (DESIGN §12)."""

TURN = 0.06
"""Seconds between two displays that take turns: a front end lays out a cell for each of its outputs
that is drawn anew, and does other things between."""


class Turns:
    """Gives displays their turns, `apart` seconds one from the next. On the engine's thread."""

    def __init__(self, apart: float = TURN) -> None:
        self._apart = apart
        self._free = float("-inf")

    def take(self) -> float:
        """Return the next turn, which is the caller's, in the loop's time."""
        turn = max(self._free, asyncio.get_running_loop().time())
        self._free = turn + self._apart
        return turn


class Pace:
    """Calls `draw` at most four times a second. On the engine's thread.

    `turns`: those of all who draw for one page, so that fifty of them leave it time for a person;
    where nobody else draws there is no waiting.
    """

    def __init__(self, draw: Callable[[], None], turns: Turns | None = None) -> None:
        self._draw = draw
        self._turns = turns
        self._in_turn = False
        self._timer: asyncio.TimerHandle | None = None
        self._due = float("inf")
        self._drawn = float("-inf")

    def changed(self) -> None:
        """Draw as soon as it may be drawn again."""
        self._draw_at(self._drawn + SHORTEST_INTERVAL)

    def after(self, seconds: float) -> None:
        """Draw so long after the last time, unless it is drawn before."""
        self._draw_at(self._drawn + seconds)

    def at(self, when: float) -> None:
        """Draw then, in the loop's time, unless it is drawn before."""
        self._draw_at(when)

    def now(self) -> None:
        """Draw at once."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._in_turn = False
        self._drawn, self._due = asyncio.get_running_loop().time(), float("inf")
        self._draw()

    @property
    def drawn(self) -> float:
        """When it was drawn last, in the loop's time."""
        return self._drawn

    def finish(self) -> None:
        """Draw at once what waits to be drawn: there will be no later."""
        if self._timer is not None:
            self.now()

    def _draw_at(self, when: float) -> None:
        if when >= self._due or self._in_turn:  # in its turn it draws what is the newest then
            return
        if self._timer is not None:
            self._timer.cancel()
        self._due = when
        self._timer = asyncio.get_running_loop().call_at(when, self._its_time)

    def _its_time(self) -> None:
        turn = self._due if self._turns is None or self._in_turn else self._turns.take()
        if turn <= asyncio.get_running_loop().time():
            self.now()
            return
        self._in_turn = True
        self._timer = asyncio.get_running_loop().call_at(turn, self.now)
