"""A fixture for tests of side questions: a scenario in a world of its own."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from lazyboy_jupyter.store.database import Database
from tests.engine.side_world import Play, SideWorld, StreamingModel


@pytest.fixture
def play(database: Database) -> Play:
    """Play a scenario; return what it returns."""

    def played(
        scenario: Callable[[SideWorld], Coroutine[Any, Any, Any]],
        model: StreamingModel | None = None,
    ) -> Any:
        async def scene() -> Any:
            async with asyncio.timeout(60):
                return await scenario(SideWorld(database, model))

        return asyncio.run(scene())

    return played
