"""Owns the connections to the APIs of this server's kernels."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from ..api.address import Address, read_address

CONNECT_SECONDS = 5.0
ANSWER_SECONDS = 120.0
"""Deleting waits for what runs to end; everything else answers in milliseconds."""


@dataclass
class KernelClients:
    """A client for each address, for as long as the kernel has it."""

    _clients: dict[str, tuple[Address, httpx.AsyncClient]] = field(default_factory=dict)

    async def client(self, kernel_id: str, manager: Any) -> httpx.AsyncClient | None:
        """Return the client of a kernel; None where it has no address: it runs elsewhere, or has
        not said `%load_ext lazyboy_jupyter`."""
        file = getattr(manager, "connection_file", "")
        address = read_address(Path(file)) if file else None
        known = self._clients.get(kernel_id)
        if known is not None and known[0] == address:
            return known[1]
        if known is not None:
            del self._clients[kernel_id]
            await known[1].aclose()
        if address is None:
            return None
        client = _client(address)
        self._clients[kernel_id] = (address, client)
        return client


def _client(address: Address) -> httpx.AsyncClient:
    return httpx.AsyncClient(
        transport=httpx.AsyncHTTPTransport(
            uds=address.socket or None, limits=httpx.Limits(max_connections=None)
        ),
        base_url=f"http://127.0.0.1:{address.port or 80}",
        headers={"Authorization": f"Bearer {address.token}"},
        timeout=httpx.Timeout(ANSWER_SECONDS, connect=CONNECT_SECONDS),
        trust_env=False,
    )
