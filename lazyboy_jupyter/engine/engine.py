"""Owns the engine: one loop thread, one store, the tasks that run. The public Python API."""

import asyncio
import atexit
import concurrent.futures
import logging
import os
import threading
from collections.abc import Awaitable, Callable, Collection, Coroutine, Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

from ..config import Settings, budget_with, default_store, load_settings, names_of
from ..core.activity import Activity
from ..core.budget import Budget
from ..core.roster import TaskSeen
from ..core.sanitise import storable
from ..errors import EngineClosedError
from ..ports import Model
from ..store.events import damaged_tasks, interrupt_orphans
from ..store.side import interrupt_side_questions
from .agents import Agents
from .chat import Chat
from .choices import Choices
from .choosing import Choosing
from .compose import compose
from .conversation import conversation_of
from .hub import Hub
from .live_runs import LiveRuns, Stage
from .loop import LoopThread
from .questions import checked_question
from .run import ResearchRun
from .services import Services, Sources, TaskSpec, services_of
from .side.handle import SideAnswer, SideDoor
from .side.service import SideQuestions
from .slots import ModelSlots
from .stored import find_task, load_task
from .stored_tasks import Commit, Make
from .task import Controls, ResearchTask, Task, handle_of
from .task_run import TaskRun
from .team import Team
from .world import World

T = TypeVar("T")
LONGEST_QUESTION = 100_000
_log = logging.getLogger("lazyboy_jupyter")
_log.addHandler(logging.NullHandler())  # else Python prints what nobody handles into a cell


