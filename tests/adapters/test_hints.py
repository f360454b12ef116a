from pathlib import Path

import pytest

from lazyboy_jupyter.adapters.sources.documents import Document
from lazyboy_jupyter.adapters.sources.fts import FtsIndex
from lazyboy_jupyter.adapters.sources.hints import Hints, parse_hints
from lazyboy_jupyter.adapters.sources.pydoc_corpus import python_hints, read_documents

LINES = """
# a comment
functools.lru_cache: memoize remember
topic/with: close automatically
topic/with "exit method is\tinvoked": clean up
functools.lru_cache: speed up
""".splitlines()
TEXT = "Intro sentence. " * 200 + "\n\nThe exit method\n  is invoked even then.\n"


def hints() -> Hints:
    return parse_hints(LINES)


def test_words_by_symbol_page_and_passage() -> None:
    own = hints().on("pydoc:topic/with", TEXT)
    start = TEXT.index("exit method")
    assert own.of_whole == "close automatically"
    assert own.under("functools.lru_cache") == "memoize remember speed up"
    assert own.within(start, start + 1) == "clean up"
    assert own.shifted(start).within(0, 1) == "clean up"
    assert own.within(0, start) == ""
    assert hints().on("pydoc:topic/other", TEXT).of_whole == ""


@pytest.mark.parametrize("line", ["no colon", "place:no blank", 'topic/x "a: b', ": words"])
def test_a_line_that_is_no_entry_is_named(line: str) -> None:
    with pytest.raises(ValueError, match="not an entry"):
        parse_hints([line])


def test_a_passage_is_found_by_words_that_it_does_not_use(tmp_path: Path) -> None:
    index = FtsIndex(tmp_path / "i.sqlite", "k", hints())
    index.sync(
        [Document("pydoc:topic/with", "With", TEXT, "1"), Document("d:2", "Two", "Else.", "1")]
    )
    (hit,) = index.search("clean up")
    assert hit.url == "pydoc:topic/with"
    assert "is invoked even then" in hit.snippet
    assert "clean" not in hit.snippet


def test_another_index_means_another_build(tmp_path: Path) -> None:
    FtsIndex(tmp_path / "i.sqlite", "k").sync([Document("d:1", "One", "Text.", "1")])
    assert not FtsIndex(tmp_path / "i.sqlite", "k", hints()).is_current()


def test_the_packages_own_index_names_places_that_are_there() -> None:
    documents = {d.url.partition(":")[2]: d for d in read_documents()}
    index = python_hints()
    anchors = [(page, anchor) for page, own in index.of_page.items() for anchor in own]
    lost = [
        (page, anchor.phrase)
        for page, anchor in anchors
        if page not in documents or anchor.find(documents[page].text) is None
    ]
    # Another version of Python words a few sentences in another way; those entries just rest.
    assert len(lost) <= len(anchors) // 5
    places = "\n".join(document.text for document in documents.values())
    absent = [p for p in index.of_place if p not in documents and p not in places]
    assert len(absent) <= len(index.of_place) // 5
