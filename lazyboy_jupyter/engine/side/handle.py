"""Owns the handle that people hold on a side question, and the door to all of them."""

import asyncio
import concurrent.futures
import uuid
from collections.abc import Callable, Generator, Sequence
from typing import TYPE_CHECKING, Any

from ...core.render_side import (
    SideView,
    history_to_text,
    side_to_html,
    side_to_markdown,
    side_to_text,
)
from ...core.side import Rest, SideQuestion, SideStatus
from ...core.side_panel import PAGE, parent_words
from ...errors import UsageError
from ...store.side import newest_seen, owner_of
from ..live_runs import LiveRuns
from ..loop import LoopThread
from ..services import Services
from ..stored import find_task, is_turn, newest_task
from .pages import SidePages
from .service import Asked, SideQuestions

if TYPE_CHECKING:
    from ..engine import Engine


class SideAnswer:
    """A side question with its answer, growing or whole. Awaitable; safe to use from any thread."""

    def __init__(
        self,
        engine: "Engine",
        asked: Asked,
        now: Callable[[str, str], SideQuestion | None],
        view: Callable[[SideQuestion], SideView],
        stop: Callable[[str, str], object],
    ) -> None:
        self.engine = engine
        self._last = asked.side
        self._ended = asked.ended
        self._now = now
        self._view = view
        self._stop = stop

    @property
    def side(self) -> SideQuestion:
        """Everything about it as it stands; one that was cleared stays as it was last seen."""
        newest = self._now(self._last.parent, self._last.request_id)
        if newest is None and self._ended.done():
            newest = self._ended.result()
        if newest is not None and newest.sequence >= self._last.sequence:
            self._last = newest
        return self._last

    @property
    def id(self) -> str:
        """The side question's id."""
        return self._last.request_id

    @property
    def parent(self) -> str:
        """The id of the task, or of the conversation, whose agent was asked."""
        return self._last.parent

    @property
    def live(self) -> bool:
        """Whether its answer still grows."""
        return not self._ended.done()

    @property
    def question(self) -> str:
        """The question."""
        return self._last.question

    @property
    def answer(self) -> str:
        """The answer so far."""
        return self.side.answer

    @property
    def status(self) -> SideStatus:
        """`preparing`, `running`, `completed`, `needs_tools`, `stopped`, `timed_out`, `failed` or
        `interrupted`."""
        return self.side.status

    @property
    def problem(self) -> str:
        """What went wrong, in words, or an empty text."""
        return self.side.problem

    @property
    def rests_on(self) -> Sequence[Rest]:
        """The sources and messages of the snapshot that the answer rests on."""
        return self.side.rests_on

    def view(self) -> SideView:
        """What it looks like now."""
        return self._view(self.side)

    @property
    def stage(self) -> SideStatus:
        """How far it has come."""
        return self.side.status

    def wait(self, timeout: float | None = None) -> "SideAnswer":
        """Return when it has ended. Raises TimeoutError, which leaves it running."""
        try:
            self._ended.result(timeout)
        except concurrent.futures.TimeoutError:
            raise TimeoutError(f"There is no whole answer after {timeout:g} s.") from None
        return self._seen()

    def stop(self) -> None:
        """End the answer; its text is kept."""
        if not self.side.ended:
            self._stop(self._last.parent, self._last.request_id)

    def __await__(self) -> Generator[Any, None, "SideAnswer"]:
        yield from asyncio.shield(asyncio.wrap_future(self._ended)).__await__()
        return self._seen()

    def _seen(self) -> "SideAnswer":
        """Remember how it stands: a later clear takes it out of the history."""
        self._last = self.side
        return self

    @property
    def markdown(self) -> str:
        """Question and answer as Markdown, to be put into a notebook."""
        return side_to_markdown(self.view())

    def __str__(self) -> str:
        return side_to_text(self.view())

    def __repr__(self) -> str:
        return str(self)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        view = self.view()
        return {
            "text/plain": side_to_text(view),
            "text/markdown": side_to_markdown(view),
            "text/html": side_to_html(view),
        }


