"""Owns one source call from its reservation to its evidence: sent once, in time, saved whole.

On the engine's thread. Deciding, reserving and queueing the reservation happen without waiting,
so calls are admitted in the order of the reply; the call is sent once its reservation is committed.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from ..core.decisions import Refuse, Reserve, Reuse, admit
from ..core.events import SourceFinished, SourceKind, SourceReserved, SourceReused
from ..core.guide import Source
from ..core.messages import ToolCall
from ..core.sanitise import storable, visible
from ..core.tools import LARGE
from ..core.urls import canonical_url
from ..core.view import RunningCall
from ..errors import SourceError
from ..ports import Page, SearchResult
from ..store.rows import Batch, at
from ..store.schema import EVIDENCE, OUTPUT, SOURCE
from .book import Evidence, SourceBook
from .recorder import Recorder
from .services import SNIPPET_CHARACTERS, Services, Sources

Answer = tuple[Evidence, str]
_DOING = {"search": "searching", "page": "reading", "browser": "reading"}


@dataclass(frozen=True, slots=True)
class _Call:
    """An admitted source call. `began_us`: when it was admitted; `shown`: what people see."""

    call_id: str
    kind: SourceKind
    key: str
    gap: int | None
    request_no: int
    began_us: int
    shown: str


class SourceCaller:
    """Makes the source calls of one task.

    `running` names those that run; `problems` says, a sentence each, which searches failed.
    """

    def __init__(
        self, services: Services, recorder: Recorder, book: SourceBook, sources: Sources
    ) -> None:
        self.running: dict[str, RunningCall] = {}
        self.problems: tuple[str, ...] = ()
        self._services = services
        self._recorder = recorder
        self._book = book
        self._sources = sources

    def search(self, call: ToolCall, query: str, gap: int | None) -> Awaitable[Answer] | str:
        """Admit a search; return its running, or why it is refused."""
        folded = " ".join(query.split())
        return self._admit(
            call, "search", folded, gap, f"“{visible(folded, 100)}”", self._searched(folded)
        )

    def read(self, call: ToolCall, url: str, gap: int | None) -> Awaitable[Answer] | str:
        """Admit the reading of a page; return its running, or why it is refused."""
        title = self._book.title_of(url) or url
        return self._admit(call, "page", canonical_url(url), gap, title, self._read(url))

    def _admit(
        self,
        call: ToolCall,
        kind: SourceKind,
        key: str,
        gap: int | None,
        shown: str,
        perform: Callable[[_Call], Coroutine[Any, Any, Answer]],
    ) -> Awaitable[Answer] | str:
        recorder = self._recorder
        match admit(recorder.state, kind, key, gap, recorder.now_us()):
            case Refuse(reason=reason):
                return reason
            case Reuse(call_id=known):
                return self._reuse(call, known)
            case Reserve(gap=admitted_gap):
                made = _Call(
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
        call: _Call,
        reserved: Awaitable[None],
        evidence: "asyncio.Future[Evidence]",
        perform: Callable[[_Call], Coroutine[Any, Any, Answer]],
    ) -> Answer:
        try:
            await reserved
            content, outcome = await perform(call)
            evidence.set_result(content)
        finally:
            self.running.pop(call.call_id, None)
            evidence.cancel()  # does nothing once it has its result
        return content, outcome

    def _searched(self, query: str) -> Callable[[_Call], Coroutine[Any, Any, Answer]]:
        async def perform(call: _Call) -> Answer:
            limit = self._recorder.state.budget.source_timeout
            content: dict[str, Any]
            try:
                found = await self._sources.search(query, self._services.clock, limit)
            except SourceError as error:
                content = {"query": query, **_failure(error)}
                self.problems = (*self.problems, search_problem(query, content))
                await self._finish(call, Batch(), error.kind, content)
                return content, error.kind
            rows = Batch()
            results = [self._listed(rows, call, result) for result in found.results]
            content = {"query": query, "results": results}
            if found.problems:
                content["problems"] = [storable(problem) for problem in found.problems]
                self.problems = (*self.problems, *map(visible, found.problems))
            if not results:
                content["note"] = "Nothing was found. Other words may find more."
            await self._finish(call, rows, "", content)
            return content, "ok"

        return perform

    def _listed(self, rows: Batch, call: _Call, result: SearchResult) -> dict[str, Any]:
        url = storable(result.url)
        title = visible(result.title, 300)
        source, new = self._book.list_result(url, title, call.gap)
        if new:
            self._add_source(rows, call, source)
        snippet = visible(result.snippet, SNIPPET_CHARACTERS)
        listed = {"source": source.source_id, "url": url, "title": title, "snippet": snippet}
        return listed if result.matched is None else {**listed, "matched": result.matched}

    def _read(self, url: str) -> Callable[[_Call], Coroutine[Any, Any, Answer]]:
        async def perform(call: _Call) -> Answer:
            limit = self._recorder.state.budget.source_timeout
            source_id = self._book.id_of(url)
            try:
                page = await self._sources.read(url, self._services.clock, limit)
            except SourceError as error:
                return await self._failed(call, source_id, url, error)
            return await self._delivered(call, source_id, url, page)

        return perform

    async def _failed(self, call: _Call, source_id: str, url: str, error: SourceError) -> Answer:
        rows = Batch()
        content = {"source": source_id, "url": storable(url), **_failure(error)}
        source = Source(
            source_id,
            storable(url),
            self._book.title_of(url) or storable(url),
            "failed",
            "page",
            error_kind=error.kind,
            error_detail=str(content["detail"]),
            gap=call.gap,
            elapsed_ms=self._elapsed(call),
        )
        self._book.put(source)
        self._add_source(rows, call, source)
        await self._finish(call, rows, error.kind, content)
        return content, error.kind

    async def _delivered(self, call: _Call, source_id: str, url: str, page: Page) -> Answer:
        text, rows = storable(page.text), Batch()
        final = storable(page.url) if canonical_url(page.url) != call.key else None
        output_id = f"O{source_id[1:]}"
        source = Source(
            source_id,
            storable(url),
            visible(page.title, 300) or self._book.title_of(url) or storable(url),
            "read",
            "page",
            final_url=final,
            characters=len(text),
            output_id=output_id,
            gap=call.gap,
            elapsed_ms=self._elapsed(call),
        )
        self._book.put(source)
        self._book.keep_text(output_id, source_id, text)
        self._add_source(rows, call, source)
        rows.add(
            OUTPUT,
            **self._recorder.row(
                output_id=output_id,
                call_id=call.call_id,
                text=text,
                saved_at=at(self._recorder.now_us()),
            ),
        )
        content: dict[str, Any] = {
            "source": source_id,
            "url": final or storable(url),
            "title": source.title,
            "characters": len(text),
            "text": text[:LARGE],
        }
        if len(text) > LARGE:
            content |= {"output_id": output_id, "next_offset": LARGE}
        if page.truncated:
            content["note"] = "The page was longer; its beginning was read."
        alias = canonical_url(final) if final is not None else None
        await self._finish(call, rows, "", content, alias=alias)
        return content, "ok"

    async def _finish(
        self, call: _Call, rows: Batch, error: str, content: Evidence, alias: str | None = None
    ) -> None:
        """Commit the call's end with its evidence and its timing, all or nothing."""
        recorder = self._recorder
        rows.add(
            EVIDENCE,
            **recorder.row(
                call_id=call.call_id,
                kind=call.kind,
                key=call.key,
                error=error,
                result=json.dumps(content, ensure_ascii=False),
                saved_at=at(recorder.now_us()),
            ),
        )
        recorder.time(
            rows,
            "research_source",
            call.began_us,
            error or "ok",
            request_no=call.request_no,
            call_id=call.call_id,
        )
        await recorder.record(SourceFinished(call.call_id, error, alias), rows)

    def _elapsed(self, call: _Call) -> float:
        return (self._recorder.now_us() - call.began_us) / 1000

    def _add_source(self, rows: Batch, call: _Call, source: Source) -> None:
        """Add the row of a source's newest state; later rows of a source replace earlier ones."""
        rows.add(
            SOURCE,
            **self._recorder.row(
                source_id=source.source_id,
                seq=self._recorder.next_source_seq(),
                url=source.url,
                final_url=source.final_url,
                title=source.title,
                via=source.via,
                state=source.state,
                listed=self._book.listed(source.source_id),
                error=source.error_kind,
                error_detail=source.error_detail,
                characters=source.characters,
                output_id=source.output_id,
                gap=source.gap,
                request_no=call.request_no,
                call_id=call.call_id,
                started_at=at(call.began_us),
                elapsed_ms=source.elapsed_ms,
            ),
        )


def search_problem(query: str, failure: Evidence) -> str:
    """Return a failed search in one sentence, with the next step where there is one."""
    hint = f" {failure['hint']}" if failure.get("hint") else ""
    return f"The search for “{visible(query, 80)}” failed: {failure['detail']}{hint}"


def _failure(error: SourceError) -> dict[str, str]:
    """Return a failure as the model and the person get it: its kind, a sentence, the next step."""
    content = {"error": error.kind, "detail": storable(error.sentence)}
    return {**content, "hint": storable(error.hint)} if error.hint else content
