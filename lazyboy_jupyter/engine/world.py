"""Owns what an engine needs of the outside, as one value; tests make another."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Protocol

from ..ports import Clock, Ids, Model, PageReader, Searcher


class Source(Searcher, PageReader, Protocol):
    """A source that is searched and read."""


@dataclass(frozen=True, slots=True)
class World:
    """`open_model` and `open_source` take a name and raise `UsageError` when there is none.

    `close` ends what runs outside, such as worker processes.
    """

    clock: Clock
    ids: Ids
    open_model: Callable[[str], Model]
    open_source: Callable[[str], Source]
    close: Callable[[], Awaitable[None]]
