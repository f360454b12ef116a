"""Owns what one owner's traffic may use: credentials, bytes, connections; it opens nothing."""

import asyncio
import secrets
from base64 import b64encode

import httpcore

from ....errors import SourceError
from ..web.addresses import AddressPolicy, host_key
from ..web.network import GuardedBackend, Network

_CONNECTIONS = 48
_REMEMBERED = 200


class SpentError(Exception):
    """The page has loaded as much as a page may."""


class Lane:
    """One owner's way through the guard. To be used on the guard's loop.

    `spent`: set once more than `budget` bytes have come. Failures are remembered by host and port,
    so that whoever asked for a page can say why it could not be had.
    """

    def __init__(self, network: Network, policy: AddressPolicy, budget: int) -> None:
        self.username = secrets.token_hex(8)
        self.password = secrets.token_hex(24)
        self.backend = GuardedBackend(network, policy)
        self.pool = httpcore.AsyncConnectionPool(
            max_connections=_CONNECTIONS,
            max_keepalive_connections=8,
            keepalive_expiry=10.0,
            network_backend=self.backend,
        )
        self.turns = asyncio.Semaphore(_CONNECTIONS)
        self.spent = asyncio.Event()
        self._budget = budget
        self._bytes = 0
        self._failures: dict[tuple[str, int], SourceError] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def credentials(self) -> bytes:
        """The value of Proxy-Authorization that opens this lane."""
        return b"Basic " + b64encode(f"{self.username}:{self.password}".encode())

    def count(self, data: bytes) -> bytes:
        """Count bytes that came, and return them. Raises `SpentError` when they are too many."""
        self._bytes += len(data)
        if self._bytes > self._budget:
            self.spent.set()
            raise SpentError
        return data

    def failed(self, host: str, port: int, failure: SourceError) -> None:
        """Remember why a host could not be had."""
        if len(self._failures) < _REMEMBERED:
            self._failures[host_key(host), port] = failure

    def failure_of(self, host: str, port: int) -> SourceError | None:
        """Return why a host could not be had, if so."""
        return self._failures.get((host_key(host), port))

    def enter(self, task: asyncio.Task[None]) -> None:
        """Tie a connection's task to this lane until it ends."""
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def renew(self) -> None:
        """End every connection, and count from zero."""
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        self.spent.clear()
        self._bytes = 0
        self._failures.clear()

    async def close(self) -> None:
        """End every connection for good."""
        self.spent.set()
        await self.renew()
        await self.pool.aclose()
