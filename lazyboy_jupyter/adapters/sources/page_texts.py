"""Owns asking worker processes for the text of a page's bytes; it parses nothing itself."""

from dataclasses import dataclass
from typing import Any

from ...core.urls import host_of
from ...errors import SourceError
from ...ports import Page
from ..workers import WorkerError, WorkerPool, WorkerTimeout
from .documents import Failure
from .extraction.page import PageText

EXTRACT_SECONDS = 10.0
"""Seconds of a worker for one page."""


@dataclass(frozen=True, slots=True)
class Moved:
    """A page with nothing to read but where it is now."""

    url: str


class PageTexts:
    """Turns the bytes of pages into text, in worker processes that are killed over their time.

    `seconds`: that time, for one page.
    """

    def __init__(self, workers: WorkerPool, seconds: float = EXTRACT_SECONDS) -> None:
        self._workers = workers
        self._seconds = seconds

    async def page(
        self, data: bytes, content_type: str, url: str, *, truncated: bool
    ) -> Page | Moved:
        """Return the page that the bytes are, or where it sends on to. Raises `SourceError`."""
        host = host_of(url)
        answer = await self._job("extract", host, data, content_type, url, truncated)
        if isinstance(answer, Failure):
            if truncated and answer.kind == "unreadable":
                size = f"over {len(data) // 1_000_000} MB"
                raise SourceError("too_large", f"The page of {host} is too large ({size}).")
            raise SourceError(answer.kind, answer.sentence, answer.hint)
        found: PageText = answer
        if found.moved_to:
            return Moved(found.moved_to)
        return Page(url, found.title, found.text, found.kind, found.charset, truncated, found.note)

    async def is_challenge(self, data: bytes, content_type: str) -> bool:
        """Whether the bytes are a challenge page; one that cannot be looked at is none."""
        try:
            return bool(await self._job("is_challenge", "", data, content_type))
        except SourceError:
            return False

    async def _job(self, job: str, host: str, *args: Any) -> Any:
        try:
            return await self._workers.run(
                f"adapters.sources.extraction.job:{job}", *args, timeout=self._seconds
            )
        except WorkerTimeout:
            raise SourceError(
                "timeout",
                f"The page of {host} is too complex: its text was not out in {self._seconds:g} s.",
                "Use another source.",
            ) from None
        except WorkerError as error:
            sentence = f"The text of the page of {host} could not be taken out: {error}."
            raise SourceError("unreadable", sentence, "Use another source.") from None
