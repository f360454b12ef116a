import asyncio

import pytest

from lazyboy_jupyter.adapters.sources.search.registry import SearcherFactory
from tests.adapters.search.conftest import FOUND, KEY, Bench, assert_tells_no_secret
from tests.loopback.replies import Reply
from tests.loopback.search import AT_BRAVE, brave, brave_error, in_turn, json_reply, parameters
from tests.loopback.world import Request


def test_the_request(bench: Bench) -> None:
    bench.web.put(AT_BRAVE, brave(FOUND, KEY))
    bench.search("brave", '  the "gates"  (cost)', 10)
    (request,) = bench.web.log
    assert request.method == "GET"
    assert request.secure
    assert request.path == "/res/v1/web/search"
    assert parameters(request) == {
        "q": 'the "gates" (cost)',
        "count": "10",
        "result_filter": "web",
        "text_decorations": "false",
    }
    assert request.headers["accept"] == "application/json"
    assert request.headers["x-subscription-token"] == KEY


def test_more_than_the_service_gives_at_once_is_not_asked_for(bench: Bench) -> None:
    bench.web.put(AT_BRAVE, brave(FOUND, KEY))
    bench.search("brave", "gates", 500)
    assert parameters(bench.web.log[0])["count"] == "20"


def test_either_name_of_the_key_will_do(bench: Bench) -> None:
    bench.environment = {"BRAVE_API_KEY": "", "BRAVE_SEARCH_API_KEY": KEY}
    bench.web.put(AT_BRAVE, brave(FOUND, KEY))
    assert len(bench.search("brave", "gates")) == 2


def test_two_searches_at_once_against_one_a_second_both_succeed(bench: Bench) -> None:
    """FIELD_CASES S3: the copy counts by the same clock, and refuses what comes too soon."""
    times: list[int] = []
    answer = brave(FOUND, KEY)

    def one_a_second(request: Request) -> Reply:
        times.append(bench.clock.now_us())
        if len(times) > 1 and times[-1] - times[-2] < 1_000_000:
            return brave_error(429, "RATE_LIMITED")
        return answer(request)

    bench.web.put(AT_BRAVE, one_a_second)

    async def both(factory: SearcherFactory) -> list[int]:
        brave = factory.open("brave")
        searches = asyncio.gather(*(brave.search(query, 10) for query in ("gates", "sea")))
        await asyncio.to_thread(bench.web.wait_until, lambda world: bool(world.log))
        bench.clock.advance(1.1)
        return [len(found) for found in await searches]

    bench.clock.stands = True
    assert bench.run(both) == [2, 2]
    assert [parameters(request)["q"] for request in bench.web.log] == ["gates", "sea"]
    assert bench.clock.waits == [1.1]


def test_a_used_up_second_is_waited_for_a_used_up_month_is_told(bench: Bench) -> None:
    """Brave sends no Retry-After: it says what is left in each window, and when that ends."""
    second = brave_error(
        429, "RATE_LIMITED", x_ratelimit_remaining="0, 1000", x_ratelimit_reset="2, 1419704"
    )
    bench.web.put(AT_BRAVE, in_turn(second, brave(FOUND, KEY)))
    assert len(bench.search("brave", "gates")) == 2
    assert bench.clock.waits == [2.0]

    month = brave_error(
        429, "QUOTA_LIMITED", x_ratelimit_remaining="1, 0", x_ratelimit_reset="1, 1419704"
    )
    bench.web.put(AT_BRAVE, month)
    error = bench.failure("brave")
    assert error.kind == "rate_limited"
    assert "1419704 s" in error.sentence


@pytest.mark.parametrize(
    ("remaining", "reset"), [("", ""), ("0", ""), ("x, y", "1"), ("9" * 30, "1"), ("0,0", "99,98")]
)
def test_odd_limits_are_no_reason_to_wait(bench: Bench, remaining: str, reset: str) -> None:
    reply = brave_error(429, "X", x_ratelimit_remaining=remaining, x_ratelimit_reset=reset)
    bench.web.put(AT_BRAVE, reply)
    assert bench.failure("brave").kind == "rate_limited"
    assert bench.clock.waits == []


@pytest.mark.parametrize("body", [{"error": KEY}, {"error": {"code": KEY}}, {"error": None}, {}])
def test_a_422_that_is_not_about_the_key_is_about_the_search(bench: Bench, body: object) -> None:
    bench.web.put(AT_BRAVE, json_reply(body, 422))
    error = bench.failure("brave")
    assert error.kind == "http_status"
    assert error.sentence == "Brave Search did not accept the search (422)."
    assert_tells_no_secret(error)
