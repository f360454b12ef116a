import pytest

from lazyboy_jupyter.core.budget import Budget
from lazyboy_jupyter.core.events import (
    Event,
    PublicationAccepted,
    RoundStarted,
    SourceFinished,
    SourceReserved,
    TaskQueued,
    TaskStarted,
)
from lazyboy_jupyter.core.research import ResearchState, fold
from lazyboy_jupyter.store.database import Database
from lazyboy_jupyter.store.events import (
    add_event,
    damaged_tasks,
    interrupt_orphans,
    log_of,
    state_of,
)
from lazyboy_jupyter.store.rows import Batch
from lazyboy_jupyter.store.schema import TASK
from tests.fakes import CountingIds

RUNNING: list[Event] = [
    TaskQueued("Q?", Budget()),
    TaskStarted(),
    SourceReserved("c1", "page", "https://a/", 1),
    SourceReserved("c2", "page", "https://b/", 1),
    SourceFinished("c1"),
]


def store(database: Database, task_id: str, events: list[Event]) -> ResearchState:
    state, batch = ResearchState(), Batch().add(TASK, task_id=task_id, question="Q?")
    for seq, event in enumerate(events, 1):
        state = fold(state, seq, event)
        add_event(
            batch,
            event_id=f"{task_id}-{seq}",
            task_id=task_id,
            seq=seq,
            at_us=seq,
            event=event,
            phase=state.phase,
        )
    database.append(batch).result(10)
    return state


def test_the_stored_log_replays_to_the_live_state(database: Database) -> None:
    live = store(database, "t", RUNNING)
    assert state_of(database, "t") == live
    assert [event for _, _, event in log_of(database, "t")] == RUNNING


def test_tasks_without_an_end_become_interrupted_with_their_calls(database: Database) -> None:
    store(database, "running", RUNNING)
    store(database, "queued", RUNNING[:1])
    store(database, "ended", [*RUNNING, SourceFinished("c2"), PublicationAccepted(0)])

    assert interrupt_orphans(database, 100, CountingIds().new) == ["queued", "running"]

    state = state_of(database, "running")
    assert (state.phase, state.pages, state.running) == ("interrupted", 2, frozenset())
    assert [event for _, _, event in log_of(database, "running")][-2] == SourceFinished(
        "c2", "interrupted"
    )
    assert state_of(database, "ended").phase == "completed"
    statuses = database.rows("SELECT task_id, status, pages FROM tasks ORDER BY task_id")
    assert [tuple(row.values()) for row in statuses] == [
        ("ended", "completed", 2),
        ("queued", "interrupted", 0),
        ("running", "interrupted", 2),
    ]
    assert interrupt_orphans(database, 200, CountingIds().new) == []
    assert damaged_tasks(database) == []


def test_an_open_round_does_not_keep_a_task_alive(database: Database) -> None:
    store(database, "t", [*RUNNING[:2], RoundStarted("r", 1)])
    interrupt_orphans(database, 100, CountingIds().new)
    assert state_of(database, "t").open_round is None


@pytest.mark.parametrize("lost", [1, 3, 4])
def test_a_hole_in_a_log_is_reported(database: Database, lost: int) -> None:
    store(database, "whole", RUNNING)
    store(database, "cut", RUNNING)
    connection = database._connection.cursor()
    connection.execute("DELETE FROM data.event WHERE task_id = 'cut' AND seq = ?", [lost])
    assert damaged_tasks(database) == ["cut"]
