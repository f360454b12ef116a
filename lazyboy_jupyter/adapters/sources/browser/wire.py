"""Owns one connection from the browser: HTTP/1.1 as h11 reads and writes it, then raw bytes."""

import asyncio
from collections.abc import AsyncIterator, Sequence

import h11

_PIECE = 65_536
_HEAD_BYTES = 262_144
_IDLE_SECONDS = 60.0


class Wire:
    """Requests in, answers out, one after the other. Raises `h11.ProtocolError`, `OSError`."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=_HEAD_BYTES)
        self._early = b""

    async def request(self) -> h11.Request | None:
        """Return the next request's head, or None when there is none any more."""
        try:
            async with asyncio.timeout(_IDLE_SECONDS):
                event = await self._next()
        except TimeoutError:
            return None
        return event if isinstance(event, h11.Request) else None

    async def body(self) -> AsyncIterator[bytes]:
        """Yield the request's body."""
        while isinstance(event := await self._next(), h11.Data):
            yield bytes(event.data)
        if not isinstance(event, h11.EndOfMessage):
            raise EOFError

    async def skip_end(self) -> None:
        """Take the end of a request that has no body."""
        await self._next()

    async def answer(self, status: int, headers: Sequence[tuple[str, str]]) -> bool:
        """Answer without a body; return whether the connection goes on."""
        event = await self._next()
        await self._write(h11.Response(status_code=status, headers=list(headers)))
        await self._write(h11.EndOfMessage())
        return isinstance(event, h11.EndOfMessage) and self._again()

    async def begin(
        self, status: int, headers: Sequence[tuple[bytes, bytes]], reason: bytes
    ) -> None:
        """Send the head of an answer; its body is framed anew."""
        await self._write(h11.Response(status_code=status, headers=list(headers), reason=reason))

    async def send(self, data: bytes) -> None:
        """Send a piece of the answer's body."""
        if data:
            await self._write(h11.Data(data=data))

    async def finish(self) -> bool:
        """End the answer; return whether the connection goes on."""
        await self._write(h11.EndOfMessage())
        return self._again()

    async def tunnel(self) -> "Wire":
        """Accept a CONNECT: from here on `read_raw` and `send_raw` pass bytes."""
        await self._next()
        await self._write(h11.Response(status_code=200, headers=[]))
        self._early, _ = self._http.trailing_data
        return self

    async def read_raw(self) -> bytes:
        """Return bytes of a tunnel, none at its end."""
        if self._early:
            early, self._early = self._early, b""
            return early
        return await self._reader.read(_PIECE)

    async def send_raw(self, data: bytes) -> None:
        """Send bytes through a tunnel."""
        self._writer.write(data)
        await self._writer.drain()

    def _again(self) -> bool:
        if self._http.our_state is not h11.DONE or self._http.their_state is not h11.DONE:
            return False
        self._http.start_next_cycle()
        return True

    async def _next(self) -> object:
        while True:
            event = self._http.next_event()
            if isinstance(event, h11.Event) or event is h11.PAUSED:
                return event
            self._http.receive_data(await self._reader.read(_PIECE))

    async def _write(self, event: h11.Event) -> None:
        data = self._http.send(event)
        if data:
            self._writer.write(data)
            await self._writer.drain()
