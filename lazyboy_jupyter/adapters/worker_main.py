"""Owns a worker process's life: jobs come in on standard input, answers go out; it prints nothing.

When the parent dies, however it dies, standard input ends, and so does the worker, also in the
middle of a job: no orphan is left behind.
"""

import importlib
import operator
import os
import pickle
import queue
import signal
import struct
import sys
import threading
from typing import Any, BinaryIO

LENGTH = struct.Struct(">Q")
_NICENESS = 10
_PR_SET_PDEATHSIG = 1


def main() -> None:
    """Serve jobs until standard input ends."""
    _die_with_parent()
    jobs_in, answers_out = _claim_standard_streams()
    if hasattr(os, "nice"):
        os.nice(_NICENESS)  # the kernel and the person's own code go first
    jobs: queue.SimpleQueue[tuple[str, tuple[Any, ...]]] = queue.SimpleQueue()
    threading.Thread(target=_receive, args=(jobs_in, jobs), daemon=True).start()
    while True:
        job, args = jobs.get()
        body = pickle.dumps(_answer(job, args))
        answers_out.write(LENGTH.pack(len(body)) + body)
        answers_out.flush()


def _die_with_parent() -> None:
    """Ask Linux to kill this process when its parent dies, also inside a C function that keeps
    the interpreter's lock and would let no thread of ours notice; elsewhere the thread must do."""
    if sys.platform != "linux":
        return
    import ctypes

    parent = os.getppid()
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(0)  # it died before we asked


def _claim_standard_streams() -> tuple[BinaryIO, BinaryIO]:
    """Keep the pipes for ourselves: what a job prints or reads must not disturb the exchange."""
    jobs_in = os.fdopen(os.dup(0), "rb")
    answers_out = os.fdopen(os.dup(1), "wb")
    devnull = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(devnull, descriptor)
    return jobs_in, answers_out


def _receive(jobs_in: BinaryIO, jobs: "queue.SimpleQueue[tuple[str, tuple[Any, ...]]]") -> None:
    """On its own thread, so that the end of the parent is seen also while a job computes."""
    while len(header := jobs_in.read(LENGTH.size)) == LENGTH.size:
        (length,) = LENGTH.unpack(header)
        body = jobs_in.read(length)
        if len(body) < length:
            break
        jobs.put(pickle.loads(body))
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
