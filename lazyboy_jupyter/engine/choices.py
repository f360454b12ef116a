"""Owns which models and sources an engine works with, by name, and what is taken when none is
named."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from ..config import Settings, names_of
from ..ports import Model
from .services import Sources
from .world import World


class Choices:
    """Opens models and sources of a world by name, each model once; safe from any thread.

    `settings`: what a question takes that names neither. `on_loop`: calls on the engine's thread.
    """

    def __init__(
        self,
        world: World,
        settings: Settings,
        on_loop: Callable[[Callable[[], object]], None],
    ) -> None:
        self.settings = settings
        self._world = world
        self._on_loop = on_loop
        self._models: dict[str, Model] = {}

    def model(self, name: str | None = None) -> Model:
        """Return the model of a name, the settings' own without one. Raises `UsageError`."""
        chosen = name or self.settings.model
        if chosen not in self._models:
            self._models[chosen] = self._world.open_model(chosen)
            self._on_loop(lambda: self._world.warm(chosen))
        return self._models[chosen]

    def sources(self, search: str | Sequence[str] | None = None, *more: str) -> Sources:
        """Return the sources of some names, the settings' own without any, and `more` beside them.

        Raises `UsageError` for a name that is none.
        """
        names = (*names_of(search, self.settings), *more)
        opened = self._world.open_sources(tuple(dict.fromkeys(names)))
        return Sources(opened.searchers, opened.readers, opened.browser)

    def search_in(self, search: str | Sequence[str]) -> None:
        """Take these sources from now on. Raises `UsageError`, with nothing changed."""
        self.sources(search)
        self.settings = replace(self.settings, search=names_of(search, self.settings))

    def use_model(self, name: str) -> None:
        """Take this model from now on. Raises `UsageError`, with nothing changed."""
        self.model(name)
        self.settings = replace(self.settings, model=name)
