"""Owns which names of sources there are, and making them; none is made before it is asked for."""

from dataclasses import dataclass
from pathlib import Path

from ...errors import UsageError
from ..workers import WorkerPool
from .embedded import FolderSource, PydocSource

NAMES = ("pydoc", "folder:PATH")
DEFAULT = "pydoc"


@dataclass(frozen=True, slots=True)
class SourceFactory:
    """Makes sources by name. `cache`: the folder of their indexes."""

    workers: WorkerPool
    cache: Path

    def open(self, name: str) -> PydocSource | FolderSource:
        """Return the source of that name.

        Raises `UsageError`, naming what there is, for an unknown name or a missing folder.
        """
        kind, _, path = name.strip().partition(":")
        if kind == "pydoc" and not path:
            return PydocSource(self.workers, self.cache)
        if kind == "folder":
            return FolderSource(self.workers, self.cache, _folder(path), name.strip())
        raise UsageError(
            f"There is no source {name[:80]!r}.", f"Sources are {' and '.join(NAMES)}."
        )


def _folder(path: str) -> Path:
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
