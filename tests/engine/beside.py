"""A scripted run with side questions beside it, asked at moments that the run itself comes to."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from lazyboy_jupyter.engine.side.service import SideQuestions
from lazyboy_jupyter.ports import ModelReply, ModelRequest, Page, SearchResult, Usage, unheard
from tests.engine.driving import Driver
from tests.fakes import CountingIds, FakeWeb, ManualClock, ScriptedModel

Moment = Callable[[], Awaitable[None]]


async def nothing() -> None:
    return None


@dataclass
class BesideModel(ScriptedModel):
    """Answers the main loop from its script, and what is asked beside it with one text.

    `moment` is awaited in the middle of each main request; time passes there.
    """

    clock: ManualClock = field(default_factory=ManualClock)
    moment: Moment = nothing
    beside: list[ModelRequest] = field(default_factory=list)

    async def respond(
        self, request: ModelRequest, heard: Callable[[str], None] = unheard
    ) -> ModelReply:
        if request.left is None:
            self.beside.append(request)
            heard("S1 says ")
            heard("so.")
            return ModelReply("S1 says so.", usage=Usage(5, 3))
        self.clock.advance(1)
        await self.moment()
        return await super().respond(request, heard)


@dataclass
class BesideWeb(FakeWeb):
    """A web that comes to a moment in each search and page."""

    moment: Moment = nothing

    async def search(self, query: str, limit: int) -> "list[SearchResult]":
        await self.moment()
        return list(await super().search(query, limit))

    async def read(self, url: str) -> Page:
        await self.moment()
        return await super().read(url)


def side_of(driver: Driver, model: Any, run_of: Callable[[str], Any]) -> SideQuestions:
    """The side questions of a driver that has started a task."""
    assert driver.services is not None
    return SideQuestions(
        driver.services, lambda name: model, CountingIds("side"), run_of, "conversation"
    )
