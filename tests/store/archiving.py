"""What the tests of the archive share: stored tasks, and how another engine reads the files."""

import os
from pathlib import Path
from typing import Any

import duckdb

from lazyboy_jupyter.core.budget import Budget
from lazyboy_jupyter.core.events import TaskCancelled, TaskQueued
from lazyboy_jupyter.store.database import Database
from lazyboy_jupyter.store.events import add_event
from lazyboy_jupyter.store.rows import Batch, at
from lazyboy_jupyter.store.schema import (
    CONVERSATION,
    SIDE_QUESTION,
    SIDE_STEP,
    SOURCE,
    TASK,
    TIMING,
)  # fmt: skip

NOW = 1_700_000_000_000_000


def store_task(database: Database, task_id: str, *, ended: bool = True, text: str = "Q?") -> None:
    """Store a task of two events, two timing rows and a source."""
    batch = Batch().add(
        TASK, task_id=task_id, conversation_id=f"c-{database.path.stem}", agent_id="a",
        task_type="research", name="", question=text, model="m", search="s", created_at=at(NOW),
    )  # fmt: skip
    batch.add(
        CONVERSATION, conversation_id=f"c-{database.path.stem}",
        notebook=f"{database.path.stem}.ipynb", created_at=at(NOW),
    )  # fmt: skip
    first = TaskQueued(text, Budget())
    add_event(batch, event_id=f"{task_id}1", task_id=task_id, seq=1, at_us=NOW, event=first,
              phase="queued")  # fmt: skip
    if ended:
        add_event(batch, event_id=f"{task_id}2", task_id=task_id, seq=2, at_us=NOW + 1,
                  event=TaskCancelled(), phase="cancelled")  # fmt: skip
    for number in (1, 2):
        batch.add(TIMING, ts=at(NOW + number), task_id=task_id, stage="model_response",
                  elapsed_ms=number, outcome="ok", request_no=number)  # fmt: skip
    batch.add(SOURCE, task_id=task_id, source_id="S1", seq=1, url="https://a.example/1",
              state="read", error="", elapsed_ms=5.0)  # fmt: skip
    database.append(batch).result()


def store_answer(database: Database, task_id: str, answer: str = "Nine.") -> None:
    """Store a side question with its answer, later than the task."""
    batch = Batch().add(SIDE_QUESTION, parent=task_id, request_id=f"s-{task_id}", ordinal=1,
                        question="Which?", model="m", asked_at=at(NOW + 5))  # fmt: skip
    batch.add(SIDE_STEP, parent=task_id, request_id=f"s-{task_id}", sequence=1, ts=at(NOW + 6),
              status="completed", piece=answer)  # fmt: skip
    database.append(batch).result()


def archived(folder: Path, kind: str) -> list[dict[str, Any]]:
    """What another engine reads of a kind."""
    files = folder / "archive" / kind
    if not list(files.glob("*.parquet")):
        return []
    with duckdb.connect() as connection:
        found = connection.execute(f"FROM read_parquet('{files}/*.parquet', union_by_name = true)")
        names = [column[0] for column in found.description or ()]
        return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


def files_of(folder: Path) -> list[str]:
    """The archive's files, kinds first, what is unfinished too."""
    root = folder / "archive"
    return sorted(
        os.path.relpath(path, root).replace(os.sep, "/")
        for path in root.rglob("*")
        if path.is_file()
    )
