"""Owns the Brave Search API (web search): its request, its key, its limits."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from ....errors import SourceError
from ....ports import SearchResult
from .failures import Provider, unreadable, wrong_key
from .pace import Pace, retry_after
from .results import cleaned, hits_of
from .service import Credential, Service, json_object, key_of

if TYPE_CHECKING:
    from ..web.client import Fetched, WebClient

ENDPOINT = "https://api.search.brave.com/res/v1/web/search"
# Its documentation: at most 400 characters and 50 words, 20 results; the free plan takes one
# request a second. A tenth more, since requests do not travel equally fast.
BRAVE = Provider(
    "Brave Search",
    ("BRAVE_API_KEY", "BRAVE_SEARCH_API_KEY"),
    "https://api-dashboard.search.brave.com",
    characters=400,
    words=50,
    seconds=1.1,
)
_MOST = 20
_NUMBER = re.compile(r"\d{1,9}")


class BraveSearcher:
    """Searches the web with a key of Brave's."""

    name = "brave"

    def __init__(
        self, client: "Callable[[], WebClient]", pace: Pace, credential: Credential
    ) -> None:
        self._service = Service(BRAVE, client, pace, _wait_of, _explain)
        self._credential = credential

    async def search(self, query: str, limit: int) -> Sequence[SearchResult]:
        """Return at most `limit` pages, best first. Raises `SourceError`."""
        parameters = {
            "q": self._service.query(query),
            "count": max(1, min(limit, _MOST)),
            "result_filter": "web",
            "text_decorations": "false",
        }
        headers = {
            "Accept": "application/json",
            "X-Subscription-Token": key_of(BRAVE, self._credential),
        }
        answer = await self._service.ask(f"{ENDPOINT}?{urlencode(parameters)}", headers=headers)
        web = answer.get("web")
        if web is None and answer.get("type") == "search":
            return []  # it leaves the list out when it has nothing to put in
        hits = hits_of(web.get("results") if isinstance(web, dict) else None, "description")
        if hits is None:
            raise unreadable(BRAVE)
        return cleaned(hits, limit)


def _explain(answer: "Fetched") -> SourceError | None:
    """A key that is missing or wrong is answered 422, and so is a bad parameter."""
    if answer.status != 422:
        return None
    error = (json_object(answer.body) or {}).get("error")
    code = error.get("code") if isinstance(error, dict) else None
    if isinstance(code, str) and code.startswith("SUBSCRIPTION_TOKEN"):
        return wrong_key(BRAVE, "422")
    return None


def _wait_of(headers: Mapping[str, str], now_us: int) -> float | None:
    """Return the longest wait among the windows of time that are used up.

    It sends no Retry-After. `X-RateLimit-Remaining: 0, 1000` with `X-RateLimit-Reset: 1, 1419704`
    says: none left in the window that ends in 1 s, 1000 left in the month.
    """
    left = _NUMBER.findall(headers.get("x-ratelimit-remaining", ""))
    reset = _NUMBER.findall(headers.get("x-ratelimit-reset", ""))
    used_up = [float(ends) for count, ends in zip(left, reset, strict=False) if int(count) == 0]
    return max(used_up) if used_up else retry_after(headers, now_us)
