"""Owns bringing a folder's index up to date: what is read, and in which order; it ranks nothing."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from lazyboy_jupyter.adapters.blocking_worker import BlockingWorker
from lazyboy_jupyter.adapters.sources.documents import Document
from lazyboy_jupyter.adapters.sources.folder_corpus import folder_stamps
from lazyboy_jupyter.adapters.sources.folder_reading import read_file
from lazyboy_jupyter.adapters.sources.folder_tries import is_settled, tried_stamp
from lazyboy_jupyter.adapters.sources.fts import FtsIndex

_STEP = 200


def sync_folder(index: FtsIndex, folder: Path, worker: BlockingWorker, now: float) -> None:
    """Read what changed, and again what failed for a passing reason and is due.

    Some hundred files at a time: each of these steps is there to stay, so that a large folder
    whose reading is cut goes on from there. `now`: seconds since 1970. Raises
    `NotADirectoryError` without a folder, and what `FtsIndex.sync` raises.
    """
    there = {path.as_uri(): (path, stamp) for path, stamp in folder_stamps(folder).items()}
    known = index.stamps()
    kept = {url for url, (_, stamp) in there.items() if is_settled(known.get(url), stamp, now)}
    if kept == there.keys() == known.keys() and index.is_current():
        return
    changed = [url for url in there if url not in kept]
    changed.sort(key=lambda url: "@" in known.get(url, ""))  # those that failed come last

    def read(urls: list[str]) -> Iterator[Document]:
        for url in urls:
            path, stamp = there[url]
            document = read_file(path, stamp, worker)
            if document.retry_after is not None:
                tried = tried_stamp(known.get(url), stamp, now, document.retry_after)
                document = replace(document, stamp=tried)
            yield document

    for start in range(0, max(len(changed), 1), _STEP):
        step = changed[start : start + _STEP]
        index.sync(read(step), kept)
        kept.update(step)
