"""Owns finding a person's documents in a folder; never leaves it, reads no file, writes nothing."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from lazyboy_jupyter.adapters.sources.folder_reading import SUFFIXES

MAX_FILES = 100_000
_SKIPPED = frozenset(("node_modules", "__pycache__", "venv", "site-packages"))


def folder_files(root: Path) -> Iterator[Path]:
    """Yield the real paths of readable documents below `root`, sorted, each file once.

    Links are followed only while they stay inside `root`; hidden folders and package folders are
    left out. An unreadable folder is skipped. Raises `NotADirectoryError` without a folder.
    """
    base = root.expanduser().resolve()
    if not base.is_dir():
        raise NotADirectoryError(str(root))
    seen: set[Path] = set()
    folders: set[Path] = set()
    pending = [base]
    while pending:
        folder = pending.pop()
        if folder in folders:
            continue
        folders.add(folder)
        below: list[Path] = []
        for entry in _entries(folder):
            path = _inside(base, Path(entry.path))
            if path is None or entry.name.startswith("."):
                continue
            if _is(path, stat.S_ISDIR):
                if entry.name not in _SKIPPED:
                    below.append(path)
            elif path.suffix.lower() in SUFFIXES and path not in seen and _is(path, stat.S_ISREG):
                seen.add(path)
                yield path
                if len(seen) >= MAX_FILES:
                    return
        pending.extend(reversed(below))


def folder_stamps(root: Path) -> dict[Path, str]:
    """Return the stamp of each document that is there now, without reading any."""
    pairs = ((path, file_stamp(path)) for path in folder_files(root))
    return {path: stamp for path, stamp in pairs if stamp is not None}


def file_stamp(path: Path) -> str | None:
    """Return what changes when a file changes, or None when it cannot be looked at."""
    try:
        found = path.stat()
    except OSError:
        return None
    return f"{found.st_mtime_ns}-{found.st_size}"


def _entries(folder: Path) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return sorted(entries, key=lambda entry: entry.name)
    except OSError:
        return []


def _inside(base: Path, path: Path) -> Path | None:
    """Return the real path when it is below `base`; a link loop or a broken link is None."""
    try:
        real = path.resolve(strict=True)
    except (OSError, RuntimeError):
        return None
    return real if real.is_relative_to(base) else None


def _is(path: Path, kind: object) -> bool:
    try:
        return bool(kind(path.stat().st_mode))  # type: ignore[operator]
    except OSError:
        return False
