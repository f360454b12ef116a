"""The processes: none is there before it is needed, none outlives whoever started it.

Everything the browser starts inherits one TMPDIR, by which all of it is found, orphans included.
"""

import os
import select
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from lazyboy_jupyter.adapters.sources.browser.process import environment_of
from tests.loopback.replies import Reply
from tests.loopback.world import LoopbackWorld

_PATIENCE = 30
_SCRIPT = """
import asyncio, sys
from lazyboy_jupyter.adapters.sources.browser.process import ChromiumBrowser
from lazyboy_jupyter.errors import SourceError

async def main(url, host):
    browser = ChromiumBrowser([host])
    await browser.open("a", url)
    print(browser._session.process.pid, flush=True)
    loop = asyncio.get_running_loop()
    while line := (await loop.run_in_executor(None, sys.stdin.readline)).strip():
        try:
            match line:
                case "close":
                    await browser.close()
                    answer = "closed"
                case "snapshot":
                    answer = (await browser.snapshot("a")).text
                case "open":
                    answer = (await browser.open("a", url)).text
                case "wait":
                    waiting = asyncio.ensure_future(browser.open("b", url + "hang"))
                    answer = "waiting"
                case "outcome":
                    answer = repr(await waiting)
        except SourceError as error:
            answer = error.kind
        print(answer, flush=True)

asyncio.run(main(*sys.argv[1:]))
"""


class Parent:
    """A process that has a page open in a browser, and does what it is told."""

    def __init__(self, world: LoopbackWorld, folder: Path) -> None:
        host = f"127.0.0.1:{world.port}"
        world.put(f"http://{host}/", Reply(b"<p>the page</p>"))
        world.put(f"http://{host}/hang", Reply(fault="no_headers"))
        self.folder = folder
        self.process = subprocess.Popen(
            [sys.executable, "-c", _SCRIPT, f"http://{host}/", host],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env={**os.environ, "TMPDIR": str(folder), "A_SECRET_KEY": "hunter2"},
        )  # fmt: skip
        self.child = 0

    def answer(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def tell(self, line: str) -> str:
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()
        return self.answer()

    def others(self) -> dict[int, str]:
        """Every process but the parent that has its TMPDIR, with its command."""
        mark = f"TMPDIR={self.folder}".encode()
        found = {}
        for entry in os.scandir("/proc"):
            try:
                if not entry.name.isdigit() or int(entry.name) == self.process.pid:
                    continue
                if mark in Path(entry.path, "environ").read_bytes().split(b"\0"):
                    command = Path(entry.path, "cmdline").read_bytes()
                    found[int(entry.name)] = command.replace(b"\0", b" ").decode()
            except OSError:
                continue  # it ended while it was looked at
        return found

    def until_alone(self) -> None:
        """Return when every other process is gone."""
        while left := self.others():
            until_gone(left)


def until_gone(processes: dict[int, str]) -> None:
    """Return when all of them have ended."""
    for pid, command in processes.items():
        try:
            handle = os.pidfd_open(pid)
        except ProcessLookupError:
            continue
        try:
            ended, _, _ = select.select([handle], [], [], _PATIENCE)
            assert ended, f"it lives on: {command}"
        finally:
            os.close(handle)


def profiles_in(folder: Path) -> list[Path]:
    """What was browsed, if it was left behind; a killed Chromium may leave an empty socket."""
    return list(folder.glob("playwright*"))


@contextmanager
def parent_of_a_browser(folder: Path) -> Iterator[Parent]:
    with LoopbackWorld() as world:
        parent = Parent(world, folder)
        try:
            parent.child = int(parent.answer())
            yield parent
        finally:
            parent.process.kill()
            parent.process.communicate()
            parent.until_alone()


@pytest.fixture
def short_path() -> Iterator[Path]:
    """A folder with a short name: Chromium makes a socket in it."""
    with tempfile.TemporaryDirectory(prefix="lb") as folder:
        yield Path(folder)


def test_nothing_outlives_a_killed_parent(short_path: Path) -> None:
    with parent_of_a_browser(short_path) as parent:
        commands = " ".join(parent.others().values())
        assert "chromium" in commands
        assert "node" in commands
        parent.process.send_signal(signal.SIGKILL)
        parent.process.wait()
        parent.until_alone()
    assert profiles_in(short_path) == []


def test_nothing_outlives_the_killed_process_and_the_next_call_starts_another(
    short_path: Path,
) -> None:
    with parent_of_a_browser(short_path) as parent:
        before = parent.others()
        assert parent.tell("wait") == "waiting"
        os.kill(parent.child, signal.SIGKILL)
        assert parent.tell("outcome") == "unreadable"
        assert parent.tell("snapshot") == "not_found"
        assert parent.tell("open") == "the page"
        until_gone(before)
        assert parent.tell("close") == "closed"
        parent.until_alone()
    assert profiles_in(short_path) == []


@pytest.mark.parametrize("name", ["node", "chromium"])
def test_when_a_part_of_it_dies_all_of_it_is_started_anew(short_path: Path, name: str) -> None:
    with parent_of_a_browser(short_path) as parent:
        before = parent.others()
        assert parent.tell("wait") == "waiting"
        part = next(
            pid
            for pid, command in before.items()
            if name in command.split(" ")[0]
            and "--type=" not in command
            and "crashpad" not in command
        )
        os.kill(part, signal.SIGKILL)
        assert parent.tell("outcome") == "unreadable"
        assert parent.tell("open") == "the page"
        assert parent.tell("close") == "closed"
        parent.until_alone()


def test_an_interrupt_of_the_kernel_does_not_reach_it_and_secrets_do_not_either(
    short_path: Path,
) -> None:
    with parent_of_a_browser(short_path) as parent:
        group = os.getpgid(parent.process.pid)
        for pid in parent.others():
            assert os.getpgid(pid) != group
            assert b"hunter2" not in Path(f"/proc/{pid}/environ").read_bytes()
        assert parent.tell("close") == "closed"
        assert parent.tell("open") == "unreadable"
        parent.until_alone()


def test_the_environment_is_passed_on_by_name() -> None:
    given = {
        "PATH": "/bin",
        "OPENAI_API_KEY": "k",
        "LC_ALL": "C",
        "HTTPS_PROXY": "p",
        "PWDEBUG": "1",
    }
    assert environment_of(given) == {"PATH": "/bin", "LC_ALL": "C"}


def test_a_folder_whose_name_is_too_long_for_a_socket_is_not_passed_on() -> None:
    assert environment_of({"TMPDIR": "/tmp/short", "HOME": "/" + "x" * 200}).keys() == {
        "TMPDIR",
        "HOME",
    }
    assert environment_of({"TMPDIR": "/" + "x" * 60}) == {}
