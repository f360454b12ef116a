"""The sources that need no network, through real worker processes."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from lazyboy_jupyter.adapters.sources.registry import SourceFactory
from lazyboy_jupyter.adapters.workers import WorkerPool
from lazyboy_jupyter.errors import SourceError, UsageError
from tests.adapters.opening import factory, opened


def using(cache: Path, work: Callable[[SourceFactory], Awaitable[Any]]) -> Any:
    async def scenario() -> Any:
        pool = WorkerPool(1)
        try:
            return await work(factory(pool, cache))
        finally:
            await pool.close()

    return asyncio.run(scenario())


def test_pydoc_finds_and_reads_the_manual_of_this_interpreter(index_cache: Path) -> None:
    async def work(sources: SourceFactory) -> Any:
        pydoc = opened(sources, "pydoc")
        found = await pydoc.search("with statement context manager", 10)
        page = await pydoc.read("PYDOC:topic/with#x")
        with pytest.raises(SourceError) as missing:
            await pydoc.read("pydoc:topic/no-such-thing")
        return found, page, missing.value

    found, page, missing = using(index_cache, work)

    assert "pydoc:topic/with" in [result.url for result in found[:3]]
    assert all(len(result.snippet) <= 300 for result in found)
    assert len({result.url for result in found}) == len(found) == 10
    assert page.title == "The with statement"
    assert "context manager" in page.text
    assert (missing.kind, missing.hint) == ("not_found", "Search for its subject.")


@pytest.mark.parametrize(
    "query", ["", "?", '"unbalanced (', "NEAR/3 AND NOT", "x" * 10_000, "🧪 %s {} '", "a*b^c:d"]
)
def test_any_query_is_answered(index_cache: Path, query: str) -> None:
    async def work(sources: SourceFactory) -> Any:
        return await opened(sources, "pydoc").search(query, 10)

    assert isinstance(using(index_cache, work), list)


def test_a_folder_is_searched_as_it_is_now(tmp_path: Path, index_cache: Path) -> None:
    folder = tmp_path / "my docs"
    folder.mkdir()
    (folder / "gates.md").write_text("# Harbour gates\n\nGates cut flood losses by a sixth.\n")
    (folder / "page.html").write_text("<title>Dredging</title><p>Dredging costs a lot.</p>")
    (folder / "bad.txt").write_bytes(b"\xff\xfe\x00caf\xe9")
    (folder / "loop").symlink_to(folder)

    async def work(sources: SourceFactory) -> Any:
        source = opened(sources, f"folder:{folder}")
        first = await source.search("flood losses", 10)
        page = await source.read(first[0].url)
        (folder / "gates.md").unlink()
        (folder / "new.txt").write_text("Flood losses doubled.\n")
        return first, page, await source.search("flood losses", 10)

    first, page, second = using(index_cache, work)

    assert [result.title for result in first] == ["Harbour gates"]
    assert first[0].url == (folder / "gates.md").as_uri()
    assert "Gates cut flood losses" in page.text
    assert [result.url for result in second] == [(folder / "new.txt").as_uri()]


@pytest.mark.parametrize(
    "outside", ["../secret.txt", "%2e%2e/secret.txt", "link.txt", "/etc/passwd"]
)
def test_nothing_outside_the_folder_is_read(
    tmp_path: Path, index_cache: Path, outside: str
) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    (tmp_path / "secret.txt").write_text("secret words")
    (folder / "link.txt").symlink_to(tmp_path / "secret.txt")
    (folder / "own.txt").write_text("own words")
    url = f"file://{outside}" if outside[0] == "/" else f"{folder.as_uri()}/{outside}"

    async def work(sources: SourceFactory) -> Any:
        source = opened(sources, f"folder:{folder}")
        with pytest.raises(SourceError):
            await source.read(url)
        return await source.search("secret", 10)

    assert using(index_cache, work) == []


def test_a_folder_that_vanishes_is_a_named_error(tmp_path: Path, index_cache: Path) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()

    async def work(sources: SourceFactory) -> Any:
        source = opened(sources, f"folder:{folder}")
        folder.rmdir()
        with pytest.raises(SourceError) as gone:
            await source.search("x", 10)
        return gone.value

    error = using(index_cache, work)
    assert error.kind == "not_found"
    assert str(folder) in error.sentence


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("google", "There is no source 'google'."),
        ("folder:", "folder: needs a path."),
        ("folder:/no/such/folder", "There is no folder /no/such/folder."),
        ("pydoc:topic", "There is no source 'pydoc:topic'."),
    ],
)
def test_a_source_that_is_not_there_is_one_sentence(
    index_cache: Path, name: str, sentence: str
) -> None:
    async def work(sources: SourceFactory) -> Any:
        with pytest.raises(UsageError) as caught:
            opened(sources, name)
        return caught.value

    error = using(index_cache, work)
    assert error.sentence == sentence
    assert error.hint


def test_an_index_that_cannot_be_written_is_a_named_error(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file in the way")

    async def work(sources: SourceFactory) -> Any:
        with pytest.raises(SourceError) as caught:
            await opened(sources, "pydoc").search("with", 10)
        return caught.value

    error = using(tmp_path / "cache", work)
    assert error.kind == "unreadable"
    assert "cache" in error.hint
