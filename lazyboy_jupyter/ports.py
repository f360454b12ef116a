"""Owns what the engine asks of the outside world, as protocols; no adapter is named here."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from .core.left import BudgetLeft
from .core.messages import Message, ToolCall
from .core.tools import ToolSpec


class Clock(Protocol):
    """Tells the time, and waits. A manual one makes timeouts instant in tests."""

    def now_us(self) -> int:
        """Return the time in microseconds since 1970 UTC. It never goes back."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Return when `seconds` have passed."""
        ...


class Ids(Protocol):
    """Makes ids: unique, and in the order they were made."""

    def new(self) -> str:
        """Return the next id."""
        ...


@dataclass(frozen=True, slots=True)
class SearchResult:
    """One result of a search. `snippet`: at most 300 characters of text.

    `matched`: the share, 0 to 1, of the query that the page speaks of; None where a service does
    not say.
    """

    url: str
    title: str
    snippet: str
    matched: float | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """A page as text. `url`: where it was found in the end; `kind`: html, text, pdf, pydoc, …

    `note`: what a reader must know of it, such as that some of its parts could not be read.
    """

    url: str
    title: str
    text: str
    kind: str = "text"
    charset: str | None = None
    truncated: bool = False
    note: str = ""


class Searcher(Protocol):
    """Finds pages for a query."""

    @property
    def name(self) -> str:
        """The name people choose it by, such as "pydoc" or "folder:docs"."""
        ...

    async def search(self, query: str, limit: int) -> Sequence[SearchResult]:
        """Return at most `limit` results, best first. Raises `SourceError`."""
        ...


class PageReader(Protocol):
    """Reads a page as text."""

    def reads(self, url: str) -> bool:
        """Whether addresses such as `url` are this reader's."""
        ...

    async def read(self, url: str) -> Page:
        """Return the page at `url`. Raises `SourceError`."""
        ...


class Browser(Protocol):
    """A real browser, one for an engine; each owner, a task, has at most one page open in it."""

    async def open(self, owner: str, url: str) -> Page:
        """Open a page in place of the owner's open one; return its text. Raises `SourceError`."""
        ...

    async def snapshot(self, owner: str) -> Page:
        """Return the owner's open page as it is now. Raises `SourceError` when none is open."""
        ...

    async def release(self, owner: str) -> None:
        """Close the owner's page, if any. Never raises."""
        ...


class Toolset(Protocol):
    """Tools of the outside that a standard task may be given, such as a shell or an MCP server,
    when the person configured it. Never research."""

    @property
    def specs(self) -> Sequence[ToolSpec]:
        """The tools; their names are no others' (`core/tools.py`)."""
        ...

    def question(self, tool: str, args: Mapping[str, Any]) -> str:
        """Return what the person is asked before the call is run; empty: it is allowed already."""
        ...

    async def run(self, tool: str, args: Mapping[str, Any]) -> Mapping[str, Any]:
        """Run one call; return its result as JSON data. Raises `SourceError`."""
        ...


WEB = "web"
"""The name of the source that reads pages of the web and finds none by itself."""


@dataclass(frozen=True, slots=True)
class SourceSet:
    """What the names of sources stand for. `browser`: None where none is found, or none is due."""

    searchers: Sequence[Searcher]
    readers: Sequence[PageReader]
    browser: Browser | None = None


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One request. `messages` have pydantic-ai's JSON form; `tools` are all that is offered.

    `tail`: what stands at the request's very end, outside of what a provider caches: what is left
    of the budget, in words. `max_tokens`: how much the reply may have. `output_schema`: where the
    reply can only be a publication, the JSON schema of its arguments: a model that can be held to a
    schema is, and its text comes back as the call; others are asked as ever.
    `aside`: a side question's own words; it has no budget, and no call of its reply is ever run.
    """

    messages: Sequence[Message]
    tools: Sequence[ToolSpec]
    left: BudgetLeft | None
    tail: str = ""
    max_tokens: int | None = None
    output_schema: Mapping[str, Any] | None = None
    aside: str = ""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one request; None: unknown."""

    input_tokens: int | None = None
    output_tokens: int | None = None
    cached_tokens: int | None = None

    @property
    def total(self) -> int:
        """Input and output together, what is unknown counting as 0."""
        return (self.input_tokens or 0) + (self.output_tokens or 0)


@dataclass(frozen=True, slots=True)
class ModelReply:
    """What a model answered: text, calls, or both."""

    text: str = ""
    calls: Sequence[ToolCall] = ()
    usage: Usage = Usage()


def unheard(text: str) -> None:
    """Hear nothing: for requests whose reply is of use only as a whole."""


class Model(Protocol):
    """Answers requests."""

    @property
    def name(self) -> str:
        """The reference people choose it by, such as "extractive"."""
        ...

    @property
    def identity(self) -> str:
        """A digest of what it is: model, protocol and address, and of no secret."""
        ...

    @property
    def takes_notes(self) -> bool:
        """Whether it does anything with what a person says between its replies."""
        ...

    @property
    def room(self) -> int | None:
        """How many characters of context it takes for sure; None: any number."""
        ...

    async def respond(
        self, request: ModelRequest, heard: Callable[[str], None] = unheard
    ) -> ModelReply:
        """Return the reply to `request`. Raises `ModelError`.

        `heard` is called with each piece of the reply's text as it arrives, and with an empty text
        for what arrives beside it (a tool call's beginning, reasoning), so that whoever waits
        knows that the reply has begun. Cancelling ends the request on the wire.
        """
        ...
