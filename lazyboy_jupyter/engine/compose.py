"""The composition root: it alone knows which adapters stand behind the ports."""

import os
import random
from pathlib import Path

from ..adapters.clock import SystemClock, UuidV7
from ..adapters.models.providers.credentials import Credentials, from_keyring
from ..adapters.models.providers.process import ProviderModels
from ..adapters.models.registry import ModelFactory
from ..adapters.sources.browser.reader import found_browser
from ..adapters.sources.page_texts import PageTexts
from ..adapters.sources.registry import SourceFactory, source_names
from ..adapters.sources.search.registry import SearcherFactory
from ..adapters.sources.web.access import WebAccess
from ..adapters.sources.web.process import PageProcess
from ..adapters.workers import WorkerPool
from ..config import Settings
from ..ports import Clock, Ids
from ..store.database import Database, open_database
from .world import World


def compose(store: Path, settings: Settings, *, alternatives: bool) -> tuple[World, Database]:
    """Return the real world of an engine, with its store open.

    Raises `StoreError`, and `UsageError` for a host that cannot be allowed.
    """
    clock: Clock = SystemClock()
    ids: Ids = UuidV7()
    # Each kind of work has workers of its own, which start when they are needed: an index that is
    # built for minutes, a page that takes its whole time, a search that waits for the network hold
    # nothing else up.
    workers, page_workers = WorkerPool(), WorkerPool()
    builders, search_workers, beside = WorkerPool(), WorkerPool(), WorkerPool(1)
    web = WebAccess(settings.allow_hosts)
    browser, browser_problem = found_browser(PageTexts(page_workers), settings.allow_hosts)
    searchers = SearcherFactory(
        web.client, web.service_client, search_workers, clock, os.environ.get
    )
    pages = PageProcess(settings.allow_hosts)
    sources = SourceFactory(workers, builders, settings.cache, searchers, pages, browser)
    providers = ProviderModels(Credentials(os.environ.get, from_keyring), os.environ.get)
    models = ModelFactory(workers, beside, providers)

    async def close() -> None:
        await providers.close()
        if browser is not None:
            await browser.close()
        await pages.close()
        await web.close()
        for pool in (page_workers, search_workers, builders, beside, workers):
            await pool.close()

    database = open_database(store, alternatives=alternatives)
    world = World(
        clock,
        ids,
        UuidV7(),
        models.open,
        sources.open,
        source_names,
        close,
        random.random,
        providers.warm,
        browser_problem,
    )
    return world, database
