"""A child process that does the provider work; the kernel only reads coalesced events.

It measures its own CPU and memory and says them when asked. Protocol, JSON lines. In: ``{"id", "messages"}``
or ``{"usage": true}``. Out, at most one line in ``--every-ms``: ``{"text": {id: delta}, "done": {id: reply}}``.
Started with ``start_new_session=True``; it ends when its standard input does.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

from provider_streams import Streams, history


def memory_mb() -> float:
    """Resident memory of this process."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


class Child:
    """Runs streams, gathers their events, writes them at a steady beat."""

    def __init__(self, args: argparse.Namespace) -> None:
        self._streams = Streams(args.base_url)
        self._every: float = args.every_ms / 1000
        self._pace: float = args.pace_ms / 1000
        self._text: dict[int, str] = {}
        self._done: dict[int, Any] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._queue: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._wake = asyncio.Event()

    async def _one(self, order: dict[str, Any]) -> None:
        number = order["id"]

        def on_text(text: str) -> None:
            self._text[number] = self._text.get(number, "") + text
            self._wake.set()

        try:
            self._done[number] = await self._streams.run(order["messages"], on_text)
        except Exception as exc:  # a failure is an event too
            self._done[number] = {"error": repr(exc)}
        self._wake.set()

    async def _starter(self) -> None:
        while True:
            task = asyncio.create_task(self._one(await self._queue.get()))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
            if self._pace:  # sleep(0) would still allow only one start an iteration of the loop
                await asyncio.sleep(self._pace)

    async def _writer(self, out: asyncio.StreamWriter) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            text, done, self._text, self._done = self._text, self._done, {}, {}
            out.write(json.dumps({"text": text, "done": done}).encode() + b"\n")
            await out.drain()
            await asyncio.sleep(self._every)

    async def run(self, reader: asyncio.StreamReader, out: asyncio.StreamWriter) -> None:
        """Warm up, say so, then serve until standard input ends."""
        await self._streams.run(history(0), lambda _: None)
        gc.collect()
        gc.freeze()
        out.write(
            json.dumps({"ready": time.process_time(), "rss_mb": memory_mb()}).encode() + b"\n"
        )
        helpers = [asyncio.create_task(self._writer(out)), asyncio.create_task(self._starter())]
        while line := await reader.readline():
            order = json.loads(line)
            if "usage" in order:
                out.write(
                    json.dumps({"cpu_s": time.process_time(), "rss_mb": memory_mb()}).encode()
                    + b"\n"
                )
            else:
                self._queue.put_nowait(order)
        for task in [*helpers, *self._tasks]:
            task.cancel()


async def serve(args: argparse.Namespace) -> None:
    """Connect the pipes and run."""
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=1 << 24)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    transport, protocol = await loop.connect_write_pipe(
        asyncio.streams.FlowControlMixin, sys.stdout
    )
    await Child(args).run(reader, asyncio.StreamWriter(transport, protocol, None, loop))


def main() -> None:
    """Parse the command line and serve."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--base-url", required=True)
    parser.add_argument("--every-ms", type=float, default=50)
    parser.add_argument("--pace-ms", type=float, default=0)
    parser.add_argument("--nice", type=int, default=0)
    args = parser.parse_args()
    os.nice(args.nice)
    asyncio.run(serve(args))


if __name__ == "__main__":
    main()
