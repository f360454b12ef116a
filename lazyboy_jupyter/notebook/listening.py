"""Owns how this kernel offers its research to pages: over HTTP where a Jupyter server runs it on
this machine, over a comm wherever it has any."""

import logging
import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import EngineClosedError
from .api_comm import offer
from .session import get_engine, holder_of_session, notebook_of

if TYPE_CHECKING:
    from ..engine.engine import Engine

_log = logging.getLogger("lazyboy_jupyter")


def listen(shell: Any, environment: Mapping[str, str] | None = None) -> None:
    """Listen from now on, if somebody may come: a server that runs this kernel for a notebook.

    Where that cannot be, nothing is said: the widgets need none of it.
    """
    engines = _SessionEngines(notebook_of(shell))
    offer(shell, engines)
    env = os.environ if environment is None else environment
    holder, file = holder_of_session(), connection_file(shell)
    if holder.api is not None or file is None or not env.get("JPY_SESSION_NAME"):
        return
    import atexit

    from ..api.serving import ApiServer

    server = ApiServer(engines, file)
    try:
        server.begin()
    except OSError as error:
        _log.warning("no API: %s", error)
        return
    holder.api = server
    atexit.register(server.end)


def connection_file(shell: Any) -> Path | None:
    """Return the connection file of the kernel that runs this shell, or None where none does."""
    name = getattr(getattr(getattr(shell, "kernel", None), "parent", None), "connection_file", None)
    return Path(name).absolute() if name and os.path.isabs(name) else None


class _SessionEngines:
    """The engine that the magics use."""

    def __init__(self, notebook: str | None) -> None:
        self._notebook = notebook

    def running(self) -> "Engine | None":
        engine: Engine | None = holder_of_session().engine
        if engine is not None and engine.closed:
            raise EngineClosedError(
                "The engine of this notebook was closed.", "%research QUESTION begins anew."
            )
        return engine

    def start(self) -> "Engine":
        return self.running() or get_engine(self._notebook)
