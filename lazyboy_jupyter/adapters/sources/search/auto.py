"""Owns choosing a search service: the first that has a key or an address, else `ddgs`."""

from collections.abc import Callable, Sequence

from ....ports import Searcher, SearchResult
from .brave import BRAVE
from .searxng import SETTING
from .service import Credential
from .tavily import TAVILY

_ORDER = (("tavily", TAVILY.settings), ("brave", BRAVE.settings), ("searxng", (SETTING,)))


class AutoSearcher:
    """The service that is set up. A key that is set later is used from the next search on."""

    def __init__(self, opened: Callable[[str], Searcher], credential: Credential) -> None:
        self._opened = opened
        self._credential = credential

    @property
    def name(self) -> str:
        """The name of the service that is taken, such as "brave" or "ddgs"."""
        for name, settings in _ORDER:
            if any((self._credential(setting) or "").strip() for setting in settings):
                return name
        return "ddgs"

    async def search(self, query: str, limit: int) -> Sequence[SearchResult]:
        """Return at most `limit` pages, best first. Raises `SourceError`."""
        return await self._opened(self.name).search(query, limit)
