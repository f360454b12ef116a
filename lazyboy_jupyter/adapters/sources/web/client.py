"""Owns HTTP: one pool of connections behind the guard, redirects, limits, errors with a name.

To be used on one loop. It uses no cookie, proxy or credential of the person's.
"""

import asyncio
import re
import ssl
import weakref
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

import httpcore
import httpx

from ....errors import SourceError
from .addresses import AddressPolicy
from .body import ACCEPTED, MAX_BYTES, Body
from .failures import network_failure
from .network import GuardedBackend, Network
from .response import answer_body

_MAX_REDIRECTS = 10
_REDIRECTS = frozenset((301, 302, 303, 307, 308))
_SAME_METHOD = frozenset((307, 308))
_CONNECTIONS = 64
_KEPT_OPEN = 16
_KEEP_SECONDS = 20.0
_SAME_HOST = 6
_BROKEN = (httpcore.NetworkError, httpcore.TimeoutException, httpcore.ProtocolError)
_SECONDS = {"connect": 10.0, "read": 20.0, "write": 10.0}
_HOST = re.compile(rb"[a-z0-9._:-]+")
_HEADERS = {
    "User-Agent": "Mozilla/5.0 (compatible; lazyboy-jupyter; reads what a person asked for)",
    "Accept": "text/html,application/xhtml+xml,application/pdf;q=0.9,*/*;q=0.8",
    "Accept-Encoding": ACCEPTED,
    "Accept-Language": "en,*;q=0.7",
}


@dataclass(frozen=True, slots=True)
class Fetched:
    """An answer. `url`: where it was found in the end; `headers`: names in lower case."""

    url: str
    status: int
    headers: Mapping[str, str]
    body: bytes
    truncated: bool = False

    @property
    def content_type(self) -> str:
        """The value of Content-Type, or an empty text."""
        return self.headers.get("content-type", "")


