"""Owns what every task of an engine shares, as values made by the composition root."""

import asyncio
import logging
import os
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from ..core.urls import canonical_url
from ..errors import SourceError
from ..ports import (
    Browser,
    Clock,
    Ids,
    Model,
    Page,
    PageReader,
    Searcher,
    SearchResult,
    Toolset,
)
from ..store.database import Database
from .acknowledgements import Acknowledgements
from .hub import Hub
from .slots import AgentTurns, ModelSlots
from .snapshots import Snapshots
from .timing_log import open_timing_log
from .waiting import within
from .world import World
from .yielding import Yielding

T = TypeVar("T")
_log = logging.getLogger("lazyboy_jupyter")
SEARCH_RESULTS = 10
SNIPPET_CHARACTERS = 300
MODEL_SLOTS = 16
"""Where no settings say how many."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a search gave. `problems`: what failed beside it, a sentence each."""

    results: tuple[SearchResult, ...]
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sources:
    """The searchers and readers of one task, chosen by name, and its browser, if there is one."""

    searchers: Sequence[Searcher]
    readers: Sequence[PageReader]
    browser: Browser | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the searchers."""
        return tuple(searcher.name for searcher in self.searchers)

    @property
    def described(self) -> str:
        """The names as people read them, and as the view `tasks` has them."""
        return ", ".join(self.names)

    async def search(self, query: str, clock: Clock, seconds: float) -> Found:
        """Ask all searchers at once and return their results in turn, best first.

        Each has `seconds` of its own, so that a slow one does not cost the others' results.
        Raises the first `SourceError` when one failed and no other found anything.
        """
        outcomes = await asyncio.gather(
            *(in_time(one.name, one.search(query, SEARCH_RESULTS), clock, seconds)
              for one in self.searchers),
            return_exceptions=True,
        )  # fmt: skip
        errors = [one for one in outcomes if isinstance(one, BaseException)]
        answers = [one for one in outcomes if not isinstance(one, BaseException)]
        if errors and not any(answers):
            raise errors[0]
        merged: dict[str, SearchResult] = {}
        for place in range(SEARCH_RESULTS):
            for answer in answers:
                if place < len(answer):
                    merged.setdefault(canonical_url(answer[place].url), answer[place])
        results = tuple(merged.values())[:SEARCH_RESULTS]
        return Found(results, tuple(str(error) for error in errors))

    async def read(self, url: str, clock: Clock, seconds: float) -> Page:
        """Return the page at `url` from the reader whose it is. Raises `SourceError`."""
        for reader in self.readers:
            if reader.reads(url):
                return await in_time("The page", reader.read(url), clock, seconds)
        raise SourceError(
            "refused",
            f"Addresses such as {url[:120]} are not read here.",
            f"This task reads from {', '.join(self.names)}.",
        )


async def in_time(what: str, work: Coroutine[Any, Any, T], clock: Clock, seconds: float) -> T:
    """Return what `work` returns; every way to fail becomes a `SourceError` with a kind."""
    try:
        return await within(clock, seconds, work)
    except SourceError:
        raise
    except TimeoutError:
        sentence = f"{what} did not answer within {seconds:g} s."
        raise SourceError("timeout", sentence) from None
    except Exception as error:  # noqa: BLE001
        # An adapter's own mistake costs one call, and never the task.
        _log.exception("a source failed")
        # Of the system's own errors the text is told; any other may hold what nobody should read.
        why = str(error) if isinstance(error, OSError) else type(error).__name__
        sentence = f"{what} failed: {why}."
        raise SourceError("unreadable", sentence) from None


@dataclass(frozen=True, slots=True)
class Services:
    """The shared parts of one engine. `jitter`: a number from 0 to 1, another each time.

    `background`: what goes on after its task has ended; a loop forgets tasks that nobody holds.
    """

    clock: Clock
    ids: Ids
    database: Database
    hub: Hub
    timing_log: logging.Logger | None = None
    slots: ModelSlots = field(default_factory=lambda: ModelSlots(MODEL_SLOTS))
    jitter: Callable[[], float] = lambda: 0.5
    acknowledgements: Acknowledgements = field(default_factory=Acknowledgements)
    background: set["asyncio.Task[None]"] = field(default_factory=set)
    yielding: Yielding = field(default_factory=Yielding)
    turns: AgentTurns = field(default_factory=AgentTurns)
    snapshots: Snapshots = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "snapshots", Snapshots(self.database))


async def services_of(
    world: World, database: Database, hub: Hub, folder: Path, slots: ModelSlots
) -> Services:
    """Return the services of an engine; made on its loop. `folder`: where its logs go."""
    log = open_timing_log(os.environ, folder)
    return Services(world.clock, world.ids, database, hub, log, slots, world.jitter)


@dataclass(frozen=True, slots=True)
class TaskSpec:
    """Who a task is, fixed for its life. `role`: what its agent is for. `ancestors`: the agents
    whose task led to it, whom it cannot wait for."""

    task_id: str
    conversation_id: str
    agent_id: str
    name: str
    model: Model
    sources: Sources
    parent_task_id: str | None = None
    resumed_from: str | None = None
    role: str = ""
    ancestors: tuple[str, ...] = ()
    foreground: bool = False
    toolsets: tuple[Toolset, ...] = ()
