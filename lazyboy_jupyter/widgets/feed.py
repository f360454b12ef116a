"""Owns the way between one widget and the engine: messages in, replies and beats out.

Messages arrive on a thread of the kernel and are answered on the engine's, one after another as
they are done, so that one that takes long holds up no other.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any

from ..engine.engine import Engine
from ..errors import LazyboyError
from .live_view import LiveView
from .messages import Hello, Message, message_of
from .pace import Pace

BEAT_SECONDS = 2.0
Answer = Callable[[Message], Coroutine[Any, Any, dict[str, Any]]]
_log = logging.getLogger("lazyboy_jupyter")


class Feed:
    """Makes a widget and answers its messages. `seen`: whether a page has shown it."""

    def __init__(self, engine: Engine, answer: Answer, **state: Any) -> None:
        self.seen = False
        self._engine = engine
        self._answer = answer
        self._working: set[asyncio.Task[None]] = set()
        self._waiting: dict[str, Any] = {}
        self._pace = Pace(self._put_all)
        self.widget = LiveView(self._heard, **state)

    def put(self, **state: Any) -> None:
        """Show this state soon, with whatever else is put meanwhile: a page draws a card at most
        four times a second, whoever has news for it. On the engine's thread."""
        self._waiting.update(state)
        self._pace.changed()

    def _put_all(self) -> None:
        state, self._waiting = self._waiting, {}
        self.widget.put(**state)

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
            self.seen = self.seen or isinstance(message, Hello)
            told: dict[str, Any] = {"ok": True, **await self._answer(message)}
        except LazyboyError as error:
            told = {"ok": False, "error": error.sentence, "hint": error.hint}
        except Exception as error:  # noqa: BLE001 - a click must not end the engine's loop
            _log.exception("a message of a view failed")
            told = {"ok": False, "error": f"An error of ours: {error}", "hint": "Try again."}
        self.widget.send({"type": "reply", "id": number, **told})

    def beat(self, version: int, activity: dict[str, Any]) -> None:
        """Tell the views that the engine is alive though the kernel may be busy. On its thread."""
        self.widget.send({"type": "beat", "version": version, "activity": activity})
