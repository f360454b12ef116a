"""Several sources of one task: each fails for itself, and none hides another."""

import asyncio
from typing import Any

import pytest

from lazyboy_jupyter.engine.services import Found, Sources
from lazyboy_jupyter.errors import SourceError
from tests.fakes import FakeWeb, ManualClock

BROKEN = SourceError("dns", "No such host.", "Check the name.")


def search(*webs: Any, seconds: float = 0) -> Found:
    async def scenario() -> Found:
        clock = ManualClock()
        task = asyncio.ensure_future(Sources(webs, webs).search("q", clock, 30))
        for _ in range(20):
            await asyncio.sleep(0)
        clock.advance(seconds)
        return await task

    return asyncio.run(scenario())


def urls(found: Found) -> list[str]:
    return [result.url for result in found.results]


def test_results_come_in_turn_and_one_page_once() -> None:
    one = FakeWeb(found={"q": ["https://a/1", "https://a/2"]})
    two = FakeWeb(found={"q": ["https://A/1#x", "https://b/1"]})
    assert urls(search(one, two)) == ["https://a/1", "https://a/2", "https://b/1"]


def test_a_source_that_fails_is_said_beside_the_others_results() -> None:
    found = search(FakeWeb(errors={"q": BROKEN}), FakeWeb(found={"q": ["https://b/1"]}))
    assert urls(found) == ["https://b/1"]
    assert found.problems == ("No such host. Check the name.",)


def test_a_source_that_hangs_costs_only_its_own_results() -> None:
    hanging = FakeWeb(hanging={"q"}, name="slow")
    found = search(hanging, FakeWeb(found={"q": ["https://b/1"]}), seconds=30)
    assert urls(found) == ["https://b/1"]
    assert found.problems == ("slow did not answer within 30 s.",)


def test_a_failure_is_not_hidden_by_another_that_finds_nothing() -> None:
    with pytest.raises(SourceError, match="No such host"):
        search(FakeWeb(found={"q": []}), FakeWeb(errors={"q": BROKEN}))


def test_an_adapters_own_mistake_is_evidence_and_not_the_tasks_end() -> None:
    class Wrong(FakeWeb):
        async def search(self, query: str, limit: int) -> Any:
            raise OSError("too many open files")

    with pytest.raises(SourceError) as caught:
        search(Wrong(name="wrong"))
    assert caught.value.kind == "unreadable"
    assert caught.value.sentence == "wrong failed: too many open files."


def test_what_an_adapters_mistake_says_may_be_secret() -> None:
    class Leaking(FakeWeb):
        async def search(self, query: str, limit: int) -> Any:
            raise ValueError("bad header: Bearer sk-secret")

    with pytest.raises(SourceError) as caught:
        search(Leaking(name="leaking"))
    assert caught.value.sentence == "leaking failed: ValueError."
