"""Owns the roster and the tasks of an engine as people see them: agents, what each does, what ran.

Pure. The activity is that of `core/activity.py`, computed once for the whole and once an agent.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .activity import TaskActivity, activity_of
from .card import activity_state, progress_of
from .render_text import short_id
from .sanitise import visible
from .view import RunView


@dataclass(frozen=True, slots=True)
class TaskSeen:
    """A task as the roster shows it. `model`: who writes its guide; `agent`: its agent's name."""

    view: RunView
    agent_id: str
    model: str
    name: str = ""
    owned: bool = False
    agent: str = ""


def stored_task(view: RunView, row: Mapping[str, Any], agent: str) -> TaskSeen:
    """Return a task that no longer runs, of its view, its row of the view `tasks`, and the name of
    its agent."""
    return TaskSeen(view, row["agent_id"], row["model"], row["name"] or "", agent=agent)


def roster_of(
    tasks: Sequence[TaskSeen], note: str, named: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """Return agents and tasks as a dashboard gets them, the tasks in the order given. `named`: the
    names of agents by id, who are there without a task too."""
    known = [
        TaskActivity(
            one.view.task_id,
            one.agent_id,
            one.view.status,
            owned=one.owned,
            question=one.view.asked,
        )
        for one in tasks
    ]
    names = {one.agent_id: visible(one.agent or one.name, 80) for one in tasks}
    names = {**(named or {}), **names}
    return {
        "activity": activity_state(activity_of(known)),
        "agents": [
            {
                "agent_id": agent_id,
                "name": name or f"worker {short_id(agent_id)}",
                **_activity_words(known, agent_id),
            }
            for agent_id, name in names.items()
        ],
        "tasks": [_task(one) for one in tasks],
        "note": note,
    }


def _activity_words(known: Sequence[TaskActivity], agent_id: str) -> dict[str, Any]:
    activity = activity_of(known, agent_id)
    return {
        "state": activity.state,
        "task_ids": list(activity.task_ids),
        "pending_question": activity.pending_question,
    }


def _task(one: TaskSeen) -> dict[str, Any]:
    view = one.view
    return {
        "task_id": view.task_id,
        "short_id": short_id(view.task_id),
        "agent_id": one.agent_id,
        "task_type": view.task_type,
        "question": visible(view.question, 300),
        "asked": visible(view.asked or "", 2_000),
        **progress_of(view),
        "read": sum(source.state == "read" for source in view.sources),
        "model": visible(one.model, 80),
        "search": visible(view.search, 120),
    }
