"""Owns keeping a widget's side questions as the engine has them. On the engine's thread."""

import asyncio
from collections.abc import Callable
from typing import Any

from ..core.render_side import SideView
from ..core.side_panel import item_of, panel_of
from ..engine.engine import Engine
from ..errors import LazyboyError
from .pace import Pace


class SideFollower:
    """Keeps `state`, a widget's `side` and `current`: what has ended, and the answer that grows.

    `changed` is called when it has. `only`: the side questions that belong to a view which shows
    some of them; None: all.
    """

    def __init__(
        self,
        engine: Engine,
        parent: str,
        changed: Callable[[], None],
        only: set[str] | None = None,
    ) -> None:
        self.state: dict[str, Any] = {"side": None, "current": None}
        self._engine = engine
        self._parent = parent
        self._tell = changed
        self._only = only
        self._unsubscribe: Callable[[], None] | None = None
        self._pace = Pace(self._draw)
        self.version = 0
        self._told: dict[str, Any] = {}
        self._drawing: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Follow them from now on, the snapshot's age as it is now."""
        if self._unsubscribe is None:
            self._unsubscribe = self._engine.side.hub.subscribe(self._changed)
        self._told = {}
        self._pace.changed()

    def end(self) -> None:
        """Follow them no longer."""
        if self._unsubscribe is not None:
            self._unsubscribe()
            self._unsubscribe = None

    def moved(self) -> None:
        """Hear that the agent has gone on: how far it is ahead is shown too."""
        if self._unsubscribe is not None:
            self._pace.changed()

    def _changed(self, parent: str) -> None:
        if parent == self._parent:
            self._pace.changed()

    def _draw(self) -> None:
        if self._drawing is not None and not self._drawing.done():
            self._pace.changed()  # the store is being asked: once more when it has answered
            return
        self._drawing = asyncio.ensure_future(self._redraw())

    async def _redraw(self) -> None:
        try:
            page = await self._engine.side.pages.page(self._parent)
        except LazyboyError:  # the store is closed or gone: what is shown stays
            return
        views = [view for view in page.views if self._belongs(view)]
        state = panel_of(page)
        state["items"] = [item_of(view) for view in views if view.side.ended]
        if self._only is not None:
            state["next_cursor"] = 0
        current = next((item_of(view) for view in views if not view.side.ended), None)
        if _ageless(state) != _ageless(self._told):
            self.version += 1
            self._told = state
        self.state = {"side": {**self._told, "version": self.version}, "current": current}
        self._tell()

    def _belongs(self, view: SideView) -> bool:
        return self._only is None or view.side.request_id in self._only


def _ageless(state: dict[str, Any]) -> dict[str, Any]:
    """The state without the snapshot's age, which a page counts on by itself."""
    snapshot = state.get("snapshot")
    return {**state, "snapshot": snapshot and {**snapshot, "age_s": 0}}
