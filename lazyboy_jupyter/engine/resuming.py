"""Owns what a task that ended early leaves to the one that goes on with it (DESIGN §19)."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ..core.events import (
    Event,
    SourceFinished,
    SourceReserved,
    TaskCancelled,
    TaskFailed,
    TaskInterrupted,
)
from ..core.folding import FoldedText
from ..core.guide import Source
from ..core.prompts import resumed_note, supplement_note
from ..core.publication import Publication
from ..core.render_text import short_id
from ..core.research import ResearchState, replay
from ..core.sanitise import visible
from ..errors import UsageError
from ..store.database import Database
from ..store.events import log_of
from ..store.rows import Batch
from ..store.schema import CITATION, EVIDENCE, OUTPUT, PUBLICATION, SOURCE, Table
from .book import Evidence, Output
from .stored import publications_of, sources_of

_ENDS = (TaskFailed, TaskCancelled, TaskInterrupted)
_SHOWN = 200


@dataclass(frozen=True, slots=True)
class Left:
    """What a task has left. `log`: its events before its end, each with its time; `lost`: calls
    whose results nobody has; `rows`: of the tables in `_KEPT`, without the task's id."""

    task_id: str
    agent_id: str
    name: str
    model: str
    search: tuple[str, ...]
    log: tuple[tuple[int, Event], ...]
    lost: tuple[str, ...]
    evidence: dict[str, Evidence]
    sources: tuple[tuple[Source, bool], ...]
    outputs: tuple[Output, ...]
    publications: tuple[Publication, ...]
    rows: dict[Table, list[dict[str, Any]]] = field(repr=False)

    @property
    def state(self) -> ResearchState:
        """The state before its end."""
        return replay(self.log)

    @property
    def source_seq(self) -> int:
        """The number of its newest source row."""
        return max((row["seq"] for row in self.rows[SOURCE]), default=0)

    def add_rows(self, batch: Batch, task_id: str) -> None:
        """Add its rows as those of the task that goes on."""
        for table, rows in self.rows.items():
            for row in rows:
                batch.add(table, **{**row, "task_id": task_id})

    def note(self) -> str:
        """Return what the agent is told that goes on."""
        queries = [visible(key, _SHOWN) for kind, key in self.state.evidence if kind == "search"]
        note = resumed_note(queries, [one.output_id for one in self.outputs])
        return f"{note}\n\n{supplement_note(self.state)}" if self.publications else note


_KEPT = (SOURCE, EVIDENCE, OUTPUT, PUBLICATION, CITATION)


def left_by(database: Database, task_id: str) -> Left:
    """Return what an ended task has left. Raises `UsageError` for one with which there is nothing
    to go on. It reads all of it and folds its pages: not on the loop."""
    log = [(us, event) for _, us, event in log_of(database, task_id)]
    if not log or not isinstance(log[-1][1], _ENDS):
        raise UsageError(
            f"Task {short_id(task_id)} is complete: there is nothing to go on with.",
            "%btw asks about it, %research asks anew.",
        )
    work, lost = _before_the_end(log)
    who = database.rows(
        "SELECT agent_id, name, model, search FROM data.task WHERE task_id = ?", [task_id]
    )[0]
    rows = {
        table: database.rows(
            f"SELECT * EXCLUDE (task_id) FROM data.{table.name} WHERE task_id = ?", [task_id]
        )
        for table in _KEPT
    }
    listed = {row["source_id"] for row in rows[SOURCE] if row["listed"]}
    return Left(
        task_id,
        who["agent_id"],
        who["name"] or "",
        who["model"],
        tuple((who["search"] or "").split(", ")),
        tuple(work),
        tuple(lost),
        {row["call_id"]: json.loads(row["result"]) for row in rows[EVIDENCE]},
        tuple((one, one.source_id in listed) for one in sources_of(database, task_id)),
        tuple(
            Output(
                row["output_id"],
                "S" + row["output_id"].removeprefix("O").partition("-")[0],
                row["text"],
                FoldedText(row["text"]),
            )
            for row in sorted(rows[OUTPUT], key=lambda one: one["saved_at"])
        ),
        publications_of(database, task_id),
        rows,
    )


def _before_the_end(
    log: Sequence[tuple[int, Event]],
) -> tuple[list[tuple[int, Event]], list[str]]:
    """Return the events of its work, and the calls that its end cut off."""
    work = list(log[:-1])
    lost: list[str] = []
    while work and isinstance(event := work[-1][1], SourceFinished) and event.error == _CUT:
        lost.append(event.call_id)
        work.pop()
    finished = {one.call_id for _, one in work if isinstance(one, SourceFinished)}
    running = [one.call_id for _, one in work if isinstance(one, SourceReserved)]
    return work, [*lost, *(one for one in running if one not in finished and one not in lost)]


_CUT = "interrupted"
