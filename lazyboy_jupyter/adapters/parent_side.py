"""Owns a parent's side of a child process on its loop: hearing it, and ending it.

Apart from `child.py`, which a child loads too and which must stay quick to load.
"""

import asyncio
import contextlib
import pickle
from typing import Any

from .child import LENGTH


async def receive_frame(stream: asyncio.StreamReader) -> Any:
    """Return the next message of a stream. Raises `asyncio.IncompleteReadError` at its end."""
    (length,) = LENGTH.unpack(await stream.readexactly(LENGTH.size))
    return pickle.loads(await stream.readexactly(length))


async def end_child(process: asyncio.subprocess.Process, seconds: float) -> None:
    """Close a child's standard input, which lets it end; kill it when it has not in `seconds`."""
    assert process.stdin is not None
    process.stdin.close()
    try:
        async with asyncio.timeout(seconds):
            await process.wait()
    except TimeoutError:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
