"""Owns loading and unloading the IPython extension. It imports no engine: loading costs nothing."""

from typing import Any

from .cards import CardDisplay
from .completion import (
    complete_btw,
    complete_chat,
    complete_lazyboy,
    complete_research,
    complete_timing,
)
from .listening import listen
from .magics import LazyboyMagics
from .session import begin_session
from .sql_completion import timing_body_matcher
from .transform import keep_question_marks

_NAMES = ("research", "btw", "chat", "timing", "lazyboy")
_SHOWN = (
    ("lazyboy_jupyter.engine.task", "ResearchTask"),
    ("lazyboy_jupyter.engine.task", "StandardTask"),
    ("lazyboy_jupyter.engine.task", "ChatTurn"),
    ("lazyboy_jupyter.engine.side.handle", "SideAnswer"),
    ("lazyboy_jupyter.notebook.status", "Status"),
)


def load(shell: Any) -> None:
    """Register the magics, their completion, and how what they give is displayed. Safe to do
    again."""
    begin_session()
    listen(shell)
    display = CardDisplay(shell)
    shell.register_magics(LazyboyMagics(shell, display))
    for magic in ("%research", "%%research"):
        shell.set_hook("complete_command", complete_research, str_key=magic)
    for magic in ("%btw", "%%btw"):
        shell.set_hook("complete_command", complete_btw, str_key=magic)
    for magic in ("%chat", "%%chat"):
        shell.set_hook("complete_command", complete_chat, str_key=magic)
    for magic in ("%timing", "%%timing"):
        shell.set_hook("complete_command", complete_timing, str_key=magic)
    shell.set_hook("complete_command", complete_lazyboy, str_key="%lazyboy")
    for name in _SHOWN:
        _display_formatter(shell).for_type_by_name(*name, display)
    _remove_transform(shell)
    shell.input_transformers_cleanup.append(keep_question_marks)
    _remove_matcher(shell)
    shell.Completer.custom_matchers.append(timing_body_matcher)


def unload(shell: Any) -> None:
    """Take the magics away. The engine and its research go on: `%reload_ext` unloads too."""
    for kind in ("line", "cell"):
        for name in _NAMES:
            shell.magics_manager.magics[kind].pop(name, None)
    for shown in _SHOWN:
        _display_formatter(shell).pop(".".join(shown), None)
    _remove_transform(shell)
    _remove_matcher(shell)


def _remove_matcher(shell: Any) -> None:
    """By name, as the transform."""
    shell.Completer.custom_matchers[:] = [
        matcher
        for matcher in shell.Completer.custom_matchers
        if getattr(matcher, "__name__", "") != timing_body_matcher.__name__
    ]


def _remove_transform(shell: Any) -> None:
    """By name: after a reload of this package the registered function is another object."""
    shell.input_transformers_cleanup[:] = [
        transform
        for transform in shell.input_transformers_cleanup
        if getattr(transform, "__name__", "") != keep_question_marks.__name__
    ]


def _display_formatter(shell: Any) -> Any:
    return shell.display_formatter.ipython_display_formatter
