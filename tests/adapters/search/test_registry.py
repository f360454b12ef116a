import subprocess
import sys

from lazyboy_jupyter.adapters.sources.search.registry import SearcherFactory
from tests.adapters.search.conftest import FOUND, KEY, Bench
from tests.loopback.search import AT_BRAVE, brave

LOADED = """
import sys
from lazyboy_jupyter.adapters.sources.search import registry
heavy = {"httpx", "httpcore", "ddgs", "primp", "lxml"}
print(sorted(heavy & set(sys.modules)))
"""


def test_no_http_library_is_loaded_before_the_first_search() -> None:
    command = [sys.executable, "-c", LOADED]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_one_searcher_and_one_client_for_each_name(bench: Bench) -> None:
    bench.web.put(AT_BRAVE, brave(FOUND, KEY))

    async def twice(factory: SearcherFactory) -> tuple[bool, int]:
        opened = factory.open
        before = len(bench.clients)
        same = opened("brave") is opened(" brave ")
        await opened("brave").search("gates", 10)
        await opened("brave").search("gates", 10)
        return same, len(bench.clients) - before

    assert bench.run(twice) == (True, 1)
