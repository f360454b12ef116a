"""Searchers of other packages: a real distribution in a folder on the path."""

import importlib
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from lazyboy_jupyter.adapters.sources.search.plugins import GROUP, plugin_names
from lazyboy_jupyter.adapters.sources.search.registry import NAMES, SearcherFactory
from lazyboy_jupyter.errors import UsageError
from tests.adapters.search.conftest import KEY, Bench, assert_tells_no_secret

MODULE = f"""
from lazyboy_jupyter.ports import SearchResult

class Good:
    name = "its own name"
    async def search(self, query, limit):
        return [SearchResult(f"corp:doc/{{number}}", query, "") for number in range(20)]

class Careless:
    async def search(self, query, limit):
        raise ValueError("my key is {KEY}")

class Odd:
    async def search(self, query, limit):
        return ["https://a.example/"]

def raises():
    raise RuntimeError("my key is {KEY}")

def leaves():
    raise SystemExit(3)

def returns_nothing():
    return None
"""
ENTRIES = {
    "corp": "corp_search:Good",
    "careless": "corp_search:Careless",
    "odd": "corp_search:Odd",
    "raises": "corp_search:raises",
    "leaves": "corp_search:leaves",
    "nothing": "corp_search:returns_nothing",
    "absent": "corp_search:no_such_name",
    "unimportable": "corp_broken:Anything",
    "brave": "corp_search:Good",
}


@pytest.fixture
def installed(tmp_path: Path) -> Iterator[Path]:
    (tmp_path / "corp_search.py").write_text(MODULE)
    (tmp_path / "corp_broken.py").write_text("import a_package_that_is_not_there\n")
    metadata = tmp_path / "corp_search-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: corp-search\nVersion: 1.0\n")
    lines = [f"{name} = {value}" for name, value in ENTRIES.items()]
    (metadata / "entry_points.txt").write_text("\n".join([f"[{GROUP}]", *lines]))
    sys.path.insert(0, str(tmp_path))
    importlib.invalidate_caches()
    yield tmp_path
    sys.path.remove(str(tmp_path))
    for module in ("corp_search", "corp_broken"):
        sys.modules.pop(module, None)


@pytest.mark.usefixtures("installed")
def test_a_plugin_s_searcher_is_found_by_its_entry_point(bench: Bench) -> None:
    results = bench.search("corp", "gates", 3)
    assert [one.url for one in results] == ["corp:doc/0", "corp:doc/1", "corp:doc/2"]

    async def name(factory: SearcherFactory) -> str:
        return factory.open("corp").name

    assert bench.run(name) == "corp"


@pytest.mark.usefixtures("installed")
def test_names_are_known_without_loading_anything(bench: Bench) -> None:
    async def names(factory: SearcherFactory) -> tuple[str, ...]:
        return factory.names()

    known = bench.run(names)
    assert known[: len(NAMES)] == NAMES
    assert sorted(known[len(NAMES) :]) == sorted(set(ENTRIES) - {"brave"})
    assert set(ENTRIES) == set(plugin_names())
    assert "corp_search" not in sys.modules


@pytest.mark.usefixtures("installed")
def test_a_plugin_does_not_take_a_name_of_ours(bench: Bench) -> None:
    bench.environment = {}
    assert bench.failure("brave").sentence.startswith("Brave Search needs a key")


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("raises", "RuntimeError"),
        ("leaves", "SystemExit"),
        ("nothing", "returns no searcher"),
        ("absent", "AttributeError"),
        ("unimportable", "No module named 'a_package_that_is_not_there'"),
    ],
)
def test_a_broken_plugin_is_named_in_one_sentence(bench: Bench, name: str, why: str) -> None:
    with pytest.raises(UsageError) as caught:
        bench.search(name, "gates")
    assert f"plugin {name} of corp-search" in caught.value.sentence
    assert why in caught.value.sentence


@pytest.mark.usefixtures("installed")
def test_a_broken_plugin_does_not_tell_its_key(bench: Bench) -> None:
    """FIELD_CASES X5."""
    with pytest.raises(UsageError) as caught:
        bench.search("raises", "gates")
    assert KEY not in str(caught.value)


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(("name", "why"), [("careless", "ValueError"), ("odd", "SearchResult")])
def test_a_plugin_s_mistake_costs_one_call(bench: Bench, name: str, why: str) -> None:
    error = bench.failure(name)
    assert error.kind == "unreadable"
    assert f"plugin {name} failed" in error.sentence
    assert why in error.sentence
    assert_tells_no_secret(error)


@pytest.mark.parametrize("name", ["", "nowhere", "ddgs:x", "brave:x", "auto:", "x:http://a:b@c"])
def test_an_unknown_name_is_answered_with_those_there_are(bench: Bench, name: str) -> None:
    with pytest.raises(UsageError) as caught:
        bench.search(name, "gates")
    assert "brave" in caught.value.hint
    assert "wikipedia:de" in caught.value.hint
    assert "a:b@" not in str(caught.value)
