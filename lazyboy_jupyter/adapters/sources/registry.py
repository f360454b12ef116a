"""Owns which names of sources there are, and making them; none is made before it is asked for."""

import difflib
from collections.abc import Sequence
from pathlib import Path

from ...errors import UsageError
from ...ports import WEB, Browser, PageReader, Searcher, SourceSet
from ..workers import WorkerPool
from .documents import PYDOC
from .embedded import IndexedSource
from .search.plugins import plugin_names
from .search.registry import NAMES, SearcherFactory

_FOLDER = "folder"


def source_names() -> tuple[str, ...]:
    """Return every name there is, plugins too; opens nothing."""
    return tuple(dict.fromkeys((*NAMES, *plugin_names(), PYDOC, f"{_FOLDER}:PATH", WEB)))


class SourceFactory:
    """Makes sources by name, one for each corpus. `cache`: the folder of their indexes, which
    `builders` bring up to date and `workers` ask.

    `web`: reads pages of the web; `browser`: the real one, where there is one.
    """

    def __init__(
        self,
        workers: WorkerPool,
        builders: WorkerPool,
        cache: Path,
        searchers: SearcherFactory,
        web: PageReader,
        browser: Browser | None,
    ) -> None:
        self._workers = workers
        self._builders = builders
        self._cache = cache
        self._searchers = searchers
        self._web = web
        self._browser = browser
        self._indexed: dict[str, IndexedSource] = {}

    def open(self, names: Sequence[str]) -> SourceSet:
        """Return what the names stand for.

        Pages of the web are read, and the browser is offered, only where a source of the web is
        among them: a question to a folder stays on the machine. Raises `UsageError`, naming what
        there is, for an unknown name or a missing folder.
        """
        searchers: list[Searcher] = []
        readers: list[PageReader] = []
        on_web = False
        for name in (name.strip() for name in names):
            if (corpus := self._corpus(name)) is not None:
                indexed = self._index_of(corpus, name)
                searchers.append(indexed)
                readers.append(indexed)
                continue
            on_web = True
            if name != WEB:
                searchers.append(self._searcher(name))
        if not on_web:
            return SourceSet(searchers, readers)
        return SourceSet(searchers, [*readers, self._web], self._browser)

    def _searcher(self, name: str) -> Searcher:
        kind = name.partition(":")[0]
        if kind not in NAMES and kind not in plugin_names():  # these are looked for on the disk
            near = difflib.get_close_matches(kind.lower(), source_names(), n=1)
            meant = f"Did you mean {near[0]}? " if near else ""
            raise UsageError(
                f"There is no source {name[:80]!r}.",
                f"{meant}Sources are {', '.join(source_names())}.",
            )
        return self._searchers.open(name)

    def _corpus(self, name: str) -> str | None:
        kind, colon, path = name.partition(":")
        if kind == PYDOC and not colon:
            return PYDOC
        return str(_folder(path)) if kind == _FOLDER else None

    def _index_of(self, corpus: str, name: str) -> IndexedSource:
        if corpus not in self._indexed:
            self._indexed[corpus] = IndexedSource(
                self._workers, self._builders, self._cache, corpus, name
            )
        return self._indexed[corpus]


def _folder(path: str) -> Path:
    """Return the folder, absolute: a later %cd must not make it another one."""
    if not path:
        raise UsageError("folder: needs a path.", "Write for example -s folder:docs.")
    try:
        folder = Path(path).expanduser().resolve()
        is_there = folder.is_dir()
    except (OSError, RuntimeError, ValueError):  # no such user, a NUL in the path
        folder, is_there = Path(path), False
    if not is_there:
        raise UsageError(f"There is no folder {folder}.", "Name one that exists: -s folder:PATH.")
    return folder
