"""Owns one live research task: it asks the machine what is due, and performs it.

On the engine's thread.
"""

from ..core.briefs import ResearchBrief
from ..core.decisions import (
    AwaitCalls,
    CloseCollection,
    Fail,
    RequestRound,
    StartTask,
    next_step,
)
from ..core.events import CollectionClosed, TaskStarted, TaskType
from ..core.messages import Message, opening, reply, results, user_note
from ..core.prompts import RESEARCH, no_call_note, supplement_note
from .services import Services, TaskSpec
from .task_run import TaskRun
from .tools import ToolRunner


class ResearchRun(TaskRun):
    """One research task from its queueing to its end."""

    task_type: TaskType = "research"

    def __init__(self, services: Services, spec: TaskSpec) -> None:
        brief = ResearchBrief(browser=spec.sources.browser is not None)
        super().__init__(services, spec, brief)
        self._tools = ToolRunner(
            self.recorder, brief, self.book, self._caller, self.publisher, spec.sources.browser
        )

    def _begin_messages(self, question: str) -> list[Message]:
        return [opening(RESEARCH, question)]

    async def _work(self) -> None:
        while not self.state.ended:
            match next_step(self.state, self.recorder.now_us()):
                case StartTask():
                    await self.recorder.record(TaskStarted())
                case CloseCollection(reason=reason):
                    await self.recorder.record(CollectionClosed(reason))
                case Fail() as failure:
                    await self._fail(failure, self.publisher.last_refusal)
                case RequestRound():
                    await self._round()
                case AwaitCalls() | None:
                    raise AssertionError("a round ends only when its calls have ended")

    async def _round(self) -> None:
        """One model round with the calls of its reply."""
        await self._take_in_notes()
        answer = await self.rounds.request(self._messages)
        if answer is None:
            await self._fail_when_hopeless()
            return
        if answer.text or answer.calls:  # some providers refuse a history with an empty reply
            self._messages.append(reply(answer.text, answer.calls))
            self._take("reply")
        published = self.state.publications
        if not answer.calls:
            self._messages.append(user_note(no_call_note(self.state, self._tools.offered())))
            return
        self._messages.append(results(await self._tools.run(answer.calls, self._closing)))
        if self.state.publications > published and not self.state.ended:
            self._messages.append(user_note(supplement_note(self.state)))
