"""Owns one source call from its reservation to its evidence: sent once, in time, saved whole.

On the engine's thread. Deciding, reserving and queueing the reservation happen without waiting,
so calls are admitted in the order of the reply; the call is sent once its reservation is committed.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from ..core.decisions import Refuse, Reserve, Reuse, admit, snapshot_refusal
from ..core.events import SourceKind, SourceReserved, SourceReused
from ..core.messages import ToolCall
from ..core.sanitise import visible
from ..core.urls import canonical_url
from ..core.view import RunningCall
from ..errors import SourceError
from ..ports import Browser, Page
from .book import Evidence, SourceBook
from .evidence import EvidenceWriter, SourceCall, failure_of, search_problems
from .recorder import Recorder
from .services import Services, Sources, in_time

Answer = tuple[Evidence, str]
_Perform = Callable[[SourceCall], Coroutine[Any, Any, Answer]]
_LOOKS = 3
"""How often one reply may look at the open page: looking is free, and keeps whole texts."""
TOO_MANY_LOOKS = f"A reply looks at the open page at most {_LOOKS} times; this one came after them."
_DOING = {"search": "searching", "page": "reading", "browser": "reading"}


class SourceCaller:
    """Makes the source calls of one task.

    `running` names those that run.
    """

    def __init__(
        self,
        services: Services,
        recorder: Recorder,
        book: SourceBook,
        sources: Sources,
        task_id: str,
    ) -> None:
        self.running: dict[str, RunningCall] = {}
        self._failed: list[tuple[str, Evidence]] = []
        self._beside: tuple[str, ...] = ()
        self._in_browser_last: asyncio.Future[Evidence] | None = None
        self._looks: Counter[int] = Counter()
        self._clock = services.clock
        self._recorder = recorder
        self._book = book
        self._sources = sources
        self._task_id = task_id
        self._evidence = EvidenceWriter(recorder, book, browser=sources.browser is not None)

    @property
    def problems(self) -> tuple[str, ...]:
        """What went wrong with searches, a sentence each."""
        return (*search_problems(self._failed), *self._beside)

    def search(self, call: ToolCall, query: str, gap: int | None) -> Awaitable[Answer] | str:
        """Admit a search; return its running, or why it is refused."""
        folded = " ".join(query.split())
        shown = f"“{visible(folded, 100)}”"
        return self._admit(call, "search", folded, gap, shown, self._searched(folded))

    def read(self, call: ToolCall, url: str, gap: int | None) -> Awaitable[Answer] | str:
        """Admit the reading of a page; return its running, or why it is refused."""
        limit = self._recorder.state.budget.source_timeout

        async def read() -> Page:
            return await self._sources.read(url, self._clock, limit)

        return self._admit_page(call, "page", url, gap, read)

    def browse(
        self, call: ToolCall, browser: Browser, url: str, gap: int | None
    ) -> Awaitable[Answer] | str:
        """Admit the reading of a page in the browser; return its running, or why it is refused."""

        before = self._in_browser_last

        async def read() -> Page:
            return await self._in_browser(before, lambda: browser.open(self._task_id, url))

        return self._admit_page(call, "browser", url, gap, read)

    def look(self, call: ToolCall, browser: Browser) -> Awaitable[Answer] | str:
        """Return the taking of the open page's text, which spends nothing, or why it is refused."""
        state = self._recorder.state
        refusal = snapshot_refusal(state, self._recorder.now_us())
        if refusal is not None:
            return refusal
        if self._looks[state.request_no] >= _LOOKS:
            return TOO_MANY_LOOKS
        self._looks[state.request_no] += 1
        before = self._in_browser_last
        self._in_browser_last = asyncio.get_running_loop().create_future()
        return self._looked(call, browser, before, self._in_browser_last)

    async def _looked(
        self,
        call: ToolCall,
        browser: Browser,
        before: "asyncio.Future[Evidence] | None",
        done: "asyncio.Future[Evidence]",
    ) -> Answer:
        try:
            page = await self._in_browser(before, lambda: browser.snapshot(self._task_id))
            return await self._evidence.looked_at(call, page), "ok"
        except SourceError as error:
            return failure_of(error), error.kind
        finally:
            done.cancel()

    async def _in_browser(
        self,
        before: "asyncio.Future[Evidence] | None",
        work: Callable[[], Coroutine[Any, Any, Page]],
    ) -> Page:
        """Work on the task's one page, once what the model asked of it before has ended."""

        async def in_turn() -> Page:
            if before is not None:
                await asyncio.wait({before})
            return await work()

        limit = self._recorder.state.budget.source_timeout
        return await in_time("The page in the browser", in_turn(), self._clock, limit)

    def _admit_page(
        self,
        call: ToolCall,
        kind: SourceKind,
        url: str,
        gap: int | None,
        read: Callable[[], Coroutine[Any, Any, Page]],
    ) -> Awaitable[Answer] | str:
        async def perform(made: SourceCall) -> Answer:
            source_id = self._book.id_of(url)
            try:
                page = await read()
            except SourceError as error:
                return await self._evidence.failed(made, source_id, url, error), error.kind
            return await self._evidence.delivered(made, source_id, url, page), "ok"

        title = self._book.title_of(url) or url
        return self._admit(call, kind, canonical_url(url), gap, title, perform)

    def _admit(
        self,
        call: ToolCall,
        kind: SourceKind,
        key: str,
        gap: int | None,
        shown: str,
        perform: _Perform,
    ) -> Awaitable[Answer] | str:
        recorder = self._recorder
        match admit(recorder.state, kind, key, gap, recorder.now_us()):
            case Refuse(reason=reason):
                return reason
            case Reuse(call_id=known):
                return self._reuse(call, known)
            case Reserve(gap=admitted_gap):
                made = SourceCall(
                    call.call_id,
                    kind,
                    key,
                    admitted_gap,
                    recorder.state.request_no,
                    recorder.now_us(),
                    shown,
                )
        reserved = recorder.record(
            SourceReserved(made.call_id, kind, key, made.request_no, made.gap)
        )
        evidence: asyncio.Future[Evidence] = asyncio.get_running_loop().create_future()
        self._book.evidence[made.call_id] = evidence
        if kind == "browser":
            self._in_browser_last = evidence
        self.running[made.call_id] = RunningCall(_DOING[kind], made.shown)
        return self._perform(made, reserved, evidence, perform)

    async def _reuse(self, call: ToolCall, known: str) -> Answer:
        """Answer with saved evidence; a call in flight is waited for, and never sent again."""
        recorded = self._recorder.record(SourceReused(call.call_id, known))
        evidence = await asyncio.shield(self._book.evidence[known])
        await recorded
        return evidence, "reused"

    async def _perform(
        self,
        call: SourceCall,
        reserved: Awaitable[None],
        evidence: "asyncio.Future[Evidence]",
        perform: _Perform,
    ) -> Answer:
        try:
            await reserved
            content, outcome = await perform(call)
            evidence.set_result(content)
        finally:
            self.running.pop(call.call_id, None)
            evidence.cancel()  # does nothing once it has its result
        return content, outcome

    def _searched(self, query: str) -> _Perform:
        async def perform(call: SourceCall) -> Answer:
            limit = self._recorder.state.budget.source_timeout
            try:
                found = await self._sources.search(query, self._clock, limit)
            except SourceError as error:
                content = await self._evidence.search_failed(call, query, error)
                self._failed.append((query, content))
                return content, error.kind
            self._beside = tuple(dict.fromkeys((*self._beside, *map(visible, found.problems))))
            return await self._evidence.searched(call, query, found), "ok"

        return perform
