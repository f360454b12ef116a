import sqlite3
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lazyboy_jupyter.adapters.sources.documents import Document
from lazyboy_jupyter.adapters.sources.fts import FtsIndex
from lazyboy_jupyter.adapters.sources.fts_query import parse_query

DOCS = [
    Document("d:1", "Grant Hill", "Grant Hill hosts NBA Inside Stuff. He played for Orlando.", "1"),
    Document("d:2", "Orlando", "Orlando is a city in Florida.", "1"),
    Document(
        "d:3", "functools", "# functools\n\n## functools.lru_cache(maxsize=128)\nA cache.", "1"
    ),
]


@pytest.fixture
def index(tmp_path: Path) -> FtsIndex:
    index = FtsIndex(tmp_path / "i.sqlite", "k")
    index.sync(DOCS)
    return index


@pytest.mark.parametrize(
    ("query", "url"),
    [
        ("Who is Grant Hill?", "d:1"),
        ("lru_cache", "d:3"),
        ("city in florida", "d:2"),
        ('"inside stuff"', "d:1"),
        ("functools.lru_cache", "d:3"),
        ("orlando", "d:2"),
    ],
)
def test_search_finds(index: FtsIndex, query: str, url: str) -> None:
    assert index.search(query)[0].url == url


def test_snippets_are_short_and_from_the_text(index: FtsIndex) -> None:
    for hit in index.search("cache orlando hill", 10):
        assert 0 < len(hit.snippet) <= 300


def test_sync_is_incremental(index: FtsIndex) -> None:
    changed = [DOCS[0], Document("d:2", "Orlando", "Now about Tampa.", "2")]
    report = index.sync(changed)
    assert (report.added, report.changed, report.removed, report.kept) == (0, 1, 1, 1)
    assert index.read("d:3") is None
    assert index.search("tampa")[0].url == "d:2"
    assert not index.search("functools")
    assert index.sync([], kept=["d:1"]).removed == 1
    assert index.stamps() == {"d:1": "1"}


def test_another_key_sees_nothing_and_rebuilds(tmp_path: Path, index: FtsIndex) -> None:
    other = FtsIndex(tmp_path / "i.sqlite", "other")
    assert not other.is_current()
    assert other.search("orlando") == []
    assert other.sync(DOCS[:1]).added == 1
    assert other.is_current()
    assert not index.is_current()


def test_an_interrupted_build_leaves_nothing_half(tmp_path: Path) -> None:
    def broken() -> Iterator[Document]:
        yield DOCS[0]
        raise KeyboardInterrupt

    index = FtsIndex(tmp_path / "i.sqlite")
    with pytest.raises(KeyboardInterrupt):
        index.sync(broken())
    assert not index.is_current()
    assert index.search("hill") == []
    index.sync(DOCS)
    with pytest.raises(KeyboardInterrupt):
        index.sync(broken())
    assert len(index.stamps()) == 3


def test_a_damaged_file_is_rebuilt(tmp_path: Path) -> None:
    path = tmp_path / "i.sqlite"
    path.write_bytes(b"this is no database" * 500)
    index = FtsIndex(path)
    assert not index.is_current()
    assert index.sync(DOCS).added == 3
    assert index.search("orlando")


def test_readers_go_on_while_a_writer_writes(index: FtsIndex) -> None:
    problems: list[str] = []
    stop = threading.Event()

    def read() -> None:
        while not stop.is_set():
            try:
                if not index.search("orlando") or index.read("d:1") is None:
                    problems.append("empty")
            except sqlite3.Error as error:
                problems.append(str(error))

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    for number in range(20):
        index.sync([*DOCS, Document("d:x", "X", f"text {number}", str(number))])
    stop.set()
    for reader in readers:
        reader.join()
    assert problems == []


NASTY = st.sampled_from(
    [
        '"',
        "'",
        "(",
        ")",
        "*",
        "^",
        ":",
        "-",
        "+",
        "%",
        "AND",
        "OR",
        "NOT",
        "NEAR(",
        "{",
        "}",
        "\x00",
        "title:",
        "😀",
        "\\",
        "a" * 200,
        "“",
        "”",
        "`",
        "=",
        "==",
        "日本",
        ".",
        "..",
        ".lit.",
        "\ud800",
    ]
)


@settings(deadline=None)
@given(st.one_of(st.text(max_size=200), st.lists(NASTY, max_size=40).map(" ".join)))
def test_no_query_is_a_syntax_error(text: str) -> None:
    db = sqlite3.connect(":memory:")
    db.execute("""CREATE VIRTUAL TABLE t USING fts5(a, tokenize = "ascii tokenchars '._'")""")
    query = parse_query(text)
    for match in (query.match, query.related_match):
        if match:
            db.execute("SELECT rowid FROM t WHERE t MATCH ?", (match,)).fetchall()
    db.close()


def test_very_long_queries_are_bounded(index: FtsIndex) -> None:
    assert index.search("orlando " + "word%d " * 3000)
    assert index.search("".join(f"word{n} " for n in range(2000))) == []
    assert index.search("") == []
    assert index.search("?!") == []


def test_a_symbol_asked_for_by_its_bare_name_is_meant_before_its_namesakes(tmp_path: Path) -> None:
    index = FtsIndex(tmp_path / "i.sqlite")
    index.sync(
        [
            Document(
                "d:zipfile", "zipfile", "# zipfile\n\n## zipfile.testzip()\nzip zip zip.", "1"
            ),
            Document("d:builtins", "builtins", "# builtins\n\n## zip(*its)\nYields tuples.", "1"),
        ]
    )
    assert index.search("zip")[0].url == "d:builtins"
