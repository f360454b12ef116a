"""Owns the thread on which a kernel's API is served, and where it listens.

Listening costs nothing: what serves is loaded when somebody comes. A Unix socket in a folder of
this user alone, or, where there are none, a port of this machine; each request carries a token.
"""

import asyncio
import contextlib
import logging
import os
import secrets
import selectors
import shutil
import socket
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

from .address import Address, read_address, remove_address, write_address

if TYPE_CHECKING:
    from .bridge import Engines

PROMPT = 0.00025
"""Seconds for which a thread that computes in Python may keep the others waiting, once somebody has
come: by Python's own five milliseconds an answer, which waits for its turn some times, would come
late. Where nobody waits it costs nothing.
"""
_LONGEST_PATH = 100
"""Bytes that a socket's path may have: 104 with its end, where there is least room."""
_log = logging.getLogger("lazyboy_jupyter")
_log.addHandler(logging.NullHandler())  # else Python prints what nobody handles into a cell


class ApiServer:
    """Listens from `begin` on, for the rest of the process. `unix`: None chooses what the machine
    has."""

    def __init__(
        self,
        engines: "Engines",
        connection_file: Path,
        *,
        unix: bool | None = None,
    ) -> None:
        self._engines = engines
        self._connection_file = connection_file
        self._unix = hasattr(socket, "AF_UNIX") if unix is None else unix
        self._folder: Path | None = None
        self._pid = os.getpid()

    def begin(self) -> None:
        """Listen, say where, and serve on a thread of its own. Raises `OSError`."""
        self._clean_up_after_the_last()
        token = secrets.token_urlsafe(32)
        listening, where = self._listening()
        self.address = Address(token, self._pid, **where)  # type: ignore[arg-type]
        try:
            write_address(self._connection_file, self.address)
        except OSError:
            listening.close()
            self.end()
            raise
        threading.Thread(
            target=self._serve, args=(listening,), name="lazyboy-api", daemon=True
        ).start()

    def end(self) -> None:
        """Take the address away; at the interpreter's exit. Whoever is served is cut off then."""
        if os.getpid() != self._pid:  # a forked child: the address is its parent's
            return
        remove_address(self._connection_file, self.address)
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)

    def _listening(self) -> tuple[socket.socket, dict[str, object]]:
        if not self._unix:
            listening = socket.create_server(("127.0.0.1", 0))
            return listening, {"port": listening.getsockname()[1]}
        self._folder = _private_folder()
        path = self._folder / "api"
        listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        listening.bind(str(path))
        path.chmod(0o600)
        listening.listen(128)
        return listening, {"socket": str(path)}

    def _clean_up_after_the_last(self) -> None:
        """A kernel that was killed has left its socket, and the next has its connection file."""
        last = read_address(self._connection_file)
        if last is not None and last.socket and last.pid != self._pid:
            path = Path(last.socket)
            with contextlib.suppress(OSError):
                path.unlink()
                path.parent.rmdir()

    def _serve(self, listening: socket.socket) -> None:
        try:
            with selectors.DefaultSelector() as waiting:
                waiting.register(listening, selectors.EVENT_READ)
                waiting.select()
            self._run(listening)
        except Exception:  # noqa: BLE001 - the kernel goes on without its API
            _log.exception("the API has ended")
        finally:
            listening.close()
            self.end()

    def _run(self, listening: socket.socket) -> None:
        import uvicorn

        if sys.getswitchinterval() > PROMPT:
            sys.setswitchinterval(PROMPT)

        from .app import Guarded, api
        from .bridge import Bridge

        # Neither Python, for what nobody handles, nor a person's own logging prints it into a cell.
        servers = logging.getLogger("uvicorn")
        servers.addHandler(logging.NullHandler())
        servers.propagate = False

        async def serve() -> None:
            # Microseconds since 1970: the events of a kernel's next life have higher numbers.
            bridge = Bridge(self._engines, time.time_ns() // 1_000)
            config = uvicorn.Config(
                Guarded(api(bridge), self.address.token),
                http="h11",
                ws="none",
                lifespan="off",
                timeout_keep_alive=60,
                log_config=None,
                access_log=False,
                server_header=False,
                date_header=False,
                proxy_headers=False,
            )
            await uvicorn.Server(config).serve(sockets=[listening])

        asyncio.run(serve())


def _private_folder() -> Path:
    """A new folder that only this user can enter, with a path short enough for a socket."""
    wanted = os.environ.get("XDG_RUNTIME_DIR")
    for parent in (wanted, None, "/tmp"):
        with contextlib.suppress(OSError):
            folder = Path(tempfile.mkdtemp(prefix="lazyboy-", dir=parent))
            if len(os.fsencode(folder / "api")) <= _LONGEST_PATH:
                return folder
            folder.rmdir()
    raise OSError("there is no folder for a socket")
