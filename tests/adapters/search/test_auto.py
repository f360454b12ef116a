import pytest

from lazyboy_jupyter.adapters.sources.search.registry import SearcherFactory
from tests.adapters.search.conftest import FOUND, KEY, Bench
from tests.loopback.search import AT_BRAVE, AT_TAVILY, brave, tavily

EVERYTHING = {"TAVILY_API_KEY": KEY, "BRAVE_API_KEY": KEY, "SEARXNG_URL": "http://s.example"}


@pytest.mark.parametrize(
    ("missing", "taken"),
    [
        ((), "tavily"),
        (("TAVILY_API_KEY",), "brave"),
        (("TAVILY_API_KEY", "BRAVE_API_KEY"), "searxng"),
        (tuple(EVERYTHING), "ddgs"),
    ],
)
def test_the_first_that_is_set_up_is_taken_and_named(
    bench: Bench, missing: tuple[str, ...], taken: str
) -> None:
    bench.environment = {**EVERYTHING, **dict.fromkeys(missing, " ")}

    async def name(factory: SearcherFactory) -> str:
        return factory.open("auto").name

    assert bench.run(name) == taken


def test_it_searches_with_what_it_names_and_notices_a_key_set_later(bench: Bench) -> None:
    bench.environment = {"BRAVE_SEARCH_API_KEY": KEY}
    bench.web.put(AT_BRAVE, brave(FOUND, KEY))
    bench.web.put(AT_TAVILY, tavily(FOUND, KEY))

    async def search(factory: SearcherFactory) -> None:
        searcher = factory.open("auto")
        await searcher.search("gates", 10)
        bench.environment["TAVILY_API_KEY"] = KEY
        await searcher.search("gates", 10)

    bench.run(search)
    assert [request.host for request in bench.web.log] == [
        "api.search.brave.com",
        "api.tavily.com",
    ]


def test_without_a_network_it_names_the_sources_that_need_none(bench: Bench) -> None:
    """FIELD_CASES B1."""
    error = bench.failure("auto")
    assert error.kind == "dns"
    assert "-s pydoc" in error.hint
    assert "-s folder:" in error.hint
