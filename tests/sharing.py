"""Which tests one worker runs: those of `tests/e2e` all, since they share one server.

pytest-xdist's own groups do this by changing the ids of tests, which pytest 9 ignores.
"""

from typing import Any

from xdist.scheduler import LoadScopeScheduling

ONE_SERVER = "tests/e2e/"


class OneServer(LoadScopeScheduling):
    """Hands out test by test, but those of one server as one."""

    def _split_scope(self, nodeid: str) -> str:
        return ONE_SERVER if nodeid.startswith(ONE_SERVER) else nodeid


def scheduler_of(config: Any, log: Any) -> LoadScopeScheduling | None:
    """The scheduler that `--dist loadgroup` asks for, or None to leave it to xdist."""
    return OneServer(config, log) if config.getvalue("dist") == "loadgroup" else None
