"""The composition root: it alone knows which adapters stand behind the ports."""

from pathlib import Path

from ..adapters.clock import SystemClock, UuidV7
from ..adapters.models.registry import ModelFactory
from ..adapters.sources.registry import SourceFactory
from ..adapters.workers import WorkerPool
from ..ports import Clock, Ids
from ..store.database import Database, open_database
from .world import World


def compose(store: Path, cache: Path, *, alternatives: bool) -> tuple[World, Database]:
    """Return the real world of an engine, with its store open. Raises `StoreError`."""
    workers = WorkerPool()
    clock: Clock = SystemClock()
    ids: Ids = UuidV7()
    models, sources = ModelFactory(workers), SourceFactory(workers, cache)
    database = open_database(store, alternatives=alternatives)
    return World(clock, ids, models.open, sources.open, workers.close), database
