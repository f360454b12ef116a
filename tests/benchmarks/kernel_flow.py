"""How free the kernel stays while tasks with a provider's model run in it, over `flow_world`."""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.benchmarks import flow_world as world
from tests.benchmarks.flow import MANY, the_world
from tests.benchmarks.kernel_latency import PROBES, seconds, spread
from tests.notebook.kernel import Kernel, kernel

_ASK = """
from lazyboy_jupyter import get_engine
asked = [
    get_engine().research(
        f"How often do the gates of river barrier {{task}} close, and what does it cost?",
        search=f"searxng:http://127.0.1.{{task % {third} + 1}}:{port}",
        searches={searches}, pages={pages}, gaps=0,
    )
    for task in range({first}, {last})
]
"""
_AT_WORK = "len(get_engine().activity().task_ids)"
_LEFT = "[one.wait(120).status for one in asked].count('completed')"


def report() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as name, the_world() as (_, port):
        settings = Path(name, ".lazyboy", "config.toml")
        settings.parent.mkdir()
        settings.write_text(
            f'model = "openai-compatible:bench@http://127.0.0.1:{port}/v1"\n'
            f'allow_hosts = ["127.0.0.0/8"]\nmodel_slots = {max(MANY)}\n'
        )
        with kernel(Path(name), Path(name, "cache")) as one:
            _ask(one, port, 0, 1)
            one.run(_LEFT)
            idle = [seconds(one, "pass") for _ in range(PROBES)]
            yield f"an empty cell, idle: {spread(idle)}"
            first = 1
            for count in MANY:
                _ask(one, port, first, first + count)
                first += count
                during = []
                while _value(one, _AT_WORK) != "0":
                    during += [seconds(one, "pass") for _ in range(20)]
                done = _value(one, _LEFT)
                ratio = _p99(during) / _p99(idle)
                yield (
                    f"while {count} tasks run: {spread(during)}, of {len(during)} cells: "
                    f"{ratio:.1f} × idle at p99; {done} completed; load {os.getloadavg()[0]:.1f}"
                )


def _ask(one: Kernel, port: int, first: int, last: int) -> None:
    one.run(
        _ASK.format(
            third=world.HOSTS // 3, port=port, searches=world.SEARCHES, pages=world.PAGES,
            first=first, last=last,
        )
    )  # fmt: skip


def _value(one: Kernel, code: str) -> str:
    value = one.run(code).value
    return value["text/plain"] if value is not None else ""


def _p99(times: list[float]) -> float:
    return sorted(times)[min(len(times) - 1, int(len(times) * 0.99))]
