"""Sources by name, with real workers, and nothing of the web behind them."""

from pathlib import Path
from typing import Any

from lazyboy_jupyter.adapters.clock import SystemClock
from lazyboy_jupyter.adapters.sources.registry import SourceFactory
from lazyboy_jupyter.adapters.sources.search.registry import SearcherFactory
from lazyboy_jupyter.adapters.sources.web.access import WebAccess
from lazyboy_jupyter.adapters.workers import WorkerPool
from tests.fakes import FakeWeb


def factory(workers: WorkerPool, cache: Path) -> SourceFactory:
    """Sources whose web is a fake one without pages."""
    web = WebAccess()
    settings: dict[str, str] = {}
    searchers = SearcherFactory(
        web.client, web.service_client, workers, SystemClock(), settings.get
    )
    return SourceFactory(workers, workers, cache, searchers, FakeWeb(), None)


def opened(sources: SourceFactory, name: str) -> Any:
    """The one source that a name of this machine's stands for: a searcher and a reader."""
    (source,) = sources.open([name]).searchers
    return source
