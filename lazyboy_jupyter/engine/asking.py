"""Owns asking a model once within its limits of time (DESIGN §6)."""

import asyncio
from collections.abc import Callable

from ..errors import ModelError
from ..ports import Clock, Model, ModelReply, ModelRequest

FIRST_EVENT_SECONDS = 60
REQUEST_SECONDS = 120


async def ask(
    model: Model,
    request: ModelRequest,
    clock: Clock,
    heard: Callable[[str], None] | None = None,
) -> ModelReply:
    """Return the model's reply. `heard` gets the pieces of its text as they arrive, and an empty
    text for what arrives beside it.

    Raises `ModelError`, "timeout" when nothing comes for 60 s or it is not over after 120 s. Being
    cancelled ends the request.
    """
    begun = False

    def hear(text: str) -> None:
        nonlocal begun
        begun = True
        if heard is not None:
            heard(text)

    answering = asyncio.ensure_future(model.respond(request, hear))
    first = asyncio.ensure_future(clock.sleep(FIRST_EVENT_SECONDS))
    last = asyncio.ensure_future(clock.sleep(REQUEST_SECONDS))
    try:
        await asyncio.wait({answering, first}, return_when=asyncio.FIRST_COMPLETED)
        if not answering.done() and not begun:
            raise _too_late(f"said nothing for {FIRST_EVENT_SECONDS} s")
        await asyncio.wait({answering, last}, return_when=asyncio.FIRST_COMPLETED)
        if not answering.done():
            raise _too_late(f"had not finished after {REQUEST_SECONDS} s")
        return answering.result()
    finally:
        for task in (first, last, answering):
            task.cancel()
        if not answering.done():
            await asyncio.wait({answering})


def _too_late(what: str) -> ModelError:
    return ModelError(f"The model {what}.", kind="timeout")
