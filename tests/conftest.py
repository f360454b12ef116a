"""Fixtures for all tests. The network is off: only loopback may be connected to."""

import ipaddress
import os
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from lazyboy_jupyter.config import Settings
from lazyboy_jupyter.engine.engine import Engine
from lazyboy_jupyter.errors import SourceError
from lazyboy_jupyter.store.database import Database, open_database
from tests.loopback.world import LoopbackWorld

settings.register_profile("default", deadline=None, print_blob=True)
settings.load_profile("default")


class NetworkUsedError(Exception):
    """A test tried to leave this machine."""


@pytest.hookimpl(optionalhook=True)  # where the tests run in several processes
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    from tests.sharing import scheduler_of

    return scheduler_of(config, log)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest come first, so that nobody waits for them in the end."""
    items.sort(key=lambda item: "tests/e2e/" not in item.nodeid)


@pytest.fixture(autouse=True)
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        if self.family in {socket.AF_INET, socket.AF_INET6}:
            host = address[0]
            try:
                loopback = ipaddress.ip_address(host).is_loopback
            except ValueError:
                loopback = host == "localhost"
            if not loopback:
                raise NetworkUsedError(f"{host} is not on this machine")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", guarded)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with_file = open_database(tmp_path / "store.duckdb")
    yield with_file
    with_file.close()


@pytest.fixture
def web() -> Iterator[LoopbackWorld]:
    """Sites and search services on loopback, with every fault; it logs every request."""
    with LoopbackWorld() as world:
        yield world


@pytest.fixture(scope="session")
def index_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for the indexes of embedded sources; the test processes of a run share it."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "indexes"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def manual_index(index_cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same, with the manual's index built, however long a machine with other work takes."""
    store = tmp_path_factory.mktemp("building") / "store.duckdb"
    with Engine(store, search="pydoc", settings=Settings(cache=index_cache)) as engine:
        while True:
            try:
                engine.search("with statement")
            except SourceError as error:
                if "still being built" not in error.sentence:
                    raise
            else:
                return index_cache
