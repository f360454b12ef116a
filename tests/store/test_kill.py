"""SIGKILL at random moments of a run: nothing acknowledged is lost (field case D2)."""

import random
import signal
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

from lazyboy_jupyter.store.database import open_database
from lazyboy_jupyter.store.events import damaged_tasks, interrupt_orphans, log_of, state_of
from tests.fakes import CountingIds

KILLS = 50
ACKNOWLEDGED_AT_MOST = 400


@pytest.mark.parametrize("seed", range(KILLS))
def test_every_acknowledged_event_survives_sigkill(tmp_path: Path, seed: int) -> None:
    path = tmp_path / "s.duckdb"
    victim = subprocess.Popen(
        [sys.executable, "-m", "tests.store.victim", str(path)],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert victim.stdout is not None
    # The moment is drawn in acknowledged events, not in seconds: it means the same on any machine.
    moment = random.Random(seed).randint(1, ACKNOWLEDGED_AT_MOST)
    acknowledged: dict[str, int] = defaultdict(int)
    for _, line in zip(range(moment), victim.stdout, strict=False):
        task_id, seq = line.split()
        acknowledged[task_id] = max(acknowledged[task_id], int(seq))
    victim.send_signal(signal.SIGKILL)
    for line in victim.stdout:  # acknowledged before the signal, and still in the pipe
        if line.endswith("\n"):
            task_id, seq = line.split()
            acknowledged[task_id] = max(acknowledged[task_id], int(seq))
    victim.wait()
    victim.stdout.close()

    database = open_database(path)
    try:
        interrupt_orphans(database, 0, CountingIds().new)
        assert damaged_tasks(database) == []
        for task_id, newest in acknowledged.items():
            stored = [number for number, _, _ in log_of(database, task_id)]
            assert stored == list(range(1, len(stored) + 1))
            assert len(stored) >= newest
            state = state_of(database, task_id)
            assert state.phase in {"completed", "interrupted"}
            for evidence in state.evidence.values():
                assert evidence not in state.running
        rows = database.rows("SELECT task_id, status FROM tasks")
        assert {row["status"] for row in rows} <= {"completed", "interrupted"}
        published = database.rows(
            """SELECT count(*) AS n FROM events e LEFT JOIN publications p
               ON p.task_id = e.task_id WHERE e.kind = 'PublicationAccepted'
               AND p.task_id IS NULL"""
        )
        assert published == [{"n": 0}]
    finally:
        database.close()
