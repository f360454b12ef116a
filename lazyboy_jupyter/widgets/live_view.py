"""Owns the widget: what is synced to its views, and the way of messages to and from them.

Its state only ever goes to the page; what a page wants, it says in messages. State is set and
messages are sent on the engine's thread; messages arrive on a thread of the kernel.
"""

import uuid
from collections.abc import Callable
from typing import Any

import anywidget
import traitlets

from .frontend import LOADER, interface

_SYNCED = {"sync": True}


class LiveView(anywidget.AnyWidget):
    """One view model: a run's card, a panel of side questions, or the roster, by its `kind`.

    It shows itself in every output whose HTML names its `place` (`placed`), over the static twin.
    An output that were the widget itself would be an error message in the notebook of tomorrow,
    whose kernel does not know the widget any more.
    """

    _esm = LOADER
    interface = traitlets.Unicode().tag(**_SYNCED)
    place = traitlets.Unicode().tag(**_SYNCED)
    kind = traitlets.Unicode("run").tag(**_SYNCED)
    card = traitlets.Dict(allow_none=True, default_value=None).tag(**_SYNCED)
    sources: traitlets.List[Any] = traitlets.List().tag(**_SYNCED)
    guide = traitlets.Dict(allow_none=True, default_value=None).tag(**_SYNCED)
    side = traitlets.Dict(allow_none=True, default_value=None).tag(**_SYNCED)
    current = traitlets.Dict(allow_none=True, default_value=None).tag(**_SYNCED)
    roster = traitlets.Dict(allow_none=True, default_value=None).tag(**_SYNCED)

    def __init__(self, heard: Callable[[Any], None], **state: Any) -> None:
        place = f"lazyboy-{uuid.uuid4().hex}"
        super().__init__(interface=interface().version, place=place, **state)
        # ipykernel 7.4 sends a page's message to the subshell that this comm last published on, so
        # that a click would wait for a busy cell; without this it goes where the page sent it.
        if hasattr(self.comm, "_reply_subshell_for"):
            self.comm._reply_subshell_for = None
        self._heard = heard
        self.on_msg(lambda _widget, content, _buffers: self._took(content))

    def _took(self, content: Any) -> None:
        """A page without the interface asks for it, also where the engine has ended."""
        if isinstance(content, dict) and content.get("type") == "interface":
            built = interface()
            self.send({"type": "interface", "script": built.script, "style": built.style})
        else:
            self._heard(content)

    def placed(self, twin: str) -> str:
        """Return the HTML of a static twin as the place of this widget."""
        return f'<div data-lazyboy-view="{self.place}">{twin}</div>'

    def put(self, **state: Any) -> None:
        """Set the state, sent in one message; what has not changed is not sent."""
        changed = {name: value for name, value in state.items() if getattr(self, name) != value}
        if changed:
            with self.hold_sync():
                for name, value in changed.items():
                    self.set_trait(name, value)
