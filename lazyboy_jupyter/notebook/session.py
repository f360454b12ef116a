"""Owns the one engine of this process, as the magics use it.

It is kept in a module object of its own, outside every module's globals: `%autoreload` executes
modules again and would start a second engine (DESIGN §17).
"""

import os
import sys
import threading
import types
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import LazyboyError

if TYPE_CHECKING:
    from ..engine.engine import Engine

_HOLDER = "_lazyboy_jupyter_session"


def holder_of_session() -> Any:
    """Return what holds the engine and the API of this process, and the folder of its notebook."""
    holder = sys.modules.get(_HOLDER)
    if holder is None:
        fresh: Any = types.ModuleType(_HOLDER, "The running engine of lazyboy-jupyter.")
        # The folder is that of the notebook now; a later %cd must not move the store.
        fresh.engine, fresh.lock, fresh.folder = None, threading.RLock(), Path.cwd()
        fresh.api = fresh.comm_api = fresh.told = None
        holder = sys.modules.setdefault(_HOLDER, fresh)
    return holder


def begin_session() -> None:
    """Note where the notebook is, before anything can change the current folder."""
    holder_of_session()


def current_engine() -> "Engine | None":
    """Return the running engine, or None before its first use."""
    engine: Engine | None = holder_of_session().engine
    return None if engine is None or engine.closed else engine


def get_engine(notebook: str | None = None) -> "Engine":
    """Return the engine of this process, started on first use.

    Raises `UsageError` for wrong settings, `StoreError` when the store cannot be written.
    """
    holder = holder_of_session()
    with holder.lock:
        if holder.engine is None or holder.engine.closed:
            from ..engine.engine import Engine

            holder.engine = Engine(notebook=notebook, folder=holder.folder)
        engine: Engine = holder.engine
        return engine


def notice_of(engine: "Engine") -> list[str]:
    """Return what a person should know of an engine that has just started, a line each."""
    lines = []
    if engine.displaced:
        lines.append(f"Another kernel uses this notebook's store, so this one has {engine.path}.")
    if engine.interrupted:
        count = len(engine.interrupted)
        what = "1 task was" if count == 1 else f"{count} tasks were"
        lines.append(f"{what} interrupted when the last kernel ended; %lazyboy list shows them.")
    if engine.damaged:
        lines.append(
            f"The store was damaged: events of {len(engine.damaged)} tasks are missing. "
            "What is there can still be read."
        )
    return lines


def news_of(engine: "Engine") -> list[str]:
    """Return the notice of an engine once, to who asks first."""
    holder = holder_of_session()
    if holder.told is engine:
        return []
    holder.told = engine
    return notice_of(engine)


def one_line(error: LazyboyError) -> str:
    """Return an error as people see it: what happened, and the next step."""
    return f"{error.sentence} {error.hint}".strip()


def notebook_of(shell: Any) -> str | None:
    """Return the notebook's path as the front end tells it, or None outside a notebook."""
    told = shell.user_ns.get("__vsc_ipynb_file__") or os.environ.get("JPY_SESSION_NAME")
    return str(told) if told and str(told).endswith(".ipynb") else None
