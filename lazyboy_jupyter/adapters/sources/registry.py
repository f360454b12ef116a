"""Owns which names of sources there are, and making them; none is made before it is asked for."""

from pathlib import Path

from ...errors import UsageError
from ..workers import WorkerPool
from .embedded import IndexedSource
from .jobs import PYDOC

NAMES = (PYDOC, "folder:PATH")


class SourceFactory:
    """Makes sources by name, one for each corpus. `cache`: the folder of their indexes."""

    def __init__(self, workers: WorkerPool, cache: Path) -> None:
        self._workers = workers
        self._cache = cache
        self._made: dict[str, IndexedSource] = {}

    def open(self, name: str) -> IndexedSource:
        """Return the source of that name.

        Raises `UsageError`, naming what there is, for an unknown name or a missing folder.
        """
        kind, colon, path = name.strip().partition(":")
        if kind == PYDOC and not colon:
            corpus = PYDOC
        elif kind == "folder":
            corpus = str(_folder(path))
        else:
            sources = " and ".join(NAMES)
            raise UsageError(f"There is no source {name[:80]!r}.", f"Sources are {sources}.")
        if corpus not in self._made:
            self._made[corpus] = IndexedSource(self._workers, self._cache, corpus, name.strip())
        return self._made[corpus]


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
