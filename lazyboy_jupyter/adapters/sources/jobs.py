"""Owns what a worker process does for the embedded sources: bring an index up to date, ask it.

Runs only in workers. It returns plain data; a failure that people understand is returned too,
as `Failure`, since an exception would lose its kind on the way.
"""

import hashlib
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from filelock import FileLock

from ...errors import SourceErrorKind
from . import pydoc_corpus
from .documents import Document
from .folder_corpus import folder_documents, folder_stamps
from .fts import FtsIndex


class Found(NamedTuple):
    """One search result."""

    url: str
    title: str
    snippet: str


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a source call could not be answered."""

    kind: SourceErrorKind
    sentence: str
    hint: str = ""


def search_pydoc(cache: str, query: str, limit: int) -> list[Found] | Failure:
    """Return the best pages of the interpreter's manual; the first call builds its index."""
    index = _pydoc_index(Path(cache))
    return index if isinstance(index, Failure) else _found(index, query, limit)


def read_pydoc(cache: str, url: str) -> Document | Failure:
    """Return one page of the interpreter's manual."""
    index = _pydoc_index(Path(cache))
    if isinstance(index, Failure):
        return index
    document = index.read(url)
    if document is None:
        return Failure(
            "not_found", f"The Python manual has no page {url[:200]}.", "Search for its subject."
        )
    return document


def search_folder(cache: str, folder: str, query: str, limit: int) -> list[Found] | Failure:
    """Return the best documents of the folder as it is now; only what changed is read again."""
    index = _folder_index(Path(cache), Path(folder))
    return index if isinstance(index, Failure) else _found(index, query, limit)


def read_folder(cache: str, folder: str, url: str) -> Document | Failure:
    """Return one document of the folder. Only what the index holds is read, so never a path."""
    index = _folder_index(Path(cache), Path(folder))
    if isinstance(index, Failure):
        return index
    document = index.read(url)
    if document is None:
        return Failure("not_found", f"The folder {folder} has no readable document at {url[:200]}.")
    return document


def _found(index: FtsIndex, query: str, limit: int) -> list[Found]:
    return [Found(hit.url, hit.title, hit.snippet) for hit in index.search(query, limit)]


def _pydoc_index(cache: Path) -> FtsIndex | Failure:
    index = pydoc_corpus.pydoc_index(cache / "pydoc.sqlite")
    if index.is_current():
        return index
    try:
        with _building(cache / "pydoc.lock"):
            if not index.is_current():
                index.sync(pydoc_corpus.read_documents())
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        return Failure(
            "unreadable",
            f"The index of the Python manual could not be built: {type(error).__name__}.",
            f"See that {cache} can be written.",
        )
    return index


def _folder_index(cache: Path, folder: Path) -> FtsIndex | Failure:
    name = folder_key(folder)
    index = FtsIndex(cache / f"{name}.sqlite", str(folder))
    try:
        with _building(cache / f"{name}.lock"):
            there, known = folder_stamps(folder), index.stamps()
            if there != known or not index.is_current():
                kept = [url for url, stamp in there.items() if known.get(url) == stamp]
                index.sync(folder_documents(folder, known), kept)
    except NotADirectoryError:
        return Failure(
            "not_found", f"There is no folder {folder}.", "Name one that exists: -s folder:PATH."
        )
    except OSError as error:
        return Failure(
            "unreadable", f"The folder {folder} could not be indexed: {error.strerror or error}."
        )
    return index


def folder_key(folder: Path) -> str:
    """Return the file name stem of a folder's index."""
    return "folder-" + hashlib.sha256(str(folder).encode("utf-8", "replace")).hexdigest()[:16]


def _building(path: Path) -> FileLock:
    """One process builds an index, also among several kernels; the others wait for it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    return FileLock(path)
