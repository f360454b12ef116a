"""Owns the runs of one engine that are live: what each is doing, and letting go of those that
ended."""

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future

from ..core.activity import Activity, TaskActivity, activity_of
from ..core.roster import TaskSeen
from .task_run import STORE_FAILED, TaskRun

Live = tuple[TaskRun, "Future[None]"]
Stage = tuple[str, str, int]
"""A task's status, its phase, and how many publications there are."""


class LiveRuns(Mapping[str, Live]):
    """The runs by the id of their task, each with what is done when it has ended.

    Changed on the engine's thread; read from any.
    """

    def __init__(self) -> None:
        self._runs: dict[str, Live] = {}

    def __getitem__(self, task_id: str) -> Live:
        return self._runs[task_id]

    def __iter__(self) -> Iterator[str]:
        return iter(list(self._runs))

    def __len__(self) -> int:
        return len(self._runs)

    def run_of(self, task_id: str) -> TaskRun | None:
        """Return a task's run while it is live."""
        live = self._runs.get(task_id)
        return None if live is None else live[0]

    def all(self) -> list[TaskRun]:
        """Return the runs, the oldest first."""
        return [run for run, _ in list(self._runs.values())]

    def begin(self, run: TaskRun, let_go: Callable[[str], None]) -> "Future[None]":
        """Set a run going; return what is done when it has ended. `let_go` is called with the id of
        its task when the store has it."""
        ended: Future[None] = Future()
        self._runs[run.spec.task_id] = (run, ended)
        run.start().add_done_callback(lambda _: self._retire(run, ended, let_go))
        return ended

    def _retire(self, run: TaskRun, ended: "Future[None]", let_go: Callable[[str], None]) -> None:
        """Only a run whose end could not be stored is kept: nothing else knows of it."""
        if run.state.error != STORE_FAILED:
            self._runs.pop(run.spec.task_id, None)
            let_go(run.spec.task_id)
        ended.set_result(None)

    def stage_of(self, task_id: str) -> Stage | None:
        """Return how far a task is that is live."""
        run = self.run_of(task_id)
        if run is None:
            return None
        return run.state.status, run.state.phase, len(run.publisher.publications)

    def forget(self, task_id: str) -> None:
        """Let go of a task that was deleted."""
        self._runs.pop(task_id, None)

    def activity(self, agent_id: str | None) -> Activity:
        """Return what they, or one agent's of them, are doing (DESIGN §8)."""
        return activity_of(
            (
                TaskActivity(
                    run.spec.task_id,
                    run.spec.agent_id,
                    run.state.status,
                    owned=True,
                    question=run.state.asked,
                )
                for run in self.all()
            ),
            agent_id,
        )

    def seen(self, now_us: int, name_of: Callable[[str], str]) -> list[TaskSeen]:
        """Return them as a roster shows them. `name_of`: gives an agent's name."""
        return [
            TaskSeen(
                run.view(now_us),
                spec.agent_id,
                spec.model.name,
                spec.name,
                owned=True,
                agent=name_of(spec.agent_id),
            )
            for run in self.all()
            for spec in (run.spec,)
        ]
