"""Owns starting a child process on a function of this package, and tying its life to ours."""

import os
import pickle
import signal
import struct
import sys
from pathlib import Path
from typing import IO, Any, BinaryIO

LENGTH = struct.Struct(">Q")
"""What stands before each message between the two: its length in bytes."""

_PACKAGE_PARENT = str(Path(__file__).resolve().parents[2])
_PR_SET_PDEATHSIG = 1


def frame(message: object) -> bytes:
    """Return a message as it goes through a pipe: pickled, its length before it."""
    body = pickle.dumps(message)
    return LENGTH.pack(len(body)) + body


def read_frame(stream: IO[bytes]) -> Any:
    """Return the next message of a stream, None at its end. Blocks."""
    header = stream.read(LENGTH.size)
    if len(header) < LENGTH.size:
        return None
    (length,) = LENGTH.unpack(header)
    body = stream.read(length)
    return pickle.loads(body) if len(body) == length else None


def child_command(module: str, executable: str = sys.executable) -> list[str]:
    """Return the command that calls `main` of a module below `lazyboy_jupyter`.

    It works however the parent found the package, and never looks into the current folder, where
    a person's own file may have the name of a standard module.
    """
    code = (
        "import sys; sys.path.insert(0, sys.argv[1]); "
        f"from lazyboy_jupyter.{module} import main; main()"
    )
    return [executable, "-P", "-W", "ignore", "-c", code, _PACKAGE_PARENT]


def die_with_parent() -> None:
    """Ask Linux to kill this process when its parent dies, also inside a C function that keeps
    the interpreter's lock and would let no thread of ours notice; elsewhere the end of standard
    input must tell."""
    if sys.platform != "linux":
        return
    import ctypes

    parent = os.getppid()
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(0)  # it died before we asked


def claim_standard_streams() -> tuple[BinaryIO, BinaryIO]:
    """Keep the pipes for ourselves: what a library prints or reads must not disturb the exchange.

    Return the stream that messages come from and the one that they go to.
    """
    messages_in = os.fdopen(os.dup(0), "rb")
    messages_out = os.fdopen(os.dup(1), "wb")
    devnull = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(devnull, descriptor)
    return messages_in, messages_out


def lower_priority(niceness: int) -> None:
    """Let the kernel and the person's own code go first, where the system knows how."""
    if hasattr(os, "nice"):
        os.nice(niceness)
