"""Owns the routes of side questions (DESIGN §9, §10)."""

import asyncio
from collections.abc import AsyncIterator
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Depends, Query, Response
from fastapi.sse import EventSourceResponse, ServerSentEvent

from ..core.side_panel import item_of, panel_of
from ..errors import UnknownTaskError
from .bridge import Bridge
from .models import (
    Cleared,
    Promotion,
    PromotionWanted,
    SideItem,
    SidePage,
    SideQuestionWanted,
)

if TYPE_CHECKING:
    from ..core.side import SideQuestion
    from ..engine.engine import Engine

PACE = 0.05
"""Seconds between two states of an answer at least: what came meanwhile is in the next."""
_PARENTS = (
    "/api/conversations/{conversation_id}",
    "/api/tasks/{task_id}/chat",
    "/api/tasks/{task_id}/intents/{child_id}",
)
Values = dict[str, Any]


def side_routes(bridge: Bridge) -> APIRouter:
    """Return the routes of each kind of parent, and those of one side question."""
    routes = APIRouter()

    async def conversation(conversation_id: str) -> str:
        await bridge.read(partial(_conversation, conversation_id))
        return conversation_id

    async def chat(task_id: str) -> str:
        task = await bridge.task(task_id)
        return await bridge.read(lambda _: task.side_parent)

    async def intent(task_id: str, child_id: str) -> str:
        await bridge.read(partial(_child, task_id, child_id))
        return child_id

    for path, parent in zip(_PARENTS, (conversation, chat, intent), strict=True):
        _add_parent(routes, bridge, f"{path}/side-questions", parent)
    _add_questions(routes, bridge)
    return routes


def _add_questions(routes: APIRouter, bridge: Bridge) -> None:
    async def found(request_id: str) -> "SideQuestion":
        return await bridge.run(lambda engine: engine.side.service.find(request_id))

    Found = Annotated[Any, Depends(found)]  # noqa: N806 - a type

    @routes.post("/api/side-questions/{request_id}/cancel", response_model=SideItem)
    async def cancel(side: Found) -> Values:
        """End an answer; its text is kept. One that has ended stays as it is."""
        await bridge.run(lambda engine: engine.side.service.stop(side.parent, side.request_id))
        engine = await bridge.engine()
        return item(engine, engine.side.service.now(side.parent, side.request_id) or side)

    @routes.post("/api/side-questions/{request_id}/promote", response_model=Promotion)
    async def promote(side: Found, wanted: PromotionWanted) -> Values:
        """Give an answer to its agent, before its next request; or see what it would get."""

        async def promoted(engine: "Engine") -> Values:
            service = engine.side.service
            _, note = await service.promotion(side.parent, side.ordinal)
            if wanted.sure:
                await service.promote(side.parent, side.ordinal)
            return {"note": note}

        return await bridge.run(promoted)

    @routes.get("/api/side-questions/{request_id}/events", response_class=EventSourceResponse)
    async def events(side: Found) -> AsyncIterator[ServerSentEvent]:
        """A side question as it grows: `snapshot` is the whole of it, the first at once; `cleared`
        when it is deleted."""
        async for event in _events(await bridge.engine(), side):
            yield event


def _add_parent(routes: APIRouter, bridge: Bridge, path: str, parent_of: Any) -> None:
    Parent = Annotated[str, Depends(parent_of)]  # noqa: N806 - a type

    @routes.get(path, response_model=SidePage)
    async def page(
        parent: Parent, before: Annotated[int | None, Query(ge=1, lt=2**63)] = None
    ) -> Values:
        """Side questions, newest first, twenty at once; `before`: those before this ordinal."""
        engine = await bridge.engine()
        shown = await bridge.run(lambda engine: engine.side.pages.page(parent, before))
        items = [item(engine, view.side) for view in shown.views]
        current = next((one for one in items if one["live"]), None)
        return {**panel_of(shown), "parent": parent, "items": items, "current": current}

    @routes.post(path, response_model=SideItem, status_code=202)
    async def ask(parent: Parent, wanted: SideQuestionWanted, response: Response) -> Values:
        """Ask; 200 where the same id has asked the same before."""
        engine = await bridge.engine()
        asked = await bridge.run(
            lambda engine: engine.side.service.ask(
                parent, wanted.question, wanted.client_request_id
            )
        )
        if asked.again:
            response.status_code = 200
        return item(engine, asked.side)

    @routes.delete(path, response_model=Cleared)
    async def clear(parent: Parent) -> Values:
        """Delete the parent's side questions; its snapshot stays."""
        return {"count": await bridge.run(lambda engine: engine.side.service.clear(parent))}


def item(engine: "Engine", side: "SideQuestion") -> Values:
    """Return a side question as a panel gets it."""
    values = item_of(engine.side.view(side))
    return {**values, "parent": side.parent, "sequence": side.sequence}


async def _events(engine: "Engine", side: "SideQuestion") -> AsyncIterator[ServerSentEvent]:
    loop = asyncio.get_running_loop()
    changed = asyncio.Event()
    changed.set()

    def heard(parent: str) -> None:
        if parent == side.parent and not loop.is_closed():
            loop.call_soon_threadsafe(changed.set)

    leave = engine.side.hub.subscribe(heard)
    sent = 0
    try:
        while True:
            await changed.wait()
            changed.clear()
            now = engine.side.service.now(side.parent, side.request_id)
            if now is None:
                yield ServerSentEvent(event="cleared", data={"id": side.request_id})
                return
            if now.sequence > sent:
                sent = now.sequence
                yield ServerSentEvent(event="snapshot", id=str(sent), data=item(engine, now))
                await asyncio.sleep(PACE)
    finally:
        leave()


def _conversation(conversation_id: str, engine: "Engine") -> None:
    if conversation_id != engine.conversation_id and not any(
        row["conversation_id"] == conversation_id for row in engine.tasks(archived=True)
    ):
        raise UnknownTaskError("There is no such conversation here.", "GET /api/tasks names them.")


def _child(task_id: str, child_id: str, engine: "Engine") -> None:
    if not any(
        row["task_id"] == child_id and row["parent_task_id"] == task_id
        for row in engine.tasks(archived=True)
    ):
        raise UnknownTaskError("That task has no such child.", "GET /api/tasks names them.")
