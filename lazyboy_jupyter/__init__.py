"""Bounded background research for notebooks: cited guides from a cell, evidence in DuckDB.

Importing this package costs nothing: every name loads its module on first use.
"""

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"

_HOMES = {
    "ChatTurn": "engine.task",
    "Citation": "core.publication",
    "Claim": "core.publication",
    "Engine": "engine.engine",
    "Gap": "core.publication",
    "Guide": "core.guide",
    "LazyboyError": "errors",
    "Page": "ports",
    "Publication": "core.publication",
    "ResearchTask": "engine.task",
    "SearchResult": "ports",
    "SideAnswer": "engine.side.handle",
    "SideQuestionRefused": "errors",
    "Source": "core.guide",
    "SourceError": "errors",
    "StandardTask": "engine.task",
    "StoreError": "errors",
    "Task": "engine.task",
    "UsageError": "errors",
    "get_engine": "notebook.session",
}

if TYPE_CHECKING:
    from .core.guide import Guide, Source
    from .core.publication import Citation, Claim, Gap, Publication
    from .engine.engine import Engine
    from .engine.side.handle import SideAnswer
    from .engine.task import ChatTurn, ResearchTask, StandardTask, Task
    from .errors import (
        LazyboyError,
        SideQuestionRefused,
        SourceError,
        StoreError,
        UsageError,
    )
    from .notebook.session import get_engine
    from .ports import Page, SearchResult

__all__ = [
    "ChatTurn",
    "Citation",
    "Claim",
    "Engine",
    "Gap",
    "Guide",
    "LazyboyError",
    "Page",
    "Publication",
    "ResearchTask",
    "SearchResult",
    "SideAnswer",
    "SideQuestionRefused",
    "Source",
    "SourceError",
    "StandardTask",
    "StoreError",
    "Task",
    "UsageError",
    "__version__",
    "get_engine",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(f"{__name__}.{home}"), name)


def __dir__() -> list[str]:
    return __all__


def _jupyter_labextension_paths() -> list[dict[str, str]]:
    """Say where JupyterLab's half is: `jupyter labextension develop` asks."""
    return [{"src": "labextension", "dest": "lazyboy-jupyter"}]


def _jupyter_server_extension_points() -> list[dict[str, str]]:
    """Name the extension that a Jupyter server loads."""
    return [{"module": "lazyboy_jupyter.server"}]


def load_ipython_extension(ipython: Any) -> None:
    """Register the magics; the engine starts on first use."""
    from .notebook.extension import load

    load(ipython)


def unload_ipython_extension(ipython: Any) -> None:
    """Take the magics away; research that runs goes on."""
    from .notebook.extension import unload

    unload(ipython)
