import os
import signal

import pytest

from lazyboy_jupyter.adapters.blocking_worker import BlockingWorker
from lazyboy_jupyter.adapters.workers import WorkerError, WorkerTimeout
from tests.adapters.test_workers import BUSY, ENDLESS, JOB


def test_what_a_job_raises_comes_back_and_the_process_lives() -> None:
    with BlockingWorker() as worker:
        first = worker.run(JOB, "Ä", timeout=30)
        process = worker._process
        with pytest.raises(WorkerError, match="TypeError"):
            worker.run(JOB, timeout=30)
        assert worker.run(JOB, "Ä", timeout=30) == first
        assert worker._process is process


def test_a_job_over_its_time_is_killed_and_the_next_one_runs() -> None:
    with BlockingWorker() as worker:
        worker.run(JOB, "warm", timeout=30)
        slow = worker._process
        assert slow is not None
        with pytest.raises(WorkerTimeout, match="took longer than"):
            worker.run(BUSY, *ENDLESS, timeout=0.2)
        assert slow.returncode == -signal.SIGKILL
        assert worker.run(JOB, "B", timeout=30)


def test_a_process_that_died_is_said_and_replaced() -> None:
    with BlockingWorker() as worker:
        worker.run(JOB, "A", timeout=30)
        assert worker._process is not None
        os.kill(worker._process.pid, signal.SIGKILL)
        with pytest.raises(WorkerError, match="died"):
            worker.run(JOB, "B", timeout=30)
        assert worker.run(JOB, "C", timeout=30)


def test_closing_ends_the_process() -> None:
    worker = BlockingWorker()
    worker.run(JOB, "A", timeout=30)
    process = worker._process
    worker.close()
    worker.close()
    assert process is not None
    assert process.returncode is not None
