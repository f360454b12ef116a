"""Owns the searchers and readers that need no network: `pydoc` and `folder:PATH`.

They only ask: all reading, indexing and ranking happens in worker processes (`jobs.py`).
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ...core.urls import canonical_url
from ...errors import SourceError
from ...ports import Page, SearchResult
from ..workers import WorkerError, WorkerPool, WorkerTimeout
from .documents import Document
from .jobs import Failure, Found

# The engine limits and cancels a call; this keeps any other caller from waiting for ever.
_BUILD_SECONDS = 300.0


class PydocSource:
    """Searches and reads the manual that the interpreter carries: `pydoc:topic/with`, …"""

    name = "pydoc"

    def __init__(self, workers: WorkerPool, cache: Path) -> None:
        self._workers = workers
        self._cache = str(cache)

    async def search(self, query: str, limit: int) -> Sequence[SearchResult]:
        """Return at most `limit` pages, best first. Raises `SourceError`."""
        found = await _ask(self._workers, "search_pydoc", self._cache, query, limit)
        return _results(found)

    def reads(self, url: str) -> bool:
        """Whether `url` is a `pydoc:` address."""
        return canonical_url(url).startswith("pydoc:")

    async def read(self, url: str) -> Page:
        """Return the page. Raises `SourceError`."""
        document = await _ask(self._workers, "read_pydoc", self._cache, canonical_url(url))
        return _page(document, "pydoc")


class FolderSource:
    """Searches and reads the documents of one folder that the person named, and nothing else."""

    def __init__(self, workers: WorkerPool, cache: Path, folder: Path, name: str) -> None:
        self.name = name
        self._workers = workers
        self._cache = str(cache)
        self._folder = folder

    async def search(self, query: str, limit: int) -> Sequence[SearchResult]:
        """Return at most `limit` documents, best first. Raises `SourceError`."""
        job = ("search_folder", self._cache, str(self._folder), query, limit)
        return _results(await _ask(self._workers, *job))

    def reads(self, url: str) -> bool:
        """Whether `url` lies in the folder, by its address alone."""
        return canonical_url(url).startswith(canonical_url(self._folder.as_uri() + "/"))

    async def read(self, url: str) -> Page:
        """Return the document. Raises `SourceError`; it never leaves the folder."""
        job = ("read_folder", self._cache, str(self._folder), canonical_url(url))
        return _page(await _ask(self._workers, *job), "file")


async def _ask(workers: WorkerPool, job: str, *args: Any) -> Any:
    """Run a job; turn every failure into a `SourceError`."""
    try:
        answer = await workers.run(f"adapters.sources.jobs:{job}", *args, timeout=_BUILD_SECONDS)
    except WorkerTimeout:
        raise SourceError("timeout", "The search of the local index took too long.") from None
    except WorkerError as error:
        raise SourceError("unreadable", f"The local index failed: {error}.") from None
    if isinstance(answer, Failure):
        raise SourceError(answer.kind, answer.sentence, answer.hint)
    return answer


def _results(found: Sequence[Found]) -> list[SearchResult]:
    return [SearchResult(one.url, one.title, one.snippet) for one in found]


def _page(document: Document, kind: str) -> Page:
    return Page(document.url, document.title, document.text, kind)
