"""Owns when a file that could not be read for a passing reason is read again; it looks at no file.

The index keeps it in the stamp of the document: `STAMP@WHEN+WAIT`, the time of the try (seconds
since 1970) and the seconds until the next. So the other kernels and the next session keep to it.
"""

from __future__ import annotations

_LONGER = 4
"""How much longer each wait is than the one before: a file that never works costs ever less."""


def is_settled(known: str | None, stamp: str, now: float) -> bool:
    """Whether what the index knows under the stamp `known` needs no reading now.

    `stamp`: the file's own, as it is there. A clock that was set back is no reason to wait.
    """
    if known is None:
        return False
    base, passing, tried = known.partition("@")
    if base != stamp:
        return False
    if not passing:
        return True
    when, _, wait = tried.partition("+")
    return 0 <= now - int(when) < int(wait)


def tried_stamp(known: str | None, stamp: str, now: float, wait: float) -> str:
    """Return the stamp of a file whose reading failed now; `wait`: seconds, for its first failure.

    It may be tried again at once when `wait` is 0, and the stamp then stays the same.
    """
    if not wait:
        return f"{stamp}@0+0"
    base, _, tried = (known or "").partition("@")
    before = int(tried.partition("+")[2] or 0) if base == stamp else 0
    return f"{stamp}@{now:.0f}+{before * _LONGER or wait:.0f}"
