"""A JupyterLab server of a test's own: its port, folders and settings; it ends with the test run.

Nothing of the person's configuration is read, nothing of it is written, and it asks nobody for news
or updates. It runs under Linux's parent-death signal, so that no killed test run leaves one behind.
"""

import json
import os
import re
import secrets
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

REPOSITORY = Path(__file__).resolve().parents[2]
KERNELS = Path(sys.prefix) / "kernels"
"""Where `make test` puts the ipykernels that the tests run against, one folder each."""
PATIENCE = 60.0
_CODE = (
    "import sys\n"
    "from lazyboy_jupyter.adapters.child import die_with_parent\n"
    "die_with_parent()\n"
    "from jupyterlab.labapp import main\n"
    "sys.exit(main())"
)
_NEWS = "@jupyterlab/apputils-extension/notification.jupyterlab-settings"


@dataclass(frozen=True)
class JupyterServer:
    """A running server. `root`: the folder whose files it serves; `settings`: of its pages;
    `runtime`: where its kernels' connection files are."""

    url: str
    token: str
    root: Path
    settings: Path
    runtime: Path

    def shut_down_kernels(self) -> None:
        """End every session with its kernel."""
        for session in self.ask("GET", "sessions"):
            self.ask("DELETE", f"sessions/{session['id']}")

    def forget_settings(self) -> None:
        """Let the next page begin with JupyterLab's own settings, but for what `_settle` says."""
        for file in self.settings.rglob("*.jupyterlab-settings"):
            if file != self.settings / _NEWS:
                file.unlink()

    def kernel_of(self, path: str) -> dict[str, Any]:
        """What the server knows of the kernel of a notebook, by its path below the root."""
        (kernel,) = [one["kernel"] for one in self.ask("GET", "sessions") if one["path"] == path]
        return dict(kernel)

    def ask(self, method: str, what: str, body: Any = None) -> Any:
        """Ask the server's own API; return what it answers."""
        request = urllib.request.Request(
            f"{self.url}/api/{what}", method=method,
            headers={"Authorization": f"token {self.token}"},
            data=None if body is None else json.dumps(body).encode(),
        )  # fmt: skip
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            body = answer.read()
        return json.loads(body) if body else None


@contextmanager
def jupyter_server(base: Path, cache: Path, base_url: str = "/") -> Iterator[JupyterServer]:
    """Run a server that keeps everything in `base`; `cache`: of the embedded sources' indexes;
    `base_url`: where it is behind a hub or a proxy."""
    folders = {
        "JUPYTER_CONFIG_DIR": base / "config",
        "JUPYTER_DATA_DIR": base / "data",
        "JUPYTER_RUNTIME_DIR": base / "runtime",
        "JUPYTER_PATH": base / "shared",
        "JUPYTERLAB_SETTINGS_DIR": base / "settings",
        "JUPYTERLAB_WORKSPACES_DIR": base / "workspaces",
        "IPYTHONDIR": base / "ipython",
        "XDG_CONFIG_HOME": base / "xdg",
        "LAZYBOY_CACHE": cache,
    }
    root = base / "root"
    for folder in (root, *folders.values()):
        folder.mkdir(parents=True, exist_ok=True)
    # As it is built now, not as it was when this package was installed.
    ours = base / "shared" / "labextensions" / "lazyboy-jupyter"
    ours.parent.mkdir(parents=True)
    ours.symlink_to(REPOSITORY / "lazyboy_jupyter" / "labextension")
    _settle(base / "settings")
    config = base / "xdg" / "lazyboy-jupyter" / "config.toml"
    config.parent.mkdir()
    config.write_text('search = ["pydoc"]\n', "utf-8")  # unless a test says so, nothing else
    for version in ("7.3", "7.4"):
        _kernelspec(base / "data", version)
    others = ("LAZYBOY_", "JPY_", "JUPYTER", "IPYTHON")
    env = {name: value for name, value in os.environ.items() if not name.startswith(others)}
    env |= {name: str(folder) for name, folder in folders.items()}
    env["PYTHONPATH"] = str(REPOSITORY)
    token = env["JUPYTER_TOKEN"] = secrets.token_hex()
    # Over TCP two kernels that start at once may be given one port; a socket's path is short.
    with tempfile.TemporaryDirectory(prefix="e2e") as sockets:
        process = subprocess.Popen(
            [sys.executable, "-P", "-c", _CODE, *_options(root, sockets, base_url)],
            cwd=root, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True,
        )  # fmt: skip
        said = _Said(process)
        try:
            url = f"http://127.0.0.1:{said.port()}{base_url.rstrip('/')}"
            yield JupyterServer(url, token, root, base / "settings", base / "runtime")
        finally:
            process.terminate()
            try:
                process.wait(PATIENCE / 4)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            said.finish()


class _Said:
    """What the server prints, read on a thread: the line that names its port, and the last ones."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._lines: deque[str] = deque(maxlen=200)
        self._port: Future[int] = Future()
        self._stream = process.stdout
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def port(self) -> int:
        """Return the port when it listens."""
        port, deadline = self._port.result(PATIENCE), time.monotonic() + PATIENCE
        while not _listens(port):  # it names its port a moment before it listens there
            assert time.monotonic() < deadline, "the server does not listen"
        return port

    def finish(self) -> None:
        """Return when all was read: the server has ended."""
        self._thread.join()

    def _read(self) -> None:
        assert self._stream is not None
        with self._stream:
            for line in self._stream:
                self._lines.append(line)
                named = re.search(r"//127\.0\.0\.1:(\d+)/\S*lab", line)
                if named and not self._port.done():
                    self._port.set_result(int(named[1]))
        if not self._port.done():
            self._port.set_exception(RuntimeError("no server: " + "".join(self._lines)))


def _listens(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=PATIENCE).close()
    except ConnectionRefusedError:
        os.sched_yield()
        return False
    return True


def _options(root: Path, sockets: str, base_url: str) -> list[str]:
    return [
        f"--ServerApp.base_url={base_url}",
        "--no-browser",
        "--allow-root",
        "--ServerApp.port=0",
        f"--ServerApp.root_dir={root}",
        "--KernelManager.transport=ipc",
        f"--KernelManager.ip={sockets}/k",
        "--LabApp.expose_app_in_browser=True",
        "--JupyterNotebookApp.expose_app_in_browser=True",
        "--LabApp.extension_manager=readonly",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
        "--LabApp.news_url=",
    ]


def _settle(settings: Path) -> None:
    """No question about news when the page opens, and no look for updates."""
    file = settings / _NEWS
    file.parent.mkdir(parents=True)
    file.write_text('{"fetchNews": "false", "checkForUpdates": false}', "utf-8")


def _kernelspec(data: Path, version: str) -> None:
    """A kernel `ipykernel-VERSION`: this interpreter, that ipykernel."""
    folder = data / "kernels" / f"ipykernel-{version}"
    folder.mkdir(parents=True)
    spec = {
        "argv": [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"],
        "display_name": f"ipykernel {version}",
        "language": "python",
        "env": {"PYTHONPATH": f"{KERNELS / f'ipykernel-{version}'}{os.pathsep}{REPOSITORY}"},
    }
    (folder / "kernel.json").write_text(json.dumps(spec), "utf-8")