class WebClient:
    """Fetches over one bounded pool of connections.

    Whether an address may be used is the policy's word, given at each connection. Silence of 20 s
    ends a request; the caller bounds the whole call.
    """

    def __init__(
        self, network: Network, policy: AddressPolicy, context: ssl.SSLContext | None = None
    ) -> None:
        self._pool = httpcore.AsyncConnectionPool(
            ssl_context=context or system_trust(),
            max_connections=_CONNECTIONS,
            max_keepalive_connections=_KEPT_OPEN,
            keepalive_expiry=_KEEP_SECONDS,
            network_backend=GuardedBackend(network, policy),
        )
        # The pool looks at every connection for every request that waits in it: none waits there.
        self._free = asyncio.Semaphore(_CONNECTIONS)
        self._turns: weakref.WeakValueDictionary[str, asyncio.Semaphore]
        self._turns = weakref.WeakValueDictionary()

    async def fetch(
        self,
        url: str,
        *,
        method: str = "GET",
        headers: Mapping[str, str] | None = None,
        content: bytes = b"",
        redirects: bool = True,
        limit_of: Callable[[bytes], int] = lambda beginning: MAX_BYTES,
    ) -> Fetched:
        """Send a request and return its answer, whatever its status.

        `limit_of`: from the body's beginning, the bytes after which reading stops. Redirects are
        followed up to ten times, with the cookies set on the way, which are then forgotten.
        Raises `SourceError` ("refused", "dns", "tls", "timeout", "connection", "http_status",
        "unreadable").
        """
        request = httpx.Request(
            method, web_address(url), headers={**_HEADERS, **(headers or {})}, content=content
        )
        cookies = httpx.Cookies()
        for _ in range(_MAX_REDIRECTS + 1):
            async with self._turn(request.url.host), self._free:
                answer = await self._answer(request, cookies, limit_of)
            target = answer.headers.get("location") if answer.status in _REDIRECTS else None
            if not target or not redirects:
                return answer
            again = method if answer.status in _SAME_METHOD else "GET"
            following = web_address(target, base=request.url)
            # What the caller added, such as a key, was meant for the first host alone.
            request = httpx.Request(again, following, headers=_HEADERS)
            cookies.set_cookie_header(request)
        raise SourceError(
            "http_status",
            f"{request.url.host} redirects in a circle: it was followed {_MAX_REDIRECTS} times.",
            "Read another source.",
        )

    async def close(self) -> None:
        """Close every connection."""
        await self._pool.aclose()

    def _turn(self, host: str) -> asyncio.Semaphore:
        """Let few requests at once go to one host; the semaphore lives while someone holds it."""
        turn = self._turns.get(host)
        if turn is None:
            turn = self._turns[host] = asyncio.Semaphore(_SAME_HOST)
        return turn

    async def _answer(
        self, request: httpx.Request, cookies: httpx.Cookies, limit_of: Callable[[bytes], int]
    ) -> Fetched:
        """Send a request. One that a kept connection has swallowed is sent again on a new one: the
        server may have closed it at the very moment (RFC 9112 §9.3.1)."""
        connected: list[str] = []

        async def trace(event: str, info: Mapping[str, object]) -> None:
            if event.startswith("connection.connect_tcp"):
                connected.append(event)

        try:
            try:
                return await self._exchange(request, cookies, limit_of, trace)
            except (httpcore.NetworkError, httpcore.RemoteProtocolError):
                if connected or request.method != "GET":
                    raise
                return await self._exchange(request, cookies, limit_of, trace)
        except _BROKEN as error:
            raise network_failure(error, request.url.host) from None

    async def _exchange(
        self,
        request: httpx.Request,
        cookies: httpx.Cookies,
        limit_of: Callable[[bytes], int],
        trace: Callable[[str, Mapping[str, object]], Awaitable[None]],
    ) -> Fetched:
        url = request.url
        target = httpcore.URL(
            scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path
        )
        async with self._pool.stream(
            request.method,
            target,
            headers=request.headers.raw,
            content=request.content or None,
            extensions={"timeout": _SECONDS, "trace": trace},
        ) as response:
            received = httpx.Response(response.status, headers=response.headers, request=request)
            cookies.extract_cookies(received)
            headers = dict(received.headers.items())
            body = await self._body(response, headers, limit_of)
        return Fetched(str(url), response.status, headers, body.data, body.truncated)

    async def _body(
        self,
        response: httpcore.Response,
        headers: Mapping[str, str],
        limit_of: Callable[[bytes], int],
    ) -> Body:
        """Read the body of a page; of an error what can be read, of a redirect nothing."""
        if response.status in _REDIRECTS and headers.get("location"):
            return Body(b"", truncated=False)
        try:
            return await answer_body(response, headers, limit_of)
        except (SourceError, *_BROKEN):
            if response.status < 400:
                raise
            return Body(b"", truncated=True)


def system_trust() -> ssl.SSLContext:
    """Return a context that trusts what the system trusts, a company's own authority included."""
    import truststore

    return truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def web_address(url: str, base: httpx.URL | None = None) -> httpx.URL:
    """Return an address that may be asked for. Raises `SourceError` ("refused") for any other."""
    try:
        parsed = httpx.URL(url.strip())
        joined = base.join(parsed) if base is not None else parsed
        if joined.scheme not in {"http", "https"} or not _HOST.fullmatch(joined.raw_host):
            raise SourceError(
                "refused",
                f"Addresses such as {url[:120]} are not read: only http and https are.",
            )
        if joined.port is not None and not 0 < joined.port < 65_536:
            raise SourceError("refused", f"There is no port {joined.port}.")
        if joined.userinfo:
            raise SourceError("refused", "Addresses that carry a name or a password are not read.")
        return joined.copy_with(fragment=None)
    except (httpx.InvalidURL, ValueError, TypeError):
        raise SourceError("refused", f"{url[:120]!r} is no address.") from None
