"""Owns reading one file of a person's folder as a document; it writes nothing.

HTML and PDF are taken apart by libraries that a file can keep busy for ever: that happens in a
process of its own, which is killed over its time, and the next file goes on.
"""

from __future__ import annotations

from pathlib import Path

from lazyboy_jupyter.adapters.blocking_worker import BlockingWorker
from lazyboy_jupyter.adapters.sources.documents import Document, Failure
from lazyboy_jupyter.adapters.sources.extraction.charset import decode
from lazyboy_jupyter.adapters.sources.folder_text import (
    notebook_title_and_text,
    plain_title_and_text,
)
from lazyboy_jupyter.adapters.workers import WorkerError, WorkerTimeout

_PLAIN = frozenset(".md .markdown .mdown .qmd .rmd .rst .txt .text .org .adoc .tex".split())
_TAKEN_APART = frozenset(".html .htm .xhtml .pdf".split())
_NOTEBOOK = ".ipynb"
SUFFIXES = _PLAIN | _TAKEN_APART | {_NOTEBOOK}
_MAX_BYTES = 20_000_000
_MAX_WHOLE_BYTES = 50_000_000
"""Of a PDF or a notebook, which are of use only as a whole."""
_EXTRACT_SECONDS = 20.0
_RETRY_SECONDS = 600.0
"""After which a file that took all of that, or its process' life, is tried again: the machine may
have been busy. A file that cannot be opened costs nothing, and is tried at each look."""


def read_file(path: Path, stamp: str, worker: BlockingWorker) -> Document:
    """Return the file as a document; why it cannot be read is its `problem`. Never raises."""
    suffix = path.suffix.lower()
    limit = _MAX_BYTES if suffix in _PLAIN else _MAX_WHOLE_BYTES
    try:
        with path.open("rb") as file:
            data = file.read(limit + 1)
    except OSError as error:
        problem = f"{path.name} cannot be opened: {error.strerror or error}."
        return _unread(path, stamp, problem, retry_after=0.0)
    if len(data) > limit and suffix not in _PLAIN:
        return _unread(path, stamp, f"{path.name} is over {limit // 1_000_000} MB.")
    try:
        title, text, problem = _taken(path, suffix, data[:limit], worker)
    except WorkerTimeout:
        problem = f"{path.name} is too complex: its text was not out in {_EXTRACT_SECONDS:g} s."
        return _unread(path, stamp, problem, _RETRY_SECONDS)
    except WorkerError as error:
        return _unread(path, stamp, f"{path.name} cannot be read: {error}.", _RETRY_SECONDS)
    if not problem and not text.strip():
        problem = f"{path.name} has no text."
    return Document(path.as_uri(), title or path.stem, text, stamp, problem)


def _taken(path: Path, suffix: str, data: bytes, worker: BlockingWorker) -> tuple[str, str, str]:
    """Return title, text and problem of the file's bytes. Raises `WorkerError`."""
    if suffix == _NOTEBOOK:
        found = notebook_title_and_text(data, path.name)
        return (*found, "") if found else ("", "", f"{path.name} is no Jupyter notebook.")
    if suffix in _PLAIN:
        return (*plain_title_and_text(decode(data, "")[0], path.name), "")
    job, whole = "adapters.sources.extraction.job:extract", (data, "", path.as_uri(), False)
    answer = worker.run(job, *whole, timeout=_EXTRACT_SECONDS)
    if isinstance(answer, Failure):
        return "", "", f"{path.name}: {answer.sentence}"
    return answer.title, answer.text, ""


def _unread(path: Path, stamp: str, problem: str, retry_after: float | None = None) -> Document:
    return Document(path.as_uri(), path.stem, "", stamp, problem, retry_after)
