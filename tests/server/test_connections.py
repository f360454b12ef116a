"""Connections to a kernel: one is used again for a look, and one that was closed is none."""

import asyncio
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest

from lazyboy_jupyter.api.address import Address
from lazyboy_jupyter.server.asking import Connections, Request, UnreachableError

ANSWER = b"HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ncontent-length: 2\r\n\r\nok"
Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Any]


async def asked(connections: Connections, address: Address, method: str = "GET") -> bytes:
    request = Request(method, "/api/x", [("Accept", "*/*")], b"" if method == "GET" else b"{}")
    async with connections.asked(address, request) as answer:
        assert (answer.status, answer.media_type) == (200, "text/plain")
        return b"".join([piece async for piece in answer.pieces])


def play(folder: Path, serve: Serve, scene: Callable[[Address], Any]) -> None:
    served: list[asyncio.Task[None]] = []

    async def to_the_end(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await serve(reader, writer)
        writer.close()
        await writer.wait_closed()

    async def played() -> None:
        path = str(folder / "api")
        server = await asyncio.start_unix_server(
            lambda reader, writer: served.append(asyncio.create_task(to_the_end(reader, writer))),
            path,
        )
        async with asyncio.timeout(20):
            await scene(Address("token", 1, path))
            await asyncio.gather(*served)
        server.close()

    asyncio.run(played())


@pytest.mark.parametrize("closes", [False, True], ids=["kept", "closed after each"])
def test_looks_share_a_connection_that_is_still_there(tmp_path: Path, closes: bool) -> None:
    opened: list[int] = []
    closed = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        opened.append(1)
        with suppress(asyncio.IncompleteReadError):
            while await reader.readuntil(b"\r\n\r\n"):
                writer.write(ANSWER)
                if closes:
                    writer.close()
                    closed.set()
                    break

    async def scene(address: Address) -> None:
        with closing(Connections()) as connections:
            for _ in range(3):
                assert await asked(connections, address) == b"ok"
                if closes:
                    await closed.wait()
                    closed.clear()
        assert len(opened) == (3 if closes else 1)

    play(tmp_path, serve, scene)


def test_what_changes_something_is_sent_once_on_its_own(tmp_path: Path) -> None:
    opened: list[bytes] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        opened.append(await reader.readuntil(b"\r\n\r\n"))
        if opened[-1].startswith(b"GET"):
            writer.write(ANSWER)
            await reader.read()

    async def scene(address: Address) -> None:
        with closing(Connections()) as connections:
            await asked(connections, address)
            with pytest.raises(UnreachableError):
                await asked(connections, address, "POST")
        assert [one.split(b" ")[0] for one in opened] == [b"GET", b"POST"]
        assert b"Authorization: Bearer token" in opened[1]

    play(tmp_path, serve, scene)


def test_nobody_at_the_address(tmp_path: Path) -> None:
    async def scene() -> None:
        with pytest.raises(UnreachableError):
            await asked(Connections(), Address("token", 1, str(tmp_path / "none")))

    asyncio.run(scene())
