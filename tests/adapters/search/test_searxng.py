import base64

import pytest

from lazyboy_jupyter.adapters.sources.search.registry import SearcherFactory
from lazyboy_jupyter.adapters.sources.search.searxng import Instance
from lazyboy_jupyter.errors import SourceError, UsageError
from tests.adapters.search.conftest import FOUND, KEY, Bench, assert_tells_no_secret
from tests.loopback.replies import Reply
from tests.loopback.search import at_searxng, parameters, searxng

BASE = "http://searx.example"


def private(bench: Bench) -> str:
    """A SearXNG on this machine, which no page may be read from."""
    base = f"http://127.0.0.1:{bench.web.port}"
    bench.web.put(at_searxng(base), searxng(FOUND))
    return base


def test_the_request(bench: Bench) -> None:
    bench.web.put(at_searxng(f"{BASE}/search-here"), searxng(FOUND))
    bench.search(f"searxng:{BASE}/search-here/", '  the "gates"')
    (request,) = bench.web.log
    assert request.method == "GET"
    assert request.path == "/search-here/search"
    assert parameters(request) == {"q": 'the "gates"', "format": "json"}
    assert "text/html" in request.headers["accept"], "its robot check wants that"
    assert "authorization" not in request.headers


def test_a_private_instance_is_asked_through_a_client_that_reaches_nothing_else(
    bench: Bench,
) -> None:
    base = private(bench)
    assert len(bench.search(f"searxng:{base}", "gates")) == 2
    assert bench.service_hosts == [frozenset({f"127.0.0.1:{bench.web.port}"})]


def test_one_client_for_each_instance(bench: Bench) -> None:
    base = private(bench)
    bench.environment["SEARXNG_URL"] = base

    async def twice(factory: SearcherFactory) -> None:
        opened = factory.open
        for name in ("searxng", f"searxng:{base}", "searxng"):
            await opened(name).search("gates", 10)

    bench.run(twice)
    assert len(bench.service_hosts) == 1


def test_the_address_is_read_from_the_environment_at_each_search(bench: Bench) -> None:
    error = bench.failure("searxng")
    assert error.kind == "not_configured"
    assert error.sentence == "SearXNG needs an address, and SEARXNG_URL is not set."
    assert "SEARXNG_URL" in error.hint
    assert "-s searxng:http" in error.hint
    bench.environment["SEARXNG_URL"] = f" {private(bench)}/search\n"
    assert len(bench.search("searxng", "gates")) == 2


@pytest.mark.parametrize("formats", [("html",), ()])
def test_without_json_it_is_told_how_to_allow_it(bench: Bench, formats: tuple[str, ...]) -> None:
    """FIELD_CASES S5."""
    bench.web.put(at_searxng(BASE), searxng(FOUND, formats))
    error = bench.failure(f"searxng:{BASE}")
    assert error.kind == "not_configured"
    assert error.sentence == "SearXNG does not give JSON (403)."
    assert "search: formats: [html, json]" in error.hint
    assert "settings.yml" in error.hint


def test_engines_that_did_not_answer_are_told_when_nothing_was_found(bench: Bench) -> None:
    silent = [("brave", "Suspended: too many requests"), ("duckduckgo", "CAPTCHA <b>")]
    bench.web.put(at_searxng(BASE), searxng([], unresponsive=silent))
    error = bench.failure(f"searxng:{BASE}")
    assert error.kind == "blocked"
    assert "brave: Suspended: too many requests, duckduckgo: CAPTCHA <b>" in error.sentence
    bench.web.put(at_searxng(BASE), searxng(FOUND, unresponsive=silent))
    assert len(bench.search(f"searxng:{BASE}", "gates")) == 2


@pytest.mark.parametrize("status", [301, 401, 404, 405, 407])
def test_a_wrong_address_is_told(bench: Bench, status: int) -> None:
    bench.web.put(at_searxng(BASE), Reply(status=status, headers={"Location": "https://x/"}))
    error = bench.failure(f"searxng:{BASE}")
    assert error.kind in {"http_status", "not_configured", "not_found"}
    assert error.sentence.startswith("SearXNG ")
    assert f"({status})" in error.sentence


def test_a_login_in_the_address_is_sent_and_never_told(bench: Bench) -> None:
    """FIELD_CASES X5."""
    login = "Basic " + base64.b64encode(f"me:{KEY}/ü".encode()).decode()
    bench.environment["SEARXNG_URL"] = f"http://me:{KEY}%2F%C3%BC@searx.example"
    bench.web.put(at_searxng(BASE), searxng(FOUND, login=login))
    assert len(bench.search("searxng", "gates")) == 2
    (request,) = bench.web.log
    assert KEY not in request.url
    for reply in (
        searxng(FOUND, login="Basic other"),
        searxng(FOUND, formats=(), login=login),
        searxng([], unresponsive=[("brave", f"denied for {KEY}")], login=login),
        Reply(fault="reset"),
    ):
        bench.web.put(at_searxng(BASE), reply)
        error = bench.failure("searxng")
        assert_tells_no_secret(error)
        assert_tells_no_secret(error, login)


@pytest.mark.parametrize(
    "address",
    ["", " ", "ftp://a.example", "http://", "http://a b", "http://a.example:99999", "file:///etc",
     "http://[::1", "javascript:alert(1)", "http://a.example\\@b.example"],
)  # fmt: skip
def test_what_is_no_address_is_a_mistake_to_be_told(bench: Bench, address: str) -> None:
    with pytest.raises(UsageError, match="SearXNG"):
        bench.search(f"searxng:{address}", "gates")
    bench.environment["SEARXNG_URL"] = address
    assert bench.failure("searxng").kind == "not_configured"


def test_a_password_in_a_source_s_name_is_refused_and_not_repeated(bench: Bench) -> None:
    """A source's name is stored and shown."""
    with pytest.raises(UsageError) as caught:
        bench.search(f"searxng:http://me:{KEY}@searx.example", "gates")
    assert "SEARXNG_URL" in caught.value.hint
    assert_tells_no_secret(caught.value)


@pytest.mark.parametrize(
    ("text", "base", "host"),
    [
        ("localhost:8080", "http://localhost:8080", "localhost:8080"),
        ("https://s.example", "https://s.example:443", "s.example:443"),
        ("http://s.example/a/search/", "http://s.example:80/a", "s.example:80"),
        ("http://[::1]:8080/?q=x#y", "http://[::1]:8080", "[::1]:8080"),
        ("http://s.example:/", "http://s.example:80", "s.example:80"),
    ],
)
def test_addresses_as_people_write_them(text: str, base: str, host: str) -> None:
    assert Instance.parse(text) == Instance(base, host)


def test_another_private_host_is_refused_by_that_client(bench: Bench) -> None:
    base = private(bench)

    async def elsewhere(factory: SearcherFactory) -> str:
        await factory.open(f"searxng:{base}").search("gates", 10)
        with pytest.raises(SourceError) as caught:
            await bench.clients[-1].fetch(f"http://127.0.0.1:{bench.web.tls_port}/")
        return caught.value.kind

    assert bench.run(elsewhere) == "refused"
