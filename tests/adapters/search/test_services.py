"""What every service over HTTP must do, asked of each: B1, S1, S2, X5."""

from dataclasses import dataclass

import pytest

from tests.adapters.search.conftest import FOUND, KEY, Bench, assert_tells_no_secret
from tests.loopback.replies import Reply
from tests.loopback.search import (
    AT_BRAVE,
    AT_TAVILY,
    Handler,
    at_searxng,
    at_wikipedia,
    brave,
    html_reply,
    in_turn,
    json_reply,
    searxng,
    tavily,
    wikipedia,
)

BASE = "http://searx.example"


@dataclass(frozen=True)
class Case:
    name: str
    label: str
    at: str
    working: Handler
    hint: str = ""
    """Of what a key or an address is missing or wrong: what the next step names."""


CASES = [
    Case("brave", "Brave Search", AT_BRAVE, brave(FOUND, KEY), "BRAVE_API_KEY"),
    Case("tavily", "Tavily", AT_TAVILY, tavily(FOUND, KEY), "TAVILY_API_KEY"),
    Case(f"searxng:{BASE}", "SearXNG", at_searxng(BASE), searxng(FOUND), "SEARXNG_URL"),
    Case("wikipedia", "Wikipedia", at_wikipedia(), wikipedia(FOUND)),
]
KEYED = CASES[:2]
each = pytest.mark.parametrize("case", CASES, ids=lambda case: case.label)
each_keyed = pytest.mark.parametrize("case", KEYED, ids=lambda case: case.label)

ECHO = {"error": {"code": "SUBSCRIPTION_TOKEN_INVALID", "detail": KEY}, "detail": {"error": KEY}}
BROKEN = [
    (json_reply(ECHO, 202), "blocked"),
    (json_reply(ECHO, 429), "rate_limited"),
    (json_reply(ECHO, 500), "http_status"),
    (json_reply(ECHO, 503), "http_status"),
    (json_reply(ECHO, 400), "http_status"),
    (html_reply(KEY), "blocked"),
    (Reply(b"  <html>" + KEY.encode(), content_type="application/json"), "blocked"),
    (Reply(b'{"key": "' + KEY.encode(), content_type="application/json"), "unreadable"),
    (Reply(KEY.encode() + b"\xff\xfe", content_type="application/json"), "unreadable"),
    (Reply(b"[" * 200_000, content_type="application/json"), "unreadable"),
    (Reply(b'{"a": "' + b"x" * 2_100_000 + b'"}', content_type="application/json"), "unreadable"),
    (Reply(b"", content_type="application/json"), "unreadable"),
    (json_reply([KEY]), "unreadable"),
    (json_reply({}), "unreadable"),
    (json_reply({"web": KEY, "results": KEY, "query": KEY}), "unreadable"),
    (Reply(fault="reset"), "connection"),
    (Reply(fault="garbage"), "connection"),
]


@each
@pytest.mark.parametrize(("reply", "kind"), BROKEN, ids=lambda value: getattr(value, "status", ""))
def test_a_service_that_does_not_answer_is_named_with_the_next_step(
    bench: Bench, case: Case, reply: Reply, kind: str
) -> None:
    """FIELD_CASES S1, X5: the answer may hold the key, so nothing of it is told."""
    bench.web.put(case.at, reply)
    error = bench.failure(case.name)
    assert error.kind == kind
    assert error.sentence.startswith(case.label)
    assert error.hint
    assert_tells_no_secret(error)


@each_keyed
@pytest.mark.parametrize("status", [401, 403, 422, 432, 433])
def test_a_refused_key_is_told_with_where_to_get_one(bench: Bench, case: Case, status: int) -> None:
    """FIELD_CASES B1, X5."""
    bench.web.put(case.at, json_reply(ECHO, status))
    error = bench.failure(case.name)
    assert error.sentence.startswith(case.label)
    assert error.kind in {"not_configured", "blocked", "rate_limited", "http_status"}
    if status == 401:
        assert error.kind == "not_configured"
        assert case.hint in error.hint
    assert_tells_no_secret(error)


@each_keyed
def test_an_invalid_key_is_not_configured(bench: Bench, case: Case) -> None:
    """FIELD_CASES B1: as the real services answer one."""
    bench.environment = dict.fromkeys(bench.environment, "another-key")
    bench.web.put(case.at, case.working)
    error = bench.failure(case.name)
    assert error.kind == "not_configured"
    assert error.sentence.startswith(f"{case.label} does not accept the key")
    assert case.hint in error.hint
    assert "https://" in error.hint
    assert_tells_no_secret(error, "another-key")


@each_keyed
@pytest.mark.parametrize("value", [None, "", "  \n"])
def test_without_a_key_nothing_is_sent(bench: Bench, case: Case, value: str | None) -> None:
    bench.environment = {} if value is None else dict.fromkeys(bench.environment, value)
    bench.web.put(case.at, case.working)
    error = bench.failure(case.name)
    assert error.kind == "not_configured"
    assert error.sentence == f"{case.label} needs a key, and {case.hint} is not set."
    assert f"Set {case.hint} to a key from https://" in error.hint
    assert bench.web.log == []


