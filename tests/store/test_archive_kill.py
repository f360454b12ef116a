"""SIGKILL at random moments of archiving: no half file has a final name, and all comes later."""

import os
import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from lazyboy_jupyter.store.database import open_database
from tests.store.archiving import archived, files_of

KILLS = 200 if os.environ.get("LAZYBOY_TEST_FULL") else 12


@pytest.mark.parametrize("seed", range(KILLS))
def test_what_has_a_final_name_is_whole(tmp_path: Path, seed: int) -> None:
    path = tmp_path / "s.duckdb"
    victim = subprocess.Popen(
        [sys.executable, "-m", "tests.store.archive_victim", str(path)],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert victim.stdout is not None
    draw = random.Random(seed)
    written = [
        line.strip() for _, line in zip(range(draw.randint(1, 8)), victim.stdout, strict=False)
    ]
    # A number of steps of ours, not of seconds, so that the moment falls anywhere in its work.
    for _ in range(draw.randint(0, 200_000)):
        pass
    victim.send_signal(signal.SIGKILL)
    written += [line.strip() for line in victim.stdout if line.endswith("\n")]
    victim.wait()
    victim.stdout.close()

    kinds = ("tasks", "events", "timing", "sources", "conversations", "side_questions")
    rows = {kind: archived(tmp_path, kind) for kind in kinds}  # each file can be read
    whole = {row["task_id"] for row in rows["tasks"]}
    assert whole >= set(written)
    for task_id in whole:
        assert len([row for row in rows["events"] if row["task_id"] == task_id]) == 2
        assert len([row for row in rows["timing"] if row["task_id"] == task_id]) == 2

    database = open_database(path)
    database.archive.catch_up()
    tasks = database.rows("SELECT task_id FROM tasks")
    answers = database.rows("SELECT request_id FROM side_questions")
    database.close()
    assert {row["task_id"] for row in archived(tmp_path, "tasks")} == {
        row["task_id"] for row in tasks
    }
    assert len(archived(tmp_path, "side_questions")) == len(answers)
    assert [name for name in files_of(tmp_path) if name.startswith(".")] == []
