"""How free the kernel stays: what a `%%research` cell takes, and other cells meanwhile."""

import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from tests.notebook.kernel import Kernel, kernel

ASKED = 20
PROBES = 300
QUESTION = "How does the with statement work?"


def seconds(one: Kernel, code: str) -> float:
    began = time.perf_counter()
    one.run(code)
    return time.perf_counter() - began


def spread(times: list[float]) -> str:
    ordered = sorted(time_ * 1000 for time_ in times)
    p99 = ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))]
    return f"p50 {statistics.median(ordered):.1f} ms, p99 {p99:.1f} ms"


def report() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as name, kernel(Path(name), Path(name, "cache")) as one:
        first = seconds(one, f"%research {QUESTION}")
        one.run("get = __import__('lazyboy_jupyter').get_engine\nget().tasks()")
        one.run("import time\nfor row in get().tasks(): get().task(row['task_id']).wait(120)")
        idle = [seconds(one, "pass") for _ in range(PROBES)]
        yield f"an empty cell, idle: {spread(idle)}"
        alone = []
        for _ in range(ASKED):
            alone.append(seconds(one, f"%%research\n{QUESTION}"))
            one.run("for row in get().tasks()[:1]: get().task(row['task_id']).wait(120)")
        yield f"a %%research cell returns: {spread(alone)}, longest {max(alone) * 1000:.0f} ms"
        asked = [seconds(one, f"%%research\n{QUESTION}") for _ in range(ASKED)]
        during = [seconds(one, "pass") for _ in range(PROBES)]
        running = one.run("len(get().activity().task_ids)").value
        yield f"{ASKED} such cells run one after another, not waited for: {spread(asked)}"
        yield f"(the first one, which starts the engine: {first * 1000:.0f} ms)"
        ratio = sorted(during)[int(PROBES * 0.99)] / sorted(idle)[int(PROBES * 0.99)]
        yield (
            f"an empty cell while {ASKED} tasks run: {spread(during)}: {ratio:.1f} × idle at p99 "
            f"({running and running['text/plain']} still running after the last)"
        )
