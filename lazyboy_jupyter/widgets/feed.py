"""Owns the way between one widget and the engine: messages in, replies and beats out.

Messages arrive on a thread of the kernel and are answered on the engine's, one after another as
they are done, so that one that takes long holds up no other.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any, Protocol

from ..core.activity import Activity
from ..core.card import activity_state
from ..engine.engine import Engine
from ..errors import LazyboyError
from .live_view import LiveView
from .messages import Bye, Hello, Message, Reconcile, Wish, message_of
from .pace import Pace, Turns

BEAT_SECONDS = 2.0
_TURNS = Turns(0.025)
Answer = Callable[[Wish], Coroutine[Any, Any, dict[str, Any]]]
_log = logging.getLogger("lazyboy_jupyter")


class Shower(Protocol):
    """What a feed shows. All but the first `state` on the engine's thread."""

    def standing(self) -> tuple[str, int, Activity]:
        """Return whose it is, the version of what is shown, and what that agent does now."""
        ...

    def state(self) -> dict[str, Any]:
        """Return what its widget shows now."""
        ...

    def appeared(self) -> None:
        """Follow what is shown: a first view of it is there."""
        ...

    def gone(self) -> None:
        """Follow it no longer than it must be: its last view has gone."""
        ...


class Feed:
    """Makes a widget and answers its messages. `seen`: whether a page has shown it."""

    def __init__(self, engine: Engine, kind: str, shower: Shower, answer: Answer) -> None:
        self.seen = False
        self._engine = engine
        self._shower = shower
        self._answer = answer
        self._views = 0
        self._working: set[asyncio.Task[None]] = set()
        self._pace = Pace(lambda: self.widget.put(**shower.state()), _TURNS)
        self.widget = LiveView(self._heard, kind=kind, **shower.state())

    def changed(self) -> None:
        """Show the state soon: at most four times a second, whoever has news for it. On the
        engine's thread."""
        self._pace.changed()

    def finish(self) -> None:
        """Show it at once, if it waits to be shown: the engine ends."""
        self._pace.finish()

    async def _told(self, message: Message) -> dict[str, Any]:
        match message:
            case Hello():
                self._appeared()
                return self._standing()
            case Reconcile():
                return self._standing()
            case Bye():
                self._gone()
                return {}
            case _:
                return await self._answer(message)

    def _appeared(self) -> None:
        """A page counts on from what it is sent, so each view that appears gets it fresh."""
        self.seen = True
        self._views += 1
        self._pace.changed()
        if self._views == 1:
            self._shower.appeared()

    def _gone(self) -> None:
        self._views = max(0, self._views - 1)
        if not self._views:
            self._shower.gone()

    def _standing(self) -> dict[str, Any]:
        agent_id, version, activity = self._shower.standing()
        return {"agent_id": agent_id, "version": version, "activity": activity_state(activity)}

    def beat(self) -> None:
        """Tell the views that the engine is alive though the kernel may be busy; what it has just
        shown has told them so. On its thread."""
        if asyncio.get_running_loop().time() - self._pace.drawn < BEAT_SECONDS:
            return
        _, version, activity = self._shower.standing()
        state = activity_state(activity)
        self.widget.send({"type": "beat", "version": version, "activity": state})

    def _heard(self, content: Any) -> None:
        """On a thread of the kernel."""
        if self._engine.closed:
            self.widget.send(
                {
                    "type": "reply",
                    "id": content.get("id") if isinstance(content, dict) else None,
                    "ok": False,
                    "error": "The engine of this card has ended.",
                    "hint": "Run %lazyboy show in a cell to see its result again.",
                }
            )
            return
        self._engine.on_loop(lambda: self._begin(content))

    def _begin(self, content: Any) -> None:
        work = asyncio.ensure_future(self._reply(content))
        self._working.add(work)
        work.add_done_callback(self._working.discard)

    async def _reply(self, content: Any) -> None:
        number = content.get("id") if isinstance(content, dict) else None
        try:
            message = message_of(content)
            told: dict[str, Any] = {"ok": True, **await self._told(message)}
        except LazyboyError as error:
            told = {"ok": False, "error": error.sentence, "hint": error.hint}
        except Exception as error:  # noqa: BLE001 - a click must not end the engine's loop
            _log.exception("a message of a view failed")
            told = {"ok": False, "error": f"An error of ours: {error}", "hint": "Try again."}
        self.widget.send({"type": "reply", "id": number, **told})
