"""Owns the routes of agents and of what happens to them (DESIGN §8, §10)."""

from collections.abc import AsyncIterator
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Depends, Header
from fastapi.sse import EventSourceResponse, ServerSentEvent

from ..core.activity import Activity
from ..core.card import activity_state
from ..core.roster import roster_of
from ..errors import EngineClosedError, UnknownTaskError
from .bridge import Bridge
from .models import AgentActivity, AgentDetail, Roster
from .rosters import Rosters

if TYPE_CHECKING:
    from ..engine.engine import Engine

_DIGITS = 20
BEAT_SECONDS = 2.0
"""Seconds between two beats: a kernel that computes is not taken for a lost one."""


def agent_routes(bridge: Bridge) -> APIRouter:
    """Return the routes of the roster, of an agent, and the stream of lifecycle events."""
    routes = APIRouter()
    rosters = Rosters()

    @routes.get("/api/agents", response_model=Roster)
    async def agents() -> dict[str, Any]:
        """The roster: agents and their newest tasks."""
        version = bridge.log.last
        return {**await bridge.read(rosters.roster), "version": version}

    @routes.get("/api/agents/{agent_id}", response_model=AgentDetail)
    async def agent(agent_id: str) -> dict[str, Any]:
        """An agent and its tasks."""
        roster = await bridge.read(lambda engine: rosters.roster(engine, agent_id))
        if not roster["agents"]:
            raise UnknownTaskError(f"There is no agent {agent_id[:80]!r} here.", "GET /api/agents.")
        return {**roster["agents"][0], "tasks": roster["tasks"]}

    @routes.get("/api/agents/{agent_id}/activity", response_model=AgentActivity)
    async def activity(agent_id: str) -> dict[str, Any]:
        """What an agent is doing; `all`: all of them together."""
        version = bridge.log.last
        if agent_id == "all":
            now = _activity(await bridge.running())
        else:
            now = (await bridge.engine()).activity(agent_id)
            if now.state == "idle":
                await agent(agent_id)  # or there is none of that id
        return {"agent_id": agent_id, "version": version, "activity": activity_state(now)}

    @routes.get(
        "/api/events",
        response_class=EventSourceResponse,
        dependencies=[Depends(bridge.running)],  # a closed one is said before a stream begins
    )
    async def events(
        last_event_id: Annotated[str | None, Header()] = None,
    ) -> AsyncIterator[ServerSentEvent]:
        """Lifecycle events. Each connection starts with `state`, how it stands now; one that says
        which event it had last gets all since. `beat` every two seconds."""
        with suppress(EngineClosedError):  # the next connection is told
            async for event in _events(bridge, last_event_id):
                yield event

    return routes


def _activity(engine: "Engine | None") -> Activity:
    return Activity("idle") if engine is None else engine.activity()


async def _events(bridge: Bridge, last_event_id: str | None) -> AsyncIterator[ServerSentEvent]:
    log = bridge.log
    position = _number(last_event_id)
    missed = log.after(position)
    if missed is None:
        position, missed = log.last, []
    # What was missed comes with its own number, so this one must not be that of the newest.
    yield await _state(bridge, position)
    while True:
        for event in missed or []:
            position = event.number
            if event.kind == "state":
                yield await _state(bridge, position)
            else:
                yield ServerSentEvent(event=event.kind, id=str(position), data=event.data)
        if not await log.more(position, BEAT_SECONDS):
            now = _activity(await bridge.running())
            yield ServerSentEvent(event="beat", data={"activity": activity_state(now)})
        missed = log.after(position)
        if missed is None:
            position, missed = log.last, []
            yield await _state(bridge, position)


async def _state(bridge: Bridge, number: int) -> ServerSentEvent:
    """The tasks that run or wait, and what all agents are doing."""
    engine = await bridge.running()
    tasks = [] if engine is None else engine.live_tasks()
    named = {} if engine is None else engine.agents.names
    data = {**roster_of(tasks, "", named), "version": bridge.log.last}
    return ServerSentEvent(event="state", id=str(number), data=data)


def _number(last_event_id: str | None) -> int:
    told = last_event_id or ""
    return int(told) if told.isdecimal() and len(told) <= _DIGITS else -1
