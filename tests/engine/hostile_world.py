"""A hostile model, web and browser, all drawn beforehand, and the driving of a run among them.

Time moves only when everything waits for it. The fakes note what was sent, and what of it had no
committed reservation at that moment.
"""

import asyncio
import json
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from lazyboy_jupyter.core.messages import ToolCall
from lazyboy_jupyter.core.urls import canonical_url
from lazyboy_jupyter.errors import SourceError
from lazyboy_jupyter.ports import ModelReply, ModelRequest, Page, SearchResult, Usage, unheard
from lazyboy_jupyter.store.database import Database
from lazyboy_jupyter.store.rows import Batch
from tests.fakes import ManualClock

Behaviour = tuple[str, int]
"""How a page or a search behaves, and a number for it: another page's, or seconds."""
_TURNS = 40
"""So many turns of the loop are enough for whatever waits for nothing to come to its next wait."""


def page_url(number: int) -> str:
    """The address of a page of the hostile web."""
    return f"https://a.example/{number}"


def page_text(number: int) -> str:
    """Its text, which names an address that no search and no page gives."""
    return f"Page {number} says that gates cost {number} million euros; see https://named.example/."


class CountingDatabase:
    """A store that knows how many of its writes are not acknowledged yet."""

    def __init__(self, database: Database) -> None:
        self.given = 0
        self.acknowledged = 0
        self._database = database
        self.rows = database.rows

    def append(self, batch: Batch) -> "Future[None]":
        """Append; what waits for it hears of it before it counts as acknowledged."""
        loop = asyncio.get_running_loop()
        told: Future[None] = Future()
        told.set_running_or_notify_cancel()
        self.given += 1

        def tell(done: "Future[None]") -> None:
            error = done.exception()
            if error is None:
                told.set_result(None)
            else:
                told.set_exception(error)
            loop.call_soon_threadsafe(self._acknowledged)

        self._database.append(batch).add_done_callback(tell)
        return told

    def _acknowledged(self) -> None:
        self.acknowledged += 1

    @property
    def busy(self) -> bool:
        """Whether a thread, the writer's or a helper's, still works for the loop."""
        helping = any(one.name == "lazyboy-helper" for one in threading.enumerate())
        return helping or self.acknowledged < self.given


class SteppedClock(ManualClock):
    """A manual clock that knows when the next sleeper is due."""

    def step(self) -> bool:
        """Let time pass until someone wakes; say whether anyone sleeps."""
        due = [due for due, _, wake in self._sleepers if not wake.done()]
        if not due:
            return False
        self.advance((min(due) - self.now_us()) / 1_000_000)
        return True


