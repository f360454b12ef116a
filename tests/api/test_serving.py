"""Where the API listens, and for whom: its owner alone; over a port where there are no sockets."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from lazyboy_jupyter.api.address import address_file, read_address
from lazyboy_jupyter.api.serving import ApiServer
from tests.api.world import Kernel, Nobody, client, served

ENTER = """
import os, socket, sys
os.setgid(65534)
os.setuid(65534)
try:
    socket.socket(socket.AF_UNIX).connect(sys.argv[1])
    print("connected")
except PermissionError:
    print("refused")
try:
    open(sys.argv[2]).read()
    print("read")
except PermissionError:
    print("refused")
"""


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_only_its_owner_finds_and_enters_it(kernel: Kernel) -> None:
    socket = Path(kernel.address.socket)
    file = address_file(kernel.folder / "kernel-1.json")
    modes = [mode(one) for one in (socket, socket.parent, file, file.parent)]
    assert modes == [0o600, 0o700, 0o600, 0o700]
    assert read_address(kernel.folder / "kernel-1.json") == kernel.address
    if os.geteuid() == 0:  # who is root can be somebody else, and try
        ran = subprocess.run(
            [sys.executable, "-c", ENTER, str(socket), str(file)],
            capture_output=True, text=True, check=True, cwd="/",
        )  # fmt: skip
        assert ran.stdout.split() == ["refused", "refused"]


def test_it_starts_no_engine_for_who_asks_how_things_stand(tmp_path: Path) -> None:
    with served(tmp_path) as kernel, kernel.events("/api/events") as events:
        state = next(events)
        assert (state["event"], state["data"]["activity"]["state"]) == ("state", "idle")
        assert next(events)["event"] == "beat"
        activity = kernel.get("/api/agents/all/activity").json()
        assert activity["activity"]["state"] == "idle"
        assert kernel.engines == []
        assert kernel.get("/api/tasks").status_code == 200
        assert len(kernel.engines) == 1
        again = next(one for one in events if one["event"] != "beat")
        assert (again["event"], int(again["id"]) > int(state["id"])) == ("state", True)


def test_over_a_port_of_this_machine(tmp_path: Path) -> None:
    with served(tmp_path, unix=False) as kernel:
        assert (kernel.address.socket, kernel.address.port > 0) == ("", True)
        assert kernel.get("/api/agents").status_code == 200
        bare = httpx.get(f"http://127.0.0.1:{kernel.address.port}/api/agents")
        assert bare.status_code == 401


def test_the_next_kernel_of_a_connection_file_takes_its_place(tmp_path: Path) -> None:
    killed = tmp_path / "left" / "api"
    killed.parent.mkdir()
    killed.touch()
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    file = tmp_path / "kernel-1.json"
    address_file(file).parent.mkdir()
    address_file(file).write_text(
        f'{{"token": "t", "pid": {gone.pid}, "socket": "{killed}", "port": 0}}'
    )
    server = ApiServer(Nobody(), file)
    server.begin()
    assert not killed.parent.exists()
    assert read_address(file) == server.address
    server.end()
    assert read_address(file) is None
    assert not Path(server.address.socket).exists()


def test_an_end_leaves_the_address_of_the_next(tmp_path: Path) -> None:
    file = tmp_path / "kernel-1.json"
    first, second = (ApiServer(Nobody(), file) for _ in range(2))
    first.begin()
    second.begin()
    first.end()
    assert read_address(file) == second.address
    second.end()


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"token": "t"}', "\x00"])
def test_an_address_that_cannot_be_read_is_none(tmp_path: Path, text: str) -> None:
    address_file(tmp_path / "kernel-1.json").parent.mkdir()
    address_file(tmp_path / "kernel-1.json").write_text(text)
    assert read_address(tmp_path / "kernel-1.json") is None


def test_a_long_temporary_folder_is_no_hindrance(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = tmp_path / ("x" * 100)
    long.mkdir()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(long))
    server = ApiServer(Nobody(), tmp_path / "kernel-1.json")
    server.begin()
    assert len(server.address.socket) < 100
    server.end()
    with served(tmp_path) as kernel, client(kernel.address) as other:
        assert other.get("/api/tasks").status_code == 200