class Engine(Choosing):
    """Runs research in the background and keeps everything in one DuckDB file.

    `Engine()` takes its settings from the environment and the configuration files, as the magics
    do; `folder` is where it looks for them, and keeps its store, when it is not the current one.
    `allow_hosts`: hosts that may be read although they are on this machine or a private network,
    such as "localhost:8080", "intranet.example" or "10.0.0.0/8".
    Safe to use from any thread. Closing it ends every task as `interrupted`, all stored.
    Raises `UsageError` for a model or source that is not there, `StoreError` when the store cannot
    be written.
    """

    def __init__(
        self,
        store: str | Path | None = None,
        model: str | None = None,
        search: str | Sequence[str] | None = None,
        *,
        notebook: str | None = None,
        folder: Path | None = None,
        allow_hosts: Collection[str] | None = None,
        settings: Settings | None = None,
        world: World | None = None,
    ) -> None:
        folder = Path.cwd() if folder is None else folder
        settings = load_settings(folder=folder) if settings is None else settings
        settings = replace(
            settings,
            model=model or settings.model,
            search=names_of(search, settings),
            allow_hosts=settings.allow_hosts if allow_hosts is None else tuple(allow_hosts),
        )
        path = Path(store).expanduser() if store is not None else settings.store
        self._wanted = (path or default_store(notebook, folder)).absolute()
        own, database = compose(self._wanted, settings, alternatives=path is None)
        self._world = world or own
        self._choices = Choices(self._world, settings, self.on_loop)
        self._database = database
        self._closed = False
        self._pid = os.getpid()
        self._lock = threading.Lock()
        self._runs = LiveRuns()
        self.hub, self.removed = Hub(), Hub()
        self._loop = LoopThread()
        try:
            self._open(notebook)
        except BaseException:
            self._closed = True
            self._shut(self._end_world())  # nothing runs yet
            raise
        atexit.register(self.close)

    def _open(self, notebook: str | None) -> None:
        world, database = self._world, self._database
        self.interrupted = interrupt_orphans(database, world.clock.now_us(), world.ids.new)
        self.damaged = damaged_tasks(database)
        for task_id in self.damaged:
            _log.warning("The stored events of task %s have a hole: the file was damaged.", task_id)
        interrupt_side_questions(database, world.clock.now_us())
        database.archive.catch_up()
        self.conversation_id = conversation_of(database, notebook or "", world)
        slots = ModelSlots(self.settings.model_slots)
        made = services_of(world, database, self.hub, self.path.parent, slots)
        self._services = self._loop.run(made)
        self.agents = Agents(database, self.conversation_id, world.ids)
        self._team = Team(
            self._services, self._runs, self.agents, self._started, self._budget, world.toolsets
        )
        self._chat = Chat(
            self._services, self._runs, self.agents, self._team, self._started,
            self.conversation_id,
        )  # fmt: skip
        self._side = SideQuestions(
            self._services, self._model, world.side_ids, self._run_of, self.conversation_id
        )
        self.side = SideDoor(self, self._loop, self._side, self._services, self._runs)
        self._model()
        self._choices.sources()

    @property
    def settings(self) -> Settings:
        """What a question takes that names no model, source or budget of its own."""
        return self._choices.settings

    @property
    def closed(self) -> bool:
        """Whether `close` was called."""
        return self._closed

    @property
    def displaced(self) -> bool:
        """Whether another engine had the default store, so that this one has the next free."""
        return self._database.path != self._wanted

    def on_loop(self, function: Callable[[], object]) -> None:
        """Call `function` on the engine's thread, soon; for displays. Nothing after `close`."""
        self._loop.call_soon(function)

    def submit(self, work: Coroutine[Any, Any, T]) -> concurrent.futures.Future[T]:
        """Do the work on the engine's thread, from any other. Raises `EngineClosedError`."""
        return self._loop.submit(work)

    @property
    def path(self) -> Path:
        """The database file; never open it while the engine runs."""
        return self._database.path

    def research(
        self,
        question: str,
        *,
        time: float | None = None,
        searches: int | None = None,
        pages: int | None = None,
        gaps: int | None = None,
        max_tokens: int | None = None,
        model: str | None = None,
        search: str | Sequence[str] | None = None,
        name: str = "",
    ) -> ResearchTask:
        """Start research and return its handle at once; the task goes on in the background.

        `time`: seconds of the initial collection; `searches`, `pages`, `gaps`: counts. What is
        not given comes from the settings. Raises `UsageError` for an empty question, a budget out
        of range, a model or source that is not there; `StoreError` when it cannot be stored.
        """
        asked = checked_question(
            question,
            LONGEST_QUESTION,
            "%research QUESTION.",
            "Put long material into files and name their folder: -s folder:PATH.",
        )
        budget = budget_with(
            self.settings, time=time, searches=searches, pages=pages, gaps=gaps,
            max_tokens=max_tokens,
        )  # fmt: skip
        ids = self._world.ids
        spec = TaskSpec(
            ids.new(),
            self.conversation_id,
            ids.new(),
            storable(name).strip(),
            self._model(model),
            self._sources(search),
        )

        async def make(services: Services) -> TaskRun:
            return ResearchRun(services, spec)

        task = self._begin(make, lambda run: run.queue(asked, budget))
        assert isinstance(task, ResearchTask)
        return task

    def _budget(self) -> Budget:
        return budget_with(self.settings)

    def ask(self, question: str, parent: Task | str | None = None) -> SideAnswer:
        """Ask what a task's agent knows, from a snapshot, without disturbing it; return at once.

        `parent`: a task or its reference, or "conversation"; None: the newest live task, else the
        newest, else the conversation. Raises
        `UsageError`, `SideQuestionRefused`, `StoreError`.
        """
        self._refuse_when_closed()
        reference = parent.id if isinstance(parent, Task) else parent
        return self.side.ask(self.side.parent_of(reference), question)

    def _begin(self, make: Make, commit: Commit) -> Task:
        return self._loop.run(self._start(make, commit))

    async def _start(self, make: Make, commit: Commit) -> Task:
        run = await make(self._services)
        return await self._started(run, lambda: commit(run))

    async def _started(self, run: TaskRun, commit: Callable[[], Awaitable[None]]) -> Task:
        """On the engine's thread: commit the task, then set it going."""
        self._refuse_when_closed()
        await commit()
        self._refuse_when_closed()  # its row stays, and reads `interrupted` at the next opening
        handle = self._handle(run, self._runs.begin(run, self._let_go))
        self.hub.publish(run.spec.task_id)
        return handle

    def _run_of(self, parent: str) -> TaskRun | None:
        """The run whose agent a side question's parent is: a task's, or the conversation's turn."""
        return self._runs.run_of(parent) or self._chat.live(parent)

    def _let_go(self, task_id: str) -> None:
        """The store has the task now: let its texts go, and archive it."""
        self._services.snapshots.release(task_id)
        self._database.archive.keep(task_id)

    def task(self, reference: str) -> Task:
        """Return the handle of a task: by its name, or the last characters of its id.

        Raises `UnknownTaskError` when it names none or several.
        """
        task_id = find_task(self._database, reference)
        live = self._runs.get(task_id)
        if live is not None:
            return self._handle(*live)
        ended: concurrent.futures.Future[None] = concurrent.futures.Future()
        ended.set_result(None)
        return self._handle(load_task(self._database, task_id), ended)

    def live_tasks(self) -> list[TaskSeen]:
        """Return the tasks that run or wait, oldest first, as a roster shows them."""
        return self._runs.seen(self._world.clock.now_us(), self.agents.name_of)

    def stage_of(self, task_id: str) -> Stage | None:
        """Return the status and phase of a task that is live, and how many publications there are,
        without asking the store; None when it is not live."""
        return self._runs.stage_of(task_id)

    def stop(self, task_id: str) -> None:
        """End a task as `cancelled`, what it has is kept; one that has ended stays as it is."""
        if task_id in self._runs:
            self._loop.run(self.halt(task_id))

    async def halt(self, task_id: str) -> None:
        """As `stop`, for those who are on the engine's thread themselves."""
        run = self._runs.run_of(task_id)
        if run is not None:
            await run.stop()

    def activity(self, agent_id: str | None = None) -> Activity:
        """Return what the engine, or one agent of it, is doing (DESIGN §8)."""
        return self._runs.activity(agent_id)

    def close(self) -> None:
        """End every task as `interrupted`, store everything, end all threads and workers.

        Safe to call twice, and at the interpreter's exit.
        """
        with self._lock:
            if self._closed or os.getpid() != self._pid:  # a forked child has no thread of ours
                return
            self._closed = True
        atexit.unregister(self.close)
        self._shut(self._end_all())

    def _shut(self, ending: Coroutine[Any, Any, None]) -> None:
        try:
            self._loop.run(ending)
        finally:
            self._loop.close()
            self._database.close()

    async def _end_all(self) -> None:
        await self._side.close()
        await asyncio.gather(*(run.abandon() for run in self._runs.all()))
        for hub in (self.hub, self._side.hub):
            hub.finish()
        await self._end_world()

    async def _end_world(self) -> None:
        await self._world.close()

    def __enter__(self) -> "Engine":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _handle(self, subject: Any, ended: "concurrent.futures.Future[None]") -> Task:
        return handle_of(subject, self._controls, ended)

    @property
    def _controls(self) -> Controls:
        now_us, relation = self._world.clock.now_us, self._database.relation
        return Controls(self, now_us, relation, self.stop, self.answer)

    def _model(self, name: str | None = None) -> Model:
        self._refuse_when_closed()
        return self._choices.model(name)

    def _sources(self, search: str | Sequence[str] | None = None, *more: str) -> Sources:
        self._refuse_when_closed()
        return self._choices.sources(search, *more)

    def _refuse_when_closed(self) -> None:
        if self._closed:
            raise EngineClosedError("The engine is closed.", "Make a new one to go on.")
