"""Owns the handle that people hold on a task. It decides nothing: it shows, waits and stops."""

import asyncio
import concurrent.futures
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from ..core.budget import Budget
from ..core.card import PUBLICATION, publication_of
from ..core.events import TaskType
from ..core.guide import Guide, Source
from ..core.phases import Phase, Status
from ..core.publication import Publication
from ..core.render_html import view_to_html
from ..core.render_text import short_id, view_to_markdown, view_to_text
from ..core.research import ResearchState
from ..core.view import RunView
from ..store.database import Relation
from .stored import StoredTask
from .task_run import TaskRun

if TYPE_CHECKING:
    from .engine import Engine


@dataclass(frozen=True, slots=True)
class Usage:
    """What a task has spent. Tokens are None while no provider has told any."""

    searches: int
    pages: int
    rounds: int
    input_tokens: int | None
    output_tokens: int | None


@dataclass(frozen=True, slots=True)
class Controls:
    """What a handle may ask of its engine; each is safe from any thread but the engine's."""

    engine: "Engine"
    now_us: Callable[[], int]
    relation: Callable[[str, list[Any]], Relation]
    stop: Callable[[str], None]
    answer: Callable[[str, str], None]


class Task:
    """One task, running or stored. Awaitable; safe to use from any thread."""

    def __init__(
        self,
        subject: TaskRun | StoredTask,
        controls: Controls,
        ended: "concurrent.futures.Future[None]",
    ) -> None:
        self._subject = subject
        self._controls = controls
        self._ended = ended

    @property
    def id(self) -> str:
        """The task's id; its last characters are enough for `%lazyboy show`."""
        subject = self._subject
        return subject.task_id if isinstance(subject, StoredTask) else subject.spec.task_id

    @property
    def side_parent(self) -> str:
        """Whose agent a side question about it is put to: its own, or, of a turn, the
        conversation."""
        subject = self._subject
        if isinstance(subject, StoredTask):
            return self.engine.side.parent_of(subject.task_id)
        return subject.spec.conversation_id if subject.spec.foreground else subject.spec.task_id

    @property
    def engine(self) -> "Engine":
        """The engine whose task it is."""
        return self._controls.engine

    @property
    def agent_id(self) -> str:
        """The agent whose task it is."""
        subject = self._subject
        return subject.agent_id if isinstance(subject, StoredTask) else subject.spec.agent_id

    @property
    def _state(self) -> ResearchState:
        return self._subject.state

    @property
    def question(self) -> str:
        """The question asked, or the instruction given."""
        return self._state.question

    @property
    def task_type(self) -> TaskType:
        """`research` or `standard`."""
        return self._state.task_type

    @property
    def pending_question(self) -> str | None:
        """What the agent asks the person and waits for, or None."""
        return self._state.asked

    def answer(self, text: str) -> None:
        """Answer what the agent asks. Raises `UsageError` when nothing waits."""
        self._controls.answer(self.id, text)

    @property
    def children(self) -> tuple[str, ...]:
        """The ids of the tasks that its agent gave to others, in their order."""
        return self._state.children

    @property
    def result(self) -> str:
        """What came of a standard task, as far as it has arrived, in Markdown."""
        return self.view().result

    @property
    def status(self) -> Status:
        """`queued`, `running`, `waiting_input`, `completed`, `failed`, `cancelled` or
        `interrupted`."""
        return self._state.status

    @property
    def phase(self) -> Phase:
        """The phase of the research machine."""
        return self._state.phase

    @property
    def error(self) -> str | None:
        """Why the task failed, in words, or None."""
        return self._state.error_detail or self._state.error

    @property
    def budget(self) -> Budget:
        """The limits the task runs under."""
        return self._state.budget

    @property
    def guide(self) -> Guide | None:
        """The guide as published so far, or None."""
        return self._subject.guide

    @property
    def publications(self) -> tuple[Publication, ...]:
        """The publications, 0 to 2 of them."""
        subject = self._subject
        if isinstance(subject, StoredTask):
            return subject.publications
        return subject.publisher.publications

    @property
    def sources(self) -> tuple[Source, ...]:
        """Every source seen: read, listed or failed, in the order first seen."""
        subject = self._subject
        if isinstance(subject, StoredTask):
            return subject.sources
        return tuple(subject.book.sources.values())

    @property
    def usage(self) -> Usage:
        """What the task has spent so far."""
        subject, view = self._subject, self.view()
        tokens = subject.tokens if isinstance(subject, StoredTask) else subject.rounds.tokens
        return Usage(view.searches, view.pages, self._state.request_no, tokens.input, tokens.output)

    @property
    def live(self) -> bool:
        """Whether it has not ended yet."""
        return self.view().live

    @property
    def stage(self) -> int | str:
        """What a saved notebook should have of it: how many publications there are, or whether it
        waits for the person."""
        return self._state.asked or len(self.publications)

    def view(self) -> RunView:
        """What the task looks like now."""
        return self._subject.view(self._controls.now_us())

    def events(self) -> Relation:
        """Return the task's events, rows of the view `events`, in order."""
        return self._controls.relation(
            "SELECT * FROM events WHERE task_id = ? ORDER BY seq", [self.id]
        )

    def timing(self) -> Relation:
        """Return the task's timing, rows of the view `timing`, in order."""
        return self._controls.relation(
            "SELECT * FROM timing WHERE task_id = ? ORDER BY ts", [self.id]
        )

    def wait(self, timeout: float | None = None) -> Self:
        """Wait until the task has ended and return it. A kernel interrupt ends the waiting only.

        `timeout`: seconds; TimeoutError leaves the task running.
        """
        try:
            self._ended.result(timeout)
        except concurrent.futures.TimeoutError:
            raise TimeoutError(f"The task is still running after {timeout:g} s.") from None
        return self

    def stop(self) -> None:
        """End the task as `cancelled`; what it has is kept. Returns when it has ended."""
        self._controls.stop(self.id)

    def __await__(self) -> Generator[Any, None, Self]:
        ended = asyncio.wrap_future(self._ended)
        yield from asyncio.shield(ended).__await__()
        return self

    def __repr__(self) -> str:
        kind = type(self).__name__
        return f"<{kind} {short_id(self.id)} {self.status}: {self.question[:60]!r}>"

    def __str__(self) -> str:
        return view_to_text(self.view())

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, Any]:
        view = self.view()
        activity = self.engine.activity(self.agent_id)
        return {
            "text/plain": view_to_text(view),
            "text/markdown": view_to_markdown(view),
            "text/html": view_to_html(view),
            PUBLICATION: publication_of(view, self.agent_id, activity),
        }


class ResearchTask(Task):
    """One research task: it reads sources and publishes a guide."""


class StandardTask(Task):
    """One standard task: its agent works under ceilings, and says what came of it."""


class ChatTurn(StandardTask):
    """One turn of the conversation with the coordinator. `settled` is done when the turn has ended
    or waits for the person."""

    def __init__(
        self,
        subject: TaskRun | StoredTask,
        controls: Controls,
        ended: "concurrent.futures.Future[None]",
        settled: "concurrent.futures.Future[None]",
    ) -> None:
        super().__init__(subject, controls, ended)
        self.settled = settled


def handle_of(
    subject: TaskRun | StoredTask, controls: Controls, ended: "concurrent.futures.Future[None]"
) -> Task:
    """Return the handle of a task of whatever kind."""
    kind = ResearchTask if subject.state.task_type == "research" else StandardTask
    return kind(subject, controls, ended)
