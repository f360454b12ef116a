"""Owns telling everyone who listens that a task changed; it never waits for a listener."""

import logging
from collections.abc import Callable

Listener = Callable[[str], None]
_log = logging.getLogger("lazyboy_jupyter")


class Hub:
    """Listeners are called on the engine's thread with the id of the task that changed.

    What changed is asked of the task itself, so a listener that misses a call loses nothing.
    """

    def __init__(self) -> None:
        self._listeners: tuple[Listener, ...] = ()

    def subscribe(self, listener: Listener) -> Callable[[], None]:
        """Add a listener; the function returned takes it away again. Safe from any thread."""
        self._listeners = (*self._listeners, listener)

        def unsubscribe() -> None:
            self._listeners = tuple(one for one in self._listeners if one is not listener)

        return unsubscribe

    def publish(self, task_id: str) -> None:
        """Tell every listener. On the engine's thread."""
        for listener in self._listeners:
            try:
                listener(task_id)
            except Exception:  # noqa: BLE001 - see below
                # A broken display must not end the research it shows.
                _log.exception("a listener failed")
