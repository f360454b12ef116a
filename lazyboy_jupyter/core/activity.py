"""Owns the one computation of what an agent is doing (DESIGN §8); every surface asks it."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

ActivityState = Literal["idle", "queued", "running", "waiting_input"]


@dataclass(frozen=True, slots=True)
class TaskActivity:
    """What `activity_of` needs to know of one task.

    `owned`: this engine holds the task's live worker. A stored `running` task counts only then.
    """

    task_id: str
    agent_id: str
    status: str
    owned: bool
    question: str | None = None


@dataclass(frozen=True, slots=True)
class Activity:
    """The state, the ids of the tasks that make it, and the question that waits for the person."""

    state: ActivityState
    task_ids: tuple[str, ...] = ()
    pending_question: str | None = None


def activity_of(tasks: Iterable[TaskActivity], agent_id: str | None = None) -> Activity:
    """Return the activity of one agent, or of all when `agent_id` is None. Pure.

    `running` goes before `waiting_input`, that before `queued`, that before `idle`; a pending
    question is returned in any state.
    """
    running: list[str] = []
    waiting: list[str] = []
    queued: list[str] = []
    pending: str | None = None
    for task in tasks:
        if agent_id is not None and task.agent_id != agent_id:
            continue
        if task.status == "running" and task.owned:
            running.append(task.task_id)
        elif task.status == "waiting_input":
            waiting.append(task.task_id)
            pending = pending or task.question
        elif task.status == "queued" and task.owned:
            queued.append(task.task_id)
    active = tuple(running + waiting + queued)
    state: ActivityState = (
        "running" if running else "waiting_input" if waiting else "queued" if queued else "idle"
    )
    return Activity(state, active, pending)
