"""Owns requests to the APIs of kernels: their connections, and the protocol by h11.

A client library would cost a millisecond a request, half of what the server takes for its own; and
a stream ends here when its connection is closed.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

import h11

from ..api.address import Address

CONNECT_SECONDS = 5.0
IDLE_SECONDS = 30.0
"""For so long a connection is kept for the next look; a kernel keeps it twice as long."""
_PIECE = 65_536
Fields = Sequence[tuple[str, str]]


class UnreachableError(Exception):
    """Nobody listens at the address, or the connection broke."""


@dataclass(frozen=True, slots=True)
class Request:
    """A request as it was sent to us."""

    method: str
    target: str
    headers: Fields
    body: bytes


@dataclass(frozen=True, slots=True)
class Answer:
    """Its beginning; `pieces` are the rest, as they come. They raise `UnreachableError`."""

    status: int
    media_type: str
    pieces: AsyncIterator[bytes]


class Connections:
    """Keeps a connection that has served a look, a GET, for the next one at the same address: what
    changes something is sent once, on a connection of its own."""

    def __init__(self) -> None:
        self._idle: dict[Address, list[_Connection]] = {}

    @asynccontextmanager
    async def asked(self, address: Address, request: Request) -> AsyncIterator[Answer]:
        """Send a request and give the answer. Raises `UnreachableError`."""
        connection = self._kept(address) if request.method == "GET" else None
        answer = None
        if connection is not None:
            try:
                answer = await connection.send(address, request)
            except UnreachableError:  # it was closed meanwhile
                connection.close()
        if answer is None or connection is None:
            connection = await _connected(address)
            answer = await connection.send(address, request)
        try:
            yield answer
        finally:
            if connection.is_free():
                self._keep(address, connection)
            else:
                connection.close()

    def close(self) -> None:
        """Close what is kept."""
        for kept in self._idle.values():
            while kept:
                kept.pop().close()

    def _kept(self, address: Address) -> "_Connection | None":
        kept = self._idle.get(address, [])
        return kept.pop() if kept else None

    def _keep(self, address: Address, connection: "_Connection") -> None:
        kept = self._idle.setdefault(address, [])
        kept.append(connection)

        def expire() -> None:
            if connection in kept:
                kept.remove(connection)
                connection.close()
            if not kept:
                self._idle.pop(address, None)

        asyncio.get_running_loop().call_later(IDLE_SECONDS, expire)


class _Connection:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self._protocol = h11.Connection(h11.CLIENT)

    def is_free(self) -> bool:
        """Whether its answer was read to its end, so that it can serve another request."""
        if self._protocol.our_state is h11.DONE and self._protocol.their_state is h11.DONE:
            self._protocol.start_next_cycle()
            return True
        return False

    def close(self) -> None:
        self._writer.close()

    async def send(self, address: Address, request: Request) -> Answer:
        fields = [
            ("Host", "kernel"),
            ("Authorization", f"Bearer {address.token}"),
            ("Content-Length", str(len(request.body))),
            *request.headers,
        ]
        try:
            raw = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in fields]
            begin = h11.Request(method=request.method, target=request.target, headers=raw)
            events = (begin, h11.Data(request.body), h11.EndOfMessage())
            self._writer.write(b"".join(self._protocol.send(event) or b"" for event in events))
            begun = await self._next()
            if not isinstance(begun, h11.Response):
                raise UnreachableError
        except BaseException:
            self.close()
            raise
        told = dict(begun.headers).get(b"content-type", b"application/json").decode("latin-1")
        return Answer(begun.status_code, told, self._pieces())

    async def _pieces(self) -> AsyncIterator[bytes]:
        while isinstance(event := await self._next(), h11.Data):
            yield bytes(event.data)

    async def _next(self) -> object:
        try:
            while (event := self._protocol.next_event()) is h11.NEED_DATA:
                self._protocol.receive_data(await self._reader.read(_PIECE))
        except (OSError, h11.ProtocolError) as error:
            raise UnreachableError from error
        return event


async def _connected(address: Address) -> _Connection:
    try:
        async with asyncio.timeout(CONNECT_SECONDS):
            if address.socket:
                return _Connection(*await asyncio.open_unix_connection(address.socket))
            return _Connection(*await asyncio.open_connection("127.0.0.1", address.port))
    except (OSError, TimeoutError) as error:
        raise UnreachableError from error
