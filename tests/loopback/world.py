"""A web server with faults on a thread of its own; it logs every request and counts connections."""

import asyncio
import contextlib
import datetime
import socket
import ssl
import struct
import threading
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self, TypeVar

import trustme

from tests.loopback.gate import Gate
from tests.loopback.replies import Fault, Reply

T = TypeVar("T")
_DRIP_SECONDS = 0.02
_PATIENCE = 60.0
_PIECE = 65_536
_RESET = struct.pack("ii", 1, 0)


@dataclass(frozen=True)
class Request:
    """A request that reached the world."""

    method: str
    host: str
    target: str
    headers: Mapping[str, str]
    body: bytes
    secure: bool

    @property
    def path(self) -> str:
        """The target without its query."""
        return self.target.partition("?")[0]

    @property
    def url(self) -> str:
        """The address as the client asked for it."""
        return f"{'https' if self.secure else 'http'}://{self.host}{self.target}"


Answer = Reply | Callable[[Request], Reply]


class LoopbackWorld:
    """Sites by host and path. Use it as a context manager; `log` holds every request in order.

    `expired` and `strangers`: hosts whose certificate has ended, or is signed by someone unknown.
    """

    def __init__(self) -> None:
        self.authority = trustme.CA()
        self.log: list[Request] = []
        self._changed = threading.Condition()
        self.open_connections = 0
        self.most_open = 0
        self.expired: set[str] = set()
        self.strangers: set[str] = set()
        self._sites: dict[tuple[str, str], Answer] = {}
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._servers: list[asyncio.Server] = []
        self._connections: set[asyncio.Task[None]] = set()
        self._contexts: dict[str, ssl.SSLContext] = {}

    def __enter__(self) -> Self:
        self._thread.start()
        self.port, self.tls_port = self._run(self._listen())
        return self

    def __exit__(self, *exception: object) -> None:
        self._run(self._end())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def put(self, url: str, answer: Answer) -> str:
        """Let an address answer; its query, if it has none, does not matter. Return the address.

        `http://host/*` answers for every other path of the host, `http://host/part/*` for every
        other path below that part.
        """
        _, _, rest = url.partition("://")
        host, _, path = rest.partition("/")
        self._sites[host.lower(), f"/{path}"] = answer
        return url

    def asked(self, url: str) -> list[Request]:
        """The requests for an address, whatever their scheme."""
        rest = url.partition("://")[2]
        return [one for one in self.log if f"{one.host}{one.target}" == rest]

    def wait_until(self, condition: Callable[["LoopbackWorld"], bool]) -> None:
        """Return when a request or a connection made the condition true. Not on its own thread."""
        with self._changed:
            assert self._changed.wait_for(lambda: condition(self), _PATIENCE)

    def knows(self, host: str) -> bool:
        """Whether the host is one of the world's."""
        return any(host == known for known, _ in self._sites)

    def trust(self, context: ssl.SSLContext | None = None) -> ssl.SSLContext:
        """A client's context that trusts this world's authority and no other."""
        context = context or ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        self.authority.configure_trust(context)
        return context

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(_PATIENCE)

    async def _listen(self) -> tuple[int, int]:
        context = self._context_of("localhost")
        context.sni_callback = self._choose_certificate
        ports = []
        for one in (None, context):
            server = await asyncio.start_server(self._serve, "127.0.0.1", 0, ssl=one)
            self._servers.append(server)
            ports.append(server.sockets[0].getsockname()[1])
        return ports[0], ports[1]

    async def _end(self) -> None:
        for server in self._servers:
            server.close()
        for connection in self._connections:
            connection.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)

    def _choose_certificate(self, tls: ssl.SSLObject, name: str | None, _: object) -> None:
        tls.context = self._context_of(name or "localhost")

    def _context_of(self, host: str) -> ssl.SSLContext:
        if host not in self._contexts:
            authority = trustme.CA() if host in self.strangers else self.authority
            ended = datetime.datetime(2020, 1, 1, tzinfo=datetime.UTC)
            certificate = authority.issue_cert(
                host, not_after=ended if host in self.expired else None
            )
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            certificate.configure_cert(context)
            self._contexts[host] = context
        return self._contexts[host]

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._connections.add(task)
        self._count(+1)
        self.most_open = max(self.most_open, self.open_connections)
        try:
            while await self._serve_one(reader, writer):
                pass
        except (OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass  # the client left, or the world ends
        finally:
            self._count(-1)
            self._connections.discard(task)
            writer.close()
            with contextlib.suppress(OSError, asyncio.CancelledError):
                await writer.wait_closed()

    def _count(self, change: int) -> None:
        with self._changed:
            self.open_connections += change
            self._changed.notify_all()

    async def _serve_one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        """Answer one request; return whether the connection goes on."""
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        method, target, _ = head[0].split(" ", 2)
        headers = {
            name.strip().lower(): value.strip()
            for name, _, value in (line.partition(":") for line in head[1:] if line)
        }
        body = await reader.readexactly(int(headers.get("content-length", 0)))
        secure = writer.get_extra_info("ssl_object") is not None
        host = headers.get("host", "").lower()
        request = Request(method, host, target, headers, body, secure)
        self.log.append(request)
        answer = self._answer(request)
        with self._changed:  # only now: who answers has also taken down what it was asked
            self._changed.notify_all()
        return await _Sender(reader, writer).send(answer, head_only=method == "HEAD")

    def _answer(self, request: Request) -> Reply:
        parts = request.path.split("/")
        below = ["/".join([*parts[:end], "*"]) for end in range(len(parts) - 1, 0, -1)]
        for key in (request.target, request.path, *below):
            found = self._sites.get((request.host, key))
            if found is not None:
                return found(request) if callable(found) else found
        return Reply(b"<html><body><h1>Not found</h1></body></html>", 404)


class _Sender:
    """Sends one reply with its fault."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def send(self, reply: Reply, *, head_only: bool) -> bool:
        """Send it; return whether the connection goes on."""
        if reply.before is not None and not await self._passed(reply.before):
            return False
        match reply.fault:
            case "no_headers":
                await self._reader.read()  # until the client gives up
                return False
            case "reset":
                return self._reset()
            case "garbage":
                self._writer.write(b"220 mail.example ESMTP ready\r\n")
                await self._writer.drain()
                return False
            case "drip" | "endless":
                await self._head(reply, {"Transfer-Encoding": "chunked"})
                await self._without_end(reply)
                return False
        if reply.pieces is not None:
            return await self._chunks(reply, reply.pieces)
        if reply.fault is not None:
            await self._head(reply, {"Content-Length": str(len(reply.body) or 1)})
            await self._pieces(reply.body[: len(reply.body) // 2])
            return await self._break_off(reply.fault)
        length = len(reply.body) if reply.length is None else reply.length
        await self._head(reply, {"Content-Length": str(length)})
        if not head_only:
            await self._pieces(reply.body)
        return length == len(reply.body)

    async def _head(self, reply: Reply, more: Mapping[str, str]) -> None:
        headers = {"Content-Type": reply.content_type, **reply.headers, **more}
        lines = [f"HTTP/1.1 {reply.status} Reply", *(f"{k}: {v}" for k, v in headers.items() if v)]
        self._writer.write("\r\n".join([*lines, "", ""]).encode("latin-1"))
        await self._writer.drain()

    async def _pieces(self, body: bytes) -> None:
        for start in range(0, len(body), _PIECE):
            self._writer.write(body[start : start + _PIECE])
            await self._writer.drain()

    async def _chunks(self, reply: Reply, pieces: Sequence[bytes | Gate]) -> bool:
        """Send a body in chunks, and wait at its gates; return whether the connection goes on."""
        await self._head(reply, {"Transfer-Encoding": "chunked"})
        for piece in pieces:
            if isinstance(piece, Gate):
                if not await self._passed(piece):
                    return False
            elif piece:
                self._writer.write(b"%x\r\n%b\r\n" % (len(piece), piece))
                await self._writer.drain()
        if reply.fault is not None:
            return await self._break_off(reply.fault)
        self._writer.write(b"0\r\n\r\n")
        await self._writer.drain()
        return True

    async def _passed(self, gate: Gate) -> bool:
        """Wait at a gate; return whether the client is still there when it opens."""
        opened = asyncio.ensure_future(gate.passed())
        left = asyncio.ensure_future(self._reader.read(1))
        try:
            await asyncio.wait({opened, left}, return_when=asyncio.FIRST_COMPLETED)
            return not left.done()
        finally:
            opened.cancel()
            left.cancel()
            await asyncio.gather(opened, left, return_exceptions=True)

    async def _break_off(self, fault: Fault) -> bool:
        """End a body before its time."""
        match fault:
            case "reset_midway":
                return self._reset()
            case "silent":
                await self._reader.read()  # until the client gives up
        return False

    async def _without_end(self, reply: Reply) -> None:
        piece = reply.body or b"x"
        while not self._writer.is_closing():
            self._writer.write(b"%x\r\n%b\r\n" % (len(piece), piece))
            await self._writer.drain()
            if reply.fault == "drip":
                await asyncio.sleep(_DRIP_SECONDS)

    def _reset(self) -> bool:
        connection: socket.socket = self._writer.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
        self._writer.transport.abort()
        return False
