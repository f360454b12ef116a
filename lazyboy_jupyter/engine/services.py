"""Owns what every task of an engine shares, as values made by the composition root."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field

from ..errors import SourceError
from ..ports import Clock, Ids, Model, Page, PageReader, Searcher, SearchResult
from ..store.database import Database
from .hub import Hub

SEARCH_RESULTS = 10
SNIPPET_CHARACTERS = 300
MODEL_SLOTS = 16


@dataclass(frozen=True, slots=True)
class Sources:
    """The searchers and readers of one task, chosen by name."""

    searchers: Sequence[Searcher]
    readers: Sequence[PageReader]

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the searchers."""
        return tuple(searcher.name for searcher in self.searchers)

    async def search(self, query: str, limit: int = SEARCH_RESULTS) -> list[SearchResult]:
        """Ask all searchers at once and return their results in turn, best first.

        A searcher that fails is left out while another answers. Raises the first `SourceError`
        when none does.
        """
        outcomes = await asyncio.gather(
            *(searcher.search(query, limit) for searcher in self.searchers),
            return_exceptions=True,
        )
        answers: list[Sequence[SearchResult]] = []
        errors: list[BaseException] = []
        for outcome in outcomes:
            if isinstance(outcome, BaseException):
                errors.append(outcome)
            else:
                answers.append(outcome)
        if errors and (not answers or not isinstance(errors[0], SourceError)):
            raise errors[0]
        merged: dict[str, SearchResult] = {}
        for place in range(limit):
            for answer in answers:
                if place < len(answer):
                    merged.setdefault(answer[place].url, answer[place])
        return list(merged.values())[:limit]

    async def read(self, url: str) -> Page:
        """Return the page at `url` from the reader whose it is. Raises `SourceError`."""
        for reader in self.readers:
            if reader.reads(url):
                return await reader.read(url)
        raise SourceError(
            "refused",
            f"Addresses such as {url[:120]} are not read here.",
            f"This task reads from {', '.join(self.names)}.",
        )


@dataclass(frozen=True, slots=True)
class Services:
    """The shared parts of one engine."""

    clock: Clock
    ids: Ids
    database: Database
    hub: Hub
    slots: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(MODEL_SLOTS))


@dataclass(frozen=True, slots=True)
class TaskSpec:
    """Who a task is, fixed for its life."""

    task_id: str
    conversation_id: str
    agent_id: str
    name: str
    model: Model
    sources: Sources
    parent_task_id: str | None = None
    resumed_from: str | None = None
