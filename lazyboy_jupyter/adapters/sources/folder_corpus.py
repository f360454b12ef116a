"""Owns reading a folder of the user's documents; never leaves that folder, never writes to it."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path

from lazyboy_jupyter.adapters.sources.documents import Document
from lazyboy_jupyter.adapters.sources.folder_text import title_and_text

MAX_BYTES = 5_000_000
MAX_FILES = 100_000
SUFFIXES = frozenset(
    """
    .md .markdown .mdown .rst .txt .text .html .htm .xhtml
    """.split()
)
_SKIPPED = frozenset(("node_modules", "__pycache__", "venv", "site-packages"))


def folder_files(root: Path, suffixes: frozenset[str] = SUFFIXES) -> Iterator[Path]:
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
            elif path.suffix.lower() in suffixes and path not in seen and _is(path, stat.S_ISREG):
                seen.add(path)
                yield path
                if len(seen) >= MAX_FILES:
                    return
        pending.extend(reversed(below))


def folder_documents(root: Path, known: Mapping[str, str] | None = None) -> Iterator[Document]:
    """Yield the documents of a folder whose stamp differs from the one in `known` (url → stamp).

    Unreadable files are left out. `folder_stamps` tells what is there.
    """
    older = known or {}
    for path in folder_files(root):
        url, stamp = path.as_uri(), file_stamp(path)
        if stamp is None or older.get(url) == stamp:
            continue
        try:
            with path.open("rb") as file:
                data = file.read(MAX_BYTES)
        except OSError:
            continue
        title, text = title_and_text(data, path.name)
        if text.strip():
            yield Document(url, title, text, stamp)


def folder_stamps(root: Path) -> dict[str, str]:
    """Return url → stamp of what is there now, without reading any file."""
    pairs = ((path.as_uri(), file_stamp(path)) for path in folder_files(root))
    return {url: stamp for url, stamp in pairs if stamp is not None}


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
