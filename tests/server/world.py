"""A real Jupyter server with a real kernel that has loaded us, as programs and browsers meet it."""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from jupyter_client.blocking.client import BlockingKernelClient

from tests.api.world import Values, events_of
from tests.e2e.server import JupyterServer, jupyter_server

PATIENCE = 60.0
LOAD = "%load_ext lazyboy_jupyter"


@dataclass
class NotebookKernel:
    """A kernel that the server runs for a notebook."""

    server: JupyterServer
    id: str
    session: str

    def run(self, code: str, *, wait: bool = True) -> str:
        """Run a cell; return its status. Over the kernel's own sockets, as a front end does."""
        client = BlockingKernelClient(connection_file=str(self.connection_file))
        client.load_connection_file()
        client.start_channels()
        client.wait_for_ready(timeout=PATIENCE)
        try:
            if wait:
                return str(client.execute_interactive(code, timeout=PATIENCE, output_hook=_unheard)[
                    "content"]["status"])  # fmt: skip
            client.execute(code)
            return "begun"
        finally:
            client.stop_channels()

    @property
    def connection_file(self) -> Path:
        return self.server.runtime / f"kernel-{self.id}.json"

    @property
    def url(self) -> str:
        return f"{self.server.url}/lazyboy/kernels/{self.id}/api"

    def http(self, **headers: str) -> httpx.Client:
        """A program's client, logged in by the server's token."""
        return httpx.Client(
            headers={"Authorization": f"token {self.server.token}", **headers}, timeout=PATIENCE
        )


def _unheard(_message: Any) -> None:
    return None


@contextmanager
def kernel_of(server: JupyterServer, *, load: bool = True) -> Iterator[NotebookKernel]:
    """A session of the server with a kernel of its own."""
    name = f"{uuid.uuid4().hex}.ipynb"
    made = server.ask("POST", "sessions", {
        "path": name, "name": name, "type": "notebook", "kernel": {"name": "python3"},
    })  # fmt: skip
    one = NotebookKernel(server, made["kernel"]["id"], made["id"])
    try:
        if load:
            assert one.run(LOAD) == "ok"
        yield one
    finally:
        server.ask("DELETE", f"sessions/{one.session}")


@contextmanager
def events(http: httpx.Client, url: str, last: str = "") -> Iterator[Iterator[Values]]:
    headers = {"Last-Event-ID": last} if last else {}
    with http.stream("GET", url, headers=headers) as answer:
        assert answer.status_code == 200, answer.read()
        assert answer.headers["content-type"].startswith("text/event-stream")
        yield events_of(answer.iter_lines())


__all__ = ["JupyterServer", "NotebookKernel", "events", "jupyter_server", "kernel_of"]
