"""Owns reading a page of the web: fetched behind the guard, turned into text in a worker process.

Nothing of a page is parsed in the kernel: a page can cost seconds of CPU, and its worker is killed
when it does (DESIGN §17).
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from ....core.urls import host_of
from ....errors import SourceError
from ....ports import Page
from ..page_texts import PageTexts
from .body import MAX_BYTES
from .statuses import status_failure

if TYPE_CHECKING:  # the client brings httpx with it, which is loaded by the first page
    from .client import Fetched, WebClient

MAX_PDF_BYTES = 40_000_000
_MOVES = 2
_PDF = b"%PDF"
_MAY_BE_CHALLENGES = frozenset((401, 403, 405, 429, 503))


class WebReader:
    """Reads http and https addresses. To be used on one loop, that of the pages' process."""

    def __init__(self, client: "Callable[[], WebClient]", texts: PageTexts) -> None:
        self._client = client
        self._texts = texts

    def reads(self, url: str) -> bool:
        """Whether `url` is an address of the web, or of no other reader: the client refuses it."""
        return True

    async def read(self, url: str) -> Page:
        """Return the page as Markdown. Raises `SourceError`, whose kind says what was wrong.

        A page that only sends its reader on is followed, as a redirect is.
        """
        for _ in range(_MOVES + 1):
            answer = await self._client().fetch(url, limit_of=_limit_of)
            host = host_of(answer.url)
            if answer.status >= 400:
                raise await self._refusal(answer, host)
            found = await self._texts.page(
                answer.body, answer.content_type, answer.url, truncated=answer.truncated
            )
            if isinstance(found, Page):
                return found
            url = found.url
        raise SourceError(
            "http_status",
            f"The page of {host} sends its readers on again and again.",
            "Read another source.",
        )

    async def _refusal(self, answer: "Fetched", host: str) -> SourceError:
        if answer.status in _MAY_BE_CHALLENGES and await self._texts.is_challenge(
            answer.body, answer.content_type
        ):
            return SourceError(
                "blocked",
                f"{host} wants to check for a person at a browser ({answer.status}).",
                "Use another source.",
            )
        return status_failure(answer.status, host, answer.headers.get("retry-after", ""))


def _limit_of(beginning: bytes) -> int:
    """A page is of use by its beginning; a PDF only as a whole."""
    return MAX_PDF_BYTES if beginning[:1024].lstrip().startswith(_PDF) else MAX_BYTES
