"""Small honest implementations of the ports, for tests."""

import asyncio
import heapq
import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lazyboy_jupyter.core.messages import ToolCall
from lazyboy_jupyter.engine.world import World
from lazyboy_jupyter.errors import ModelError, SourceError, UsageError
from lazyboy_jupyter.ports import (
    ModelReply,
    ModelRequest,
    Page,
    SearchResult,
    SourceSet,
    Usage,
    unheard,
)

START_US = 1_750_000_000_000_000


class ManualClock:
    """Time stands still until `advance`. Used on the loop that sleeps."""

    def __init__(self) -> None:
        self._now_us = START_US
        self._sleepers: list[tuple[int, int, asyncio.Future[None]]] = []
        self._order = itertools.count()

    def now_us(self) -> int:
        return self._now_us

    async def sleep(self, seconds: float) -> None:
        due = self._now_us + round(seconds * 1_000_000)
        if due <= self._now_us:
            await asyncio.sleep(0)
            return
        wake = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (due, next(self._order), wake))
        await wake

    def advance(self, seconds: float) -> None:
        """Let time pass and wake whoever was due, in order."""
        self._now_us += round(seconds * 1_000_000)
        while self._sleepers and self._sleepers[0][0] <= self._now_us:
            _, _, wake = heapq.heappop(self._sleepers)
            if not wake.done():
                wake.set_result(None)


class CountingIds:
    """Ids in order: id-00001, id-00002, …"""

    def __init__(self, prefix: str = "id") -> None:
        self._prefix = prefix
        self._count = itertools.count(1)

    def new(self) -> str:
        return f"{self._prefix}-{next(self._count):05d}"


def call(tool: str, **args: Any) -> ToolCall:
    return ToolCall("", tool, args)


@dataclass
class ScriptedModel:
    """Replies in the order given; the last one again and again. Keeps every request.

    A reply is a list of calls, a text, an exception, or a function of the request that gives one.
    """

    replies: Sequence[Any]
    name: str = "scripted"
    tokens: int | None = None
    requests: list[ModelRequest] = field(default_factory=list)
    identity: str = "scripted"
    takes_notes: bool = True
    room: int | None = None

    async def respond(
        self, request: ModelRequest, heard: Callable[[str], None] = unheard
    ) -> ModelReply:
        number = min(len(self.requests), len(self.replies) - 1)
        self.requests.append(request)
        reply = self.replies[number]
        if callable(reply):
            reply = reply(request)
        if asyncio.iscoroutine(reply):
            reply = await reply
        if isinstance(reply, Exception):
            raise reply
        usage = Usage(self.tokens, 0) if self.tokens is not None else Usage()
        if isinstance(reply, str):
            return ModelReply(reply, usage=usage)
        return ModelReply("", tuple(reply), usage)

    def offered(self, number: int) -> list[str]:
        """The tools offered by a request."""
        return [tool.name for tool in self.requests[number].tools]

    def results(self, number: int) -> list[Mapping[str, Any]]:
        """The tool results that a request delivered last."""
        for message in reversed(self.requests[number].messages):
            found = [p["content"] for p in message["parts"] if p["part_kind"] == "tool-return"]
            if found:
                return found
        return []


@dataclass
class FakeWeb:
    """A searcher and reader over pages given as URL to text. Counts every call that is sent."""

    pages: dict[str, str] = field(default_factory=dict)
    found: dict[str, list[str]] = field(default_factory=dict)
    redirects: dict[str, str] = field(default_factory=dict)
    errors: dict[str, SourceError] = field(default_factory=dict)
    hanging: set[str] = field(default_factory=set)
    name: str = "fake"
    searched: list[str] = field(default_factory=list)
    opened: list[str] = field(default_factory=list)

    async def search(self, query: str, limit: int) -> Sequence[SearchResult]:
        self.searched.append(query)
        await self._trouble(query)
        urls = self.found.get(query, list(self.pages) if not self.found else [])
        return [SearchResult(url, f"Title of {url}", "") for url in urls[:limit]]

    def reads(self, url: str) -> bool:
        return url.startswith("http")

    async def read(self, url: str) -> Page:
        self.opened.append(url)
        await self._trouble(url)
        end = self.redirects.get(url, url)
        if end not in self.pages:
            raise SourceError("http_status", f"{url} answered 404.", "Check the address.")
        return Page(end, f"Page at {end}", self.pages[end])

    async def _trouble(self, key: str) -> None:
        if key in self.hanging:
            await asyncio.Event().wait()
        if key in self.errors:
            raise self.errors[key]
        await asyncio.sleep(0)


def pages(count: int, host: str = "a.example") -> dict[str, str]:
    """Pages whose text says their number."""
    return {
        f"https://{host}/{number}": f"Page {number} says that gates cost {number} million euros."
        for number in range(1, count + 1)
    }


def world(clock: Any, model: Any, source: Any, browser: Any = None) -> World:
    """A world of one model and one source, under any name but "nowhere"."""

    def only(thing: Any) -> Callable[[str], Any]:
        def opened(name: str) -> Any:
            if name == "nowhere":
                raise UsageError("There is no nowhere.", "Choose another.")
            return thing

        return opened

    async def close() -> None:
        return None

    def opened_set(names: Sequence[str]) -> SourceSet:
        for name in names:
            only(source)(name)
        return SourceSet([source], [source], browser)

    return World(
        clock,
        CountingIds(),
        CountingIds("side"),
        only(model),
        opened_set,
        lambda: ("fake",),
        close,
        lambda: 0.5,
    )


def guide(*citations: tuple[str, str | None], text: str = "A finding.", **extra: Any) -> ToolCall:
    """A publication 0 with one finding that rests on (source, quote) pairs."""
    finding = {"text": text, "citations": [{"source": s, "quote": q} for s, q in citations]}
    return call("publish_research", **{"summary": "A summary.", "findings": [finding], **extra})


def supplement(*citations: tuple[str, str | None], **extra: Any) -> ToolCall:
    """A publication 1 with one addition."""
    cited = [{"source": s, "quote": q} for s, q in citations]
    addition = {"text": "An addition.", "citations": cited}
    return call("publish_research", **{"additions": [addition], **extra})


__all__ = [
    "CountingIds",
    "FakeWeb",
    "ManualClock",
    "ModelError",
    "ScriptedModel",
    "call",
    "guide",
    "pages",
    "supplement",
    "world",
]
