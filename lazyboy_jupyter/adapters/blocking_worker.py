"""Owns one worker process as code sees it that may block: a worker of a worker.

For jobs over many files, each of which may take a library's time for ever: the one that does is
killed, and the next goes on (FIELD_CASES P5).
"""

import pickle
import queue
import subprocess
import threading
from types import TracebackType
from typing import IO, Any, Self

from .child import child_command, frame, read_frame
from .workers import WorkerError, WorkerTimeout


class BlockingWorker:
    """Runs jobs one after the other in a process that starts with the first. A context manager.

    Not on the engine's loop. Jobs are named as in `WorkerPool.run`.
    """

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._answers: queue.SimpleQueue[tuple[bool, Any] | None]
        self._answers = queue.SimpleQueue()

    def run(self, job: str, *args: Any, timeout: float) -> Any:
        """Return what the job returns. `timeout`: seconds, after which its process is killed.

        Raises `WorkerTimeout`, or `WorkerError` when the job raised or its process died.
        """
        process = self._process or self._start()
        try:
            assert process.stdin is not None
            process.stdin.write(frame((job, args)))
            process.stdin.flush()
            answer = self._answers.get(timeout=timeout)
        except queue.Empty:
            self.close()
            raise WorkerTimeout(f"{job} took longer than {timeout:g} s") from None
        except OSError as error:
            self.close()
            raise WorkerError(f"the worker of {job} died") from error
        if answer is None:
            self.close()
            raise WorkerError(f"the worker of {job} died")
        failed, value = answer
        if failed:
            raise WorkerError(value)
        return value

    def close(self) -> None:
        """End the process, if there is one. The next job starts another."""
        if self._process is None:
            return
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                stream.close()
        self._process = None

    def _start(self) -> "subprocess.Popen[bytes]":
        self._process = subprocess.Popen(
            child_command("adapters.worker_main"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,
        )
        # A queue of its own, so that a killed process' last word is not the next one's answer.
        self._answers = queue.SimpleQueue()
        assert self._process.stdout is not None
        reading = (self._process.stdout, self._answers)
        threading.Thread(target=_read, args=reading, daemon=True).start()
        return self._process

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()


def _read(stream: IO[bytes], answers: "queue.SimpleQueue[tuple[bool, Any] | None]") -> None:
    """On a thread of its own, since waiting for a pipe with a limit is not portable."""
    try:
        while (answer := read_frame(stream)) is not None:
            answers.put(answer)
    except (EOFError, OSError, ValueError, pickle.UnpicklingError):
        pass
    answers.put(None)
