"""The way to a kernel's API through the Jupyter server, while the kernel's main thread computes."""

import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import httpx

from tests.server.world import NotebookKernel, jupyter_server, kernel_of

TIMES = 200
COMPUTES = {
    "in Python": "while True: sum(i * i for i in range(10_000))",
    "in native code": "import hashlib\nwhile True: hashlib.sha256(b'x' * 50_000_000)",
}


def report() -> Iterator[str]:
    with (
        tempfile.TemporaryDirectory() as name,
        jupyter_server(Path(name), Path(name, "cache")) as server,
        kernel_of(server) as kernel,
        kernel.http() as http,
    ):
        activity = f"{kernel.url}/agents/all/activity"
        noop = f"{server.url}/api/kernels/{kernel.id}"
        began = time.perf_counter()
        http.get(activity)
        yield f"the first request, which loads what serves: {time.perf_counter() - began:.2f} s"
        yield _line("idle", kernel, http, noop, activity)
        for how, code in COMPUTES.items():
            kernel.run(code, wait=False)
            yield _line(f"while it computes {how}", kernel, http, noop, activity)
            server.ask("POST", f"kernels/{kernel.id}/interrupt")


def _line(when: str, kernel: NotebookKernel, http: httpx.Client, noop: str, activity: str) -> str:
    own, through = [], []
    for _ in range(TIMES):
        own.append(_took(http, noop))
        through.append(_took(http, activity))
    ratio = statistics.median(through) / statistics.median(own)
    return (
        f"{when}: {statistics.median(through) * 1000:.1f} ms through the server, its own take "
        f"{statistics.median(own) * 1000:.1f} ms: {ratio:.1f} × (medians of {TIMES})"
    )


def _took(http: httpx.Client, url: str) -> float:
    began = time.perf_counter()
    assert http.get(url).status_code == 200
    return time.perf_counter() - began
