"""Side questions on the test's own loop: a model that streams what the test says, a real store.

Time stands still but for `advance`. A snapshot is taken as a run takes it, of a history the test
gives; whole runs are in `driving`.
"""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, cast

import pytest

from lazyboy_jupyter.core.messages import Message, ToolCall, ToolResult, opening, reply, results
from lazyboy_jupyter.core.side import SideQuestion
from lazyboy_jupyter.core.tools import tool_specs
from lazyboy_jupyter.engine.hub import Hub
from lazyboy_jupyter.engine.services import Services
from lazyboy_jupyter.engine.side.service import Asked, SideQuestions
from lazyboy_jupyter.engine.snapshots import SnapshotTaker
from lazyboy_jupyter.errors import SideQuestionRefused, StoreError, UsageError
from lazyboy_jupyter.ports import Ids, ModelReply, ModelRequest, Usage, unheard
from lazyboy_jupyter.store.database import Database
from lazyboy_jupyter.store.rows import Batch
from tests.engine.hostile_world import CountingDatabase, settle
from tests.fakes import CountingIds, ManualClock

Play = Callable[..., Any]
TOOLS = tool_specs(("web_search", "open_page"), supplement=False)


@dataclass
class Streamed:
    """One request under way. What is said is heard at once; nothing ends unless it is told to."""

    request: ModelRequest
    heard: Callable[[str], None]
    end: "asyncio.Future[ModelReply]"
    said: str = ""
    cut: bool = False

    @property
    def over(self) -> bool:
        return self.end.done() or self.cut

    def say(self, *pieces: str) -> "Streamed":
        for piece in pieces:
            self.said += piece
            self.heard(piece)
        return self

    def finish(self, *calls: ToolCall, usage: Usage | None = None) -> None:
        self.end.set_result(ModelReply(self.said, calls, usage or Usage()))

    def fail(self, error: Exception) -> None:
        self.end.set_exception(error)


@dataclass
class StreamingModel:
    """Answers as the test says, piece by piece. `asked`: every request, in order.

    `script`: what is answered at once and whole, a text or an error, to the first requests.
    """

    name: str = "streaming"
    identity: str = "streaming"
    takes_notes: bool = True
    room: int | None = None
    asked: list[Streamed] = field(default_factory=list)
    script: list[str | Exception] = field(default_factory=list)
    came: asyncio.Event = field(default_factory=asyncio.Event)

    async def respond(
        self, request: ModelRequest, heard: Callable[[str], None] = unheard
    ) -> ModelReply:
        one = Streamed(request, heard, asyncio.get_running_loop().create_future())
        self.asked.append(one)
        self.came.set()
        if self.script:
            line = self.script.pop(0)
            if isinstance(line, Exception):
                raise line
            one.say(line).finish()
        try:
            return await one.end
        except asyncio.CancelledError:
            one.cut = True
            raise

    @property
    def last(self) -> Streamed:
        return self.asked[-1]


class SideStore(CountingDatabase):
    """A store that counts its writes. `failing`: whether a batch fails before it is written."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self.failing: Callable[[Batch], bool] = lambda batch: False
        self.relation = database.relation
        self.archive = database.archive

    def append(self, batch: Batch) -> "Future[None]":
        if not self.failing(batch):
            return super().append(batch)
        failed: Future[None] = Future()
        failed.set_exception(StoreError("The store could not be written: disk full."))
        return failed

    def clear_side_questions(self, parent: str) -> "Future[None]":
        return self._counted(self._database.clear_side_questions(parent))

    def delete_task(self, task_id: str) -> "Future[None]":
        return self._counted(self._database.delete_task(task_id))

    def _counted(self, change: "Future[None]") -> "Future[None]":
        loop = asyncio.get_running_loop()
        self.given += 1
        change.add_done_callback(lambda _: loop.call_soon_threadsafe(self._acknowledged))
        return change


def history(rounds: int = 1, text: str = "Gates cost 9 million euros a year.") -> list[Message]:
    """A question and so many rounds that each read a page."""
    messages = [opening("Research.", "What do gates cost?")]
    for number in range(1, rounds + 1):
        url = f"https://a.example/{number}"
        content = {"source": f"S{number}", "url": url, "title": f"Gates {number}", "text": text}
        messages.append(reply("", [ToolCall(f"c{number}", "open_page", {"url": url})]))
        messages.append(results([ToolResult(f"c{number}", "open_page", content)]))
    return messages


def texts(messages: Any) -> list[str]:
    """The texts of a request's messages, in order."""
    return [
        str(part["content"])
        for message in messages
        for part in message["parts"]
        if part["part_kind"] in {"user-prompt", "text"}
    ]


