"""Owns what `%chat` does while its cell runs: its card, and one for each task it begins."""

import concurrent.futures

from ..engine.engine import Engine
from ..engine.task import ChatTurn
from ..errors import UnknownTaskError
from .arguments import ChatOptions
from .cards import CardDisplay

_LOOK = 0.1
"""Seconds between two looks whether the turn has given another task away."""


def run_chat(
    engine: Engine, options: ChatOptions, words: str, display: CardDisplay
) -> ChatTurn | None:
    """Say `words` to the coordinator; return the turn when it has ended, or waits for the person.

    An interrupt ends the turn; what it has begun goes on. Raises `UsageError`, `StoreError`.
    """
    turn: ChatTurn | None = None
    shown: set[str] = set()
    try:
        turn = engine.chat(words, model=options.model, search=options.search)
        display(turn)
        _follow(turn, display, shown)
    except KeyboardInterrupt:
        engine.end_turn()
        print("The turn is ended; what it has begun goes on.")  # noqa: T201 - the cell's output
    if turn is None:  # it was interrupted before it had begun
        return None
    _show_tasks(turn, display, shown)
    display.redraw(turn)
    return turn


def _follow(turn: ChatTurn, display: CardDisplay, shown: set[str]) -> None:
    while True:
        try:
            turn.settled.result(_LOOK)
        except concurrent.futures.TimeoutError:
            _show_tasks(turn, display, shown)
        else:
            return


def _show_tasks(turn: ChatTurn, display: CardDisplay, shown: set[str]) -> None:
    """Show what the turn has given to others, each once in this cell."""
    for task_id in turn.children:
        if task_id in shown:
            continue
        shown.add(task_id)
        try:
            display(turn.engine.task(task_id))
        except UnknownTaskError:  # deleted meanwhile
            continue
