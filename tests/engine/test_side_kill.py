"""SIGKILL in the middle of an answer: what is stored is its beginning, but for a last moment."""

import asyncio
import multiprocessing
import random
from pathlib import Path

import pytest

from lazyboy_jupyter.core.side import SideQuestion
from lazyboy_jupyter.store.database import Database, open_database
from lazyboy_jupyter.store.side import interrupt_side_questions, load_questions, load_snapshot
from tests.engine import side_victim
from tests.engine.side_victim import PARENTS
from tests.engine.side_world import SideWorld, history
from tests.fakes import CountingIds

KILLS = 30
TOLD_AT_MOST = 200
LACKING_US = 300_000
Told = tuple[str, str, int]


def killed(path: Path, moment: int) -> list[Told]:
    """Run a victim until it has told so many pieces; kill it; return all it has told."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([side_victim.__name__])
    receiving, sending = context.Pipe(duplex=False)
    victim = context.Process(target=side_victim.main, args=(str(path), sending))
    victim.start()
    sending.close()
    told: list[Told] = [receiving.recv() for _ in range(moment)]
    victim.kill()
    try:
        while True:
            told.append(receiving.recv())
    except (EOFError, OSError):
        victim.join()
    receiving.close()
    victim.close()
    return told


async def asked_again(database: Database, parent: str) -> SideQuestion:
    world = SideWorld(database, ids=CountingIds("again"))
    await world.ask("And now?", parent, "again")
    assert list(world.model.last.request.messages) == history(2)
    world.model.last.say("It is known.").finish()
    return await world.newest(parent)


@pytest.mark.parametrize("seed", range(KILLS))
def test_a_killed_answer_keeps_its_text_but_for_a_last_moment(tmp_path: Path, seed: int) -> None:
    path = tmp_path / "s.duckdb"
    # The moment is drawn in pieces, not in seconds: it means the same on any machine.
    told = killed(path, random.Random(seed).randint(1, TOLD_AT_MOST))
    last_us = max(us for _, _, us in told)

    database = open_database(path)
    interrupt_side_questions(database, last_us + 1)
    for parent in PARENTS:
        sent = [(piece, us) for piece, name, us in told if name == parent]
        stored = load_questions(database, parent)
        assert len(stored) <= 1
        if [piece for piece, _ in sent if piece]:
            assert len(stored) == 1  # it was asked, for its pieces came
        for side in stored:
            assert side.status == "interrupted"
            assert "".join(piece for piece, _ in sent).startswith(side.answer)
            until = 0
            for piece, us in sent:
                until += len(piece)
                assert until <= len(side.answer) or last_us - us <= LACKING_US
            assert load_snapshot(database, parent) is not None
            again = asyncio.run(asked_again(database, parent))
            assert (again.status, again.ordinal) == ("completed", 2)
    database.close()
