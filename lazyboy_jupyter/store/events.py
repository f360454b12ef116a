"""Owns stored events: how one becomes a row, how a task's log is read back, and its repair.

The repair is what opening a store after a crash does: tasks that no engine owns any more become
`interrupted`, and a log with a hole in it (a damaged write-ahead log is cut silently) is reported.
"""

import json
from collections.abc import Callable, Iterator
from typing import Any

from ..core.events import (
    Event,
    SourceFinished,
    SourceReserved,
    TaskInterrupted,
    data_to_event,
    event_to_data,
)
from ..core.phases import END_PHASES, Phase
from ..core.research import ResearchState, replay
from .database import Database
from .rows import Batch, at
from .schema import EVENT


def add_event(
    batch: Batch,
    *,
    event_id: str,
    task_id: str,
    seq: int,
    at_us: int,
    event: Event,
    phase: Phase,
) -> None:
    """Add an event's row. `seq` counts the task's events from 1; `phase` is the one after it."""
    batch.add(
        EVENT,
        event_id=event_id,
        task_id=task_id,
        seq=seq,
        ts=at(at_us),
        kind=type(event).__name__,
        phase=phase,
        data=json.dumps(event_to_data(event), ensure_ascii=False),
    )


def log_of(database: Database, task_id: str) -> Iterator[tuple[int, int, Event]]:
    """Yield the task's stored events in order, as (seq, time in microseconds UTC, event)."""
    for row in database.rows(
        "SELECT seq, epoch_us(ts) AS us, kind, data FROM data.event WHERE task_id = ? ORDER BY seq",
        [task_id],
    ):
        yield row["seq"], row["us"], data_to_event(row["kind"], json.loads(row["data"]))


def state_of(database: Database, task_id: str) -> ResearchState:
    """Return the state of a stored task: the fold of its events."""
    return replay((us, event) for _, us, event in log_of(database, task_id))


def interrupt_orphans(database: Database, now_us: int, new_id: Callable[[], str]) -> list[str]:
    """Mark every stored task without an end as `interrupted`; return their ids.

    For the opening of a store: its engine is new, so it owns no live worker yet. Calls that were
    running end as interrupted evidence, and their reservations stay spent.
    """
    ended = ", ".join(f"'{phase}'" for phase in sorted(END_PHASES))
    orphans = database.rows(
        f"""SELECT task_id, max(seq) AS seq, arg_max(phase, seq) AS phase,
                   greatest(?, max(epoch_us(ts))) AS us
            FROM data.event GROUP BY task_id HAVING arg_max(phase, seq) NOT IN ({ended})
            ORDER BY task_id""",
        [now_us],
    )
    batch = Batch()
    for orphan in orphans:
        _interrupt(batch, database, orphan, new_id)
    if orphans:
        database.append(batch).result()
    return [orphan["task_id"] for orphan in orphans]


def _interrupt(
    batch: Batch, database: Database, orphan: dict[str, Any], new_id: Callable[[], str]
) -> None:
    phase: Phase = orphan["phase"]
    running: dict[str, None] = {}
    for _, _, event in log_of(database, orphan["task_id"]):
        if isinstance(event, SourceReserved):
            running[event.call_id] = None
        elif isinstance(event, SourceFinished):
            running.pop(event.call_id, None)
    events: list[Event] = [SourceFinished(call_id, "interrupted") for call_id in running]
    for number, event in enumerate([*events, TaskInterrupted()], orphan["seq"] + 1):
        add_event(
            batch,
            event_id=new_id(),
            task_id=orphan["task_id"],
            seq=number,
            at_us=orphan["us"],
            event=event,
            phase="interrupted" if isinstance(event, TaskInterrupted) else phase,
        )


def damaged_tasks(database: Database) -> list[str]:
    """Return the ids of tasks whose sequence of events has a hole: their log was damaged."""
    rows = database.rows(
        """SELECT task_id FROM data.event GROUP BY task_id
           HAVING count(*) <> max(seq) OR min(seq) <> 1 OR count(DISTINCT seq) <> count(*)
           ORDER BY task_id"""
    )
    return [row["task_id"] for row in rows]
