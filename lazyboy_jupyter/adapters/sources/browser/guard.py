"""Owns the proxy on loopback that is the browser's only way out: it judges, then connects.

The browser resolves nothing and connects to nothing but this proxy. Each request is looked up and
judged here, and the connection goes to the very address that was judged (DESIGN §5). What is
refused gets no answer that a page could read. It asks for credentials, so that no other process of
the machine can use it, and by them knows whose page a request belongs to.
"""

import asyncio
import contextlib
import hmac
from collections.abc import AsyncIterator

import h11
import httpcore
import httpx

from ....errors import SourceError
from ..web.addresses import AddressPolicy
from ..web.client import web_address
from ..web.failures import network_failure
from ..web.network import Network
from .lane import Lane, SpentError
from .wire import Wire

PAGE_BYTES = 50_000_000
_ASK = [("Proxy-Authenticate", 'Basic realm="lazyboy"'), ("Content-Length", "0")]
_REFUSED = [("Content-Length", "0"), ("Connection", "close")]
_SECONDS = {"connect": 10.0, "read": 20.0, "write": 10.0, "pool": 20.0}
_STRANGERS = 64
_PIECE = 65_536
# What concerns one connection only (RFC 9110 §7.6.1), and what was meant for this proxy.
_HOP = frozenset(
    (
        b"connection", b"keep-alive", b"proxy-authenticate", b"proxy-authorization",
        b"proxy-connection", b"te", b"trailer", b"transfer-encoding", b"upgrade",
    )
)  # fmt: skip
_NETWORK_ERRORS = (
    httpcore.NetworkError,
    httpcore.TimeoutException,
    httpcore.ProtocolError,
    httpcore.UnsupportedProtocol,
)


class Guard:
    """A proxy for HTTP and for tunnels. To be used on one loop."""

    def __init__(
        self, network: Network, policy: AddressPolicy, page_bytes: int = PAGE_BYTES
    ) -> None:
        self._network = network
        self._policy = policy
        self._page_bytes = page_bytes
        self._lanes: list[Lane] = []
        self._server: asyncio.Server | None = None
        self._connections: set[asyncio.Task[None]] = set()
        self._strangers: set[asyncio.Task[None]] = set()

    async def start(self) -> int:
        """Listen on loopback, and return the port."""
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    def lane(self) -> Lane:
        """Return a new way through."""
        lane = Lane(self._network, self._policy, self._page_bytes)
        self._lanes.append(lane)
        return lane

    async def end(self, lane: Lane) -> None:
        """Close a lane: its credentials open nothing any more."""
        if lane in self._lanes:
            self._lanes.remove(lane)
        await lane.close()

    async def close(self) -> None:
        """Listen no more, and end every connection."""
        if self._server is not None:
            self._server.close()
        for lane in list(self._lanes):
            await self.end(lane)
        connections = list(self._connections)
        for task in connections:
            task.cancel()
        if connections:
            await asyncio.wait(connections)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._connections.add(task)
        self._strangers.add(task)
        try:
            await self._serve(Wire(reader, writer), task)
        except (OSError, EOFError, h11.ProtocolError, SourceError, SpentError, *_NETWORK_ERRORS):
            # A reset, not an end: a body that was cut must not pass for a whole one.
            writer.transport.abort()
        except asyncio.CancelledError:
            # The lane or the guard was closed; nobody awaits this task but the server.
            writer.transport.abort()
        else:
            writer.close()
        finally:
            self._connections.discard(task)
            self._strangers.discard(task)

    async def _serve(self, wire: Wire, task: asyncio.Task[None]) -> None:
        lane: Lane | None = None
        while (request := await wire.request()) is not None:
            if lane is None:
                lane = self._lane_of(request)
                if lane is None:
                    if len(self._strangers) > _STRANGERS or not await wire.answer(407, _ASK):
                        return
                    continue
                self._strangers.discard(task)
                lane.enter(task)
            elif self._lane_of(request) is not lane:
                return
            if lane.spent.is_set():
                return
            if request.method == b"CONNECT":
                await self._tunnel(wire, lane, request)
                return
            if not await self._forward(wire, lane, request):
                return

    def _lane_of(self, request: h11.Request) -> Lane | None:
        given = b"".join(v for name, v in request.headers if name == b"proxy-authorization")
        found = None
        for lane in self._lanes:
            if hmac.compare_digest(lane.credentials, given):
                found = lane
        return found

    async def _tunnel(self, wire: Wire, lane: Lane, request: h11.Request) -> None:
        try:
            url = web_address(f"http://{request.target.decode('ascii', 'replace')}/")
        except SourceError:
            url = httpx.URL("http://:0")
        host, port = url.host, 80 if url.port is None else url.port
        if not (host and port):
            await wire.answer(400, _REFUSED)
            return
        async with lane.turns:
            try:
                stream = await lane.backend.connect_tcp(host, port)
            except (SourceError, *_NETWORK_ERRORS) as error:
                lane.failed(host, port, _failure(error, host))
                refused = isinstance(error, SourceError)
                await wire.answer(403 if refused else 502, _REFUSED)
                return
            try:
                await _join(stream, await wire.tunnel(), lane)
            finally:
                await stream.aclose()

    async def _forward(self, wire: Wire, lane: Lane, request: h11.Request) -> bool:
        """Answer one request; return whether the connection goes on."""
        url, target = _absolute(request.target)
        body = wire.body() if _has_body(request) else None
        if body is None:
            await wire.skip_end()
        try:
            async with (
                lane.turns,
                lane.pool.stream(
                    request.method,
                    httpcore.URL(scheme=b"http", host=url.raw_host, port=url.port, target=target),
                    headers=_request_headers(request),
                    content=body,
                    extensions={"timeout": _SECONDS},
                ) as response,
            ):
                headers = [(n, v) for n, v in response.headers if n.lower() not in _HOP]
                reason = response.extensions.get("reason_phrase", b"")
                await wire.begin(response.status, headers, reason)
                async for piece in response.aiter_stream():
                    await wire.send(lane.count(piece))
        except (SourceError, *_NETWORK_ERRORS) as error:
            lane.failed(url.host, url.port or 80, _failure(error, url.host))
            raise
        return await wire.finish()


