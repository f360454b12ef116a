"""Owns what `%btw` does: it asks, shows, stops, clears and promotes; it shows nothing itself."""

from ..core.render_text import short_id
from ..core.side import STATUS_WORDS
from ..engine.engine import Engine
from ..engine.side.handle import SideAnswer
from ..errors import UsageError
from .arguments import BtwOptions
from .side_history import SideHistory, side_history


def run_btw(engine: Engine, options: BtwOptions, question: str) -> SideAnswer | SideHistory | str:
    """Do what the line asks; return the answer that grows, or what to print. Raises `UsageError`
    and `SideQuestionRefused`."""
    side = engine.side
    parent = side.parent_of(options.to)
    task = side.words_of(parent)
    _one_thing(options, question)
    if options.stop:
        stopped = side.stop(parent)
        if stopped is None:
            return f"No answer about {task} is being written."
        if stopped.status != "stopped":
            return f"Answer {stopped.ordinal} had ended already: {STATUS_WORDS[stopped.status]}."
        return f"Answer {stopped.ordinal} is stopped; its text is kept."
    if options.clear:
        count = side.clear(parent)
        return f"{count} question{'s' * (count != 1)} about {task} deleted."
    if options.promote is not None:
        return _promote(engine, parent, options.promote or None, sure=options.yes)
    if not question:
        empty = f"Nothing was asked about {task} yet. Try: %btw What is known so far?"
        return side_history(engine, parent, empty)
    return engine.ask(question, parent)


def _one_thing(options: BtwOptions, question: str) -> None:
    asked = [
        name
        for name, given in (
            ("--stop", options.stop),
            ("--clear", options.clear),
            ("--promote", options.promote is not None),
            ("a question", bool(question)),
        )
        if given
    ]
    if len(asked) > 1:
        raise UsageError(f"%btw does one thing at a time, not {' and '.join(asked)}.")
    if options.yes and options.promote is None:
        raise UsageError("--yes belongs to --promote.", "%btw? explains the options.")


def _promote(engine: Engine, parent: str, ordinal: int | None, *, sure: bool) -> str:
    if sure:
        given = engine.side.promote(parent, ordinal)
        return f"Answer {given.ordinal} goes to the agent with its next request, if there is one."
    side, note = engine.side.promotion(parent, ordinal)
    do = f"%btw --to {short_id(parent)} --promote {side.ordinal} --yes"
    return f"The agent would be told:\n\n{note}\n\nTo do it: {do}"
