"""Owns showing what lives in the cell that asked, and the way to that cell from any thread."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from ..engine.engine import Engine
    from ..widgets.feed import Feed

Bundle = dict[str, Any]
Publish = Callable[[Bundle], None]


class Shown(Protocol):
    """What a card shows: a task, a side question with its answer, their history, the roster."""

    @property
    def engine(self) -> "Engine":
        """Whose it is: another engine's hub would never tell of it."""
        ...

    @property
    def id(self) -> str:
        """What tells it from another."""
        ...

    @property
    def live(self) -> bool:
        """Whether it still changes."""
        ...

    @property
    def stage(self) -> object:
        """How far it has come: a saved notebook has what each stage left."""
        ...

    def _repr_mimebundle_(self) -> Bundle: ...


class Card(Protocol):
    """A widget that follows what it shows."""

    feed: "Feed"

    def begin(self) -> None:
        """Follow it. On the engine's thread."""
        ...


def show(shell: Any, shown: Shown) -> Callable[[], None]:
    """Display it in the running cell, as a widget where there are any, always with its static twin;
    while it is live, the output follows it.

    The function returned draws the twin once more at once, from any thread.
    """
    import uuid

    from IPython.display import display

    from ..core.card import PUBLICATION
    from ..core.render_html import without_style
    from ..engine.side.handle import SideAnswer
    from ..widgets.frontend import shows_widgets

    engine, display_id = shown.engine, f"lazyboy-{uuid.uuid4()}"
    card: Card | None = None
    if not engine.closed and shows_widgets(shell, engine.settings):
        from .widget_cards import card_of

        card = card_of(shown)

    def bundle(*, covered: bool) -> Bundle:
        twin = shown._repr_mimebundle_()
        if card is not None:
            html = without_style(twin["text/html"]) if covered else twin["text/html"]
            widget = card.feed.widget
            twin["text/html"] = widget.placed(html)
            if PUBLICATION in twin:
                twin[PUBLICATION]["place"] = widget.place
        return twin

    publish = updater(shell, display_id)
    display(bundle(covered=shown.live), raw=True, display_id=display_id)
    if card is not None:
        engine.on_loop(card.begin)
    if publish is None:
        return lambda: None

    def redraw(*, covered: bool = False) -> None:
        publish(bundle(covered=covered))

    if shown.live:
        from .live_card import LiveCard

        hub, key = engine.hub, shown.id
        if isinstance(shown, SideAnswer):
            hub, key = engine.side.hub, shown.parent
        seen = (lambda: card.feed.seen) if card is not None else None
        engine.on_loop(LiveCard(engine, hub, key, shown, redraw, seen).begin)
    return redraw


class CardDisplay:
    """Shows tasks and side questions as live cards, each once in a cell: a magic's value is not
    shown a second time.

    Registered as IPython's display formatter of both.
    """

    def __init__(self, shell: Any) -> None:
        self._shell = shell
        self._shown: set[tuple[int, str]] = set()
        self._redraws: dict[str, Callable[[], None]] = {}

    def __call__(self, shown: Shown) -> None:
        """Display it in the running cell, unless this cell shows it already."""
        here = (self._shell.execution_count, shown.id)
        if not any(count == here[0] for count, _ in self._shown):
            self._shown, self._redraws = set(), {}
        if here not in self._shown:
            self._shown.add(here)
            self._redraws[shown.id] = show(self._shell, shown)

    def show_or_print(self, shown: Shown) -> None:
        """Display it where it can be a widget; elsewhere its text says it all."""
        from ..widgets.frontend import shows_widgets

        if shows_widgets(self._shell, shown.engine.settings):
            self(shown)
        else:
            print(shown)  # noqa: T201 - the cell's output

    def redraw(self, shown: Shown) -> None:
        """Draw a card of this cell once more, at once: for a cell that is about to end."""
        if updater(self._shell, "") is None:
            print(shown)  # noqa: T201 - a terminal's display cannot be changed any more
        if shown.id in self._redraws:
            self._redraws[shown.id]()


def updater(shell: Any, display_id: str) -> Publish | None:
    """Return a function that replaces the display from any thread, or None where that cannot be.

    The message is made here and not by `update_display`: that would flush the cell's streams from
    our thread, keep every redraw in the history, and carry the header of whatever cell runs then.
    """
    publisher = shell.display_pub
    if not all(hasattr(publisher, name) for name in ("session", "pub_socket", "topic")):
        return None
    parent = publisher.parent_header

    def update(bundle: Bundle) -> None:
        content = {"data": bundle, "metadata": {}, "transient": {"display_id": display_id}}
        publisher.session.send(
            publisher.pub_socket,
            "update_display_data",
            content,
            parent=parent,
            ident=publisher.topic,
        )

    return update
