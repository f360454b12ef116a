"""Owns the searchers and readers that need no network: `pydoc` and `folder:PATH`.

They only ask: all reading, indexing and ranking happens in worker processes (`jobs.py`). Bringing
an index up to date has a life of its own: a call that runs out of time leaves it going on, so
that a large folder is ready the next time.
"""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ...core.urls import canonical_url
from ...errors import SourceError
from ...ports import Page, SearchResult
from ..workers import WorkerError, WorkerPool, WorkerTimeout
from .documents import PYDOC, Failure

_PATIENCE = 25.0
"""Seconds that a call waits for an index, inside the engine's 30 s for the whole call."""
_ASK_SECONDS = 60.0
_BUILD_SECONDS = 3_600.0


class IndexedSource:
    """One corpus, searched and read through its index. To be used on one loop, the engine's."""

    def __init__(
        self, workers: WorkerPool, builders: WorkerPool, cache: Path, corpus: str, name: str
    ) -> None:
        self.name = name
        self._workers = workers
        self._builders = builders
        self._cache = str(cache)
        self._corpus = corpus
        self._updating: asyncio.Task[Failure | None] | None = None
        self._settled = False

    async def search(self, query: str, limit: int) -> Sequence[SearchResult]:
        """Return at most `limit` documents, best first. Raises `SourceError`."""
        await self._up_to_date()
        found = await self._ask("search", query, limit)
        return [SearchResult(*one) for one in found]

    def reads(self, url: str) -> bool:
        """Whether `url` belongs to the corpus, by its address alone."""
        canonical = canonical_url(url)
        if self._corpus == PYDOC:
            return canonical.startswith("pydoc:")
        return canonical.startswith(canonical_url(Path(self._corpus).as_uri() + "/"))

    async def read(self, url: str) -> Page:
        """Return the document. Raises `SourceError`; it never leaves the corpus."""
        if self._updating is None:
            await self._up_to_date()
        document = await self._ask("read", canonical_url(url))
        kind = PYDOC if self._corpus == PYDOC else "file"
        return Page(document.url, document.title, document.text, kind)

    async def _up_to_date(self) -> None:
        """The manual is indexed once, a folder is looked at before each search."""
        if self._settled:
            return
        if self._updating is None or self._updating.done():
            self._updating = asyncio.ensure_future(self._update())
            self._updating.add_done_callback(_retrieved)
        done, _ = await asyncio.wait({self._updating}, timeout=_PATIENCE)
        if not done:
            raise SourceError(
                "timeout",
                f"The index of {self.name} is still being built.",
                "It goes on in the background: ask the question again in a minute, as a new task.",
            )
        failure = self._updating.result()
        if failure is not None:
            raise SourceError(failure.kind, failure.sentence, failure.hint)
        self._settled = self._corpus == PYDOC

    async def _update(self) -> Failure | None:
        failure: Failure | None = await self._job(
            "update", timeout=_BUILD_SECONDS, workers=self._builders
        )
        return failure

    async def _ask(self, job: str, *args: Any) -> Any:
        answer = await self._job(job, *args, timeout=_ASK_SECONDS)
        if isinstance(answer, Failure):
            raise SourceError(answer.kind, answer.sentence, answer.hint)
        return answer

    async def _job(
        self,
        job: str,
        *args: Any,
        timeout: float,  # noqa: ASYNC109
        workers: WorkerPool | None = None,
    ) -> Any:
        """Run a job on the corpus; turn every failure of the worker into a `SourceError`."""
        where = (self._cache, self._corpus)
        try:
            return await (workers or self._workers).run(
                f"adapters.sources.jobs:{job}", *where, *args, timeout=timeout
            )
        except WorkerTimeout:
            raise SourceError("timeout", f"The index of {self.name} did not answer.") from None
        except WorkerError as error:
            sentence = f"The index of {self.name} failed: {error}."
            raise SourceError("unreadable", sentence) from None


def _retrieved(task: "asyncio.Task[Failure | None]") -> None:
    """Mark a failure as seen; the calls that wait for it still get it."""
    if not task.cancelled():
        task.exception()
