"""Owns what the messages of a view of one task do, and what they are answered.

On the engine's thread. What is refused is answered in a sentence with the next step; nothing that a
page sends ends anything but what it names.
"""

from collections.abc import Callable
from typing import Any

from ..core.side_panel import item_of
from ..core.view import RunView
from ..engine.engine import Engine
from ..engine.handing_out import guide_as_file, quote_in_its_page
from .messages import (
    Answer,
    Ask,
    Context,
    Export,
    Promote,
    SideClear,
    SideOlder,
    SideStop,
    Stop,
    Wish,
)

Data = dict[str, Any]


class TaskReplies:
    """Answers the messages about one task. `parent`: whose agent is asked aside; `view`: what the
    task looks like now; `task_id`: the task, where a view shows it."""

    def __init__(
        self,
        engine: Engine,
        parent: str,
        view: Callable[[], RunView],
        task_id: str = "",
    ) -> None:
        self._engine = engine
        self._parent = parent
        self._task_id = task_id or parent
        self._view = view

    async def reply(self, message: Wish) -> Data:
        """Do what the message asks; return what it is answered. Raises `LazyboyError`."""
        side = self._engine.side
        match message:
            case Stop():
                await self._engine.halt(message.task_id or self._task_id)
                return {}
            case Answer(text=text):
                await self._engine.give_answer(message.task_id or self._task_id, text)
                return {}
            case Ask(question=question, client_request_id=client_id):
                asked = await side.service.ask(self._parent, question, client_id)
                return {"request_id": asked.side.request_id}
            case SideStop():
                await side.service.stop(self._parent)
                return {}
            case SideClear():
                return {"count": await side.service.clear(self._parent)}
            case SideOlder(before=before):
                page = await side.pages.page(self._parent, before)
                items = [item_of(view) for view in page.views]
                return {"items": items, "next_cursor": page.next_cursor}
            case Promote():
                return await self._promote(message)
            case Context(claim=claim):
                return await quote_in_its_page(self._engine, self._view(), claim)
            case Export(format=kind):
                return await guide_as_file(self._view(), kind)

    async def _promote(self, message: Promote) -> Data:
        service = self._engine.side.service
        if message.sure:
            await service.promote(self._parent, message.ordinal)
            return {}
        _, note = await service.promotion(self._parent, message.ordinal)
        return {"note": note}
