"""Owns what `%lazyboy status` shows: the roster as it is, live where there are widgets."""

from collections.abc import Mapping
from dataclasses import dataclass

from ..core.render_text import how_to_answer
from ..core.roster import TaskSeen, stored_task
from ..core.sanitise import visible
from ..engine.engine import Engine
from .tables import Table, tasks_table

_LATELY = 5


@dataclass(frozen=True, slots=True)
class Status:
    """The tasks that run or wait and those that ended last, by id; `table` is the static twin.

    `note`: what the engine does, and where its store is.
    """

    engine: Engine
    id: str
    tasks: Mapping[str, TaskSeen]
    note: str
    table: Table
    live: bool = False
    stage: object = None

    def __str__(self) -> str:
        return str(self.table)

    def __repr__(self) -> str:
        return str(self)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return self.table._repr_mimebundle_()


def status_of(engine: Engine) -> Status:
    """Return what the engine does now."""
    activity, rows = engine.activity(), engine.tasks()
    active = set(activity.task_ids)
    head = activity.state if not active else f"{activity.state}: {len(active)} at work"
    stored = f"Stored in {engine.path}."
    if activity.pending_question is not None:
        asking = [one.view for one in engine.live_tasks() if one.view.asked]
        head += "".join(
            f". “{visible(one.asked or '', 200)}” {how_to_answer(one)}" for one in asking
        )
    table = tasks_table([row for row in rows if row["task_id"] in active], f"{head}. {stored}")
    seen = {one.view.task_id: one for one in engine.live_tasks()}
    lately = [row for row in rows if row["task_id"] not in active][:_LATELY]
    for row in lately:
        view = engine.task(row["task_id"]).view()
        seen.setdefault(
            row["task_id"], stored_task(view, row, engine.agents.name_of(row["agent_id"]))
        )
    return Status(engine, f"status-{len(rows)}", seen, stored, table)
