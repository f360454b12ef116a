"""Owns what an engine does for the person who talks to it: turns, standard tasks, answers."""

import asyncio
import concurrent.futures
from abc import abstractmethod
from collections.abc import Awaitable, Callable, Sequence

from ..core.budget import STANDARD
from ..core.sanitise import storable
from ..errors import UnknownTaskError, UsageError
from ..store.rows import Batch
from .agents import COORDINATOR, Agents, is_coordinator
from .chat import Chat, TurnRun
from .questions import checked_question
from .services import Services, TaskSpec
from .standard import StandardRun
from .stored import find_task, tasks_of_conversation
from .stored_tasks import StoredTasks
from .task import ChatTurn, Controls, StandardTask, Task
from .task_run import TaskRun

LONGEST_TURN = 100_000


class Foreground(StoredTasks):
    """The part of an engine that a conversation needs."""

    agents: Agents
    _chat: Chat
    _services: Services

    @property
    @abstractmethod
    def _controls(self) -> Controls:
        """What a handle may ask of the engine."""

    @abstractmethod
    async def _started(self, run: TaskRun, commit: Callable[[], Awaitable[None]]) -> Task:
        """Commit a run's task, and set it going. On the engine's thread."""

    @abstractmethod
    def _refuse_when_closed(self) -> None:
        """Raise `EngineClosedError` when it is."""

    def chat(
        self, text: str, *, model: str | None = None, search: str | Sequence[str] | None = None
    ) -> ChatTurn:
        """Say something to the coordinator; return its turn at once, with the answer growing.

        Where the newest turn asks something, this is the answer, and that turn is returned. `model`
        and `search` are also those of the tasks that the turn gives to others. Raises `UsageError`,
        `StoreError`.
        """
        said = checked_question(
            text, LONGEST_TURN, "%%chat, then your words.", "Put long material into files."
        )
        chosen, sources = self._model(model), self._sources(search)

        async def begin() -> ChatTurn:
            run = await self._chat.say(said, chosen, sources)
            return self._turn(run)  # at once: it may end before anybody else gets to look

        return self._loop.run(begin())

    def end_turn(self) -> None:
        """End the turn that is at work or waits, if there is one; what it has begun goes on."""

        async def end() -> None:
            if (run := self._chat.live(self.conversation_id)) is not None:
                await run.stop()

        self._loop.run(end())

    def _turn(self, run: TurnRun) -> ChatTurn:
        ended = self._runs[run.spec.task_id][1]
        return ChatTurn(run, self._controls, ended, self._settled(run, ended))

    def _settled(
        self, run: TurnRun, ended: "concurrent.futures.Future[None]"
    ) -> "concurrent.futures.Future[None]":
        """Return what is done when the turn has ended or waits for the person."""
        settled: concurrent.futures.Future[None] = concurrent.futures.Future()

        def done() -> None:
            if not settled.done():
                settled.set_result(None)

        def changed(task_id: str) -> None:
            if task_id == run.spec.task_id and run.state.asked is not None:
                done()

        def follow() -> None:
            unsubscribe = self.hub.subscribe(changed, done)
            settled.add_done_callback(lambda _: self.on_loop(unsubscribe))
            changed(run.spec.task_id)

        ended.add_done_callback(lambda _: done())
        self.on_loop(follow)
        return settled

    def delegate(
        self,
        instruction: str,
        *,
        agent: str = "",
        model: str | None = None,
        search: str | Sequence[str] | None = None,
        name: str = "",
    ) -> StandardTask:
        """Give an agent a standard task and return its handle at once.

        `agent`: the name of one that there is, or of a new one; without a name it is an agent of
        its own. Raises `UsageError`, `StoreError`.
        """
        asked = checked_question(
            instruction, LONGEST_TURN, "Say what is to be done.", "Put long material into files."
        )
        if is_coordinator(agent):
            raise UsageError(f"The {COORDINATOR} takes no tasks.", "Talk to it: %%chat.")
        chosen, sources = self._model(model), self._sources(search)

        async def begin() -> Task:
            if not agent.strip():
                return await given(self._world.ids.new(), "", Batch())
            now = self._world.clock.now_us()
            with self.agents.joined(agent, "", now) as (known, rows):
                return await given(known.agent_id, known.role, rows)

        async def given(agent_id: str, role: str, rows: Batch) -> Task:
            spec = TaskSpec(
                self._world.ids.new(),
                self.conversation_id,
                agent_id,
                storable(name).strip(),
                chosen,
                sources,
                role=role,
            )
            run = self._team.standard(spec)
            return await self._started(run, lambda: run.queue(asked, STANDARD, rows))

        task = self._loop.run(begin())
        assert isinstance(task, StandardTask)
        return task

    def answer(self, reference: str, text: str) -> None:
        """Answer what a task's agent asks the person. Raises `UsageError` when nothing waits."""
        self._refuse_when_closed()
        self._loop.run(self.give_answer(find_task(self._database, reference), text))

    async def give_answer(self, task_id: str, text: str) -> None:
        """As `answer`, for those who are on the engine's thread themselves."""
        run = self._runs.run_of(task_id)
        if not isinstance(run, StandardRun):
            raise UsageError(
                "Nothing waits for an answer there.", "%lazyboy status shows what does."
            )
        run.answer(storable(text))
        await asyncio.sleep(0)

    def delete_conversation(self, conversation_id: str) -> list[str]:
        """Stop and delete all tasks of a conversation, its turns, agents and side questions, for
        good; return the ids of what was deleted. Raises `UnknownTaskError`."""
        deleted: list[str] = []
        if conversation_id == self.conversation_id:
            self.end_turn()  # it could begin more meanwhile
        while task_ids := tasks_of_conversation(self._database, conversation_id):
            deleted += [self.delete(task_id) for task_id in task_ids]
        if not deleted and conversation_id != self.conversation_id:
            raise UnknownTaskError("There is no such conversation here.", "%lazyboy list --all")
        self._loop.run(self._side.forget(conversation_id))
        self._database.delete_conversation(conversation_id).result()
        if conversation_id == self.conversation_id:
            self.on_loop(self._forget_conversation)
        return deleted

    def _forget_conversation(self) -> None:
        self._chat.forget()
        self._services.snapshots.remember(self.conversation_id)  # it goes on, empty