class SideWorld:
    """The service over a store, as one life of an engine has it."""

    def __init__(
        self,
        database: Database,
        model: StreamingModel | None = None,
        ids: Ids | None = None,
    ) -> None:
        self.clock = ManualClock()
        self.store = SideStore(database)
        self.model = model if model is not None else StreamingModel()
        self.services = Services(self.clock, CountingIds(), cast(Database, self.store), Hub())
        self.ids: Ids = ids if ids is not None else CountingIds("side")
        self.models: dict[str, Any] = {self.model.name: self.model}
        self.runs: dict[str, Any] = {}
        self.side = SideQuestions(
            self.services, self._open, self.ids, self.runs.get, "conversation"
        )
        self._takers: dict[str, SnapshotTaker] = {}
        self._clients = CountingIds("client")

    def _open(self, name: str) -> Any:
        if name not in self.models:
            raise UsageError(f"There is no model {name}.", "Choose another.")
        return self.models[name]

    def know(
        self, parent: str = "task", messages: Sequence[Message] | None = None, request_no: int = 1
    ) -> None:
        """Take a snapshot of a parent's history."""
        if parent not in self._takers:
            self._takers[parent] = SnapshotTaker(self.services.snapshots, parent, self.model)
        known = history() if messages is None else messages
        self._takers[parent].take("request", known, request_no, self.clock.now_us(), TOOLS)

    async def ask(
        self, question: str = "What is known?", parent: str = "task", client: str | None = None
    ) -> Asked:
        """Ask, and let the request be sent."""
        asked = await self.side.ask(parent, question, client or self._clients.new())
        await self.settle()
        return asked

    async def sent(self) -> None:
        """Wait until the question itself was sent, after whatever it needed first."""
        while not (self.model.asked and self.model.last.request.aside):
            self.model.came.clear()
            await self.model.came.wait()

    async def refused(self, *args: Any, **named: Any) -> str:
        """Ask what is refused; return why."""
        with pytest.raises(SideQuestionRefused) as caught:
            await self.ask(*args, **named)
        return caught.value.kind

    async def answered(self, question: str, answer: str, parent: str = "task") -> SideQuestion:
        """Ask and answer, once the model is asked: what is large is prepared beside the loop."""
        self.model.came.clear()
        await self.ask(question, parent)
        await self.model.came.wait()
        self.model.last.say(answer).finish()
        await self.settle()
        return (await self.side.history(parent))[-1]

    async def say(self, text: str) -> None:
        """Let the newest request's model say something, and let it be stored."""
        self.model.last.say(text)
        await self.settle()
        self.clock.advance(0.3)
        await self.settle()

    async def kill(self) -> None:
        """End this life as a killed process ends: nothing more is written, and nobody is told."""
        self.store.failing = lambda batch: True
        self.side.hub = Hub()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    async def settle(self) -> None:
        await settle(self.store)

    async def newest(self, parent: str = "task") -> SideQuestion:
        await self.settle()
        return (await self.side.history(parent))[-1]

    def stored(self, parent: str = "task") -> list[dict[str, Any]]:
        """The parent's rows of the view, in order."""
        return self.store.rows(
            "SELECT * FROM side_questions WHERE parent = ? ORDER BY ordinal", [parent]
        )
