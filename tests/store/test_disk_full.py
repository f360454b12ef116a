"""Field case D6: the disk is full. A clear error at once; nothing already stored is damaged."""

import subprocess
import sys
from pathlib import Path

from lazyboy_jupyter.store.database import open_database
from lazyboy_jupyter.store.events import damaged_tasks, interrupt_orphans
from tests.fakes import CountingIds

# A limit on the size of files stands for the disk: the write fails with the same kind of error.
CODE = """
import resource, sys
from pathlib import Path
from lazyboy_jupyter.adapters.clock import SystemClock
from lazyboy_jupyter.config import Settings
from lazyboy_jupyter.engine.engine import Engine
from lazyboy_jupyter.errors import StoreError
from tests.fakes import FakeWeb, ScriptedModel, call, world

folder = Path(sys.argv[1])
web = FakeWeb({f"https://a.example/{n}": f"{n} " * 100_000 for n in range(6)})
opens = [call("open_page", url=url) for url in web.pages]
steps = {1: opens}
model = ScriptedModel([lambda r: steps.get(len(r.messages)) or
                       [call("publish_research", summary="Read.")]])
engine = Engine(folder / "s.duckdb", settings=Settings(cache=folder),
                world=world(SystemClock(), model, web))
limit = 8_000_000
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
for number in range(100):
    try:
        task = engine.research(f"Question {number}?").wait(30)
    except StoreError as error:
        print("refused:", error.sentence)
        break
    if task.status == "failed":
        print("failed:", task.error)
        break
    print("completed", task.id)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
print("alive", engine.activity().state)
engine.close()
"""


def test_a_full_disk_is_a_sentence_and_harms_nothing(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", CODE, str(tmp_path)], capture_output=True, text=True, check=True
    )
    assert "Traceback" not in done.stderr
    lines = done.stdout.splitlines()
    assert lines[-1] == "alive idle"
    assert "could not be written" in lines[-2]
    completed = [line.split()[1] for line in lines if line.startswith("completed")]
    assert completed

    database = open_database(tmp_path / "s.duckdb")
    try:
        interrupt_orphans(database, 0, CountingIds().new)
        assert damaged_tasks(database) == []
        rows = database.rows("SELECT task_id FROM tasks WHERE status = 'completed'")
        assert {row["task_id"] for row in rows} >= set(completed)
        texts = database.rows("SELECT count(*) AS n FROM data.output WHERE length(text) < 100_000")
        assert texts == [{"n": 0}]
    finally:
        database.close()
