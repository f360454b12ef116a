"""Owns searching without a key, in a worker process: no search engine's page is parsed in here."""

from collections.abc import Sequence

from ....errors import SourceError
from ....ports import SearchResult
from ...workers import WorkerError, WorkerPool, WorkerTimeout
from ..documents import Failure
from .failures import OFFLINE, OTHERS
from .pace import Pace
from .query import fitted
from .results import cleaned

# Search engines shut out whoever asks in bursts.
SECONDS_BETWEEN = 1.5
_CHARACTERS = 500
_JOB = "adapters.sources.search.ddgs_job:search"
_SECONDS = 25.0
"""For the job, inside the engine's 30 s for the whole call."""
_ENGINES_SECONDS = 22.0


class DdgsSearcher:
    """Searches public search engines. To be used on one loop, the engine's.

    `proxy`: an address through which all requests go; `authority`: the path of a PEM file with
    the authorities to trust, in place of the usual ones.
    """

    name = "ddgs"

    def __init__(
        self,
        workers: WorkerPool,
        pace: Pace,
        proxy: str | None = None,
        authority: str | None = None,
    ) -> None:
        self._workers = workers
        self._pace = pace
        self._route = (proxy, authority)

    async def search(self, query: str, limit: int) -> Sequence[SearchResult]:
        """Return at most `limit` pages, best first. Raises `SourceError`."""
        words = fitted(query, _CHARACTERS)
        if not words:
            sentence = "ddgs was asked for nothing: the query has no words."
            raise SourceError("refused", sentence, "Search for some words.")
        await self._pace.turn()
        try:
            answer = await self._workers.run(
                _JOB, words, _ENGINES_SECONDS, *self._route, timeout=_SECONDS
            )
        except WorkerTimeout:
            sentence = f"ddgs got no answer from any search engine in {_SECONDS:g} s."
            raise SourceError("timeout", sentence, OFFLINE) from None
        except WorkerError:
            sentence = "ddgs failed while asking search engines."
            raise SourceError("unreadable", sentence, OTHERS) from None
        if isinstance(answer, Failure):
            raise SourceError(answer.kind, answer.sentence, answer.hint)
        site, hits = answer
        return cleaned(hits, limit, site)
