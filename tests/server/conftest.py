"""One Jupyter server for the tests of a module, behind a base URL; a kernel for each test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.world import JupyterServer, NotebookKernel, jupyter_server, kernel_of


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, index_cache: Path) -> Iterator[JupyterServer]:
    folder = tmp_path_factory.mktemp("server")
    with jupyter_server(folder, index_cache, "/user/ada/") as one:
        yield one


@pytest.fixture
def kernel(server: JupyterServer) -> Iterator[NotebookKernel]:
    with kernel_of(server) as one:
        yield one
