"""Owns what an engine does with tasks as stored: listing, SQL, archiving, deleting."""

import logging
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from ..core.render_text import short_id
from ..errors import UsageError
from ..ports import Model
from ..store.database import Database, Relation
from ..store.reading import Query
from ..store.rows import Batch, at
from ..store.schema import RETIREMENT
from .hub import Hub
from .live_runs import LiveRuns
from .loop import LoopThread
from .resuming import left_by
from .run import ResearchRun
from .services import Services, Sources, TaskSpec
from .side.service import SideQuestions
from .stored import find_task, is_turn, list_all_tasks, list_tasks, output_text
from .task import Task
from .task_run import TaskRun
from .team import Team
from .world import World

Commit = Callable[[TaskRun], Awaitable[None]]
Make = Callable[[Services], Awaitable[TaskRun]]
"""Makes a run, on the engine's thread."""
_log = logging.getLogger("lazyboy_jupyter")


class StoredTasks(ABC):
    """The part of an engine that works on its store."""

    conversation_id: str
    hub: Hub
    removed: Hub
    """Tells the id of a task that was deleted or put away; so does `hub`."""
    _database: Database
    _loop: LoopThread
    _side: SideQuestions
    _world: World
    _runs: LiveRuns
    _team: Team

    @abstractmethod
    def stop(self, task_id: str) -> None:
        """End a task as `cancelled`."""

    @abstractmethod
    def on_loop(self, function: Callable[[], object]) -> None:
        """Call `function` on the engine's thread, soon."""

    @abstractmethod
    def _begin(self, make: Make, commit: Commit) -> Task:
        """Make a run, commit its task, and set it going."""

    @abstractmethod
    def _model(self, name: str | None = None) -> Model:
        """Return the model of a name. Raises `UsageError`."""

    @abstractmethod
    def _sources(self, search: str | Sequence[str] | None = None, *more: str) -> Sources:
        """Return the sources of some names. Raises `UsageError`."""

    def resume(self, reference: str) -> Task:
        """Go on, in a task of its own, with one that was stopped, interrupted or has failed.

        It has the seconds and the reservations that were left, and all that was read. Raises
        `UsageError` for one that is complete or still runs, and for a model or source that is no
        longer there.
        """
        task_id = find_task(self._database, reference)
        if task_id in self._runs:
            raise UsageError(
                f"Task {short_id(task_id)} is still running.", "%lazyboy show ID shows it."
            )
        if is_turn(self._database, task_id):
            raise UsageError(
                "A turn of the conversation is not gone on with.", "Say it again: %%chat."
            )
        left = left_by(self._database, task_id)
        spec = TaskSpec(
            self._world.ids.new(),
            self.conversation_id,
            left.agent_id,
            left.name,
            self._model(left.model),
            self._sources(left.search),
            resumed_from=task_id,
        )

        async def make(services: Services) -> TaskRun:
            if left.state.task_type == "research":
                return ResearchRun(services, spec)
            return self._team.standard(spec)

        return self._begin(make, lambda run: run.take_over(left))

    def row(self, task_id: str) -> dict[str, Any] | None:
        """Return a task's row of the view `tasks`, a turn's too; None when it is not there."""
        rows = self._database.rows("SELECT * FROM tasks WHERE task_id = ?", [task_id])
        return rows[0] if rows else None

    def tasks(self, *, archived: bool = False) -> list[dict[str, Any]]:
        """Return every task's row of the view `tasks`, newest first, with what is `archived` or
        without it."""
        return list_tasks(self._database, archived=archived)

    def tasks_of_all(self) -> tuple[list[dict[str, Any]], list[str]]:
        """Return the tasks of this store and those in the archive of its folder, newest first,
        with `archived` and the `notebook`; and what was left out, a sentence each."""
        return list_all_tasks(self._database)

    def sql(self, query: str, all: bool = False) -> Relation:  # noqa: A002, FBT001, FBT002
        """Return a query over the views as a relation: `.df()`, `.pl()`, `.arrow()`, `.show()`.

        `all`: over the finished tasks of the other notebooks of this folder too. Raises
        `duckdb.Error` for what is wrong with the SQL.
        """
        if not all:
            return self._database.relation(query)
        relation, left_out = self._database.relation_over_all(query)
        for sentence in left_out:
            _log.warning("%s", sentence)
        return relation

    def query(self, sql: str, *, everything: bool = False) -> Query:
        """Return a query that only reads, can be interrupted, and fails in one line.

        `everything`: as `all` of `sql`. Raises `UsageError` when it is asked for its rows.
        """
        return self._database.query(sql, everything=everything)

    def page_text(self, task_id: str, output_id: str) -> str | None:
        """Return the whole text of a page as a task read it, None when there is none. Reads the
        store; from any thread."""
        return output_text(self._database, task_id, output_id)

    def archive(self, reference: str) -> str:
        """Put a task away; return its id.

        New side questions are refused, the task and its side answers end, all of it is written to
        the archive, and it leaves the list. Raises `UnknownTaskError`, `StoreError` when it cannot
        be written: then it stays in the list.
        """
        task_id = find_task(self._database, reference)
        self.stop(task_id)
        self._loop.run(self._side.retire(task_id))
        try:
            self._database.archive.keep(task_id, soon=True).result()
            away = Batch().add(
                RETIREMENT, task_id=task_id, retired_at=at(self._world.clock.now_us())
            )
            self._database.append(away).result()
        except BaseException:
            self.on_loop(lambda: self._side.restore(task_id))
            raise
        self.on_loop(lambda: self._left(task_id))
        return task_id

    def delete(self, reference: str) -> str:
        """Stop a task and delete all its rows, for good, and its archive; return its id."""
        task_id = find_task(self._database, reference)
        self.stop(task_id)
        self._loop.run(self._side.forget(task_id))
        self._database.delete_task(task_id).result()
        self._runs.forget(task_id)
        self.on_loop(lambda: self._left(task_id))
        return task_id

    def _left(self, task_id: str) -> None:
        """On the engine's thread."""
        self.hub.publish(task_id)
        self.removed.publish(task_id)
