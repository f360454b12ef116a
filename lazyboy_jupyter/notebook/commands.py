"""Owns what `%lazyboy` does, one function a subcommand; each returns what the cell shows."""

import difflib
from collections.abc import Callable, Sequence
from pathlib import Path

from ..core.exports import EXPORTS
from ..core.render_text import short_id
from ..engine.engine import Engine
from ..engine.task import Task
from ..errors import UsageError
from .arguments import words_of
from .status import Status, status_of
from .tables import Table, tasks_table

HELP = """\
%research QUESTION      ask, and go on working; the guide appears under the cell
%%research [options]    the same, the question in the cell's body
%research?              options, with examples
%btw QUESTION           ask what the newest task's agent knows, without disturbing it
%btw                    what was asked so; %btw? explains its options
%chat WORDS             talk to the coordinator, which answers or gives the work to others
%lazyboy status         what is running now, and what waits for you
%lazyboy answer ID TEXT answer what a task asks
%timing [VIEW]          where the time went; %%timing runs SQL; %timing? explains both
%lazyboy list           all tasks of this notebook, newest first; with --all also archived ones,
                        and the finished ones of the other notebooks of this folder
%lazyboy show ID        a task's card again; its last characters are enough as ID
%lazyboy stop ID        end a running task; what it has is kept
%lazyboy resume ID      go on with a task that was stopped, interrupted or has failed
%lazyboy archive ID     put a task away: it ends, leaves the list, and can still be shown
%lazyboy delete ID      delete a task with all its evidence, for good
%lazyboy export ID PATH write a guide as .md, .html, .txt, .json or its sources as .bib
%lazyboy search [NAME]  where questions look from now on; alone, it says where they do
%lazyboy model [NAME]   who writes the guides from now on; alone, it says who does
%lazyboy doctor         try the model, the searches and the browser; say what works
%lazyboy help           this page"""

Shown = Task | Status | Table | str
_LONGEST_LIST = 50


def run_command(engine: Engine, line: str) -> Shown:
    """Run the subcommand that `line` names. Raises `UsageError` for what is not understood."""
    words = words_of(line)
    name, args = (words[0], words[1:]) if words else ("status", [])
    command = COMMANDS.get(name)
    if command is None:
        close = difflib.get_close_matches(name, COMMANDS, n=1)
        hint = (
            f"Did you mean %lazyboy {close[0]}?" if close else f"There are {', '.join(COMMANDS)}."
        )
        raise UsageError(f"There is no %lazyboy {name[:40]}.", hint)
    return command(engine, args)


def _status(engine: Engine, args: Sequence[str]) -> Shown:
    _expect(args, "status")
    return status_of(engine)


def _list(engine: Engine, args: Sequence[str]) -> Shown:
    if list(args) == ["--all"]:
        rows, left_out = engine.tasks_of_all()
        nothing = "Nothing was asked in this folder yet. Try: %research QUESTION."
    else:
        _expect(args, "list")
        rows, left_out = engine.tasks(), []
        nothing = "Nothing was asked here yet. Try: %research How does the with statement work?"
        if not rows and engine.tasks(archived=True):
            nothing = "All tasks of this notebook are archived: %lazyboy list --all."
    if not rows:
        return "\n".join([nothing, *left_out])
    more = len(rows) - _LONGEST_LIST
    note = f"{more} older ones are in the view tasks." if more > 0 else ""
    return tasks_table(rows[:_LONGEST_LIST], " ".join([note, *left_out]).strip())


def _show(engine: Engine, args: Sequence[str]) -> Shown:
    return engine.task(_expect(args, "show", "ID")[0])


def _answer(engine: Engine, args: Sequence[str]) -> Shown:
    if len(args) < 2:
        raise UsageError("%lazyboy answer takes an ID and the answer.", "%lazyboy answer ID TEXT.")
    task = engine.task(args[0])
    engine.answer(task.id, " ".join(args[1:]))
    return f"Task {short_id(task.id)} has your answer, and goes on."


