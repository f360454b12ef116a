"""Owns the web as one process sees it: its policy, and its clients, made when first needed.

Importing it costs nothing: the HTTP libraries come with the first client.
"""

import ssl
from collections.abc import Collection
from typing import TYPE_CHECKING

from .addresses import AddressPolicy

if TYPE_CHECKING:
    from .client import WebClient
    from .network import Network


class WebAccess:
    """Makes the clients of one process. To be used on its loop, but for the making of this object.

    `allow_hosts`: hosts that the guard opens beside the public internet. Raises `UsageError` for
    what is no host. `network` and `context`: other names, connections and trust than the system's.
    """

    def __init__(
        self,
        allow_hosts: Collection[str] = (),
        network: "Network | None" = None,
        context: ssl.SSLContext | None = None,
    ) -> None:
        self.allow_hosts = tuple(allow_hosts)
        self._policy = AddressPolicy.allowing(self.allow_hosts)
        self._network = network
        self._context = context
        self._clients: dict[frozenset[str], WebClient] = {}

    def client(self) -> "WebClient":
        """Return the client of pages, in their process, or of public services, in the kernel: one
        pool for all of them."""
        return self._of(frozenset(), self._policy)

    def service_client(self, hosts: frozenset[str]) -> "WebClient":
        """Return a client that opens just `hosts` beside the public internet, with its own pool.

        For a service at an address that the person configured, which may be a private one: a page
        that a model asks for never goes over its connections.
        """
        return self._of(hosts, AddressPolicy.allowing(hosts))

    def _of(self, key: frozenset[str], policy: AddressPolicy) -> "WebClient":
        if key not in self._clients:
            from .client import WebClient
            from .network import SystemNetwork

            self._network = self._network or SystemNetwork()
            self._clients[key] = WebClient(self._network, policy, self._context)
        return self._clients[key]

    async def close(self) -> None:
        """Close every connection."""
        for client in self._clients.values():
            await client.close()
        self._clients.clear()
