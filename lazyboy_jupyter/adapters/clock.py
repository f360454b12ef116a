"""Owns the real clock and the real ids; everything else gets them as ports."""

import asyncio
import secrets
import threading
import time

MICROSECONDS = 1_000_000


class SystemClock:
    """The wall clock at the monotonic rate: it never jumps back, and catches up after a sleep."""

    def __init__(self) -> None:
        self._anchor_us = time.time_ns() // 1_000
        self._anchor_monotonic_ns = time.monotonic_ns()

    def now_us(self) -> int:
        """Return microseconds since 1970 UTC."""
        now = self._anchor_us + (time.monotonic_ns() - self._anchor_monotonic_ns) // 1_000
        behind = time.time_ns() // 1_000 - now
        if behind > MICROSECONDS:
            # The machine slept, and the monotonic clock with it. Two threads that see it at once
            # would both be a little late, never early: the anchor only moves forward.
            self._anchor_us += behind
            now += behind
        return now

    async def sleep(self, seconds: float) -> None:
        """Return when `seconds` have passed."""
        await asyncio.sleep(seconds)


class UuidV7:
    """UUIDs of version 7 (RFC 9562 §5.7): ordered by their making, also within a millisecond.

    Safe to use from any thread. The 12 bits after the time count the ids of one millisecond
    (method 1 of §6.2); the last 62 are random.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last = 0

    def new(self) -> str:
        """Return the next id, in the standard form of 36 characters."""
        with self._lock:
            self._last = max(self._last + 1, (time.time_ns() // 1_000_000) << 12)
            ordered = self._last
        ms, count = ordered >> 12, ordered & 0xFFF
        value = ms << 80 | 0x7 << 76 | count << 64 | 0b10 << 62 | secrets.randbits(62)
        text = f"{value:032x}"
        return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"
