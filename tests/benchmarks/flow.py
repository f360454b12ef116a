"""What research costs beside its waiting: one task, 20 and 100 at once, over `flow_world`.

What waits is known exactly, so the rest is ours: time, CPU of the kernel's process and of its
children, memory, and how long the engine's loop and the main thread were held up.
"""

import asyncio
import contextlib
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import psutil  # type: ignore[import-untyped]  # it comes with ipykernel

from lazyboy_jupyter.config import Settings
from lazyboy_jupyter.engine.engine import Engine
from lazyboy_jupyter.engine.task import ResearchTask
from tests.benchmarks import flow_world as world
from tests.benchmarks.pages import lateness, spread

SINGLE, MANY = 3, (20, 100)
BEAT = 0.005
PATIENCE = 120
_MEGABYTE = 1e6


@contextlib.contextmanager
def the_world() -> Iterator[tuple[int, int]]:
    """The world's process; yields its id and its port."""
    command = [sys.executable, "-m", "tests.benchmarks.flow_world"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.pid, int(process.stdout.readline())
        finally:
            process.terminate()


@dataclass
class Processes:
    """CPU seconds and resident megabytes of our process, and of its children but the world."""

    world: int

    def children(self) -> dict[str, psutil.Process]:
        ours = psutil.Process().children(recursive=True)
        return {f"{one.pid}": one for one in ours if one.pid != self.world}

    def cpu(self) -> dict[str, float]:
        spent = {"kernel": time.process_time(), "model": 0.0, "workers": 0.0}
        for one in self.children().values():
            with contextlib.suppress(psutil.Error):
                times = one.cpu_times()
                name = "model" if "providers" in " ".join(one.cmdline()) else "workers"
                spent[name] += times.user + times.system
        return spent

    def world_cpu(self) -> float:
        times = psutil.Process(self.world).cpu_times()
        return float(times.user + times.system)

    def memory(self) -> tuple[float, float]:
        ours: float = psutil.Process().memory_info().rss / _MEGABYTE
        others = 0.0
        for one in self.children().values():
            with contextlib.suppress(psutil.Error):
                others += one.memory_info().rss / _MEGABYTE
        return ours, others


@dataclass
class Heart:
    """Beats on the engine's loop; `late`: in milliseconds, each beat."""

    late: list[float] = field(default_factory=list)
    beating: bool = True

    async def beat(self) -> None:
        while self.beating:
            due = time.perf_counter() + BEAT
            await asyncio.sleep(BEAT)
            self.late.append((time.perf_counter() - due) * 1000)


def report() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as name, the_world() as (pid, port):
        model = f"openai-compatible:bench@http://127.0.0.1:{port}/v1"
        settings = Settings(cache=Path(name, "cache"), model=model, model_slots=max(MANY))
        with Engine(
            Path(name, "run.duckdb"), settings=settings, allow_hosts=["127.0.0.0/8"]
        ) as engine:
            bench = Bench(engine, port, Processes(pid))
            bench.run(1)  # processes start, libraries are imported
            yield from bench.single()
            for count in MANY:
                yield from bench.many(count)


@dataclass
class Bench:
    """An engine over the world. Tasks are numbered, so that none asks what another has asked."""

    engine: Engine
    port: int
    processes: Processes
    asked: int = 0

    def run(self, count: int) -> list[ResearchTask]:
        """Run so many tasks at once; return them when all have ended."""
        numbers = range(self.asked, self.asked + count)
        self.asked += count
        tasks = [
            self.engine.research(
                world.question_of(number),
                search=f"searxng:http://{world.host_of_search(number)}:{self.port}",
                searches=world.SEARCHES, pages=world.PAGES, gaps=0,
            )
            for number in numbers
        ]  # fmt: skip
        for task in tasks:
            task.wait(PATIENCE)
            guide = task.guide
            assert task.status == "completed", task.error
            assert guide is not None
            states = [one.state for claim in guide.claims for one in claim.citations]
            assert states == ["verbatim"] * world.PAGES, states
            assert task.usage.rounds == world.ROUNDS
        return tasks

    def measured(self, work: Callable[[], object]) -> tuple[float, dict[str, float]]:
        """Return the seconds of `work` and the CPU seconds of each kind of process meanwhile."""
        before, began = self.processes.cpu(), time.perf_counter()
        work()
        took, after = time.perf_counter() - began, self.processes.cpu()
        return took, {kind: after[kind] - before[kind] for kind in after}

    def single(self) -> Iterator[str]:
        found = [self.measured(lambda: self.run(1)) for _ in range(SINGLE)]
        wall = statistics.median(took for took, _ in found)
        cpu = {kind: statistics.median(one[kind] for _, one in found) for kind in found[0][1]}
        yield (
            f"one task, median of {SINGLE}: {wall:.2f} s, {wall / world.WAITING:.3f} × its waiting "
            f"of {world.WAITING:.1f} s; CPU: {_cpu(cpu)}; load {os.getloadavg()[0]:.1f}"
        )
        last = self.engine.tasks()[0]["task_id"]
        rows = self.engine.sql(
            "SELECT stage, count(*), sum(elapsed_ms), max(elapsed_ms) FROM timing "
            f"WHERE task_id = '{last}' GROUP BY stage ORDER BY stage"
        ).fetchall()
        for stage, number, total, most in rows:
            yield f"  {stage}: {number} rows, {total:.0f} ms together, longest {most:.0f} ms"

    def many(self, count: int) -> Iterator[str]:
        before = self.processes.memory()
        peaks = [before]
        heart, ended = Heart(), threading.Event()

        def watch() -> None:
            while not ended.wait(0.25):
                peaks.append(self.processes.memory())

        watcher = threading.Thread(target=watch)
        self.engine.on_loop(lambda: asyncio.ensure_future(heart.beat()))
        watcher.start()
        world_before = self.processes.world_cpu()
        main: list[float] = []
        try:
            wall, cpu = self.measured(lambda: main.extend(lateness(lambda: self.run(count))[0]))
        finally:
            heart.beating = False
            ended.set()
            watcher.join()
        ours, others = (max(one[place] for one in peaks) - before[place] for place in (0, 1))
        yield (
            f"{count} tasks at once: {wall:.2f} s, {wall / world.WAITING:.2f} × the waiting of "
            f"one; CPU: {_cpu(cpu)}, the world {self.processes.world_cpu() - world_before:.2f} s; "
            f"load {os.getloadavg()[0]:.1f}"
        )
        yield f"  memory at most + {ours:.0f} MB in the kernel's process, + {others:.0f} in others"
        beats = spread(sorted(heart.late))
        yield f"  the loop, a beat of 5 ms: {beats}; the main thread: {spread(main)}"
        stages = self.engine.sql(
            f"""SELECT stage, quantile_cont(elapsed_ms, 0.5), max(elapsed_ms) FROM timing
            JOIN (SELECT task_id FROM tasks ORDER BY created_at DESC LIMIT {count})
            USING (task_id) GROUP BY stage ORDER BY stage"""
        ).fetchall()
        told = "; ".join(f"{stage} {p50:.0f}, {most:.0f}" for stage, p50, most in stages)
        yield f"  stages, median and longest in ms: {told}"


def _cpu(spent: dict[str, float]) -> str:
    return ", ".join(f"{kind} {seconds:.2f} s" for kind, seconds in spent.items())
