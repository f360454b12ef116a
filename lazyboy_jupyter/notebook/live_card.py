"""Owns the redrawing of one output's static twin while what it shows is live; nothing is printed.

On the engine's thread. Where no page shows a widget the twin is what people see, so it is redrawn
as things happen, at most four times a second. Where one does, the twin is what a saved notebook
keeps: it is redrawn when the work has come a stage further, and in its turn, since JupyterLab lays
out all of a cell's outputs for each redraw of one.
"""

import asyncio
from collections.abc import Callable
from typing import Any, Protocol

from ..engine.engine import Engine
from ..engine.hub import Hub
from ..widgets.pace import Pace, Turns
from .cards import Shown

TICK = 1.0
"""Seconds after which the clock of a running card is redrawn though nothing else has changed."""
_MANY = 20
GRACE = 5.0
"""Seconds in which a page may come to show the widget before the twin is taken for what is seen."""

_TURNS = Turns()


class Redraw(Protocol):
    """Redraws the twin; one that is `covered` by a widget, and not the last, has no style."""

    def __call__(self, *, covered: bool) -> None:
        """Do it. From any thread."""


class LiveCard:
    """Redraws one display until what it shows has ended. On the engine's thread.

    `hub` tells `key` when it has changed. `seen`: whether a page shows its widget; None where it
    has none.
    """

    def __init__(
        self,
        engine: Engine,
        hub: Hub,
        key: str,
        shown: Shown,
        redraw: Redraw,
        seen: Callable[[], bool] | None,
    ) -> None:
        self._engine = engine
        self._hub = hub
        self._key = key
        self._shown = shown
        self._redraw = redraw
        self._seen = seen
        self._stage: Any = shown.stage
        self._grace_ends = float("-inf")
        self._in_turn = False
        self._pace = Pace(self._draw)
        self._unsubscribe: Callable[[], None] = lambda: None

    def begin(self) -> None:
        """Draw from now on whenever something changes."""
        if self._seen is not None:
            self._grace_ends = asyncio.get_running_loop().time() + GRACE
        self._unsubscribe = self._hub.subscribe(self._changed, self._pace.finish)
        self._pace.now()

    @property
    def _covered(self) -> bool:
        """Whether a widget covers the twin, or may still come to."""
        if self._seen is None:
            return False
        return self._seen() or asyncio.get_running_loop().time() < self._grace_ends

    def _changed(self, key: str) -> None:
        if key == self._key and not self._in_turn:  # in its turn it draws what is the newest then
            self._pace.changed()

    def _draw(self) -> None:
        live, stage = self._shown.live, self._shown.stage
        further = stage != self._stage or not live
        if further and self._covered and not self._in_turn:
            self._in_turn = True
            self._pace.at(_TURNS.take())
            return
        self._in_turn = False
        if further or not self._covered:
            self._stage = stage
            self._redraw(covered=live and self._covered)
        if not live:
            self._unsubscribe()
        elif self._seen is None or not self._seen():
            # With many tasks at once their clocks tick slower, so that drawing stays cheap.
            busy = len(self._engine.activity().task_ids)
            self._pace.after(TICK * max(1.0, busy / _MANY))
