"""A CONNECT proxy that leads every host to the loopback world's TLS port."""

import asyncio
import contextlib
import threading
from collections.abc import Iterator

from tests.loopback.world import LoopbackWorld

_PIECE = 65_536


@contextlib.contextmanager
def connect_proxy(world: LoopbackWorld) -> Iterator[tuple[str, list[str]]]:
    """Give the proxy's address, and the list of the hosts and ports that were asked for."""
    asked: list[str] = []
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    tunnels: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        tunnels.add(task)
        ends = [writer]
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            method, target, _ = head.split(" ", 2)
            assert method == "CONNECT"
            asked.append(target)
            there, back = await asyncio.open_connection("127.0.0.1", world.tls_port)
            ends.append(back)
            writer.write(b"HTTP/1.1 200 Connected\r\n\r\n")
            await asyncio.gather(_pipe(reader, back), _pipe(there, writer))
        except (OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass  # one side left, or the test ended
        finally:
            tunnels.discard(task)
            for end in ends:
                end.close()
                with contextlib.suppress(OSError, asyncio.CancelledError):
                    await end.wait_closed()

    async def start() -> asyncio.Server:
        return await asyncio.start_server(serve, "127.0.0.1", 0)

    async def stop() -> None:
        server.close()
        for tunnel in tunnels:
            tunnel.cancel()
        await asyncio.gather(*tunnels, return_exceptions=True)

    server = asyncio.run_coroutine_threadsafe(start(), loop).result(20)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", asked
    finally:
        asyncio.run_coroutine_threadsafe(stop(), loop).result(20)
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def _pipe(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while piece := await reader.read(_PIECE):
        writer.write(piece)
        await writer.drain()
    writer.close()
