"""Owns what Tab offers after our magics: options, subcommands, names of tasks, models, sources.

It never starts the engine: before its first use there is no task to name.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from .arguments import btw_parser, chat_parser, flags_of, research_parser, timing_parser
from .session import current_engine

if TYPE_CHECKING:
    from argparse import ArgumentParser

_MODEL_FLAGS = frozenset({"-m", "--model"})
_SEARCH_FLAGS = frozenset({"-s", "--search"})


def complete_research(shell: Any, event: Any) -> list[str]:
    """Return completions of a `%research` line."""
    return _complete_question(event, research_parser())


def complete_chat(shell: Any, event: Any) -> list[str]:
    """Return completions of a `%chat` line."""
    return _complete_question(event, chat_parser())


def _complete_question(event: Any, parser: "ArgumentParser") -> list[str]:
    before = event.line.split()[:-1] if event.symbol else event.line.split()
    last = before[-1] if before else ""
    if last in _MODEL_FLAGS:
        from ..adapters.models.registry import NAMES

        return _starting(NAMES, event.symbol)
    if last in _SEARCH_FLAGS:
        return _starting(_source_names(), event.symbol)
    if event.symbol.startswith("-"):
        return _starting(flags_of(parser), event.symbol)
    return []


def complete_btw(shell: Any, event: Any) -> list[str]:
    """Return completions of a `%btw` line: options, and tasks after `--to`."""
    before = event.line.split()[:-1] if event.symbol else event.line.split()
    if before[-1:] == ["--to"]:
        return _starting(_task_names(), event.symbol)
    return _starting(flags_of(btw_parser()), event.symbol) if event.symbol.startswith("-") else []


def complete_timing(shell: Any, event: Any) -> list[str]:
    """Return completions of a `%timing` line: options, views, and tasks after `waterfall`."""
    from ..core.timing_views import NAMES

    before = event.line.split()[:-1] if event.symbol else event.line.split()
    if event.symbol.startswith("-"):
        return _starting(flags_of(timing_parser()), event.symbol)
    if before[-1:] == ["waterfall"]:
        return _starting(_task_names(archived=True), event.symbol)
    asked = [word for word in before[1:] if not word.startswith("-")]
    return [] if asked else _starting(NAMES, event.symbol)


def complete_lazyboy(shell: Any, event: Any) -> list[str]:
    """Return completions of a `%lazyboy` line: a subcommand, then a task's id."""
    from .commands import COMMANDS, TAKES_TASK

    words = event.line.split()
    done = words[1:-1] if event.symbol else words[1:]
    if not done:
        return _starting(COMMANDS, event.symbol)
    if done[0] == "search":
        return _starting(_source_names(), event.symbol)
    if done == ["list"]:
        return _starting(["--all"], event.symbol)
    if len(done) == 1 and done[0] in TAKES_TASK:
        ended_too = done[0] not in {"stop", "archive"}
        return _starting(_task_names(archived=ended_too), event.symbol)
    return []


def _task_names(*, archived: bool = False) -> list[str]:
    engine = current_engine()
    if engine is None:
        return []
    from ..core.render_text import short_id

    return [short_id(row["task_id"]) for row in engine.tasks(archived=archived)]


def _source_names() -> list[str]:
    from ..adapters.sources.registry import source_names

    return [name.removesuffix("PATH") for name in source_names()]


def _starting(names: Iterable[str], prefix: str) -> list[str]:
    return [name for name in names if name.startswith(prefix)]