def _stop(engine: Engine, args: Sequence[str]) -> Shown:
    task = engine.task(_expect(args, "stop", "ID")[0])
    if not task.view().live:
        return f"Task {short_id(task.id)} has ended already: {task.status}."
    task.stop()
    return f"Task {short_id(task.id)} is stopped; what it has is kept."


def _resume(engine: Engine, args: Sequence[str]) -> Shown:
    return engine.resume(_expect(args, "resume", "ID")[0])


def _archive(engine: Engine, args: Sequence[str]) -> Shown:
    task_id = engine.archive(_expect(args, "archive", "ID")[0])
    return f"Task {short_id(task_id)} is archived; %lazyboy list --all shows it."


def _delete(engine: Engine, args: Sequence[str]) -> Shown:
    task_id = engine.delete(_expect(args, "delete", "ID")[0])
    return f"Task {short_id(task_id)} is deleted, with its evidence."


def _export(engine: Engine, args: Sequence[str]) -> Shown:
    _expect(args[:2], "export", "ID", "PATH")
    # A path may hold spaces: all that follows the id is the path.
    path = Path(" ".join(args[1:]))
    task = engine.task(args[0])
    write = EXPORTS.get(path.suffix.lower().removeprefix("."))
    if write is None:
        raise UsageError(
            f"Guides are not written as {path.suffix or 'a file without a suffix'}.",
            f"Choose a path that ends in {', '.join(f'.{name}' for name in EXPORTS)}.",
        )
    if task.guide is None:
        raise UsageError(
            f"Task {short_id(task.id)} has no guide yet.", "%lazyboy show says how far it is."
        )
    try:
        path.expanduser().write_text(write(task.view()), encoding="utf-8")
    except (OSError, RuntimeError, ValueError) as error:  # no such user, a NUL in the path
        reason = getattr(error, "strerror", None) or error
        raise UsageError(f"{path} cannot be written: {reason}.", "Choose another path.") from None
    return f"Written to {path}."


def _search(engine: Engine, args: Sequence[str]) -> Shown:
    """Choose sources for this session; a name may hold spaces, so commas part several."""
    names = [name.strip() for name in " ".join(args).split(",") if name.strip()]
    if names:
        engine.search_in(names)
    asked, taken = ", ".join(engine.settings.search), ", ".join(engine.searches)
    chosen = asked if asked == taken else f"{asked}, which is {taken} now"
    return (
        f"Questions look in {chosen}.\n"
        f"There are {', '.join(engine.source_names)}; %lazyboy search NAME, NAME chooses."
    )


def _model(engine: Engine, args: Sequence[str]) -> Shown:
    """Choose the model for this session."""
    if args:
        engine.use_model(_expect(args, "model", "NAME")[0])
    return f"Guides are written by {engine.settings.model}. %lazyboy doctor tries it."


def _doctor(engine: Engine, args: Sequence[str]) -> Shown:
    _expect(args, "doctor")
    rows = [(one.part, one.state, one.said) for one in engine.examine()]
    return Table(("What", "State", "Found out"), tuple(rows), f"Stored in {engine.path}.")


def _help(engine: Engine, args: Sequence[str]) -> Shown:
    return HELP


COMMANDS: dict[str, Callable[[Engine, Sequence[str]], Shown]] = {
    "status": _status,
    "list": _list,
    "show": _show,
    "answer": _answer,
    "stop": _stop,
    "resume": _resume,
    "archive": _archive,
    "delete": _delete,
    "export": _export,
    "search": _search,
    "model": _model,
    "doctor": _doctor,
    "help": _help,
}
TAKES_TASK = frozenset({"show", "answer", "stop", "resume", "archive", "delete", "export"})


def _expect(args: Sequence[str], command: str, *names: str) -> Sequence[str]:
    if len(args) != len(names):
        wanted = " ".join(names)
        raise UsageError(
            f"%lazyboy {command} takes {wanted or 'nothing more'}.",
            f"Write %lazyboy {command} {wanted}".rstrip() + "; %lazyboy list shows ids."
            if names
            else f"Write %lazyboy {command}.",
        )
    return args
