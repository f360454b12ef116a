"""How much of the machine others used while a run went on.

It measures CPU seconds from /proc: of the whole machine, and of one process with all its descendants (also
those in sessions of their own). The difference over a window, divided by the window, is ``foreign`` cores: a
run with more than a few hundredths of it is not to be trusted. Linux only.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

TICK = os.sysconf("SC_CLK_TCK")


def busy_s() -> float:
    """CPU seconds of the whole machine: user, nice, system, irq, softirq."""
    fields = [int(x) for x in Path("/proc/stat").read_text().split("\n", 1)[0].split()[1:]]
    return (sum(fields[:3]) + sum(fields[5:7])) / TICK


def own_s(root: int | None = None) -> float:
    """CPU seconds of a process and its descendants, those reaped included."""
    root = root or os.getpid()
    parents: dict[int, int] = {}
    used: dict[int, int] = {}
    for entry in os.scandir("/proc"):
        if entry.name.isdigit():
            try:
                fields = Path(entry.path, "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parents[int(entry.name)] = int(fields[1])
            used[int(entry.name)] = sum(int(x) for x in fields[11:15])
    total = 0
    for pid, ticks in used.items():
        at = pid
        while at not in (root, 0, 1):
            at = parents.get(at, 0)
        total += ticks if at == root else 0
    return total / TICK


class Window:
    """Foreign load between the making and the call of ``foreign``."""

    def __init__(self) -> None:
        self._began, self._busy, self._own = time.monotonic(), busy_s(), own_s()

    def foreign(self) -> float:
        """Cores that others used on average since the window was opened."""
        used = (busy_s() - self._busy) - (own_s() - self._own)
        return used / (time.monotonic() - self._began)


def wait_until_quiet(limit_s: float = 60, foreign: float = 0.15) -> float:
    """Wait for two seconds with little foreign load, at most ``limit_s``; gives the last figure."""
    end = time.monotonic() + limit_s
    while True:
        window = Window()
        time.sleep(2)
        seen = window.foreign()
        if seen <= foreign or time.monotonic() > end:
            return seen


if __name__ == "__main__":
    print(wait_until_quiet(0))
