"""Owns looking up names and opening connections: the only place that touches a socket.

Every connection of pages, searches and the browser goes through `GuardedBackend`: looked up once,
judged, then opened to the very address that was judged.
"""

import asyncio
import itertools
import socket
from collections.abc import Iterable, Sequence
from typing import Any, Protocol

import httpcore

from ....errors import SourceError
from ....threads import off_loop
from .addresses import AddressPolicy, literal_address

_CONNECT_SECONDS = 10.0
_LOOKUPS = 16
_TRIED = 4


class Network(Protocol):
    """Names and connections; tests give another."""

    async def resolve(self, host: str, port: int) -> Sequence[str]:
        """Return the addresses of `host`, best first. Raises `SourceError` ("dns")."""
        ...

    async def connect(self, address: str, port: int, seconds: float) -> httpcore.AsyncNetworkStream:
        """Open a connection to an address. Raises httpcore's errors."""
        ...


class SystemNetwork:
    """The machine's own name service and sockets."""

    def __init__(self) -> None:
        self._backend = httpcore.AnyIOBackend()
        self._lookups = asyncio.Semaphore(_LOOKUPS)

    async def resolve(self, host: str, port: int) -> Sequence[str]:
        """Return the addresses of `host`; asked on a thread, since the system's call blocks."""
        async with self._lookups:
            try:
                found = await off_loop(
                    lambda: socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
                )
            except (OSError, UnicodeError):
                raise SourceError(
                    "dns",
                    f"No address was found for {host[:200]}.",
                    "Check the spelling, and that there is a network.",
                ) from None
        return list(dict.fromkeys(str(entry[4][0]) for entry in found))

    async def connect(self, address: str, port: int, seconds: float) -> httpcore.AsyncNetworkStream:
        """Open a TCP connection to an address."""
        return await self._backend.connect_tcp(address, port, timeout=seconds)


class GuardedBackend(httpcore.AsyncNetworkBackend):
    """Opens connections for a pool, to addresses that the policy allows and to no others."""

    def __init__(self, network: Network, policy: AddressPolicy) -> None:
        self._network = network
        self._policy = policy

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - httpcore's signature
        local_address: str | None = None,
        socket_options: Iterable[httpcore.SOCKET_OPTION] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Look up, judge, connect. Raises `SourceError` ("dns", "refused"), httpcore's errors."""
        literal = literal_address(host)
        addresses = await self._network.resolve(host, port) if literal is None else [str(literal)]
        self._policy.check(host, port, addresses)
        if not addresses:
            raise SourceError("dns", f"{host[:200]} has no address.")
        tried = _each_family(addresses)[:_TRIED]
        seconds = min(timeout or _CONNECT_SECONDS, _CONNECT_SECONDS) / len(tried)
        failure: Exception | None = None
        for address in tried:
            try:
                return await self._network.connect(address, port, seconds)
            except (httpcore.NetworkError, httpcore.TimeoutException) as error:
                failure = error
        assert failure is not None
        raise failure

    async def connect_unix_socket(self, *args: Any, **kwargs: Any) -> httpcore.AsyncNetworkStream:
        """Refuse: no page lives on a Unix socket."""
        raise SourceError("refused", "Unix sockets are not read.")

    async def sleep(self, seconds: float) -> None:
        """Return when `seconds` have passed; httpcore's retries ask for it, and none are made."""
        await asyncio.sleep(seconds)


def _each_family(addresses: Sequence[str]) -> list[str]:
    """Return the addresses, best first, those of both families in turn: a machine whose IPv6 leads
    nowhere must get to IPv4 before the tries are over (RFC 8305 §4)."""
    first = [one for one in addresses if (":" in one) == (":" in addresses[0])]
    other = [one for one in addresses if one not in first]
    pairs = itertools.zip_longest(first, other)
    return [one for pair in pairs for one in pair if one is not None]
