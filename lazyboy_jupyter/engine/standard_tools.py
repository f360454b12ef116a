"""Owns the calls that only a standard task's agent may make: to others, and to the person.

On the engine's thread. A question to the person comes last in its reply: while it waits, nothing
else of the task runs.
"""

import asyncio
from collections.abc import Awaitable
from typing import TYPE_CHECKING

from ..core.briefs import Brief
from ..core.events import QuestionAnswered, QuestionAsked, TaskDelegated
from ..core.messages import ToolCall, read_args
from ..core.publication import Ledger
from ..core.team_tools import AskArgs, DelegateArgs, SpawnArgs, StatusArgs
from ..core.tools import ToolArgs, ToolCallError, parse_call
from ..errors import SourceError
from ..ports import Clock, Toolset
from .book import Output
from .evidence import failure_of
from .services import in_time
from .source_calls import SourceCaller
from .team import FEWER, MOST_CHILDREN, Team
from .tools import Performed, ToolRunner

if TYPE_CHECKING:
    from .standard import StandardRun

YES = frozenset(("y", "yes", "ok", "allow"))


class StandardTools(ToolRunner):
    """Runs the calls of one standard task's replies."""

    def __init__(
        self,
        run: "StandardRun",
        brief: Brief,
        caller: SourceCaller,
        team: Team,
        clock: Clock,
    ) -> None:
        super().__init__(
            run.recorder, brief, run.book, caller, run.publisher, run.spec.sources.browser
        )
        self._run = run
        self._clock = clock
        self._team = team
        self._given = 0
        self._answer: asyncio.Future[str] | None = None
        self._asked_in = 0
        self._outside = {spec.name: one for one in run.spec.toolsets for spec in one.specs}

    def _comes_last(self, call: ToolCall) -> bool:
        """What asks the person, or may have to, waits until nothing else of the reply runs."""
        return call.tool == "ask_user" or call.tool in self._outside

    def take_answer(self, text: str) -> bool:
        """Hand the person's answer to the call that waits for it; say whether one does."""
        if self._answer is None or self._answer.done():
            return False
        self._answer.set_result(text)
        return True

    def _dispatch(self, call: ToolCall, args: ToolArgs) -> Awaitable[Performed]:
        match args:
            case DelegateArgs() | SpawnArgs() | StatusArgs() if call.tool not in self.offered():
                return self._refuse(call, self._with_offer(f"{call.tool} is not offered."))
            case DelegateArgs() | SpawnArgs():
                return self._delegate(call, args)
            case StatusArgs(task=task):
                return self._status(call, task)
            case _:
                return super()._dispatch(call, args)

    async def _delegate(self, call: ToolCall, args: DelegateArgs | SpawnArgs) -> Performed:
        refusal = self._team.refusal(self._run, args)
        given = max(self._given, len(self._recorder.state.children))  # of one that was resumed too
        most = MOST_CHILDREN if self._run.spec.foreground or not self._run.spec.ancestors else FEWER
        if not refusal and given >= most:
            refusal = f"This task may give {most} tasks away. Do the rest yourself."
        if refusal:
            return await self._refuse(call, refusal)
        self._given += 1
        # Begun is begun: a turn that is interrupted here must not lose sight of it.
        return await asyncio.shield(asyncio.ensure_future(self._begun(call, args)))

    async def _begun(self, call: ToolCall, args: DelegateArgs | SpawnArgs) -> Performed:
        begun = await self._team.delegate(self._run, args)
        if self._recorder.state.ended:  # it was stopped meanwhile, and what it gave away with it
            if not self._run.spec.foreground:
                await asyncio.gather(*(run.stop() for run in self._team.live([begun.task_id])))
        else:
            await self._recorder.record(
                TaskDelegated(call.call_id, begun.task_id, begun.agent.name)
            )
        return Performed(begun.content)

    async def _status(self, call: ToolCall, task: str) -> Performed:
        told = await self._team.status(self._run, task)
        return Performed(told) if not isinstance(told, str) else await self._refuse(call, told)

    async def _output(self, output_id: str) -> Output | None:
        return self._book.output(output_id) or await self._team.output(self._run, output_id)

    async def _perform_last(self, call: ToolCall, ledger: Ledger, *, first: bool) -> Performed:
        if call.tool not in self.offered():
            return await self._refuse(call, self._with_offer(f"{call.tool} is not offered."))
        if call.tool in self._outside:
            return await self._run_outside(call, self._outside[call.tool])
        if self._asked_in == self._recorder.state.request_no:
            return await self._refuse(call, "One reply asks one question; this one was not asked.")
        self._asked_in = self._recorder.state.request_no
        try:
            args = parse_call(call, supplement=False)
        except ToolCallError as error:
            return await self._refuse(call, str(error))
        assert isinstance(args, AskArgs)
        return Performed({"answer": await self._ask(call, args.question)})

    async def _ask(self, call: ToolCall, question: str) -> str:
        """Ask the person, and wait for the answer."""
        self._answer = asyncio.get_running_loop().create_future()
        try:
            await self._recorder.record(QuestionAsked(call.call_id, question))
            text = await self._answer
        finally:
            self._answer = None
        await self._recorder.record(QuestionAnswered(call.call_id, text))
        return text

    async def _run_outside(self, call: ToolCall, toolset: Toolset) -> Performed:
        """Run a call of the outside, once the person allows it."""
        try:
            args = read_args(call)
        except ValueError as error:
            return await self._refuse(call, f"The arguments are not valid JSON: {error}.")
        if args.cut:
            return await self._refuse(call, "The arguments were cut off, so it was not run.")
        if question := toolset.question(call.tool, args.value):
            answer = await self._ask(call, f"{question} (yes or no)")
            if answer.strip().casefold() not in YES:
                return await self._refuse(call, f"The person did not allow it: {answer}")
        limit = self._recorder.state.budget.source_timeout
        try:
            work = toolset.run(call.tool, args.value)
            content = await in_time(call.tool, work, self._clock, limit)
        except SourceError as error:
            return Performed(failure_of(error), error.kind)
        return Performed(content)
