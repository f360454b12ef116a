"""The process of a module's tests: to start one takes seconds."""

from collections.abc import Iterator

import pytest

from tests.adapters.providers.bench import KEY, Bench


@pytest.fixture(scope="module")
def process() -> Iterator[Bench]:
    shared = Bench()
    yield shared
    shared.close()


@pytest.fixture
def bench(process: Bench) -> Bench:
    process.environment.clear()
    process.key = KEY
    return process