@dataclass
class HostileSources:
    """Searches, pages and a browser that behave as drawn. `sent`: every call, as (kind, key)."""

    clock: ManualClock
    database: Database
    pages: Sequence[Behaviour]
    searches: Sequence[Behaviour]
    name: str = "hostile"
    task_id: str = ""
    sent: list[tuple[str, str]] = field(default_factory=list)
    unreserved: list[tuple[str, str]] = field(default_factory=list)
    seen: set[str] = field(default_factory=set)
    _shown: str | None = None

    async def search(self, query: str, limit: int) -> Sequence[SearchResult]:
        self._note("search", query)
        how, number = self.searches[sum(query.encode()) % len(self.searches)]
        await self._trouble(how, number)
        found = [page_url(n) for n in range(number % (limit + 1))]
        if how == "odd":
            found += ["javascript:alert(1)", "not an address", "http://[::1", "https://a.example/1"]
        self.seen.update(map(canonical_url, found))
        return [SearchResult(url, f"<b>{url}</b> \ud800", "x" * 400) for url in found]

    def reads(self, url: str) -> bool:
        return url.lower().startswith("http")

    async def read(self, url: str) -> Page:
        self._note("page", canonical_url(url))
        return await self._page(url)

    async def open(self, owner: str, url: str) -> Page:
        self._note("browser", canonical_url(url))
        page = await self._page(url)
        self._shown = url
        return page

    async def snapshot(self, owner: str) -> Page:
        if self._shown is None:
            raise SourceError("not_found", "No page is open.")
        return await self._page(self._shown)

    async def release(self, owner: str) -> None:
        self._shown = None

    async def _page(self, url: str) -> Page:
        known = {canonical_url(page_url(n)): n for n in range(len(self.pages))}
        number = known.get(canonical_url(url))
        if number is None:
            raise SourceError("dns", "There is no such host.", "Check the address.")
        how, other = self.pages[number]
        await self._trouble(how, other)
        end = page_url(other) if how == "redirect" else url
        self.seen |= {canonical_url(url), canonical_url(end)}
        filler = "x \udc00 ﬁ " * 4_000 if how == "long" else ""
        return Page(
            end, "<script>title</script>", page_text(number) + filler, truncated=how == "odd"
        )

    async def _trouble(self, how: str, number: int) -> None:
        match how:
            case "fails":
                raise SourceError("http_status", f"It answered {400 + number}.", "Look elsewhere.")
            case "blocked":
                raise SourceError("needs_browser", "A script builds it.")
            case "hangs":
                await asyncio.Event().wait()
            case "slow":
                await self.clock.sleep(number)
            case _:
                await asyncio.sleep(0)

    def _note(self, kind: str, key: str) -> None:
        self.sent.append((kind, key))
        reserved = self.database.rows(
            """SELECT 1 FROM data.event WHERE task_id = ? AND kind = 'SourceReserved'
               AND data->>'source' = ? AND data->>'key' = ?""",
            [self.task_id, kind, key],
        )
        if len(reserved) != 1:
            self.unreserved.append((kind, key))


@dataclass(frozen=True)
class Line:
    """One thing a hostile model does: waits, then raises, or answers.

    `seconds`: how long it takes, None for ever. `says`: whether something is heard at once.
    """

    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    error: Exception | None = None
    seconds: float | None = 0
    says: bool = False
    tokens: int | None = None


@dataclass
class HostileModel:
    """Does one line after the other, and begins again. Keeps the requests' messages."""

    clock: ManualClock
    script: Sequence[Line]
    name: str = "hostile:model"
    asked: list[Any] = field(default_factory=list)
    gave: list[Line] = field(default_factory=list)
    identity: str = "hostile"
    takes_notes: bool = True
    room: int | None = None

    async def respond(
        self, request: ModelRequest, heard: Callable[[str], None] = unheard
    ) -> ModelReply:
        line = self.script[len(self.asked) % len(self.script)]
        self.asked.append(request.messages)
        if line.says:
            heard("Well")
        if line.seconds is None:
            await asyncio.Event().wait()
        elif line.seconds:
            await self.clock.sleep(line.seconds)
        if line.error is not None:
            raise line.error
        self.gave.append(line)
        return ModelReply(line.text, line.calls, Usage(line.tokens, None))


def unanswered(messages: Sequence[Any]) -> list[str]:
    """What is wrong with the calls and results of a history: each call has one, in order."""
    wrong = []
    for message, following in pairwise(messages):
        calls = [p["tool_call_id"] for p in message["parts"] if p["part_kind"] == "tool-call"]
        given = [p["tool_call_id"] for p in following["parts"] if p["part_kind"] == "tool-return"]
        if calls != given and (calls or message["kind"] == "response"):
            wrong.append(f"{calls} got {given}")
    json.dumps(messages)  # a provider can be sent it
    return wrong


async def settle(database: CountingDatabase) -> None:
    """Return when nothing moves any more unless time does."""
    while True:
        while database.busy:  # noqa: ASYNC110 - threads end unannounced
            await asyncio.sleep(0.0005)
        before = database.given
        for _ in range(_TURNS):
            await asyncio.sleep(0)
        if not database.busy and database.given == before:
            return
