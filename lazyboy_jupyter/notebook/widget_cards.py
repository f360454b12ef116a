"""Owns which widget shows what. Imported only where a front end shows widgets."""

from ..engine.side.handle import SideAnswer
from ..engine.task import Task
from ..widgets.roster_card import RosterCard
from ..widgets.run_card import RunCard
from ..widgets.side_card import SideCard
from .cards import Card, Shown
from .side_history import SideHistory
from .status import Status


def card_of(shown: Shown) -> Card | None:
    """Return the widget's card of what is shown, or None when it has none."""
    engine = shown.engine
    match shown:
        case Task():
            return RunCard(engine, shown)
        case SideAnswer(parent=parent, id=request_id):
            return SideCard(engine, parent, {request_id})
        case SideHistory(parent=parent):
            return SideCard(engine, parent)
        case Status(tasks=tasks, note=note):
            return RosterCard(engine, tasks, note)
        case _:
            return None
