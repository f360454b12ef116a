"""The loopback world, and clients that see it through the guard."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from lazyboy_jupyter.adapters.sources.web.addresses import AddressPolicy
from lazyboy_jupyter.adapters.sources.web.client import WebClient
from tests.loopback.network import WorldNetwork
from tests.loopback.world import LoopbackWorld


@asynccontextmanager
async def client_of(
    web: LoopbackWorld, network: WorldNetwork | None = None, *allowed: str
) -> AsyncIterator[WebClient]:
    """A client that sees the world, under the policy that it has outside."""
    policy = AddressPolicy.allowing(allowed)
    client = WebClient(network or WorldNetwork(web), policy, web.trust())
    try:
        yield client
    finally:
        await client.close()
