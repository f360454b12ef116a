"""A kernel with its API, for each test its own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.api.world import Kernel, served


@pytest.fixture
def kernel(tmp_path: Path) -> Iterator[Kernel]:
    with served(tmp_path) as one:
        yield one
