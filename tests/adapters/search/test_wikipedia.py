import pytest

from lazyboy_jupyter.errors import UsageError
from tests.adapters.search.conftest import Bench
from tests.loopback.replies import Reply
from tests.loopback.search import at_wikipedia, json_reply, parameters, wikipedia

ARTICLES = [
    ("", "C++ <b>", "The gates of the language"),
    ("", "AC/DC (Band): 100% Müll?", "x"),
]


def test_the_request(bench: Bench) -> None:
    bench.web.put(at_wikipedia("de"), wikipedia(ARTICLES))
    bench.search("wikipedia:de", '  die "Tore"', 10)
    (request,) = bench.web.log
    assert request.secure
    assert request.host == "de.wikipedia.org"
    assert request.path == "/w/api.php"
    assert parameters(request) == {
        "action": "query",
        "list": "search",
        "srsearch": 'die "Tore"',
        "srlimit": "10",
        "srnamespace": "0",
        "srprop": "snippet",
        "format": "json",
        "formatversion": "2",
    }


def test_articles_have_their_addresses_titles_and_text(bench: Bench) -> None:
    bench.web.put(at_wikipedia(), wikipedia(ARTICLES))
    first, second = bench.search("wikipedia", "gates")
    assert first.url == "https://en.wikipedia.org/wiki/C%2B%2B_%3Cb%3E"
    assert first.title == "C++ <b>"
    assert first.snippet == "The gates of the language"
    assert second.url == "https://en.wikipedia.org/wiki/AC/DC_(Band):_100%25_M%C3%BCll%3F"
    assert second.title == "AC/DC (Band): 100% Müll?"


@pytest.mark.parametrize(
    "language", ["", "x", "evil.example/", "de.evil", "../x", "en@evil", "e n", "d" * 40, "de:x"]
)
def test_what_is_no_language_is_refused_before_anything_is_asked(
    bench: Bench, language: str
) -> None:
    with pytest.raises(UsageError, match="language"):
        bench.search(f"wikipedia:{language}", "gates")
    assert bench.web.log == []


@pytest.mark.parametrize("language", ["zh-min-nan", "simple", " DE "])
def test_languages_are_written_as_in_the_address(bench: Bench, language: str) -> None:
    bench.web.put(at_wikipedia(language.strip().lower()), wikipedia(ARTICLES))
    assert len(bench.search(f"wikipedia:{language}", "gates")) == 2


@pytest.mark.parametrize("status", [301, 404])
def test_a_language_that_there_is_not_is_told(bench: Bench, status: int) -> None:
    bench.web.put(at_wikipedia("xx"), Reply(status=status, headers={"Location": "https://x/"}))
    error = bench.failure("wikipedia:xx")
    assert error.kind == "not_found"
    assert "'xx'" in error.sentence


@pytest.mark.parametrize(
    ("error", "kind", "told"),
    [
        ({"code": "ratelimited", "info": "x"}, "rate_limited", "ratelimited"),
        ({"code": "cirrussearch-backend-error"}, "http_status", "cirrussearch-backend-error"),
        ({"code": "<b>odd</b>"}, "http_status", "unknown"),
        ({}, "http_status", "unknown"),
        ("odd", "http_status", "unknown"),
    ],
)
def test_an_error_in_a_good_answer_is_an_error(
    bench: Bench, error: object, kind: str, told: str
) -> None:
    bench.web.put(at_wikipedia(), json_reply({"error": error}))
    failure = bench.failure("wikipedia")
    assert failure.kind == kind
    assert failure.sentence.startswith("Wikipedia ")
    assert f"({told})" in failure.sentence


def test_articles_without_a_title_are_left_out(bench: Bench) -> None:
    found = [{"title": None}, "x", {"snippet": "s"}, {"title": "Kept", "snippet": 7}]
    bench.web.put(at_wikipedia(), json_reply({"query": {"search": found}}))
    (one,) = bench.search("wikipedia", "gates")
    assert (one.title, one.snippet) == ("Kept", "")
