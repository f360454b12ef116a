import asyncio
from email.utils import formatdate

import pytest

from lazyboy_jupyter.adapters.sources.search.pace import Pace, retry_after
from tests.fakes import START_US, ManualClock


async def settle() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


def test_requests_start_in_order_one_each_second() -> None:
    """FIELD_CASES S3."""

    async def run() -> list[tuple[str, float]]:
        clock, started = ManualClock(), list[tuple[str, float]]()
        pace = Pace(clock, 1.0)

        async def request(name: str) -> None:
            await pace.turn()
            started.append((name, (clock.now_us() - START_US) / 1e6))

        tasks = [asyncio.ensure_future(request(name)) for name in "abc"]
        for _ in range(4):
            await settle()
            clock.advance(0.5)
        await settle()
        await asyncio.gather(*tasks)
        return started

    assert asyncio.run(run()) == [("a", 0.0), ("b", 1.0), ("c", 2.0)]


def test_a_hold_makes_also_those_wait_that_wait_already() -> None:
    async def run() -> bool:
        clock = ManualClock()
        pace = Pace(clock, 1.0)
        await pace.turn()
        second = asyncio.ensure_future(pace.turn())
        await settle()
        pace.hold(5.0)
        clock.advance(1.0)
        await settle()
        early = second.done()
        clock.advance(4.0)
        await second
        return early

    assert asyncio.run(run()) is False


def test_one_that_gives_up_costs_the_others_nothing() -> None:
    async def run() -> float:
        clock = ManualClock()
        pace = Pace(clock, 10.0)
        await pace.turn()
        given_up = asyncio.ensure_future(pace.turn())
        patient = asyncio.ensure_future(pace.turn())
        await settle()
        given_up.cancel()
        await settle()
        clock.advance(10.0)
        await patient
        return (clock.now_us() - START_US) / 1e6

    assert asyncio.run(run()) == 10.0


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("7", 7.0), (" 0 ", 0.0), ("", None), ("soon", None), ("-1", None), ("1.5", None),
        ("9" * 400, None), ("²", None), (formatdate(START_US / 1e6 + 4, usegmt=True), 4.0),
        (formatdate(0, usegmt=True), 0.0), ("Mon, 99 Foo 2026 00:00:00 GMT", None),
    ],
)  # fmt: skip
def test_the_wait_that_an_answer_asks_for(value: str, seconds: float | None) -> None:
    assert retry_after({"retry-after": value}, START_US) == seconds
