"""Owns what a worker process does for the embedded sources: bring an index up to date, ask it.

Runs only in workers. It returns plain data; a failure that people understand is returned too,
as `Failure`, since an exception would lose its kind on the way. A corpus is named by a text:
`pydoc`, or the absolute path of a folder.
"""

import hashlib
import sqlite3
import subprocess
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, TypeVar

from filelock import FileLock

from ..blocking_worker import BlockingWorker
from . import pydoc_corpus
from .documents import PYDOC, Document, Failure
from .folder_index import sync_folder
from .fts import FtsIndex

T = TypeVar("T")


class Found(NamedTuple):
    """One search result. `matched`: the share of the query's weight that its best section has."""

    url: str
    title: str
    snippet: str
    matched: float


def update(cache: str, corpus: str) -> Failure | None:
    """Bring the corpus' index up to date; what has not changed is not read again.

    One process at a time builds an index, also among several kernels; the others wait for it.
    """
    path, index = Path(cache), _index(cache, corpus)
    try:
        path.mkdir(parents=True, exist_ok=True)
        with FileLock(path / f"{_stem(corpus)}.lock"):
            if corpus != PYDOC:
                with BlockingWorker() as worker:
                    sync_folder(index, Path(corpus), worker, time.time())
            elif not index.is_current():
                index.sync(pydoc_corpus.read_documents())
    except NotADirectoryError:
        hint = "Name one that exists: -s folder:PATH."
        return Failure("not_found", f"There is no folder {corpus}.", hint)
    except (OSError, ValueError, sqlite3.Error, subprocess.SubprocessError) as error:
        what = "Python manual" if corpus == PYDOC else f"folder {corpus}"
        sentence = f"The index of the {what} could not be built: {_reason(error)}."
        return Failure("unreadable", sentence, f"See that {cache} can be written.")
    return None


def search(cache: str, corpus: str, query: str, limit: int) -> list[Found] | Failure:
    """Return the best documents of the corpus as it was last brought up to date."""

    def ask(index: FtsIndex) -> list[Found]:
        hits = index.search(query, limit)
        return [Found(hit.url, hit.title, hit.snippet, hit.matched) for hit in hits]

    return _asked(cache, corpus, ask)


def read(cache: str, corpus: str, url: str) -> Document | Failure:
    """Return one document. Only what the index holds is read, so never a path."""
    found = _asked(cache, corpus, lambda index: index.read(url))
    if isinstance(found, Document) and found.problem:
        return Failure("unreadable", found.problem)
    if found is not None:
        return found
    what = "Python manual has no page" if corpus == PYDOC else f"folder {corpus} has no document"
    return Failure("not_found", f"The {what} {url[:200]}.", "Search for its subject.")


def _asked(cache: str, corpus: str, ask: Callable[[FtsIndex], T]) -> T | Failure:
    """Ask the index; one that turns out to be damaged is a cache, and is built again."""
    index = _index(cache, corpus)
    try:
        return ask(index)
    except sqlite3.Error:
        index.discard()
    failure = update(cache, corpus)
    return ask(index) if failure is None else failure


def _index(cache: str, corpus: str) -> FtsIndex:
    path = Path(cache) / f"{_stem(corpus)}.sqlite"
    return pydoc_corpus.pydoc_index(path) if corpus == PYDOC else FtsIndex(path, corpus)


def _stem(corpus: str) -> str:
    if corpus == PYDOC:
        return PYDOC
    return "folder-" + hashlib.sha256(corpus.encode("utf-8", "replace")).hexdigest()[:16]


def _reason(error: Exception) -> str:
    strerror = getattr(error, "strerror", None)
    return str(strerror or error or type(error).__name__)
