"""Owns telling everyone who listens that a task changed; it never waits for a listener."""

import logging
import threading
from collections.abc import Callable
from functools import partial

Listener = Callable[[str], None]
_log = logging.getLogger("lazyboy_jupyter")


class Hub:
    """Listeners are called on the engine's thread with the id of the task that changed.

    What changed is asked of the task itself, so a listener that misses a call loses nothing.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._listeners: tuple[tuple[Listener, Callable[[], None]], ...] = ()

    def subscribe(
        self, listener: Listener, finish: Callable[[], None] = lambda: None
    ) -> Callable[[], None]:
        """Add a listener; the function returned takes it away again. Safe from any thread.

        `finish` is called when the engine ends: what the listener has put off, it does then.
        """
        own = (listener, finish)
        with self._lock:
            self._listeners = (*self._listeners, own)

        def unsubscribe() -> None:
            with self._lock:
                self._listeners = tuple(one for one in self._listeners if one is not own)

        return unsubscribe

    def publish(self, task_id: str) -> None:
        """Tell every listener. On the engine's thread."""
        for listener, _ in self._listeners:
            _guarded(partial(listener, task_id))

    def finish(self) -> None:
        """Let every listener do what it has put off. On the engine's thread, before it ends."""
        for _, finish in self._listeners:
            _guarded(finish)


def _guarded(call: Callable[[], None]) -> None:
    """A broken display must not end the research it shows."""
    try:
        call()
    except Exception:  # noqa: BLE001 - see above
        _log.exception("a listener failed")
