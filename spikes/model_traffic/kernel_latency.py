"""How much slower a Jupyter kernel answers while the research engine inside it works.

It measures the round trip of tiny silent execute requests, sent on a 10 ms grid from this process, first idle
and then under load, in one run, so that the ratio can be judged; and reads from the kernel side the stall
of the engine's loop, CPU per stream and memory. Model streams are parsed on the kernel's loop thread
(``--mode loop``) or in a child process (``--mode child``); ``--extractions`` adds page extraction in workers.
Example: ``python kernel_latency.py --streams 100 --mode child``. Linux only (/proc).
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import KernelManager
from machine import Window

HERE = Path(__file__).parent
PAGES = str(HERE.parents[2] / "shared" / "data" / "article-extraction" / "html")
GRID = 0.010


class Prober:
    """Sends tiny execute requests and keeps (due, sent, answered)."""

    def __init__(self, client: BlockingKernelClient) -> None:
        self._client = client
        self.samples: list[tuple[float, float, float]] = []

    def once(self, due: float) -> None:
        """One request."""
        content = {"code": "pass", "silent": True, "store_history": False, "allow_stdin": False}
        message = self._client.session.msg("execute_request", content)
        sent = time.monotonic()
        self._client.shell_channel.send(message)
        while True:
            reply = self._client.get_shell_msg(timeout=60)
            if reply["parent_header"].get("msg_id") == message["header"]["msg_id"]:
                break
        self.samples.append((due, sent, time.monotonic()))

    def until(self, stop: Any) -> None:
        """Probe on the grid until ``stop()``; a late answer moves the grid, and its wait counts (see summary)."""
        due = time.monotonic()
        while not stop():
            time.sleep(max(0.0, due - time.monotonic()))
            self.once(due)
            due = max(due + GRID, time.monotonic())


def percentiles(values: list[float]) -> dict[str, float]:
    """p50, p95, p99 and max."""
    ordered = sorted(values)
    at = lambda q: ordered[min(len(ordered) - 1, int(len(ordered) * q))]
    return {"n": len(ordered), "p50": at(0.5), "p95": at(0.95), "p99": at(0.99), "max": ordered[-1]}


def summary(
    samples: list[tuple[float, float, float]], windows: list[list[float]]
) -> dict[str, float]:
    """Round trips begun inside the windows, in ms; ``p99c`` counts also the probes a slow answer kept from being sent."""
    inside = [s for s in samples if any(lo <= s[1] <= hi for lo, hi in windows)]
    trips = [(answered - sent) * 1000 for _, sent, answered in inside]
    filled = list(trips)
    for trip in trips:
        missed = trip - GRID * 1000
        while missed > 0:
            filled.append(missed)
            missed -= GRID * 1000
    return {**percentiles(trips), "p99c": percentiles(filled)["p99"]}


@contextlib.contextmanager
def endpoint(args: argparse.Namespace) -> Iterator[str]:
    """The model endpoint in its own process; gives its base address without scheme."""
    command = [sys.executable, str(HERE / "model_endpoint.py"), "--chunks", str(args.chunks)]
    command += [] if args.keep_alive else ["--close"]
    command += ["--tls", args.tls] if args.tls else []
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout
    try:
        yield f"127.0.0.1:{process.stdout.readline().strip()}"
    finally:
        process.terminate()
        process.wait(10)


@contextlib.contextmanager
def kernel() -> Iterator[BlockingKernelClient]:
    """A real ipykernel, started by jupyter_client."""
    manager = KernelManager(kernel_name="python3")
    manager.start_kernel()
    client = manager.blocking_client()
    client.start_channels()
    try:
        client.wait_for_ready(timeout=60)
        yield client
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def execute(client: BlockingKernelClient, code: str, expression: str = "None") -> Any:
    """Run code in the kernel; the value of the expression comes back as JSON."""
    reply = client.execute(
        code,
        silent=False,
        reply=True,  # pyright: ignore[reportCallIssue] - the blocking client wraps execute
        timeout=180,  # pyright: ignore[reportCallIssue]
        user_expressions={"x": f"__import__('json').dumps({expression})"},
    )
    content = reply["content"]
    if content["status"] != "ok":
        raise RuntimeError("\n".join(content["traceback"]))
    return json.loads(
        eval(content["user_expressions"]["x"]["data"]["text/plain"])
    )  # a repr of ours


def run(args: argparse.Namespace) -> dict[str, Any]:
    """One run: warm-up, idle window, load window."""
    load_before = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder, endpoint(args) as address, kernel() as client:
        path = str(Path(folder) / "result.json")
        cfg = {
            **vars(args),
            "base_url": f"{'https' if args.tls else 'http'}://{address}/v1",
            "pages": PAGES,
        }
        execute(client, f"import sys; sys.path.insert(0, {str(HERE)!r}); import kernel_side")
        warm = execute(client, f"_bench = kernel_side.Bench({cfg!r})", "_bench.warm")
        prober = Prober(client)
        gc.collect()
        gc.disable()
        end = time.monotonic() + 1.0
        prober.until(lambda: time.monotonic() > end)
        execute(client, "_bench.beat.reset()")
        window = Window()
        idle_from = time.monotonic()
        end = idle_from + args.idle_s
        prober.until(lambda: time.monotonic() > end)
        idle_window = [[idle_from, time.monotonic()]]
        idle_foreign = window.foreign()
        idle_stall = execute(client, "", "_bench.idle_stall()")
        if not args.tls:
            urlopen(f"http://{address}/stats").close()
        window = Window()
        execute(client, f"_bench.start({path!r})")
        prober.until(lambda: os.path.exists(path))
        foreign = window.foreign()
        gc.enable()
        inside = json.loads(Path(path).read_text())
        if "error" in inside:
            raise RuntimeError(inside["error"])
        stats: dict[str, float] = {}
        if not args.tls:
            with urlopen(f"http://{address}/stats") as reply:
                stats = json.load(reply)
    took = inside["took"]
    requests = max(1, inside["waves"] * args.streams * args.rounds)
    idle, loaded = summary(prober.samples, idle_window), summary(prober.samples, inside["windows"])
    keys = ("stall_max", "stall_p99", "rss_mb", "child_mb", "waves", "load_s")
    return {
        "idle": idle,
        "idle_stall": idle_stall,
        "loaded": loaded,
        "ratio_p99": loaded["p99"] / idle["p99"],
        "ratio_p50": loaded["p50"] / idle["p50"],
        "task_s": {"p50": took[len(took) // 2], "max": took[-1]} if took else None,
        "loop_cpu_ms_per_request": inside["cpu_loop"] / requests * 1000,
        "child_cpu_ms_per_request": inside["cpu_child"] / requests * 1000,
        "kernel_cpu_s": inside["cpu_kernel"],
        "endpoint": stats,
        **{key: inside[key] for key in keys},
        **warm,
        "foreign_cores": {"idle": idle_foreign, "loaded": foreign},
        "loadavg": [load_before, os.getloadavg()[0]],
    }


def parser() -> argparse.ArgumentParser:
    """The command line."""
    p = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    p.add_argument("--streams", type=int, default=0, help="requests started at the same moment")
    p.add_argument("--mode", choices=("loop", "child"), default="loop")
    p.add_argument(
        "--rounds", type=int, default=1, help="requests of one task, one after the other"
    )
    p.add_argument("--chunks", type=int, default=90)
    p.add_argument(
        "--waves", type=int, default=3, help="how often the burst is repeated (without extractions)"
    )
    p.add_argument("--pace-ms", type=float, default=0, help="time between two starts")
    p.add_argument("--prebuilt", action="store_true", help="loop mode: message objects built ahead")
    p.add_argument(
        "--keep-alive", action="store_true", help="connections stay open between requests"
    )
    p.add_argument("--tls", default="", help="PEM file: the endpoint speaks TLS")
    p.add_argument("--freeze", action="store_true", help="gc.freeze() in the kernel after warm-up")
    p.add_argument("--switch-ms", type=float, default=0, help="sys.setswitchinterval in the kernel")
    p.add_argument("--children", type=int, default=1)
    p.add_argument("--child-nice", type=int, default=0)
    p.add_argument("--extractions", type=int, default=0)
    p.add_argument("--workers", type=int, default=1)
    p.add_argument("--worker-nice", type=int, default=10)
    p.add_argument("--idle-s", type=float, default=6)
    return p


def main() -> None:
    """Print one run as JSON."""
    print(json.dumps(run(parser().parse_args()), indent=1))


if __name__ == "__main__":
    main()
