"""Owns keeping to a service's rate by waiting, so that two searches at once both succeed."""

import asyncio
from collections.abc import Mapping
from email.utils import parsedate_to_datetime

from ....ports import Clock

_MICROSECONDS = 1_000_000


class Pace:
    """Lets one request start each `seconds`, in the order in which they ask. On one loop."""

    def __init__(self, clock: Clock, seconds: float) -> None:
        self.clock = clock
        self._interval_us = round(seconds * _MICROSECONDS)
        self._free_us = 0
        self._turn = asyncio.Lock()  # hands over in the order of asking

    async def turn(self) -> None:
        """Return when the next request may start."""
        async with self._turn:
            while (wait := self._free_us - self.clock.now_us()) > 0:
                await self.clock.sleep(wait / _MICROSECONDS)
            self._free_us = self.clock.now_us() + self._interval_us

    def hold(self, seconds: float) -> None:
        """Let no request start for so long, those that wait already included."""
        until = self.clock.now_us() + round(seconds * _MICROSECONDS)
        self._free_us = max(self._free_us, until)


def retry_after(headers: Mapping[str, str], now_us: int) -> float | None:
    """Return the seconds that an answer asks to wait (RFC 9110 §10.2.3), None where it does not."""
    value = headers.get("retry-after", "").strip()
    if value.isdecimal() and len(value) < 10:
        return float(value)
    try:
        when = parsedate_to_datetime(value)
        return max(0.0, when.timestamp() - now_us / _MICROSECONDS)
    except (ValueError, OverflowError):
        return None
