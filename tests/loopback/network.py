"""Names that lead into the loopback world, and change when told to; it counts every dial."""

from collections.abc import Sequence

import httpcore

from lazyboy_jupyter.adapters.sources.web.addresses import literal_address
from lazyboy_jupyter.adapters.sources.web.network import SystemNetwork
from lazyboy_jupyter.errors import SourceError
from tests.loopback.world import LoopbackWorld

PUBLIC = "93.184.216.34"
"""An address of the public internet, as which the world's sites appear."""


class WorldNetwork:
    """Every host of the world has a public address, unless `answers` says something else.

    `answers`: for a host, the addresses that each look-up gives, in turn, the last one again and
    again. `dials`: every address and port that a connection was opened to. A public address leads
    to the world: port 443 to its TLS server, any other to its plain one.
    """

    def __init__(self, world: LoopbackWorld) -> None:
        self.answers: dict[str, list[list[str]]] = {}
        self.dials: list[tuple[str, int]] = []
        self.lookups: list[str] = []
        self._world = world
        self._system = SystemNetwork()

    async def resolve(self, host: str, port: int) -> Sequence[str]:
        self.lookups.append(host)
        if (waiting := self.answers.get(host)) is not None:
            return waiting.pop(0) if len(waiting) > 1 else waiting[0]
        literal = literal_address(host)
        if literal is not None:
            return [str(literal)]
        if self._world.knows(host):
            return [PUBLIC]
        raise SourceError("dns", f"No address was found for {host}.", "Check the spelling.")

    async def connect(self, address: str, port: int, seconds: float) -> httpcore.AsyncNetworkStream:
        self.dials.append((address, port))
        if address == PUBLIC:
            port = self._world.tls_port if port == 443 else self._world.port
            address = "127.0.0.1"
        return await self._system.connect(address, port, seconds)
