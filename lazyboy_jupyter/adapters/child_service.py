"""Owns a child process that serves many requests at once, as it sees itself: its loop, what comes
in, what goes out, its end. It prints nothing."""

import asyncio
import contextlib
import os
import queue
import threading
from collections.abc import Callable, Coroutine
from typing import Any, BinaryIO, NoReturn

from .child import claim_standard_streams, die_with_parent, lower_priority, read_frame

Put = Callable[[bytes], None]
Inbox = asyncio.Queue[Any]
"""What comes in, one message after the other, and None at its end."""
_SENT_SECONDS = 3.0


def serve(niceness: int, service: Callable[[Inbox, Put], Coroutine[Any, Any, int]]) -> NoReturn:
    """Run a service until it returns an exit code, and end the process.

    The service takes messages from its inbox, and puts answers, framed. The process steps back
    behind the kernel by `niceness`, and ends with its parent, however that ends.
    """
    die_with_parent()
    requests_in, answers_out = claim_standard_streams()
    lower_priority(niceness)
    outbox: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    sender = threading.Thread(target=_send, args=(answers_out, outbox), daemon=True)
    sender.start()

    async def serving() -> int:
        return await service(_inbox_of(requests_in), outbox.put)

    # Not `asyncio.run`: it would wait for what is still running, and nobody waits for that.
    code = asyncio.new_event_loop().run_until_complete(serving())
    outbox.put(b"")
    sender.join(_SENT_SECONDS)
    os._exit(code)  # whatever else still waits for a pipe must not keep the process


def _send(answers_out: BinaryIO, outbox: "queue.SimpleQueue[bytes]") -> None:
    with contextlib.suppress(OSError):
        while message := outbox.get():
            answers_out.write(message)
            answers_out.flush()


def _inbox_of(stream: BinaryIO) -> Inbox:
    """The messages are read on a thread of their own, since reading blocks."""
    inbox: Inbox = asyncio.Queue()
    loop = asyncio.get_running_loop()

    def receive() -> None:
        with contextlib.suppress(RuntimeError):  # the loop is over already
            while (message := read_frame(stream)) is not None:
                loop.call_soon_threadsafe(inbox.put_nowait, message)
            loop.call_soon_threadsafe(inbox.put_nowait, None)

    threading.Thread(target=receive, daemon=True).start()
    return inbox
