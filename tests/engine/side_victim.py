"""Answers side questions until it is killed, and tells each piece before it is heard.

Time is the test's: a piece is sent every 10 ms of it, and a write takes none of it.
"""

import asyncio
from multiprocessing.connection import Connection
from pathlib import Path

from lazyboy_jupyter.store.database import open_database
from tests.engine.side_world import SideWorld, StreamingModel, history

PARENTS = ("a", "b", "c")
PIECE_SECONDS = 0.01


def main(path: str, told: Connection) -> None:
    """Never returns."""
    asyncio.run(_answer(Path(path), told))


async def _answer(path: Path, told: Connection) -> None:
    world = SideWorld(open_database(path), StreamingModel())
    for parent in PARENTS:
        world.know(parent, history(2))
    for parent in PARENTS:
        told.send(("", parent, world.clock.now_us()))
        await world.ask(f"{parent}?", parent)
    streams = {one.request.aside[0]: one for one in world.model.asked}
    number = 0
    while True:
        number += 1
        for parent in PARENTS[: 1 + number % len(PARENTS)]:
            piece = f"{parent}{number} "
            told.send((piece, parent, world.clock.now_us()))
            streams[parent].say(piece)
        await world.settle()
        world.clock.advance(PIECE_SECONDS)
        await world.settle()
