"""The part of the benchmark that runs inside the kernel: one daemon thread with one asyncio loop.

It measures the loop's stall (lateness of a 5 ms heartbeat), the CPU seconds of the loop thread, the memory of
the kernel process, and the time each stream took; ``start`` writes them to a JSON file when the load ends.
The driver, in a process of its own, measures the kernel's round trip meanwhile.
"""

from __future__ import annotations

import asyncio
import gc
import gzip
import json
import os
import struct
import sys
import threading
import time
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent


def memory_mb() -> float:
    """Resident memory of this process."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


class Heartbeat:
    """Lateness of a 5 ms beat in milliseconds, and the peak memory seen on the way."""

    def __init__(self) -> None:
        self.late: list[float] = []
        self.peak_mb = 0.0

    def reset(self) -> None:
        """Forget what was seen."""
        self.late, self.peak_mb = [], memory_mb()

    async def run(self) -> None:
        """Beat for ever."""
        beat, number = 0.005, 0
        while True:
            due = time.monotonic() + beat
            await asyncio.sleep(beat)
            self.late.append((time.monotonic() - due) * 1000)
            number += 1
            if number % 20 == 0:
                self.peak_mb = max(self.peak_mb, memory_mb())


class LoopMode:
    """Model traffic parsed on the loop thread of the kernel."""

    def __init__(self, cfg: dict[str, Any]) -> None:
        from provider_streams import Streams, history  # the import is a measured cost

        self._cfg = cfg
        self._streams = Streams(cfg["base_url"])
        self._built = self._streams.build(history(0)) if cfg["prebuilt"] else None
        self.text = 0

    async def warm(self) -> None:
        """One stream, unmeasured."""
        from provider_streams import history

        await self._streams.run(history(0), self._on_text)

    def _on_text(self, text: str) -> None:
        self.text += len(text)

    async def stream(self, number: int, messages: list[dict[str, Any]]) -> Any:
        """One request."""
        await asyncio.sleep(number * self._cfg["pace_ms"] / 1000)
        return await self._streams.run(self._built or messages, self._on_text)

    async def usage(self) -> dict[str, float]:
        """Nothing beside the kernel."""
        return {}


class OneChild:
    """Model traffic in one child process; coalesced events come back through a pipe."""

    def __init__(self, cfg: dict[str, Any]) -> None:
        self._cfg = cfg
        self._waiting: dict[int, asyncio.Future[Any]] = {}
        self._ready: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._usage: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._process: asyncio.subprocess.Process
        self._reader: asyncio.Task[None]
        self.text = 0

    async def warm(self) -> None:
        """Start the child and wait until it has done one stream."""
        cfg = self._cfg
        self._process = await asyncio.create_subprocess_exec(
            sys.executable, str(HERE / "model_child.py"), "--base-url", cfg["base_url"],
            "--pace-ms", str(cfg["pace_ms"]), "--nice", str(cfg["child_nice"]),
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
            start_new_session=True, limit=1 << 24,
        )  # fmt: skip
        self._reader = asyncio.create_task(self._read())
        await self._ready

    async def _read(self) -> None:
        assert self._process.stdout
        while line := await self._process.stdout.readline():
            event = json.loads(line)
            if "ready" in event:
                self._ready.set_result(event)
            elif "cpu_s" in event:
                self._usage.set_result(event)
            else:
                for delta in event["text"].values():
                    self.text += len(delta)
                for number, reply in event["done"].items():
                    self._waiting.pop(int(number)).set_result(reply)

    async def stream(self, number: int, messages: list[dict[str, Any]]) -> Any:
        """One request; the child paces the starts."""
        assert self._process.stdin
        future = asyncio.get_running_loop().create_future()
        self._waiting[number] = future
        self._process.stdin.write(json.dumps({"id": number, "messages": messages}).encode() + b"\n")
        await self._process.stdin.drain()
        return await future

    async def usage(self) -> dict[str, float]:
        """CPU and memory of the child."""
        assert self._process.stdin
        self._usage = asyncio.get_running_loop().create_future()
        self._process.stdin.write(b'{"usage": true}\n')
        return await self._usage


class ChildMode:
    """Several children, taken in turn."""

    def __init__(self, cfg: dict[str, Any]) -> None:
        self._children = [OneChild(cfg) for _ in range(cfg["children"])]

    @property
    def text(self) -> int:
        """Characters of text that came back."""
        return sum(child.text for child in self._children)

    async def warm(self) -> None:
        """Start them all."""
        await asyncio.gather(*(child.warm() for child in self._children))

    async def stream(self, number: int, messages: list[dict[str, Any]]) -> Any:
        """One request."""
        return await self._children[number % len(self._children)].stream(number, messages)

    async def usage(self) -> dict[str, float]:
        """CPU and memory of all children."""
        each = [await child.usage() for child in self._children]
        return {key: sum(one[key] for one in each) for key in each[0]}


class Extraction:
    """Worker processes for page text, fed from the loop."""

    def __init__(self, cfg: dict[str, Any]) -> None:
        self._cfg = cfg
        names = sorted(Path(cfg["pages"]).glob("*.html.gz"))
        self._html = [gzip.decompress(name.read_bytes()) for name in names]
        self._workers: list[asyncio.subprocess.Process] = []
        self._left = 0
        self.chars = 0

    async def warm(self) -> None:
        """Start the workers; two pages each."""
        for _ in range(self._cfg["workers"]):
            worker = await asyncio.create_subprocess_exec(
                sys.executable, str(HERE / "extract_worker.py"), str(self._cfg["worker_nice"]),
                stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
                start_new_session=True, limit=1 << 24,
            )  # fmt: skip
            self._workers.append(worker)
        await self.run(2 * self._cfg["workers"])

    async def _drive(self, worker: asyncio.subprocess.Process) -> None:
        assert worker.stdin
        assert worker.stdout
        while self._left > 0:
            self._left -= 1
            html = self._html[self._left % len(self._html)]
            worker.stdin.write(struct.pack(">I", len(html)))
            worker.stdin.write(html)
            await worker.stdin.drain()
            head = await worker.stdout.readexactly(4)
            self.chars += len(
                (await worker.stdout.readexactly(struct.unpack(">I", head)[0])).decode()
            )

    async def run(self, pages: int) -> None:
        """Extract that many pages with all workers."""
        self._left = pages
        await asyncio.gather(*(self._drive(worker) for worker in self._workers))


class Bench:
    """What the driver calls, from the kernel's main thread."""

    def __init__(self, cfg: dict[str, Any]) -> None:
        self.cfg = cfg
        self.loop = asyncio.new_event_loop()
        self.beat = Heartbeat()
        threading.Thread(target=self.loop.run_forever, daemon=True, name="engine").start()
        base, began = memory_mb(), time.monotonic()
        self._model: LoopMode | ChildMode | None = None
        self._extraction: Extraction | None = None
        asyncio.run_coroutine_threadsafe(self._prepare(), self.loop).result(120)
        if cfg["freeze"]:
            gc.collect()
            gc.freeze()
        if cfg["switch_ms"]:
            sys.setswitchinterval(cfg["switch_ms"] / 1000)
        self.warm = {"warm_s": time.monotonic() - began, "warm_mb": memory_mb() - base}

    async def _prepare(self) -> None:
        self._beating = asyncio.create_task(self.beat.run())
        if self.cfg["streams"]:
            self._model = LoopMode(self.cfg) if self.cfg["mode"] == "loop" else ChildMode(self.cfg)
            await self._model.warm()
        if self.cfg["extractions"]:
            self._extraction = Extraction(self.cfg)
            await self._extraction.warm()

    async def _task(self, number: int, messages: list[dict[str, Any]]) -> float:
        assert self._model
        began = time.monotonic()
        for _ in range(self.cfg["rounds"]):
            reply = await self._model.stream(number, messages)
            if "error" in reply or len(reply["parts"]) != 2:  # a text and a tool call
                raise RuntimeError(str(reply)[:300])
        return time.monotonic() - began

    async def _wave(self, windows: list[list[float]], took: list[float]) -> None:
        from provider_streams import history

        messages = [history(number) for number in range(self.cfg["streams"])]
        await asyncio.sleep(0.3)
        began = time.monotonic()
        took += await asyncio.gather(*(self._task(n, m) for n, m in enumerate(messages)))
        windows.append([began, time.monotonic()])

    async def _load(self, path: str) -> None:
        self.beat.reset()
        rss, cpu, thread = memory_mb(), time.process_time(), time.thread_time()
        child = await self._model.usage() if self._model else {}
        windows: list[list[float]] = []
        took: list[float] = []
        began = time.monotonic()
        waves = 0
        extraction = None
        if self._extraction:
            extraction = asyncio.create_task(self._extraction.run(self.cfg["extractions"]))
        while self._model and (
            waves < self.cfg["waves"] if extraction is None else not extraction.done()
        ):
            await self._wave(windows, took)
            waves += 1
        if extraction:
            await extraction
            windows = [[began, time.monotonic()]]
        after = await self._model.usage() if self._model else {}
        late = sorted(self.beat.late)
        result = {
            "windows": windows,
            "waves": waves,
            "took": sorted(took),
            "stall_max": late[-1],
            "stall_p99": late[int(len(late) * 0.99)],
            "cpu_kernel": time.process_time() - cpu,
            "cpu_loop": time.thread_time() - thread,
            "cpu_child": after.get("cpu_s", 0.0) - child.get("cpu_s", 0.0),
            "rss_mb": max(self.beat.peak_mb, memory_mb()) - rss,
            "child_mb": after.get("rss_mb", 0.0),
            "text": self._model.text if self._model else 0,
            "load_s": time.monotonic() - began,
        }
        temporary = Path(path + ".part")
        temporary.write_text(json.dumps(result))
        temporary.rename(path)

    def idle_stall(self) -> float:
        """The loop's worst lateness since the last reset."""
        return max(self.beat.late)

    def start(self, path: str) -> None:
        """Begin the load and return at once."""
        future = asyncio.run_coroutine_threadsafe(self._load(path), self.loop)
        future.add_done_callback(
            lambda f: (
                f.exception() and Path(path).write_text(json.dumps({"error": repr(f.exception())}))
            )
        )
