"""An engine's world whose web is the loopback one: real searchers, reader, workers and guard."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lazyboy_jupyter.adapters.clock import SystemClock, UuidV7
from lazyboy_jupyter.adapters.models.providers.process import ProviderModels
from lazyboy_jupyter.adapters.models.registry import ModelFactory
from lazyboy_jupyter.adapters.sources.page_texts import EXTRACT_SECONDS, PageTexts
from lazyboy_jupyter.adapters.sources.registry import SourceFactory, source_names
from lazyboy_jupyter.adapters.sources.search.registry import SearcherFactory
from lazyboy_jupyter.adapters.sources.web.access import WebAccess
from lazyboy_jupyter.adapters.sources.web.reader import WebReader
from lazyboy_jupyter.adapters.workers import WorkerPool
from lazyboy_jupyter.engine.world import World
from tests.loopback.network import WorldNetwork
from tests.loopback.world import LoopbackWorld


def web_world(
    web: LoopbackWorld,
    cache: Path,
    environment: Mapping[str, str],
    model: Any = None,
    page_seconds: float = EXTRACT_SECONDS,
) -> World:
    """A world that differs from the real one in where names lead and whom it trusts.

    `model`: answers in place of the one that is asked for by name; `page_seconds`: what a worker
    may take for one page.
    """
    clock, workers, page_workers = SystemClock(), WorkerPool(), WorkerPool()
    access = WebAccess((), WorldNetwork(web), web.trust())
    searchers = SearcherFactory(
        access.client, access.service_client, page_workers, clock, environment.get
    )
    reader = WebReader(access.client, PageTexts(page_workers, page_seconds))
    sources = SourceFactory(workers, workers, cache, searchers, reader, None)

    providers = ProviderModels(environment.get, environment.get)

    async def close() -> None:
        await providers.close()
        await access.close()
        await page_workers.close()
        await workers.close()

    models = ModelFactory(workers, workers, providers)
    opened = models.open if model is None else lambda name: model
    return World(clock, UuidV7(), UuidV7(), opened, sources.open, source_names, close, lambda: 0.5)
