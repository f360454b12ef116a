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

    A file that is no document costs its name only: folders hold far more pictures than texts.
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
            looked_at = None if entry.name.startswith(".") else _looked_at(base, folder, entry)
            if looked_at is None:
                continue
            path, is_folder = looked_at
            if is_folder:
                if entry.name not in _SKIPPED:
                    below.append(path)
            elif path not in seen:
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


def _looked_at(base: Path, folder: Path, entry: os.DirEntry[str]) -> tuple[Path, bool] | None:
    """Return the real path of a folder or a document, and whether it is a folder; else None.

    `folder`, where the entry stands, is a real path. A broken link or a loop of links is None.
    """
    try:
        if entry.is_file(follow_symlinks=False):
            return (folder / entry.name, False) if _is_document(entry.name) else None
        if not (entry.is_symlink() or entry.is_dir(follow_symlinks=False)):
            return None
        # Folders too: without being a link, one may be joined from elsewhere.
        real = Path(entry.path).resolve(strict=True)
        mode = real.stat().st_mode
    except (OSError, RuntimeError):
        return None
    if not real.is_relative_to(base):
        return None
    if stat.S_ISDIR(mode):
        return real, True
    return (real, False) if stat.S_ISREG(mode) and _is_document(real.name) else None


def _is_document(name: str) -> bool:
    return os.path.splitext(name)[1].lower() in SUFFIXES