class SideDoor:
    """An engine's side questions, from any thread. `parent` is the id of a task or of the
    conversation."""

    def __init__(
        self,
        engine: "Engine",
        loop: LoopThread,
        service: SideQuestions,
        services: Services,
        runs: LiveRuns,
    ) -> None:
        self.hub = service.hub
        self.service = service  # for those who are on the engine's thread themselves
        self.pages = SidePages(service, services, self.view)
        self._engine = engine
        self._loop = loop
        self._service = service
        self._services = services
        self._runs = runs

    def parent_of(self, reference: str | None = None) -> str:
        """Return whose agent a side question is put to: the task's that is named, else the newest
        live one's, else the newest's, else the conversation's. "conversation" names that, and so
        does each of its turns. Raises `UsageError`."""
        conversation_id = self._service.conversation_id
        database = self._services.database
        if reference is not None:
            if reference.strip().lower() == "conversation" or reference == conversation_id:
                return conversation_id
            task_id = find_task(database, reference)
            return conversation_id if is_turn(database, task_id) else task_id
        live = [run.spec for run in self._runs.all() if not run.state.ended]
        if tasks := [spec.task_id for spec in live if not spec.foreground]:
            return max(tasks)  # ids are in the order of their making
        newest = newest_task(database)
        if newest is None and newest_seen(database, conversation_id) is not None:
            return conversation_id
        if newest is None:
            raise UsageError(
                "There is no task whose agent could be asked.", "Begin one: %research QUESTION."
            )
        return newest

    def words_of(self, parent: str) -> str:
        """Return a parent as people call it."""
        return parent_words(parent, self._service.conversation_id)

    def agent_of(self, parent: str) -> str:
        """Return the id of the agent that is asked."""
        return owner_of(self._services.database, parent)[0]

    def ask(self, parent: str, question: str, client_request_id: str | None = None) -> SideAnswer:
        """Ask; return at once, with the answer growing. `client_request_id`: the same one with the
        same question gives the same side question.

        Raises `UsageError`, `SideQuestionRefused`, `StoreError`.
        """
        client_id = client_request_id or str(uuid.uuid4())
        asked = self._loop.run(self._service.ask(parent, question, client_id))
        return SideAnswer(self._engine, asked, self._service.now, self.view, self.stop)

    def newest(self, parent: str) -> SideQuestion | None:
        """Return the newest question that was asked or looked at in this life of the engine."""
        return self._service.newest(parent)

    def history(self, parent: str, before: int | None = None) -> list[SideView]:
        """Return the parent's questions, oldest first, the last twenty of those before `before`,
        an ordinal; None: the newest."""
        items = self._loop.run(self._service.history(parent))
        earlier = [one for one in items if before is None or one.ordinal < before]
        return [self.view(side) for side in earlier[-PAGE:]]

    def history_text(self, parent: str) -> str:
        """Return the parent's newest questions as text."""
        views = self.history(parent)
        older = views[0].side.ordinal - 1 if views else 0
        note = f"{older} older ones are in the view side_questions.\n\n" if older else ""
        return note + history_to_text(views)

    def stop(self, parent: str, request_id: str | None = None) -> SideQuestion | None:
        """End the answer that is running; its text is kept. None: none was, or not this one."""
        return self._loop.run(self._service.stop(parent, request_id))

    def clear(self, parent: str) -> int:
        """Delete the parent's questions; return how many there were. Its snapshot stays."""
        return self._loop.run(self._service.clear(parent))

    def promotion(self, parent: str, ordinal: int | None = None) -> tuple[SideQuestion, str]:
        """Return the side question to give to the agent, and the note it would get."""
        return self._loop.run(self._service.promotion(parent, ordinal))

    def promote(self, parent: str, ordinal: int | None = None) -> SideQuestion:
        """Give one answer to the agent, once. Raises `UsageError` when it cannot be."""
        return self._loop.run(self._service.promote(parent, ordinal))

    def view(self, side: SideQuestion) -> SideView:
        """Return what a side question looks like now."""
        run = self._service.run_of(side.parent)
        ahead = None if run is None else run.state.request_no - side.seen.request_no
        return SideView(side, self._services.clock.now_us(), ahead)
