"""Owns what an engine works with: which model, which sources, and trying them out."""

from collections.abc import Sequence

from ..ports import WEB, Page, SearchResult
from .choices import Choices
from .doctor import Finding, examine
from .foreground import Foreground

SOURCE_SECONDS = 30.0


class Choosing(Foreground):
    """The part of an engine that chooses models and sources."""

    _choices: Choices

    @property
    def searches(self) -> tuple[str, ...]:
        """The names of what a question is searched with now; `auto` is what it has taken."""
        return self._sources().names

    @property
    def source_names(self) -> tuple[str, ...]:
        """Every name of a source that there is."""
        return tuple(self._world.source_names())

    def search_in(self, names: str | Sequence[str]) -> None:
        """Let questions that name no source be searched there, until the engine closes.

        Raises `UsageError`, with nothing changed, for a name that is none.
        """
        self._refuse_when_closed()
        self._choices.search_in(names)

    def use_model(self, name: str) -> None:
        """Let questions that name no model go to this one, until the engine closes.

        Raises `UsageError`, with nothing changed, for a name that is none.
        """
        self._refuse_when_closed()
        self._choices.use_model(name)

    def examine(self) -> list[Finding]:
        """Find out whether the model, the searches and the browser work; it asks each for real."""
        model, sources = self._model(), self._sources()
        problem, clock = self._world.browser_problem, self._world.clock
        return self._loop.run(examine(model, sources.searchers, problem, clock))

    def search(self, query: str) -> list[SearchResult]:
        """Ask the engine's searchers outside any task. Raises `SourceError`."""
        sources = self._sources()
        outcome = self._loop.run(sources.search(query, self._world.clock, SOURCE_SECONDS))
        return list(outcome.results)

    def read(self, url: str) -> Page:
        """Read a page, of the web too, outside any task. Raises `SourceError`."""
        sources = self._sources(None, WEB)
        return self._loop.run(sources.read(url, self._world.clock, SOURCE_SECONDS))