@each_keyed
@pytest.mark.parametrize("value", ["sk two words", "sk\r\nX-Evil: 1", "schlüssel-secret", "a\x00b"])
def test_a_key_that_cannot_be_one_is_neither_sent_nor_told(
    bench: Bench, case: Case, value: str
) -> None:
    bench.environment = dict.fromkeys(bench.environment, value)
    bench.web.put(case.at, case.working)
    error = bench.failure(case.name)
    assert error.kind == "not_configured"
    assert_tells_no_secret(error, value)
    assert bench.web.log == []


@each_keyed
def test_the_key_is_in_its_header_and_nowhere_else(bench: Bench, case: Case) -> None:
    bench.web.put(case.at, case.working)
    bench.search(case.name, "gates")
    (request,) = bench.web.log
    assert KEY not in request.url
    assert KEY.encode() not in request.body
    assert [name for name, value in request.headers.items() if KEY in value] == [
        {"brave": "x-subscription-token", "tavily": "authorization"}[case.name]
    ]


@each_keyed
def test_a_key_set_later_is_used(bench: Bench, case: Case) -> None:
    keys, bench.environment = bench.environment, {}
    bench.web.put(case.at, case.working)
    assert bench.failure(case.name).kind == "not_configured"
    bench.environment.update({name: f" {key}\n" for name, key in keys.items()})
    assert len(bench.search(case.name, "gates")) == 2


@each
def test_results_are_cleaned_and_in_order(bench: Bench, case: Case) -> None:
    bench.web.put(case.at, case.working)
    results = bench.search(case.name, "gates")
    assert [one.title for one in results] == ["The gates & the sea", "Second"]
    assert [one.snippet for one in results] == ["Gates cost a < b euros", "Another text"]
    if case.name != "wikipedia":
        assert [one.url for one in results] == [url for url, _, _ in FOUND]


@each
@pytest.mark.parametrize("limit", [0, 1, 1000])
def test_the_limit_holds(bench: Bench, case: Case, limit: int) -> None:
    bench.web.put(case.at, case.working)
    assert len(bench.search(case.name, "gates", limit)) == min(limit, 2)


@each
def test_nothing_found_is_no_error(bench: Bench, case: Case) -> None:
    nothing = {
        "brave": brave([], KEY),
        "tavily": tavily([], KEY),
        "wikipedia": wikipedia([]),
    }.get(case.name, searxng([]))
    bench.web.put(case.at, nothing)
    assert bench.search(case.name, "gates") == []


@each
@pytest.mark.parametrize(
    "query",
    [
        "q" * 500,
        "many words " * 60,
        '"exact phrase" (a OR b) [c] {d} -e site:a.example',
        "ü€😀" * 200,
        "half \ud83d of a pair",
        'unbalanced " quote ( bracket [ \\ & # % + =',
    ],
)
def test_any_query_is_sent_as_the_service_takes_it(bench: Bench, case: Case, query: str) -> None:
    """FIELD_CASES S2: the copies refuse what is too long, as the services do."""
    bench.web.put(case.at, case.working)
    assert len(bench.search(case.name, query)) == 2


@each
def test_a_query_without_words_is_not_sent(bench: Bench, case: Case) -> None:
    error = bench.failure(case.name, " \n\x00 ")
    assert error.kind == "refused"
    assert error.sentence.startswith(case.label)
    assert bench.web.log == []


@each
def test_without_a_network_the_offline_sources_are_named(bench: Bench, case: Case) -> None:
    """FIELD_CASES B1: no name is found, as without a network."""
    error = bench.failure(case.name)
    assert error.kind == "dns"
    assert error.sentence.startswith(f"{case.label} could not be asked: no address was found")
    assert "-s pydoc" in error.hint
    assert "-s folder:" in error.hint
    assert_tells_no_secret(error)


@each
def test_a_redirect_is_not_followed(bench: Bench, case: Case) -> None:
    """A key must not travel on, and a private host must not lead into its network."""
    location = {"Location": "http://elsewhere.example/"}
    bench.web.put(case.at, Reply(status=302, headers=location))
    bench.web.put("http://elsewhere.example/", json_reply({}))
    error = bench.failure(case.name)
    assert error.kind in {"http_status", "not_found"}
    assert error.sentence.startswith(case.label)
    assert len(bench.web.log) == 1


@each
@pytest.mark.parametrize("asks", ["3", "10"])
def test_a_short_wait_is_waited_once(bench: Bench, case: Case, asks: str) -> None:
    """FIELD_CASES S3."""
    too_soon = json_reply({}, 429, retry_after=asks)
    bench.web.put(case.at, in_turn(too_soon, case.working))
    assert len(bench.search(case.name, "gates")) == 2
    assert float(asks) in bench.clock.waits

    bench.web.put(case.at, in_turn(too_soon, too_soon, case.working))
    error = bench.failure(case.name)
    assert error.kind == "rate_limited"
    assert f"wait {asks} s" in error.sentence


@each
@pytest.mark.parametrize("asks", ["11", "3600", "", "soon"])
def test_a_long_wait_is_told_and_not_waited(bench: Bench, case: Case, asks: str) -> None:
    bench.web.put(case.at, json_reply({}, 429, retry_after=asks))
    error = bench.failure(case.name)
    assert error.kind == "rate_limited"
    assert len(bench.web.log) == 1
    assert bench.clock.waits == []
