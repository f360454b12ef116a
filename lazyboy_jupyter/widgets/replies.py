"""Owns what the messages of a view of one task do, and what they are answered.

On the engine's thread. What is refused is answered in a sentence with the next step; nothing that a
page sends ends anything but what it names.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from ..core.card import citation_of, context_of
from ..core.exports import EXPORTS, MEDIA, file_name
from ..core.sanitise import safe_link, visible
from ..core.side_panel import item_of
from ..core.view import RunView
from ..engine.engine import Engine
from ..errors import UsageError
from ..threads import off_loop
from .messages import (
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
    """Answers the messages about one task. `view`: what the task looks like now."""

    def __init__(
        self,
        engine: Engine,
        task_id: str,
        view: Callable[[], RunView],
    ) -> None:
        self._engine = engine
        self._task_id = task_id
        self._view = view

    async def reply(self, message: Wish) -> Data:
        """Do what the message asks; return what it is answered. Raises `LazyboyError`."""
        side = self._engine.side
        match message:
            case Stop():
                await self._engine.halt(message.task_id or self._task_id)
                return {}
            case Ask(question=question, client_request_id=client_id):
                asked = await side.service.ask(self._task_id, question, client_id)
                return {"request_id": asked.side.request_id}
            case SideStop():
                await side.service.stop(self._task_id)
                return {}
            case SideClear():
                return {"count": await side.service.clear(self._task_id)}
            case SideOlder(before=before):
                page = await side.pages.page(self._task_id, before)
                items = [item_of(view) for view in page.views]
                return {"items": items, "next_cursor": page.next_cursor}
            case Promote():
                return await self._promote(message)
            case Context(claim=claim):
                return await self._context(claim)
            case Export(format=kind):
                return await self._export(kind)

    async def _promote(self, message: Promote) -> Data:
        service = self._engine.side.service
        if message.sure:
            await service.promote(self._task_id, message.ordinal)
            return {}
        _, note = await service.promotion(self._task_id, message.ordinal)
        return {"note": note}

    async def _context(self, key: str) -> Data:
        guide = self._view().guide
        citation = citation_of(guide, key) if guide is not None else None
        if guide is None or citation is None:
            raise UsageError("That claim is not in the guide any more.", "Look at the guide again.")
        if citation.quote is None or citation.offset is None or citation.output_id is None:
            raise UsageError("There is no quote that was found in a page.")
        read = partial(self._engine.page_text, self._task_id, citation.output_id)
        text = await off_loop(read)
        if text is None:
            raise UsageError("The page's text is not in the store any more.")
        around = partial(context_of, text, citation.offset, citation.quote)
        before, quote, after = await off_loop(around)
        source = next(one for one in guide.sources if one.source_id == citation.source)
        return {
            "before": before,
            "quote": quote,
            "after": after,
            "title": visible(source.title or source.url, 300),
            "url": safe_link(source.url) or "",
            "source": source.source_id,
        }

    async def _export(self, kind: str) -> Data:
        view = self._view()
        if view.guide is None:
            raise UsageError("There is no guide yet.", "It can be exported when it is published.")
        text = await off_loop(partial(EXPORTS[kind], view))
        return {"name": file_name(view, kind), "text": text, "media": MEDIA[kind]}
