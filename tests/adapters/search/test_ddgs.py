"""The library itself, against copies of the engines' pages, through a proxy that leads to them."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qs

import pytest

from lazyboy_jupyter.adapters.sources.documents import Failure
from lazyboy_jupyter.adapters.sources.search import ddgs_job
from lazyboy_jupyter.adapters.sources.search.ddgs_searcher import DdgsSearcher
from lazyboy_jupyter.adapters.sources.search.pace import Pace
from lazyboy_jupyter.adapters.sources.search.results import Hit, cleaned
from lazyboy_jupyter.adapters.workers import WorkerPool
from lazyboy_jupyter.errors import SourceError
from lazyboy_jupyter.ports import SearchResult
from tests.adapters.search.conftest import PassingClock
from tests.loopback.proxy import connect_proxy
from tests.loopback.replies import Reply
from tests.loopback.search import (
    AT_MOJEEK,
    ENGINE_PAGES,
    brave_page,
    duckduckgo,
    html_reply,
    mojeek,
    parameters,
    robot_check,
    startpage,
    yahoo,
)
from tests.loopback.world import Answer, LoopbackWorld

FOUND = [
    ("https://a.example/M%C3%BCnchen?x=1%262&y=c%20d", "Gates & <b>", "The vector<int> of a < b"),
    ("https://b.example/", "Second", "Another text"),
]
HOSTS = [
    "html.duckduckgo.com:443", "search.brave.com:443", "www.mojeek.com:443",
    "www.startpage.com:443", "search.yahoo.com:443",
]  # fmt: skip


@dataclass
class Engines:
    """The engines of the world. Those that were not put there shut everyone out."""

    web: LoopbackWorld
    proxy: str
    asked: list[str]
    authority: str

    def put(self, **answers: Answer) -> None:
        places = dict(zip(ddgs_job.ENGINES, ENGINE_PAGES, strict=True))
        for name, place in places.items():
            self.web.put(place, answers.get(name, robot_check()))

    def search(self, query: str = "gates", seconds: float = 20.0) -> list[SearchResult] | Failure:
        answer = ddgs_job.search(query, seconds, self.proxy, self.authority)
        return answer if isinstance(answer, Failure) else cleaned(answer[1], 10, answer[0])

    def failure(self, **answers: Answer) -> Failure:
        self.put(**answers)
        failure = self.search()
        assert isinstance(failure, Failure)
        assert failure.sentence.startswith("ddgs ")
        return failure


@pytest.fixture
def engines(web: LoopbackWorld, tmp_path: Path) -> Iterator[Engines]:
    authority = tmp_path / "authority.pem"
    web.authority.cert_pem.write_to_path(str(authority))
    with connect_proxy(web) as (proxy, asked):
        yield Engines(web, proxy, asked, str(authority))


@pytest.mark.parametrize(
    ("name", "page"),
    [
        ("duckduckgo", duckduckgo(FOUND)),
        ("brave", brave_page(FOUND)),
        ("mojeek", mojeek(FOUND)),
        ("startpage", startpage(FOUND)),
        ("yahoo", yahoo(FOUND)),
    ],
)
def test_each_engine_s_results_come_with_their_very_addresses(
    engines: Engines, name: str, page: Answer
) -> None:
    """FIELD_CASES S4. The library alone would decode the addresses once too often."""
    engines.put(**{name: page})
    assert engines.search() == [SearchResult(*one) for one in FOUND]


def test_the_first_engine_that_answers_is_the_last_that_is_asked(engines: Engines) -> None:
    engines.put(mojeek=mojeek(FOUND), yahoo=yahoo(FOUND))
    assert engines.search() == [SearchResult(*one) for one in FOUND]
    assert engines.asked == HOSTS[:3]


def test_an_engine_that_finds_nothing_has_answered(engines: Engines) -> None:
    engines.put(duckduckgo=duckduckgo([]), brave=brave_page(FOUND))
    assert engines.search() == []
    assert engines.asked == HOSTS[:1]


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (robot_check(202), "rate_limited"),
        (Reply(status=429), "rate_limited"),
        (Reply(status=403), "blocked"),
        (robot_check(200), "blocked"),
        (html_reply("<h1>Please solve this CAPTCHA</h1>"), "blocked"),
        (Reply(status=500), "http_status"),
        (Reply(b""), "unreadable"),
        (Reply(b"\x00\xff" * 50), "unreadable"),
        (Reply(fault="reset"), "connection"),
        (Reply(fault="garbage"), "connection"),
    ],
    ids=lambda value: str(value if isinstance(value, str) else value.status),
)
def test_shut_out_by_one_the_next_is_asked_and_by_all_the_reason_is_told(
    engines: Engines, reply: Reply, kind: str
) -> None:
    """FIELD_CASES S1: a ban is no empty result."""
    engines.put(duckduckgo=reply, brave=brave_page(FOUND))
    found = engines.search()
    assert isinstance(found, list)
    assert len(found) == 2
    failure = engines.failure(**dict.fromkeys(ddgs_job.ENGINES, reply))
    assert failure.kind == kind
    assert "DuckDuckGo, Brave, Mojeek, Startpage, Yahoo: " in failure.sentence
    assert "-s pydoc" in failure.hint
    assert "-s folder:PATH" in failure.hint
    if kind in {"rate_limited", "blocked"}:
        assert "BRAVE_API_KEY" in failure.hint
        assert "-s wikipedia" in failure.hint


def test_a_ban_among_other_faults_is_what_is_told(engines: Engines) -> None:
    failure = engines.failure(
        duckduckgo=Reply(fault="reset"),
        brave=Reply(status=500),
        mojeek=Reply(status=403),
        startpage=Reply(status=429),
        yahoo=Reply(status=403),
    )
    assert failure.kind == "rate_limited"
    assert failure.sentence == (
        "ddgs got no answer: DuckDuckGo: no connection; "
        "Brave: an answer without results (500); Mojeek, Yahoo: refused (403); "
        "Startpage: too many requests (429)."
    )


def test_without_a_network_the_offline_sources_are_named(engines: Engines) -> None:
    """FIELD_CASES B1: nobody listens where the way out should be."""
    engines.proxy = "http://127.0.0.1:9"
    failure = engines.search("a certificate that is not valid")
    assert isinstance(failure, Failure)
    assert failure.kind == "connection"
    assert "-s pydoc" in failure.hint
    assert "-s folder:PATH" in failure.hint
    assert engines.web.log == []


def test_certificates_are_checked(engines: Engines) -> None:
    engines.web.strangers.update(host.partition(":")[0] for host in HOSTS)
    failure = engines.failure(duckduckgo=duckduckgo(FOUND))
    assert failure.kind == "tls"
    assert "SSL_CERT_FILE" in failure.hint
    assert engines.web.log == []


def test_no_engine_is_begun_when_the_time_is_over(engines: Engines) -> None:
    engines.put(duckduckgo=duckduckgo(FOUND))
    failure = engines.search(seconds=1.0)
    assert isinstance(failure, Failure)
    assert failure.kind == "timeout"
    assert engines.asked == []


@pytest.mark.parametrize("query", ['"a b" (c OR d) [e]', "ü€😀" * 100, "-x", "a & b = c % + #"])
def test_a_query_reaches_the_engines_as_it_is(engines: Engines, query: str) -> None:
    """FIELD_CASES S2."""
    engines.put()
    engines.search(query)
    sent = {request.host: request for request in engines.web.log}
    for host in ("html.duckduckgo.com", "www.startpage.com"):
        form = parse_qs(sent[host].body.decode())
        assert query in {values[0] for values in form.values()}
    for host in ("search.brave.com", "www.mojeek.com", "search.yahoo.com"):
        assert query in parameters(sent[host]).values()


def searched(engines: Engines, *queries: str) -> tuple[list[Sequence[SearchResult]], list[float]]:
    """Search in a worker process, as it is outside; return the results and the waits."""
    clock = PassingClock()

    async def run() -> list[Sequence[SearchResult]]:
        workers = WorkerPool(1)
        searcher = DdgsSearcher(workers, Pace(clock, 1.5), engines.proxy, engines.authority)
        assert searcher.name == "ddgs"
        try:
            return await asyncio.gather(*(searcher.search(query, 1) for query in queries))
        finally:
            await workers.close()

    return asyncio.run(run()), clock.waits


def test_a_worker_does_it_one_search_after_the_other(engines: Engines) -> None:
    """FIELD_CASES S3."""
    engines.put(duckduckgo=duckduckgo(FOUND))
    results, waits = searched(engines, "  gates \n cost ", "sea")
    assert results == [[SearchResult(*FOUND[0])]] * 2
    assert waits == [1.5]
    asked = [parse_qs(request.body.decode())["q"] for request in engines.web.log]
    assert sorted(asked) == [["gates cost"], ["sea"]]


def test_what_the_worker_says_went_wrong_is_raised(engines: Engines) -> None:
    engines.put()
    with pytest.raises(SourceError) as caught:
        searched(engines, "gates")
    assert caught.value.kind == "rate_limited"
    assert "DuckDuckGo" in caught.value.sentence
    assert "BRAVE_API_KEY" in caught.value.hint


def test_a_query_without_words_costs_no_worker(engines: Engines) -> None:
    with pytest.raises(SourceError) as caught:
        searched(engines, " \x00 ")
    assert caught.value.kind == "refused"
    assert engines.asked == []


def test_a_hit_is_markup_so_that_what_an_engine_shows_stays(engines: Engines) -> None:
    engines.put(mojeek=mojeek(FOUND))
    answer = ddgs_job.search("gates", 20.0, engines.proxy, engines.authority)
    assert not isinstance(answer, Failure)
    site, hits = answer
    assert site == AT_MOJEEK
    assert hits[0] == Hit(FOUND[0][0], "Gates &amp; &lt;b&gt;", "The vector&lt;int&gt; of a &lt; b")
