"""What hard pages cost: the one whose extraction is killed, the one of CSS, many at once."""

import asyncio
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from lazyboy_jupyter.config import Settings
from lazyboy_jupyter.engine.engine import Engine
from lazyboy_jupyter.errors import SourceError
from tests.engine.web_world import web_world
from tests.loopback.replies import ARTICLE, Reply, page
from tests.loopback.world import LoopbackWorld

TICK = 0.001
ROWS = 150_000
READS = 200
IDLE = 10.0
LIMIT = 2.0
"""Seconds that a worker may take here: the product's 10 s are over what this page needs."""


def lateness(work: Callable[[], object]) -> tuple[list[float], float]:
    """How late, in milliseconds, this thread wakes from naps of a tick while `work` runs on
    another; and how many seconds that took."""
    worker = threading.Thread(target=work)
    late, began = [], time.perf_counter()
    worker.start()
    while worker.is_alive():
        before = time.perf_counter()
        worker.join(TICK)  # a nap that ends with the work
        late.append((time.perf_counter() - before - TICK) * 1000)
    return sorted(late), time.perf_counter() - began


def spread(late: list[float]) -> str:
    return f"p99 {late[int(len(late) * 0.99)]:.1f} ms, longest {late[-1]:.1f} ms"


def report() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as name, LoopbackWorld() as web:
        settings = Settings(cache=Path(name, "cache"))
        world = web_world(web, settings.cache, {}, page_seconds=LIMIT)
        rows = "".join(f"<tr><td>{n}</td><td>Gate</td><td><b>x</b></td></tr>" for n in range(ROWS))
        css = "<style>" + ".a{color:red}\n" * 80_000 + "</style>"
        slow = web.put("http://a.example/rows", Reply(f"<table>{rows}</table>".encode()))
        styled = web.put("http://a.example/css", page("Gates", css, *ARTICLE))
        urls = [f"http://h{n}.example/{n}" for n in range(READS)]
        for url in urls:
            web.put(url, page("Gates", *ARTICLE))
        with Engine(Path(name, "run.duckdb"), settings=settings, world=world) as engine:
            engine.read(urls[0])  # what is imported with the first page is not measured here
            idle, _ = lateness(lambda: threading.Event().wait(IDLE))
            yield f"this thread, idle for {IDLE:g} s: {spread(idle)}"
            said: list[str] = []

            def killed() -> None:
                try:
                    engine.read(slow)
                except SourceError as error:
                    said.append(error.sentence)

            late, seconds = lateness(killed)
            yield f"while a page of {ROWS:,} rows is read, {seconds:.1f} s: {spread(late)}"
            yield f"  it ends so: {' '.join(said) or 'read'}"
            times = []
            for _ in range(5):
                began = time.perf_counter()
                engine.read(styled)
                times.append(time.perf_counter() - began)
            yield f"a page of 1.1 MB of CSS: {statistics.median(times):.2f} s, median of 5"

            def many() -> None:
                async def read_all() -> None:
                    await asyncio.gather(*(asyncio.to_thread(engine.read, url) for url in urls))

                asyncio.run(read_all())

            late, seconds = lateness(many)
            yield (
                f"{READS} pages of {READS} hosts at once, {seconds:.1f} s: {spread(late)}; "
                f"at most {web.most_open} open sockets"
            )
