"""Owns what a source call leaves: its evidence, the states of its sources, whole texts, its timing.

On the engine's thread. What one call leaves is committed in one transaction, all or nothing.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ..core.events import SourceFinished, SourceKind
from ..core.guide import Source, SourceVia
from ..core.messages import ToolCall
from ..core.sanitise import storable, visible
from ..core.tools import LARGE
from ..core.urls import canonical_url
from ..errors import SourceError
from ..ports import Page, SearchResult
from ..store.rows import Batch, at
from ..store.schema import EVIDENCE, OUTPUT, SOURCE
from .book import Evidence, Output, SourceBook
from .recorder import Recorder
from .services import SNIPPET_CHARACTERS, Found

BROWSER_MAY_HELP = frozenset(("blocked", "needs_browser"))


@dataclass(frozen=True, slots=True)
class SourceCall:
    """An admitted source call. `began_us`: when it was admitted; `shown`: what people see."""

    call_id: str
    kind: SourceKind
    key: str
    gap: int | None
    request_no: int
    began_us: int
    shown: str

    @property
    def via(self) -> SourceVia:
        """How its page was read."""
        return "browser" if self.kind == "browser" else "page"


class EvidenceWriter:
    """Saves what the source calls of one task gave, and returns it as the model gets it.

    `browser`: whether the task has one, so that the error of a page that wants one names it.
    """

    def __init__(self, recorder: Recorder, book: SourceBook, *, browser: bool) -> None:
        self._recorder = recorder
        self._book = book
        self._browser = browser

    async def searched(self, call: SourceCall, query: str, found: Found) -> Evidence:
        """Save a search's results; every address in them is now observed."""
        rows = Batch()
        results = [self._listed(rows, call, result) for result in found.results]
        content: dict[str, Any] = {"query": query, "results": results}
        if found.problems:
            content["problems"] = [storable(problem) for problem in found.problems]
        if not results:
            content["note"] = "Nothing was found. Other words may find more."
        await self._finish(call, rows, "", content)
        return content

    async def search_failed(self, call: SourceCall, query: str, error: SourceError) -> Evidence:
        """Save a search's failure."""
        content = {"query": query, **self._failure(call, error)}
        await self._finish(call, Batch(), error.kind, content)
        return content

    async def failed(
        self, call: SourceCall, source_id: str, url: str, error: SourceError
    ) -> Evidence:
        """Save why a page could not be read. A text that was read before stays."""
        rows = Batch()
        content = {"source": source_id, "url": storable(url), **self._failure(call, error)}
        known = self._book.sources.get(source_id)
        if known is None or known.state != "read":
            source = Source(
                source_id,
                storable(url),
                self._book.title_of(url) or storable(url),
                "failed",
                call.via,
                error_kind=error.kind,
                error_detail=" ".join(filter(None, (content["detail"], content.get("hint")))),
                gap=call.gap,
                elapsed_ms=self._elapsed(call),
            )
            self._book.put(source)
            self._add_source(rows, call, source)
        await self._finish(call, rows, error.kind, content)
        return content

    async def delivered(self, call: SourceCall, source_id: str, url: str, page: Page) -> Evidence:
        """Save a page's whole text; its beginning is delivered, with the id to read on by."""
        rows = Batch()
        content = self._keep(rows, call, source_id, url, page)
        alias = canonical_url(page.url) if canonical_url(page.url) != call.key else None
        await self._finish(call, rows, "", content, alias=alias)
        return content

    async def looked_at(self, call: ToolCall, page: Page) -> Evidence:
        """Save an open page's text as it is now: it was delivered, so it may be quoted.

        Looking is free, so a page that has not changed since leaves nothing new.
        """
        recorder, rows = self._recorder, Batch()
        source_id = self._book.id_of(page.url)
        source = self._book.sources.get(source_id)
        known = self._book.output_of(source_id, storable(page.text))
        if source is not None and known is not None and source.output_id == known.output_id:
            return _delivery(source, storable(page.url), known, page)
        made = SourceCall(
            call.call_id,
            "browser",
            canonical_url(page.url),
            None,
            recorder.state.request_no,
            recorder.now_us(),
            "",
        )
        content = self._keep(rows, made, source_id, page.url, page)
        await recorder.save(rows)
        return content

    def _keep(
        self, rows: Batch, call: SourceCall, source_id: str, url: str, page: Page
    ) -> dict[str, Any]:
        text = storable(page.text)
        final = storable(page.url) if canonical_url(page.url) != canonical_url(url) else None
        known = self._book.output_of(source_id, text)
        output = known or self._book.keep_text(source_id, text)
        source = Source(
            source_id,
            storable(url),
            visible(page.title, 300) or self._book.title_of(url) or storable(url),
            "read",
            call.via,
            final_url=final,
            characters=len(text),
            output_id=output.output_id,
            gap=call.gap,
            elapsed_ms=self._elapsed(call),
        )
        self._book.put(source)
        self._add_source(rows, call, source)
        if known is None:
            rows.add(
                OUTPUT,
                **self._recorder.row(
                    output_id=output.output_id,
                    call_id=call.call_id,
                    text=text,
                    saved_at=at(self._recorder.now_us()),
                ),
            )
        return _delivery(source, final or storable(url), output, page)

    def _listed(self, rows: Batch, call: SourceCall, result: SearchResult) -> dict[str, Any]:
        url = storable(result.url)
        title = visible(result.title, 300)
        source, new = self._book.list_result(url, title, call.gap)
        if new:
            self._add_source(rows, call, source)
        snippet = visible(result.snippet, SNIPPET_CHARACTERS)
        listed = {"source": source.source_id, "url": url, "title": title, "snippet": snippet}
        return listed if result.matched is None else {**listed, "matched": result.matched}

    async def _finish(
        self, call: SourceCall, rows: Batch, error: str, content: Evidence, alias: str | None = None
    ) -> None:
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

    def _failure(self, call: SourceCall, error: SourceError) -> dict[str, str]:
        """Return a failure as the model and the person get it: kind, sentence, the next step."""
        content = failure_of(error)
        if self._browser and call.kind == "page" and error.kind in BROWSER_MAY_HELP:
            content["hint"] = "A real browser may be shown it: browser_open."
        return content

    def _elapsed(self, call: SourceCall) -> float:
        return (self._recorder.now_us() - call.began_us) / 1000

    def _add_source(self, rows: Batch, call: SourceCall, source: Source) -> None:
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


