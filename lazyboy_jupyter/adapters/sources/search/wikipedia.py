"""Owns searching one language's Wikipedia through MediaWiki's action API; it needs no key."""

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

from ....errors import SourceError, UsageError
from ....ports import SearchResult
from .failures import OTHERS, Provider, unreadable
from .pace import Pace
from .results import Hit, cleaned
from .service import Service

if TYPE_CHECKING:
    from ..web.client import Fetched, WebClient

# CirrusSearch refuses more than 300 characters; the API's etiquette asks for requests in series.
WIKIPEDIA = Provider("Wikipedia", characters=300, seconds=0.2)
_MOST = 50
_LANGUAGE = re.compile(r"[a-z]{2,12}(?:-[a-z]{2,12}){0,3}")
_CODE = re.compile(r"[\w-]{1,60}")
_KEPT_IN_PATHS = ";@$!*(),/~:"  # as MediaWiki itself writes a page's address


class WikipediaSearcher:
    """Searches the articles of one Wikipedia. `language`: as in its address, such as "de"."""

    def __init__(
        self, client: "Callable[[], WebClient]", pace: Pace, language: str, name: str
    ) -> None:
        if not _LANGUAGE.fullmatch(language):
            raise UsageError(
                f"{language[:40]!r} is no language of Wikipedia.",
                "Write it as in the address: -s wikipedia:de.",
            )
        self.name = name
        self._site = f"https://{language}.wikipedia.org"
        self._service = Service(WIKIPEDIA, client, pace, explain=self._explain)
        self._language = language

    async def search(self, query: str, limit: int) -> Sequence[SearchResult]:
        """Return at most `limit` articles, best first. Raises `SourceError`."""
        parameters = {
            "action": "query",
            "list": "search",
            "srsearch": self._service.query(query),
            "srlimit": max(1, min(limit, _MOST)),
            "srnamespace": 0,
            "srprop": "snippet",
            "format": "json",
            "formatversion": 2,
        }
        url = f"{self._site}/w/api.php?{urlencode(parameters)}"
        answer = await self._service.ask(url, headers={"Accept": "application/json"})
        if "error" in answer:
            raise _refused(answer["error"])
        found = answer.get("query")
        articles = found.get("search") if isinstance(found, dict) else None
        if not isinstance(articles, list):
            raise unreadable(WIKIPEDIA)
        return cleaned(filter(None, map(self._hit, articles)), limit)

    def _hit(self, article: Any) -> Hit | None:
        title = article.get("title") if isinstance(article, dict) else None
        if not isinstance(title, str):
            return None
        name = quote(title.replace(" ", "_"), safe=_KEPT_IN_PATHS, errors="replace")
        snippet = article.get("snippet")
        # A title is text, and the snippet is HTML: what looks like an element in a title is none.
        shown = title.replace("&", "&amp;").replace("<", "&lt;")
        return Hit(f"{self._site}/wiki/{name}", shown, snippet if isinstance(snippet, str) else "")

    def _explain(self, answer: "Fetched") -> SourceError | None:
        if answer.status == 404 or 300 <= answer.status < 400:
            sentence = f"Wikipedia does not exist in the language {self._language!r}."
            return SourceError("not_found", sentence, "Write it as in the address: wikipedia:de.")
        return None


def _refused(error: Any) -> SourceError:
    """The API tells its errors with status 200, by a code."""
    code = error.get("code") if isinstance(error, dict) else None
    shown = code if isinstance(code, str) and _CODE.fullmatch(code) else "unknown"
    if shown in {"ratelimited", "maxlag"}:
        sentence = f"Wikipedia has had too many requests ({shown})."
        return SourceError("rate_limited", sentence, OTHERS)
    sentence = f"Wikipedia did not accept the search ({shown})."
    return SourceError("http_status", sentence, f"Use other words. {OTHERS}")
