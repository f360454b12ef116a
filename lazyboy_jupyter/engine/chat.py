"""Owns the conversation of a notebook: one turn at a time, with its coordinator.

On the engine's thread. A turn is a task of the coordinator, which knows the history; so what is
true of every task is true of it.
"""

from ..core.briefs import CoordinatorBrief
from ..core.budget import TURN
from ..core.messages import Message, reply, user_note
from ..core.render_text import short_id
from ..core.sanitise import storable
from ..core.snapshot import Boundary
from ..errors import UsageError
from ..ports import Model
from ..store.conversation import add_summary, add_turn_message
from ..store.rows import Batch
from .agents import COORDINATOR, Agents
from .history import ROOM, History
from .live_runs import LiveRuns
from .services import Services, Sources, TaskSpec
from .side.summaries import Summaries
from .standard import StandardRun
from .team import Start, Team


class TurnRun(StandardRun):
    """One turn of a conversation. What is said in it is stored as it is said."""

    def __init__(self, services: Services, spec: TaskSpec, team: Team, history: History) -> None:
        super().__init__(
            services, spec, team, brief=CoordinatorBrief(), parent=spec.conversation_id
        )
        self._history = history
        self._said = 0
        self._before = 0
        self._room: int | None = None

    def _begin_messages(self, question: str) -> list[Message]:
        return []

    def first_rows(self, text: str) -> Batch:
        """Return the row of the person's words, to be committed with the turn."""
        return self._row_of(user_note(text))

    def _row_of(self, message: Message) -> Batch:
        self._said += 1
        spec = self.spec
        return add_turn_message(Batch(), spec.task_id, spec.conversation_id, self._said, message)

    def _add(self, message: Message) -> None:
        super()._add(message)
        self.recorder.save_later(self._row_of(message))

    async def _prepare(self) -> None:
        """Read the history: when the turn begins, so that it has the whole of the one before."""
        before = await self._read_history()
        self._before = len(before)
        self._messages = [*before, user_note(self.state.question)]

    async def _make_room(self) -> bool:
        """Summarise more of the history, once: the model takes less than it was thought to."""
        if self._room is not None:
            return await super()._make_room()
        own = self._messages[self._before :]
        self._room = len(str(self._messages[: self._before]))
        before = await self._read_history()
        self._before = len(before)
        self._messages = [*before, *own]
        return True

    async def _read_history(self) -> list[Message]:
        spec = self.spec

        async def keep(upto: str, until_us: int, summary: str) -> None:
            where = (spec.task_id, spec.conversation_id)
            rows = add_summary(Batch(), *where, upto, until_us, summary)
            await self.recorder.save(rows)

        room = self._room if self._room is not None else spec.model.room
        return await self._history.before(
            spec.task_id, self.created_us, spec.model, keep, room or ROOM
        )

    def _take(self, boundary: Boundary) -> None:
        """Take a snapshot, but of a turn that has not read its history: the one before stays."""
        if self._before:
            super()._take(boundary)

    def _take_last(self) -> None:
        """Keep what had arrived of a reply that was cut off: it was read by the person."""
        if not self._last_taken and not self.rounds.whole and self.rounds.partial.strip():
            self._add(reply(f"{self.rounds.partial.strip()} …", ()))
        super()._take_last()

    async def stop(self) -> None:
        """End the turn; the tasks that it gave to others go on."""
        await super(StandardRun, self).stop()


class Chat:
    """The turns of one conversation. `turn`: the newest."""

    def __init__(
        self, services: Services, runs: LiveRuns, agents: Agents, team: Team, start: Start,
        conversation_id: str,
    ) -> None:  # fmt: skip
        self.turn: TurnRun | None = None
        self._services = services
        self._runs = runs
        self._agents = agents
        self._team = team
        self._start = start
        self._conversation_id = conversation_id
        self._history = History(
            services.database, conversation_id, agents, services.clock, Summaries(services.clock)
        )

    async def say(self, text: str, model: Model, sources: Sources) -> TurnRun:
        """Begin a turn, or answer what the newest one asks; return it when that is stored.

        Raises `UsageError` while another turn is at work, `StoreError`.
        """
        turn = self.turn
        if turn is not None and not turn.state.ended:
            if turn.state.asked is None:
                raise UsageError(
                    "The coordinator is still answering.",
                    f"Wait, or end it: %lazyboy stop {short_id(turn.spec.task_id)}.",
                )
            turn.answer(text)
            return turn
        now = self._services.clock.now_us()
        with self._agents.joined(COORDINATOR, "", now) as (agent, rows):
            return await self._begin(storable(text), agent.agent_id, model, sources, rows)

    async def _begin(
        self, said: str, agent_id: str, model: Model, sources: Sources, rows: Batch
    ) -> TurnRun:
        spec = TaskSpec(
            self._services.ids.new(),
            self._conversation_id,
            agent_id,
            "",
            model,
            sources,
            foreground=True,
        )
        run = TurnRun(self._services, spec, self._team, self._history)

        async def commit() -> None:
            await run.queue(said, TURN, rows.update(run.first_rows(said)))

        before, self.turn = self.turn, run  # nobody else begins one, and this one can be ended
        try:
            await self._start(run, commit)
        except BaseException:
            self.turn = before
            raise
        return run

    def live(self, conversation_id: str) -> TurnRun | None:
        """Return the turn that is at work, of this conversation."""
        turn = self.turn
        is_live = turn is not None and not turn.state.ended
        return turn if is_live and conversation_id == self._conversation_id else None

    def forget(self) -> None:
        """Let go of the conversation, which was deleted."""
        self.turn = None
        self._agents.forget()
