"""Owns the documents of the interpreter's own manual; never imports in the caller's process.

`pydoc:topic/with` are the language-reference topics, `pydoc:module/asyncio` the standard library.
`python -m lazyboy_jupyter.adapters.sources.pydoc_corpus` imports the modules and writes one JSON
document a line; `read_documents` runs that in a process of its own, because importing the whole
standard library has effects (codecs, signal handlers) that a kernel must not see.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import re
import subprocess
import sys
import types
from collections.abc import Iterator
from dataclasses import asdict
from functools import cache
from pathlib import Path

from lazyboy_jupyter.adapters.child import child_command
from lazyboy_jupyter.adapters.sources import pydoc_names as names
from lazyboy_jupyter.adapters.sources import pydoc_render as render
from lazyboy_jupyter.adapters.sources.documents import Document
from lazyboy_jupyter.adapters.sources.fts import FtsIndex
from lazyboy_jupyter.adapters.sources.hints import Hints, parse_hints

_INDEX_FILES = ("python_topics.index", "python_library.index")
_BIG_MODULE = 6_000
_SMALL_CLASS = 600
_SMALL_PARAGRAPH = 80
_TIMEOUT_SECONDS = 120.0
_VERSION = "3"


def cache_key() -> str:
    """Return what the corpus depends on: the interpreter, its version, the platform."""
    return f"pydoc-{_VERSION}|{sys.implementation.name}|{sys.version}|{platform.platform()}"


def pydoc_index(path: Path) -> FtsIndex:
    """Return the index of this interpreter's manual at `path`; fill it from `read_documents`."""
    return FtsIndex(path, cache_key(), python_hints())


@cache
def python_hints() -> Hints:
    """Return the back-of-the-book index of the manual, which this package carries."""
    lines: list[str] = []
    for name in _INDEX_FILES:
        lines += Path(__file__).with_name(name).read_text("utf-8").splitlines()
    return parse_hints(lines)


def read_documents(
    executable: str = sys.executable, timeout: float = _TIMEOUT_SECONDS
) -> Iterator[Document]:
    """Yield the documents, collected in a separate silent process.

    Raises `OSError`, `subprocess.SubprocessError` or `ValueError` when that process fails.
    """
    done = subprocess.run(
        child_command("adapters.sources.pydoc_corpus", executable),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        timeout=timeout,
        check=True,
        start_new_session=True,
    )
    for line in done.stdout.splitlines():
        yield Document(**json.loads(line))


def documents() -> Iterator[Document]:
    """Yield all documents of this interpreter. Imports the standard library in this process."""
    yield from topic_documents()
    yield from module_documents()


def topic_documents() -> Iterator[Document]:
    """Yield the chapters of the language reference that the interpreter carries."""
    try:
        from pydoc_data.topics import topics
    except ImportError:  # some distributions leave it out
        return
    # Chapters repeat their sections' topics: each paragraph stays at its most specific topic.
    seen: set[str] = set()
    found = [
        (name, _topic_title(name, text), text)
        for name, text in ((name, _topic_text(str(raw))) for name, raw in topics.items())
    ]
    # Some names share one text ("if" and "else"): the one that the title speaks of keeps it.
    for name, title, text in sorted(found, key=lambda t: (len(t[2]), t[0] not in t[1], t[0])):
        rest = _without(text, seen)
        if rest:
            yield _document(f"pydoc:topic/{name}", title, rest)


def module_documents() -> Iterator[Document]:
    """Yield modules; of big ones each class is a document of its own."""
    listed = [
        (place, module, list(names.public_names(place, module)))
        for place, module in names.modules()
    ]
    owner = _owners(listed)
    for place, module, found in listed:
        own = [n for n in found if names.is_documented(n.value) and owner[id(n.value)] == n.place]
        yield from _of_module(place, module, own)