def _delivery(source: Source, url: str, output: Output, page: Page) -> dict[str, Any]:
    """Return a page as the model gets it: its beginning, with the id to read on by."""
    content: dict[str, Any] = {
        "source": source.source_id,
        "url": url,
        "title": source.title,
        "characters": len(output.text),
        "output_id": output.output_id,
        "text": output.text[:LARGE],
    }
    if len(output.text) > LARGE:
        content["next_offset"] = LARGE
    cut = "The page was longer; its beginning was read." if page.truncated else ""
    if note := " ".join(filter(None, (storable(page.note), cut))):
        content["note"] = note
    return content


def failure_of(error: SourceError) -> dict[str, str]:
    """Return a failure as a tool's result: its kind, a sentence, the next step."""
    content = {"error": error.kind, "detail": storable(error.sentence)}
    return {**content, "hint": storable(error.hint)} if error.hint else content


def search_problems(failures: Iterable[tuple[str, Evidence]]) -> tuple[str, ...]:
    """Return failed searches, (query, failure) each, a sentence for each reason: what failed twice
    for one reason is said once."""
    by_reason: dict[str, str] = {}
    for query, failure in failures:
        by_reason.setdefault(str(failure["detail"]), _search_problem(query, failure))
    return tuple(by_reason.values())


def _search_problem(query: str, failure: Evidence) -> str:
    hint = f" {failure['hint']}" if failure.get("hint") else ""
    return f"The search for “{visible(query, 80)}” failed: {failure['detail']}{hint}"
