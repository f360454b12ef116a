from pathlib import Path

import pytest

from lazyboy_jupyter.adapters.sources.documents import Document
from lazyboy_jupyter.adapters.sources.pydoc_corpus import pydoc_index, read_documents


@pytest.fixture(scope="module")
def corpus() -> dict[str, Document]:
    return {document.url: document for document in read_documents()}


@pytest.mark.parametrize(
    ("url", "piece"),
    [
        ("pydoc:topic/with", 'The "with" statement is used to wrap'),
        ("pydoc:topic/if", "conditional execution"),
        ("pydoc:module/collections.Counter", "Dict subclass for counting hashable items"),
        ("pydoc:module/collections.deque", "deque"),
        ("pydoc:module/functools", "## functools.lru_cache(maxsize=128, typed=False)\n"),
        ("pydoc:module/builtins", "## sorted(iterable, /, *, key=None, reverse=False)\n"),
        ("pydoc:module/os.path", "## os.path.join(a, *p)\n"),
        ("pydoc:module/datetime", "datetime.timedelta"),
        ("pydoc:module/asyncio.TaskGroup", "managing groups of tasks"),
        ("pydoc:module/urllib.parse", "urllib.parse.urlparse("),
    ],
)
def test_pages(corpus: dict[str, Document], url: str, piece: str) -> None:
    assert piece in corpus[url].text


def test_no_private_no_foreign_no_duplicate_pages(corpus: dict[str, Document]) -> None:
    urls = list(corpus)
    assert not [url for url in urls if "._" in url or "/_" in url or "/test" in url]
    assert not [url for url in urls if "/posix" in url or "antigravity" in url or "idlelib" in url]
    assert "pydoc:module/asyncio.taskgroups.TaskGroup" not in corpus
    assert len(urls) > 500


def test_search(tmp_path: Path, corpus: dict[str, Document]) -> None:
    index = pydoc_index(tmp_path / "p.sqlite")
    index.sync(corpus.values())
    assert index.search("How does the with statement work?")[0].url == "pydoc:topic/with"
    assert index.search("asyncio.TaskGroup")[0].url == "pydoc:module/asyncio.TaskGroup"
    assert index.search("preset arguments of a function")[0].url == "pydoc:module/functools"
