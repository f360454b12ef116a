"""Owns running the tool calls of one reply: in their order, one kind last (DESIGN §4).

On the engine's thread. What may run is decided by `core/decisions.py`; this module performs it.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..core.briefs import Brief
from ..core.events import CallRefused, ProgressReported
from ..core.messages import ToolCall, ToolResult
from ..core.publication import GuideArgs, Ledger, SupplementArgs
from ..core.tools import (
    LARGEST_SLICE,
    MOST_CALLS,
    OutputArgs,
    PageArgs,
    ProgressArgs,
    SearchArgs,
    SnapshotArgs,
    ToolArgs,
    ToolCallError,
    known_tool,
    parse_call,
)
from ..ports import Browser
from ..store.rows import Batch
from .book import Output, SourceBook
from .publishing import Publisher
from .recorder import Recorder
from .source_calls import SourceCaller

Content = Mapping[str, Any]

TOO_MANY = f"A reply has at most {MOST_CALLS} calls; this one came after them and was not run."
"""One event stands for all calls beyond the limit, so that a reply cannot fill the store."""


@dataclass(frozen=True, slots=True)
class Performed:
    """What a call gave, and its outcome as the timing names it."""

    content: Content
    outcome: str = "ok"


class ToolRunner:
    """Runs the calls of one task's replies."""

    def __init__(
        self,
        recorder: Recorder,
        brief: Brief,
        book: SourceBook,
        sources: SourceCaller,
        publisher: Publisher,
        browser: Browser | None,
    ) -> None:
        self._brief = brief
        self._browser = browser
        self._recorder = recorder
        self._book = book
        self._sources = sources
        self._publisher = publisher

    async def run(
        self, calls: Sequence[ToolCall], until_closed: Callable[[], Awaitable[None]]
    ) -> list[ToolResult]:
        """Run the calls and return their results in the order given; every call gets one.

        Source calls are reserved in order, then run at the same time. `until_closed` returns when
        the collection's time is over while calls still run. The publication is judged last,
        against what was delivered before this reply.
        """
        ledger = self._book.ledger(self._recorder.state.question)
        run, over = _within_limit(calls, self._comes_last)
        finals = [call for call in run if self._comes_last(call)]
        started = {
            call.call_id: asyncio.ensure_future(self._timed(call, self._start(call)))
            for call in run
            if not self._comes_last(call)
        }
        try:
            await _all_of(list(started.values()), until_closed)
        finally:
            for task in started.values():
                task.cancel()
            await asyncio.gather(*started.values(), return_exceptions=True)
        contents = {call_id: task.result() for call_id, task in started.items()}
        for number, call in enumerate(finals):
            work = self._perform_last(call, ledger, first=number == 0)
            contents[call.call_id] = await self._timed(call, work)
        if over:
            refused = await self._refuse(over[0], TOO_MANY)
            contents |= dict.fromkeys([call.call_id for call in over], refused.content)
        return [ToolResult(call.call_id, call.tool, contents[call.call_id]) for call in calls]

    def _comes_last(self, call: ToolCall) -> bool:
        """Whether a call is performed when all others of its reply have ended."""
        return call.tool == "publish_research"

    async def _timed(self, call: ToolCall, work: Awaitable[Performed]) -> Content:
        began = self._recorder.now_us()
        request_no = self._recorder.state.request_no
        performed = await work
        rows = Batch()
        self._recorder.time(
            rows,
            "tool_execution",
            began,
            performed.outcome,
            request_no=request_no,
            call_id=call.call_id,
        )
        self._recorder.save_later(rows)
        return performed.content

    def _start(self, call: ToolCall) -> Awaitable[Performed]:
        """Decide the call now, in its turn; return its running."""
        state = self._recorder.state
        if known_tool(call.tool) and call.tool not in self._brief.tools:
            return self._refuse(call, self._with_offer(f"{call.tool} is not offered."))
        try:
            args = parse_call(call, supplement=bool(state.publications))
        except ToolCallError as error:
            return self._refuse(call, self._with_offer(str(error)))
        return self._dispatch(call, args)

    def _dispatch(self, call: ToolCall, args: ToolArgs) -> Awaitable[Performed]:
        match args:
            case SearchArgs(query=query, gap=gap):
                return self._of_source(call, self._sources.search(call, query, gap))
            case PageArgs(url=url, gap=gap) if call.tool == "open_page":
                return self._of_source(call, self._sources.read(call, url, gap))
            case PageArgs(url=url, gap=gap) if self._browser is not None:
                return self._of_source(call, self._sources.browse(call, self._browser, url, gap))
            case SnapshotArgs() if self._browser is not None:
                return self._of_source(call, self._sources.look(call, self._browser))
            case OutputArgs():
                return self._read_output(call, args)
            case ProgressArgs(text=text):
                return self._report(text)
            case _:
                return self._refuse(call, self._with_offer(f"{call.tool} is not offered."))

    async def _of_source(
        self, call: ToolCall, work: Awaitable[tuple[Content, str]] | str
    ) -> Performed:
        if isinstance(work, str):
            return await self._refuse(call, work)
        content, outcome = await work
        return Performed(content, outcome)

    async def _read_output(self, call: ToolCall, args: OutputArgs) -> Performed:
        output = await self._output(args.output_id)
        if output is None:
            # One sentence for every reason, so that nothing can be learnt by trying ids.
            return await self._refuse(call, "There is no such output in this task.")
        end = args.offset + min(args.limit, LARGEST_SLICE)
        text = output.text[args.offset : end]
        return Performed(
            {
                "output_id": output.output_id,
                "source": output.source_id,
                "offset": args.offset,
                "text": text,
                "characters": len(output.text),
                "next_offset": end if end < len(output.text) else None,
            }
        )

    async def _output(self, output_id: str) -> Output | None:
        """Return a result that is stored whole, of those that this task may read."""
        return self._book.output(output_id)

    async def _report(self, text: str) -> Performed:
        await self._recorder.record(ProgressReported(text))
        return Performed({"reported": True})

    async def _perform_last(self, call: ToolCall, ledger: Ledger, *, first: bool) -> Performed:
        if not first:
            return await self._refuse(call, "One reply publishes once; this one was not judged.")
        try:
            args = parse_call(call, supplement=bool(self._recorder.state.publications))
        except ToolCallError as error:
            return await self._refuse(call, str(error))
        assert isinstance(args, GuideArgs | SupplementArgs)
        content, accepted = await self._publisher.publish(args, ledger)
        return Performed(content, "ok" if accepted else "refused")

    async def _refuse(self, call: ToolCall, reason: str) -> Performed:
        if not self._recorder.state.ended:
            await self._recorder.record(CallRefused(call.call_id, call.tool[:80], reason))
        return Performed({"error": "refused", "detail": reason}, "refused")

    def offered(self) -> tuple[str, ...]:
        """The names of the tools offered now."""
        return self._brief.offered(self._recorder.state, self._recorder.now_us())

    def _with_offer(self, reason: str) -> str:
        return f"{reason} Offered now: {', '.join(self.offered())}."


def _within_limit(
    calls: Sequence[ToolCall], comes_last: Callable[[ToolCall], bool]
) -> tuple[list[ToolCall], list[ToolCall]]:
    """Return the calls that may run, and those beyond; the first that comes last always may."""
    run, over = list(calls[:MOST_CALLS]), list(calls[MOST_CALLS:])
    if not any(map(comes_last, run)):
        for call in over:
            if comes_last(call):
                over.remove(call)
                return [*run, call], over
    return run, over


async def _all_of(
    tasks: Sequence["asyncio.Task[Content]"], until_closed: Callable[[], Awaitable[None]]
) -> None:
    """Wait for all tasks; let `until_closed` record the collection's end meanwhile."""
    if not tasks:
        return
    closing = asyncio.ensure_future(until_closed())
    try:
        await asyncio.wait(tasks)
    finally:
        closing.cancel()
        await asyncio.wait({closing})
    if not closing.cancelled() and (error := closing.exception()) is not None:
        raise error
