"""Owns a worker process's life: jobs come in on standard input, answers go out; it prints nothing.

When the parent dies, however it dies, standard input ends, and so does the worker, also in the
middle of a job: no orphan is left behind.
"""

import importlib
import operator
import os
import queue
import sys
import threading
from typing import Any, BinaryIO

from .child import (
    claim_standard_streams,
    die_with_parent,
    frame,
    lower_priority,
    read_frame,
)

_NICENESS = 10


def main() -> None:
    """Serve jobs until standard input ends."""
    die_with_parent()
    jobs_in, answers_out = claim_standard_streams()
    lower_priority(_NICENESS)
    jobs: queue.SimpleQueue[tuple[str, tuple[Any, ...]]] = queue.SimpleQueue()
    threading.Thread(target=_receive, args=(jobs_in, jobs), daemon=True).start()
    while True:
        job, args = jobs.get()
        answers_out.write(frame(_answer(job, args)))
        answers_out.flush()


def _receive(jobs_in: BinaryIO, jobs: "queue.SimpleQueue[tuple[str, tuple[Any, ...]]]") -> None:
    """On its own thread, so that the end of the parent is seen also while a job computes."""
    while (job := read_frame(jobs_in)) is not None:
        jobs.put(job)
    os._exit(0)


def _answer(job: str, args: tuple[Any, ...]) -> tuple[bool, Any]:
    """Return (False, result), or (True, what went wrong)."""
    module, _, function = job.partition(":")
    try:
        target = operator.attrgetter(function)(importlib.import_module(f"lazyboy_jupyter.{module}"))
        return False, target(*args)
    except Exception as error:  # noqa: BLE001 - every failure is the caller's to hear
        return True, f"{type(error).__name__}: {error}"


if __name__ == "__main__":
    sys.exit("This module is started by the worker pool.")
