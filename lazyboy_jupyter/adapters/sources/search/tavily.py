"""Owns the Tavily Search API: its request, its key, its limits."""

import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ....ports import SearchResult
from .failures import Provider, unreadable
from .pace import Pace
from .results import cleaned, hits_of
from .service import Credential, Service, key_of

if TYPE_CHECKING:
    from ..web.client import WebClient

ENDPOINT = "https://api.tavily.com/search"
# Its documentation: at most 20 results, 100 requests a minute with a development key. A query of
# more than 400 characters is answered 400.
TAVILY = Provider(
    "Tavily", ("TAVILY_API_KEY",), "https://app.tavily.com", characters=400, seconds=0.6
)
_MOST = 20


class TavilySearcher:
    """Searches the web with a key of Tavily's."""

    name = "tavily"

    def __init__(
        self, client: "Callable[[], WebClient]", pace: Pace, credential: Credential
    ) -> None:
        self._service = Service(TAVILY, client, pace)
        self._credential = credential

    async def search(self, query: str, limit: int) -> Sequence[SearchResult]:
        """Return at most `limit` pages, best first. Raises `SourceError`."""
        body = {
            "query": self._service.query(query),
            "max_results": max(1, min(limit, _MOST)),
            "search_depth": "basic",
        }
        headers = {
            "Accept": "application/json",
            "Content-Type": "application/json",
            "Authorization": f"Bearer {key_of(TAVILY, self._credential)}",
        }
        answer = await self._service.ask(
            ENDPOINT, method="POST", headers=headers, content=json.dumps(body).encode()
        )
        hits = hits_of(answer.get("results"), "content")
        if hits is None:
            raise unreadable(TAVILY)
        return cleaned(hits, limit)
