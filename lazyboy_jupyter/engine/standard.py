"""Owns one live standard task: a general agent under ceilings of its own (DESIGN §19).

On the engine's thread. It reads sources, gives tasks to others, asks the person; its last reply,
without a call, is the result.
"""

import asyncio

from ..core.briefs import Brief
from ..core.decisions import (
    AwaitCalls,
    CloseCollection,
    Fail,
    RequestRound,
    StartTask,
    next_step,
)
from ..core.events import CollectionClosed, ResultDelivered, TaskFailed, TaskStarted, TaskType
from ..core.messages import Message, opening, reply, results, user_note
from ..core.prompts import EMPTY_REPLY, STANDARD, children_note, earlier_note, role_of
from ..core.reports import report_messages
from ..core.side_evidence import rests_of
from ..errors import UsageError
from ..threads import off_loop
from .services import Services, TaskSpec
from .standard_tools import StandardTools
from .task_run import TaskRun
from .team import Team

LONGEST_RESULT = 100_000


def nothing_asked() -> UsageError:
    """Return why there is nothing to answer."""
    return UsageError("Nothing waits for an answer there.", "%lazyboy status shows what does.")


class StandardRun(TaskRun):
    """One standard task from its queueing to its end."""

    task_type: TaskType = "standard"

    def __init__(
        self,
        services: Services,
        spec: TaskSpec,
        team: Team,
        *,
        brief: Brief,
        parent: str | None = None,
    ) -> None:
        super().__init__(services, spec, brief, parent)
        self._team = team
        self._told: set[str] = set()
        self._tools = StandardTools(self, brief, self._caller, team, services.clock)

    def answer(self, text: str) -> None:
        """Take the person's answer to what the agent asked. Raises `UsageError`."""
        if not text.strip():
            raise UsageError("The answer is empty.", "%lazyboy answer ID TEXT")
        if not self._tools.take_answer(text.strip()):
            raise UsageError(
                "Nothing waits for an answer there.", "%lazyboy status shows what does."
            )

    def _begin_messages(self, question: str) -> list[Message]:
        return [opening(STANDARD + role_of(self.spec.role), question)]

    async def stop(self) -> None:
        """End the run as `cancelled`, and the tasks that it gave to others. Returns when all have
        ended."""
        await super().stop()
        await self._stop_others()

    async def _stop_others(self) -> None:
        await asyncio.gather(*(run.stop() for run in self._team.live(self.state.children)))

    async def _live(self) -> None:
        await super()._live()
        if self.state.phase == "failed" and not self.spec.foreground:
            await self._stop_others()  # nobody will read what they find

    async def _prepare(self) -> None:
        """Tell the agent of the tasks that it had before: the last may have ended just now."""
        earlier = await self._team.earlier(self.spec.agent_id)
        self._messages[1:1] = [user_note(earlier_note(*one)) for one in earlier]

    async def _make_room(self) -> bool:
        """Make the history shorter than the model could take it; say whether that was done. Else
        no later request has room either, and the task ends."""
        await self.recorder.record(TaskFailed("model_overflow", self.rounds.last_error))
        return False

    async def _work(self) -> None:
        await self._prepare()
        while not self.state.ended:
            match next_step(self.state, self.recorder.now_us()):
                case StartTask():
                    await self.recorder.record(TaskStarted())
                case CloseCollection(reason=reason):
                    await self.recorder.record(CollectionClosed(reason))
                case Fail() as failure:
                    await self._fail(failure)
                case RequestRound():
                    await self._round()
                case AwaitCalls() | None:
                    raise AssertionError("a round ends only when its calls have ended")

    async def _round(self) -> None:
        """One model round with the calls of its reply, or the end."""
        await self._take_in_notes()
        await self._take_in_reports()
        answer = await self.rounds.request(self._messages)
        if answer is None:
            if not (self.rounds.overflowed and await self._make_room()):
                await self._fail_when_hopeless()
            return
        if answer.text or answer.calls:  # some providers refuse a history with an empty reply
            self._add(reply(answer.text, answer.calls))
            self._take("reply")
        if answer.calls:
            self._add(results(await self._tools.run(answer.calls, self._closing)))
        elif not answer.text:
            self._add(user_note(EMPTY_REPLY))
        elif await self._others_have_ended():
            self._add(user_note(children_note()))
        else:
            await self._deliver(answer.text)

    async def _deliver(self, text: str) -> None:
        text = text[:LONGEST_RESULT]
        messages = list(self._messages)
        rests = await off_loop(lambda: rests_of(text, messages))
        await self.recorder.record(ResultDelivered(text, rests))

    async def _others_have_ended(self) -> bool:
        """Wait for the tasks given to others, until the ceiling; say whether the agent has
        something of them to take into account."""
        if self.spec.foreground or self.state.phase != "working":
            return False
        live = [run.ended for run in self._team.live(self.state.children)]
        if not live:  # one may have ended while the reply was being written
            return not self._told.issuperset(self.state.children)
        closing = asyncio.ensure_future(self._closing())
        waiting = asyncio.ensure_future(asyncio.wait(live))
        try:
            await asyncio.wait({closing, waiting}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for one in (closing, waiting):
                one.cancel()
            await asyncio.wait({closing, waiting})
        return True

    async def _take_in_reports(self) -> None:
        """What others have come to stands before the next request, each once."""
        if self.spec.foreground:
            return  # a conversation's history has them by itself
        running = {run.spec.task_id for run in self._team.live(self.state.children)}
        for child in self.state.children:
            if child not in running and child not in self._told:
                self._told.add(child)
                for message in report_messages(await self._team.report(child)):
                    self._add(message)
