"""Owns summaries of what a side question's request has no room for, each made once.

On the engine's thread. A text that only grew is summarised from the last summary on: the new part
alone is sent. Nothing of it is stored, and the agent's own history never has it.
"""

import asyncio
import hashlib
from collections.abc import Callable
from dataclasses import dataclass

from ...core.messages import opening
from ...core.prompts import SUMMARISE
from ...core.side_context import chunks
from ...errors import ModelError
from ...ports import Clock, Model, ModelRequest, Usage
from ..asking import ask

Key = tuple[str, ...]
Timed = Callable[[int, str, Usage], None]
"""Is told when a request began, in microseconds, how it ended, and what it took."""
_LONGEST = 6_000


@dataclass(frozen=True, slots=True)
class _Kept:
    """A summary, and of which beginning of a text it is."""

    length: int
    digest: bytes
    summary: str

    def begins(self, text: str) -> bool:
        return len(text) >= self.length and _digest(text[: self.length]) == self.digest


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode(errors="replace")).digest()


class Summaries:
    """Keeps the newest summary for each key, whose first part is the parent."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._kept: dict[Key, _Kept] = {}

    async def of(self, key: Key, text: str, model: Model, size: int, timed: Timed) -> str:
        """Return a summary of `text`, in as many requests of `size` characters of it as it needs.

        Raises `ModelError`.
        """
        kept = self._kept.get(key)
        if kept is None or not kept.begins(text):
            kept = _Kept(0, _digest(""), "")
        for chunk in chunks(text[kept.length :], size):
            summary = await self._summarised(kept.summary, chunk, model, timed)
            # Kept at once: a stop in the middle of a long text loses no summary that was made.
            length = kept.length + len(chunk)
            kept = self._kept[key] = _Kept(length, _digest(text[:length]), summary)
        return kept.summary

    def forget(self, parent: str) -> None:
        """Let go of a parent's summaries."""
        for key in [key for key in self._kept if key[0] == parent]:
            del self._kept[key]

    async def _summarised(self, before: str, text: str, model: Model, timed: Timed) -> str:
        told = f"The summary so far:\n{before}\n\nWhat came after it:\n{text}" if before else text
        request = ModelRequest([opening(SUMMARISE, told)], (), None)
        began_us = self._clock.now_us()
        try:
            reply = await ask(model, request, self._clock)
        except (ModelError, asyncio.CancelledError) as error:
            outcome = error.kind if isinstance(error, ModelError) else "cancelled"
            timed(began_us, outcome, Usage())
            raise
        timed(began_us, "ok", reply.usage)
        if not reply.text.strip():
            raise ModelError("The model gave no summary.", "Ask again.", kind="unreadable")
        return reply.text.strip()[:_LONGEST]
