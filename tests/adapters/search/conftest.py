"""Searchers that see the loopback world, with a clock that passes whenever someone waits."""

import asyncio
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import pytest

from lazyboy_jupyter.adapters.sources.search.registry import SearcherFactory
from lazyboy_jupyter.adapters.sources.web.addresses import AddressPolicy
from lazyboy_jupyter.adapters.sources.web.client import WebClient
from lazyboy_jupyter.adapters.workers import WorkerPool
from lazyboy_jupyter.errors import SourceError
from lazyboy_jupyter.ports import SearchResult
from tests.fakes import ManualClock
from tests.loopback.network import WorldNetwork
from tests.loopback.world import LoopbackWorld

T = TypeVar("T")
KEY = "sk-very-secret-123"
KEYS = {"BRAVE_API_KEY": KEY, "TAVILY_API_KEY": KEY}
FOUND = [
    ("https://a.example/gates?x=1%262", "The gates & the sea", "Gates cost a < b euros"),
    ("https://b.example/", "Second", "Another text"),
]


class PassingClock(ManualClock):
    """Whoever waits lets the time pass, unless `stands`; `waits` holds for how long, in seconds."""

    def __init__(self) -> None:
        super().__init__()
        self.waits: list[float] = []
        self.stands = False

    async def sleep(self, seconds: float) -> None:
        self.waits.append(round(seconds, 3))
        if self.stands:
            await super().sleep(seconds)
        else:
            self.advance(seconds)
            await asyncio.sleep(0)


@dataclass
class Bench:
    """A factory over the world. `service_hosts`: what each client for a SearXNG may reach."""

    web: LoopbackWorld
    clock: PassingClock = field(default_factory=PassingClock)
    environment: dict[str, str] = field(default_factory=lambda: dict(KEYS))
    service_hosts: list[frozenset[str]] = field(default_factory=list)
    clients: list[WebClient] = field(default_factory=list)

    def run(self, work: Callable[[SearcherFactory], Coroutine[Any, Any, T]]) -> T:
        """Return what `work` returns, given a factory on a loop of its own."""

        async def scenario() -> T:
            workers = WorkerPool(1)
            factory = SearcherFactory(
                self._client, self._service_client, workers, self.clock, self.environment.get
            )
            try:
                return await work(factory)
            finally:
                await workers.close()
                while self.clients:
                    await self.clients.pop().close()

        return asyncio.run(scenario())

    def search(self, name: str, query: str, limit: int = 10) -> Sequence[SearchResult]:
        """Return what a searcher finds."""
        return self.run(lambda factory: factory.open(name).search(query, limit))

    def failure(self, name: str, query: str = "gates") -> SourceError:
        """Return why a search fails; it must."""
        with pytest.raises(SourceError) as caught:
            self.search(name, query)
        return caught.value

    def _client(self, hosts: frozenset[str] = frozenset()) -> WebClient:
        policy = AddressPolicy.allowing(hosts)
        self.clients.append(WebClient(WorldNetwork(self.web), policy, self.web.trust()))
        return self.clients[-1]

    def _service_client(self, hosts: frozenset[str]) -> WebClient:
        self.service_hosts.append(hosts)
        return self._client(hosts)


@pytest.fixture
def web() -> Iterator[LoopbackWorld]:
    with LoopbackWorld() as world:
        yield world


@pytest.fixture
def bench(web: LoopbackWorld) -> Bench:
    return Bench(web)


def assert_tells_no_secret(error: BaseException, secret: str = KEY) -> None:
    """No text that hangs on the error, or on what it came from, holds the secret."""
    current: BaseException | None = error
    while current is not None:
        held: Mapping[str, Any] = {**vars(current), "args": current.args, "text": str(current)}
        assert secret not in repr(held)
        assert secret not in repr(getattr(current, "doc", ""))
        current = current.__cause__ or current.__context__
