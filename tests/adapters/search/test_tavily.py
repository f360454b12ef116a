import json

import pytest

from tests.adapters.search.conftest import FOUND, KEY, Bench
from tests.loopback.search import AT_TAVILY, tavily, tavily_error


def test_the_request(bench: Bench) -> None:
    bench.web.put(AT_TAVILY, tavily(FOUND, KEY))
    bench.search("tavily", '  the "gates" ü', 10)
    (request,) = bench.web.log
    assert request.method == "POST"
    assert request.secure
    assert request.target == "/search"
    assert json.loads(request.body) == {
        "query": 'the "gates" ü',
        "max_results": 10,
        "search_depth": "basic",
    }
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.headers["content-type"] == "application/json"


def test_more_than_the_service_gives_at_once_is_not_asked_for(bench: Bench) -> None:
    bench.web.put(AT_TAVILY, tavily(FOUND, KEY))
    bench.search("tavily", "gates", 500)
    assert json.loads(bench.web.log[0].body)["max_results"] == 20


@pytest.mark.parametrize("status", [402, 432, 433])
def test_a_used_up_plan_says_where_to_look(bench: Bench, status: int) -> None:
    bench.web.put(AT_TAVILY, tavily_error(status, "This request exceeds your plan's limit."))
    error = bench.failure("tavily")
    assert error.kind == "rate_limited"
    assert error.sentence == f"Tavily has no searches left for this key ({status})."
    assert "https://app.tavily.com" in error.hint
