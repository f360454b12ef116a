"""Displays that are in no hurry take turns, and one in its turn draws once, what is newest then."""

import asyncio

import pytest

from lazyboy_jupyter.widgets.pace import TURN, Pace, Turns


def test_turns_come_one_after_another_and_at_once_where_nobody_waits() -> None:
    async def taken() -> tuple[float, list[float]]:
        turns, now = Turns(), asyncio.get_running_loop().time()
        return now, [turns.take() for _ in range(4)]

    now, (first, *others) = asyncio.run(taken())
    assert first == pytest.approx(now, abs=1.0)
    assert others == pytest.approx([first + TURN, first + 2 * TURN, first + 3 * TURN])


def test_what_waits_for_its_turn_is_drawn_when_the_engine_ends() -> None:
    drawn: list[str] = []

    async def end() -> None:
        pace = Pace(lambda: drawn.append("drawn"))
        pace.at(asyncio.get_running_loop().time() + 3_600)
        assert drawn == []
        pace.finish()
        pace.finish()

    asyncio.run(end())
    assert drawn == ["drawn"]