def _owners(
    listed: list[tuple[str, types.ModuleType, list[names.Named]]],
) -> dict[int, str]:
    """Return id(value) → the one place to document it: the shortest name, then its own claim."""
    best: dict[int, tuple[tuple[bool, int, bool, int], str]] = {}
    for order, (_, _, found) in enumerate(listed):
        for named in found:
            if not names.is_documented(named.value):
                continue
            claims = names.home(named.value) == named.place
            foreign = names.home(named.value).startswith("builtins.") and not claims
            key = (foreign, named.place.count("."), not claims, order)
            if id(named.value) not in best or key < best[id(named.value)][0]:
                best[id(named.value)] = (key, named.place)
    return {number: place for number, (_, place) in best.items()}


def _of_module(place: str, module: types.ModuleType, own: list[names.Named]) -> Iterator[Document]:
    functions = [render.symbol(_shown(n), n.value) for n in own if not isinstance(n.value, type)]
    classes = [
        (_shown(n), n.value, render.class_text(_shown(n), n.value))
        for n in own
        if isinstance(n.value, type)
    ]
    total = sum(map(len, functions)) + sum(len(text) for _, _, text in classes)
    apart = [c for c in classes if total > _BIG_MODULE and len(c[2]) > _SMALL_CLASS]
    inside = [text for name, value, text in classes if (name, value, text) not in apart]
    summary = _module_summary(place, module)
    title = f"{place} — {summary}" if summary else place
    parts = [f"# {title}", render.docstring(module), *functions, *inside]
    text = "\n\n".join(part for part in parts if part)
    if len(text) - len(parts[0]) > _SMALL_PARAGRAPH:
        yield _document(f"pydoc:module/{place}", title, text)
    for name, value, text in apart:
        about = render.first_line(value)
        yield _document(
            f"pydoc:module/{place}.{name.rpartition('.')[2]}",
            f"{name} — {about}" if about else name,
            re.sub(r"^#", "", text, flags=re.MULTILINE),
        )


def _module_summary(place: str, module: types.ModuleType) -> str:
    """Return a module's one line without the repeated name: "functools.py - Tools for ..."."""
    line = render.first_line(module)
    tail = place.rpartition(".")[2]
    return re.sub(rf"^(?:module\s+)?(?:{place}|{tail})(?:\.py)?\s*[-–:]+\s*", "", line, flags=re.I)


def _shown(named: names.Named) -> str:
    """Nobody writes `builtins.len`."""
    return named.name if named.place == f"builtins.{named.name}" else named.place


def _topic_text(raw: str) -> str:
    """Return a topic without its emphasis quotes around keywords and its "See also" boilerplate."""
    return raw.replace("\xa0", " ").strip()


def _without(text: str, seen: set[str]) -> str:
    """Return `text` without the paragraphs in `seen`, to which its own are added."""
    kept: list[str] = []
    for paragraph in re.split(r"\n[ \t]*\n", text):
        key = " ".join(paragraph.split())
        if key and key not in seen:
            kept.append(paragraph)
            seen.add(key)
    long_enough = any(len(paragraph) >= _SMALL_PARAGRAPH for paragraph in kept)
    return "\n\n".join(kept) if long_enough else ""


def _topic_title(name: str, text: str) -> str:
    lines = text.splitlines()
    if len(lines) > 1 and re.fullmatch(r"([*=\-~^\"])\1{2,}", lines[1].strip()):
        return lines[0].replace('"', "").strip()
    return f"The {name} statement" if name.islower() else name


def _document(url: str, title: str, text: str) -> Document:
    text = text.strip() + "\n"
    stamp = hashlib.sha256(f"{title}\n{text}".encode("utf-8", "replace")).hexdigest()[:16]
    return Document(url, title, text, stamp)


def main() -> None:
    """Write the documents to standard output, whatever the imported modules write or raise."""
    out = os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    for number in (0, 1, 2):
        os.dup2(null, number)
    with open(out, "w", encoding="utf-8", errors="replace") as lines:
        for document in documents():
            lines.write(json.dumps(asdict(document)) + "\n")
    os._exit(0)  # threads and exit handlers of imported modules are of no interest


if __name__ == "__main__":
    main()
