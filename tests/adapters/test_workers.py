import asyncio
import os
import signal
import subprocess
import sys
import time
from typing import Any

import pytest

from lazyboy_jupyter.adapters.workers import WorkerError, WorkerPool, WorkerTimeout

JOB = "adapters.ranking.words:fold"
# A pattern that backtracks for ever: real CPU work inside C, which nothing can cancel.
BUSY = "core.urls:re.match"
ENDLESS = ("(a+)+$", "a" * 64 + "b")


def with_pool(work: Any, size: int = 2) -> Any:
    async def scenario() -> Any:
        pool = WorkerPool(size)
        try:
            return await work(pool)
        finally:
            await pool.close()

    return asyncio.run(scenario())


def test_a_job_is_a_function_of_this_package() -> None:
    async def work(pool: WorkerPool) -> Any:
        return await asyncio.gather(*(pool.run(JOB, f"ÄB{n}", timeout=30) for n in range(20)))

    assert with_pool(work) == [f"ab{n}" for n in range(20)]


def test_what_a_job_raises_comes_back_as_a_sentence_and_the_worker_lives() -> None:
    async def work(pool: WorkerPool) -> Any:
        with pytest.raises(WorkerError, match="TypeError"):
            await pool.run(JOB, timeout=30)
        with pytest.raises(WorkerError, match="ModuleNotFoundError"):
            await pool.run("no.such:thing", timeout=30)
        return await pool.run(JOB, "A", timeout=30), len(pool._all)

    assert with_pool(work, size=1) == ("a", 1)


def test_a_job_over_its_time_is_killed_and_the_next_one_runs() -> None:
    async def work(pool: WorkerPool) -> Any:
        await pool.run(JOB, "warm", timeout=30)
        (busy,) = pool._all
        with pytest.raises(WorkerTimeout):
            await pool.run(BUSY, *ENDLESS, timeout=0.2)
        assert busy.returncode is not None
        return await pool.run(JOB, "B", timeout=30)

    assert with_pool(work, size=1) == "b"


def test_a_cancelled_job_leaves_no_busy_worker() -> None:
    async def work(pool: WorkerPool) -> Any:
        task = asyncio.ensure_future(pool.run(BUSY, *ENDLESS, timeout=60))
        while not pool._all:  # noqa: ASYNC110 - a process's start sets no event
            await asyncio.sleep(0)
        (busy,) = pool._all
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert busy.returncode is not None
        return await pool.run(JOB, "C", timeout=30)

    assert with_pool(work, size=1) == "c"


def test_a_worker_that_died_is_replaced() -> None:
    async def work(pool: WorkerPool) -> Any:
        await pool.run(JOB, "A", timeout=30)
        (first,) = pool._all
        first.kill()
        await first.wait()
        return await pool.run(JOB, "B", timeout=30)

    assert with_pool(work, size=1) == "b"


def test_workers_are_in_a_session_of_their_own_so_an_interrupt_passes_them_by() -> None:
    async def work(pool: WorkerPool) -> Any:
        await pool.run(JOB, "A", timeout=30)
        (process,) = pool._all
        return os.getsid(process.pid)

    assert with_pool(work) != os.getsid(0)


def test_no_worker_outlives_a_killed_parent() -> None:
    code = (
        "import asyncio\n"
        "from lazyboy_jupyter.adapters.workers import WorkerPool\n"
        "async def main():\n"
        "    pool = WorkerPool(1)\n"
        f"    await pool.run({JOB!r}, 'A', timeout=30)\n"
        "    (process,) = pool._all\n"
        f"    task = asyncio.ensure_future(pool.run({BUSY!r}, *{ENDLESS!r}, timeout=60))\n"
        "    for _ in range(50):\n        await asyncio.sleep(0)\n"
        "    print(process.pid, flush=True)\n"
        "    await task\n"
        "asyncio.run(main())\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert parent.stdout is not None
    pid = int(parent.stdout.readline())
    parent.send_signal(signal.SIGKILL)
    parent.wait()
    parent.stdout.close()
    deadline = time.monotonic() + 20
    while _alive(pid):
        assert time.monotonic() < deadline, "the worker lives on"
        os.sched_yield()


def _alive(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii") as stat:
            return stat.read().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False
