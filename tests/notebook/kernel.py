"""A real kernel in a process of its own, for tests of the magics."""

import os
import signal
import tempfile
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from queue import Empty
from typing import Any

from jupyter_client.manager import KernelManager

PATIENCE = 60.0


@dataclass
class Ran:
    """What one cell gave: its streams, its displays by id, its value, its status."""

    status: str = ""
    text: str = ""
    errors: str = ""
    shown: list[dict[str, Any]] = field(default_factory=list)
    value: dict[str, Any] | None = None


class Kernel:
    """Runs cells, and keeps every display up to date as a front end does."""

    def __init__(self, manager: KernelManager) -> None:
        self.manager = manager
        self.client = manager.client()
        self.client.start_channels()
        self.client.wait_for_ready(timeout=PATIENCE)
        self.displays: dict[str, dict[str, Any]] = {}
        self.parents: dict[str, str] = {}
        self.widgets: dict[str, dict[str, Any]] = {}
        self.said: dict[str, list[dict[str, Any]]] = {}
        self.redrawn: list[str] = []
        self.lines: dict[str, list[dict[str, Any]]] = {}
        self._numbers = count(1)

    def run(self, code: str) -> Ran:
        ran, message = Ran(), self.client.execute(code)
        while True:
            said = self.client.get_iopub_msg(timeout=PATIENCE)
            if self._take(said, ran, message):
                break
        answer = self.client.get_shell_msg(timeout=PATIENCE)
        while answer["parent_header"].get("msg_id") != message:  # that of a cell not waited for
            answer = self.client.get_shell_msg(timeout=PATIENCE)
        ran.status = answer["content"]["status"]
        return ran

    def begin(self, code: str) -> str:
        """Start a cell that prints a line and then goes on; return when it has printed it."""
        # When it is interrupted, the cells after it are to run: a kernel would abort them.
        message = str(self.client.execute(code, stop_on_error=False))
        ran = Ran()
        while not ran.text:
            self._take(self.client.get_iopub_msg(timeout=PATIENCE), ran, message)
        return message

    def listen_until(self, condition: Any) -> None:
        """Take what the kernel publishes by itself until the condition holds."""
        deadline = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < deadline, "the kernel did not say it"
            try:
                self._take(self.client.get_iopub_msg(timeout=0.2), Ran(), "")
            except Empty:
                continue

    def _take(self, said: Any, ran: Ran, message: str) -> bool:
        content, mine = said["content"], said["parent_header"].get("msg_id") == message
        match said["msg_type"]:
            case "stream" if mine and content["name"] == "stdout":
                ran.text += content["text"]
            case "stream" if mine:
                ran.errors += content["text"]
            case "error" if mine:
                ran.errors += "\n".join(content["traceback"])
            case "display_data" if mine:
                ran.shown.append(content["data"])
                self._update(said)
            case "update_display_data":
                self.redrawn.append(content["transient"]["display_id"])
                self._update(said)
            case "comm_open":
                self.widgets[content["comm_id"]] = content["data"]["state"]
                self.said[content["comm_id"]] = []
            case "comm_msg":
                self._heard(content["comm_id"], content["data"])
            case "execute_result" if mine:
                ran.value = content["data"]
            case "status":
                return bool(mine and content["execution_state"] == "idle")
        return False

    def _update(self, said: Any) -> None:
        display_id = said["content"].get("transient", {}).get("display_id")
        if display_id:
            self.displays[display_id] = said["content"]["data"]
            self.parents[display_id] = said["parent_header"]["msg_id"]

    def _heard(self, comm: str, data: dict[str, Any]) -> None:
        if comm in self.lines:
            self.lines[comm].append(data)
        elif comm in self.widgets and data["method"] == "update":
            self.widgets[comm].update(data["state"])
        elif comm in self.widgets and data["method"] == "custom":
            self.said[comm].append(data["content"])

    def open_line(self) -> str:
        """Open the API's comm as a page does; return its id."""
        line = uuid.uuid4().hex
        self.lines[line] = []
        opening = {"comm_id": line, "target_name": "lazyboy.api", "data": {}}
        self.client.shell_channel.send(self.client.session.msg("comm_open", opening))
        return line

    def say(self, line: str, **data: Any) -> None:
        """Send a message over that comm."""
        message = self.client.session.msg("comm_msg", {"comm_id": line, "data": data})
        self.client.shell_channel.send(message)

    def view(self) -> str:
        """Show the widget whose place the display shown last is; return its id."""
        html = str(list(self.displays.values())[-1]["text/html"])
        place = html.partition('data-lazyboy-view="')[2].partition('"')[0]
        widget = next(one for one, state in self.widgets.items() if state.get("place") == place)
        self.ask(widget, "hello")  # as a page does that shows it
        return widget

    def tell(self, widget: str, kind: str, **more: Any) -> int:
        """Send a widget's message as a page does; return its number."""
        number = next(self._numbers)
        content = {"type": kind, "id": number, **more}
        data = {"method": "custom", "content": content}
        message = self.client.session.msg("comm_msg", {"comm_id": widget, "data": data})
        self.client.shell_channel.send(message)
        return number

    def ask(self, widget: str, kind: str, **more: Any) -> dict[str, Any]:
        """Send a widget's message; return its reply."""
        number = self.tell(widget, kind, **more)

        def replies() -> list[dict[str, Any]]:
            return [one for one in self.said[widget] if one.get("id") == number]

        self.listen_until(replies)
        return replies()[0]

    def card(self) -> str:
        """The newest text of the card shown last."""
        return str(list(self.displays.values())[-1]["text/plain"])

    def kill(self) -> None:
        """SIGKILL, and nothing else."""
        provisioner: Any = self.manager.provisioner
        os.kill(provisioner.process.pid, signal.SIGKILL)
        provisioner.process.wait()

    def close(self) -> None:
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)


@contextmanager
def kernel(folder: Path, cache: Path, **environment: str) -> Iterator[Kernel]:
    """A kernel that works in `folder`, with the extension loaded."""
    # Over TCP two kernels that start at once may be given one port.
    sockets = tempfile.TemporaryDirectory()
    manager = KernelManager(kernel_name="python3", transport="ipc", ip=f"{sockets.name}/k")
    env = {k: v for k, v in os.environ.items() if not k.startswith(("LAZYBOY_", "JPY_"))}
    own = {"LAZYBOY_CACHE": str(cache), "XDG_CONFIG_HOME": str(folder / "none")}
    env |= {**own, "LAZYBOY_SEARCH": "pydoc", **environment}
    manager.start_kernel(cwd=str(folder), env=env)
    one = Kernel(manager)
    try:
        assert one.run("%load_ext lazyboy_jupyter").status == "ok"
        yield one
    finally:
        one.close()
        sockets.cleanup()
