"""Owns how busy the writer was of late, and how long it should rest so that more comes together.

A commit costs about the same for one batch as for twenty. An idle writer therefore commits at
once, and a busy one gathers first: the busier, the longer, up to `LONGEST`. It keeps no time.
"""

import math
from dataclasses import dataclass

LONGEST = 0.02
"""Seconds; what waits for an acknowledgement on a busy machine does not feel them."""
_MEMORY = 0.25
_FREE_SHARE = 0.25
_STEEP = 0.1


@dataclass(slots=True)
class Duty:
    """The share of the last quarter of a second that was spent at work.

    Older work counts less and less, by e for each `_MEMORY` seconds.
    """

    _spent: float = 0.0
    _at: float = 0.0

    def worked(self, began: float, ended: float) -> None:
        """Add work from `began` to `ended`, in seconds of one clock."""
        self._spent = self._left(ended) + min(ended - began, _MEMORY)
        self._at = ended

    def rest(self, now: float) -> float:
        """Return for how many seconds to rest now: none up to a quarter of the time at work."""
        share = self._left(now) / _MEMORY
        return min(max(0.0, share - _FREE_SHARE) * _STEEP, LONGEST)

    def _left(self, now: float) -> float:
        return self._spent * math.exp((self._at - now) / _MEMORY)