def _failure(error: Exception, host: str) -> SourceError:
    return error if isinstance(error, SourceError) else network_failure(error, host)


def _absolute(target: bytes) -> tuple[httpx.URL, bytes]:
    """Return the address that a request names, and its path just as it was sent.

    Raises `SourceError` for what is no plain `http` address.
    """
    url = web_address(target.decode("ascii", "replace"))
    scheme, _, rest = target.partition(b"://")
    if scheme.lower() != b"http":
        raise SourceError("refused", "Only http is forwarded.")
    authority = rest.partition(b"/")[0].partition(b"?")[0]
    path = rest[len(authority) :]
    return url, path if path.startswith(b"/") else b"/" + path


def _has_body(request: h11.Request) -> bool:
    return any(name in {b"content-length", b"transfer-encoding"} for name, _ in request.headers)


def _request_headers(request: h11.Request) -> list[tuple[bytes, bytes]]:
    kept = [(n, v) for n, v in request.headers.raw_items() if n.lower() not in _HOP]
    if any(name == b"transfer-encoding" for name, _ in request.headers):
        kept.append((b"Transfer-Encoding", b"chunked"))
    return kept


async def _join(stream: httpcore.AsyncNetworkStream, wire: Wire, lane: Lane) -> None:
    """Pass bytes both ways until one side ends."""

    async def out() -> None:
        async for piece in _raw(wire):
            await stream.write(piece)

    async def back() -> None:
        while piece := await stream.read(_PIECE):
            await wire.send_raw(lane.count(piece))

    ways = {asyncio.ensure_future(out()), asyncio.ensure_future(back())}
    try:
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for way in ways:
            way.cancel()
        with contextlib.suppress(BaseException):
            await asyncio.gather(*ways, return_exceptions=True)


async def _raw(wire: Wire) -> AsyncIterator[bytes]:
    while piece := await wire.read_raw():
        yield piece
