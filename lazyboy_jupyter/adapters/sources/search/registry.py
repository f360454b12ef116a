"""Owns which names of web searchers there are, and making them; none is made unasked.

It imports no HTTP library: a client is made by the first search.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

from ....errors import UsageError
from ....ports import Clock, Searcher
from ...workers import WorkerPool
from .auto import AutoSearcher
from .brave import BRAVE, BraveSearcher
from .ddgs_searcher import SECONDS_BETWEEN, DdgsSearcher
from .pace import Pace
from .plugins import load_plugin, plugin_names
from .searxng import SEARXNG, SearxngSearcher
from .service import Credential
from .tavily import TAVILY, TavilySearcher
from .wikipedia import WIKIPEDIA, WikipediaSearcher

if TYPE_CHECKING:
    from ..web.client import WebClient

NAMES = ("auto", "ddgs", "brave", "tavily", "searxng", "wikipedia")


class SearcherFactory:
    """Makes web searchers by name, one for each; those of one service share its pace.

    `client`: gives the client for public services, called once, by the first search. A
    `service_client` is given the only host, with its port, that may be private; it is called once
    for each. Whoever gives the clients closes them. `credential`: gives the value of an
    environment variable, asked at each search.
    """

    def __init__(
        self,
        client: "Callable[[], WebClient]",
        service_client: "Callable[[frozenset[str]], WebClient]",
        workers: WorkerPool,
        clock: Clock,
        credential: Credential,
    ) -> None:
        self._client = lru_cache(maxsize=None)(client)
        self._service_client = lru_cache(maxsize=None)(service_client)
        self._workers = workers
        self._credential = credential
        self._paces = {
            "ddgs": Pace(clock, SECONDS_BETWEEN),
            "brave": Pace(clock, BRAVE.seconds),
            "tavily": Pace(clock, TAVILY.seconds),
            "searxng": Pace(clock, SEARXNG.seconds),
            "wikipedia": Pace(clock, WIKIPEDIA.seconds),
        }
        self._made: dict[str, Searcher] = {}

    def names(self) -> tuple[str, ...]:
        """Return the names there are; plugins are looked for and not loaded."""
        return (*NAMES, *(name for name in plugin_names() if name not in NAMES))

    def open(self, name: str) -> Searcher:
        """Return the searcher of that name: `wikipedia:de`, `searxng:http://localhost:8080`, …

        Raises `UsageError`, naming what there is, for an unknown name or a broken plugin.
        """
        asked = name.strip()
        if asked not in self._made:
            made = self._own(asked) or load_plugin(asked)
            if made is None:
                shown, known = asked.partition(":")[0][:80], ", ".join(self.names())
                raise UsageError(
                    f"There is no searcher {shown!r}.",
                    f"Searchers are {known}; wikipedia:de, searxng:http://localhost:8080.",
                )
            self._made[asked] = made
        return self._made[asked]

    def _own(self, name: str) -> Searcher | None:
        kind, colon, rest = name.partition(":")
        if kind == "wikipedia":
            language = rest.strip().lower() if colon else "en"
            return WikipediaSearcher(self._client, self._paces[kind], language, name)
        if kind == "searxng":
            return SearxngSearcher(
                self._service_client,
                self._paces[kind],
                self._credential,
                rest.strip() if colon else None,
            )
        return None if colon else self._plain(name)

    def _plain(self, name: str) -> Searcher | None:
        match name:
            case "auto":
                return AutoSearcher(self.open, self._credential)
            case "ddgs":
                return DdgsSearcher(self._workers, self._paces[name])
            case "brave":
                return BraveSearcher(self._client, self._paces[name], self._credential)
            case "tavily":
                return TavilySearcher(self._client, self._paces[name], self._credential)
        return None
