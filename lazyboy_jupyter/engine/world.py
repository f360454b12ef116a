"""Owns what an engine needs of the outside, as one value; tests make another."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from ..ports import Clock, Ids, Model, SourceSet, Toolset


@dataclass(frozen=True, slots=True)
class World:
    """`open_model` takes a name, `open_sources` several; a name that is none raises `UsageError`.

    `side_ids` are for side questions: a run's ids must not depend on who asks beside it.
    `source_names` names what there is. `close` ends what runs outside, such as worker processes.
    `jitter` is random, 0 to 1. `warm` gets ready what a model needs, without waiting.
    `toolsets`: what standard tasks may use of the outside beside sources.
    `browser_problem` says how to get a browser, where there is none.
    """

    clock: Clock
    ids: Ids
    side_ids: Ids
    open_model: Callable[[str], Model]
    open_sources: Callable[[Sequence[str]], SourceSet]
    source_names: Callable[[], Sequence[str]]
    close: Callable[[], Awaitable[None]]
    jitter: Callable[[], float]
    warm: Callable[[str], None] = lambda name: None
    browser_problem: str = ""
    toolsets: Sequence[Toolset] = ()
