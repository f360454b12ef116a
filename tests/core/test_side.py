"""A side question's life: what may follow what; an end is an end; its sequence only rises."""

from dataclasses import FrozenInstanceError, replace
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lazyboy_jupyter.core.side import (
    ENDED,
    STATUS_WORDS,
    InvalidStep,
    Rest,
    Seen,
    SideQuestion,
    SideStatus,
)

SEEN = Seen("run", 3, "reply", 5, 2)
NEW = SideQuestion("r", "task", 1, "client", "Cost?", "m", SEEN, 10)
ENDS = sorted(ENDED)


def test_a_life() -> None:
    heard = NEW.running().heard("Ga", 20).heard("tes", 30)
    assert (heard.status, heard.answer, heard.first_text_us) == ("running", "Gates", 20)
    rests = [Rest("S1", "Gates", "https://a.example", 3)]
    ended = heard.end("completed", 40, answer="Gates.", tokens=(7, None), rests_on=rests)
    assert (ended.answer, ended.ended_us) == ("Gates.", 40)
    assert (ended.input_tokens, ended.output_tokens) == (7, None)
    assert ended.rests_on == tuple(rests)
    given_ = ended.promoted(50)
    assert [one.sequence for one in (NEW, heard, ended, given_)] == [1, 4, 5, 6]
    assert replace(given_, promoted_us=None, sequence=5) == ended


@pytest.mark.parametrize("status", ENDS)
@pytest.mark.parametrize("begun", [False, True])
def test_it_may_end_before_and_after_its_request_is_sent(status: SideStatus, begun: bool) -> None:
    side = NEW.running().heard("Ga", 20) if begun else NEW
    ended = side.end(status, 30, problem="Why.")
    assert (ended.status, ended.ended) == (status, True)
    assert ended.answer == ("Ga" if begun else "")
    assert ended.problem == "Why."


@pytest.mark.parametrize("status", ENDS)
def test_nothing_follows_an_end_but_one_promotion(status: SideStatus) -> None:
    ended = NEW.end(status, 30)
    for step in (
        ended.running,
        lambda: ended.heard("x", 40),
        *(lambda other=other: ended.end(other, 40) for other in ENDS),
    ):
        with pytest.raises(InvalidStep):
            step()
    with pytest.raises(InvalidStep):
        ended.promoted(50).promoted(60)


def test_steps_out_of_order_are_refused() -> None:
    for step in (
        lambda: NEW.heard("x", 1),
        lambda: NEW.promoted(1),
        NEW.running().running,
        lambda: NEW.running().promoted(1),
        lambda: NEW.end("running", 1),
        lambda: NEW.end("preparing", 1),
    ):
        with pytest.raises(InvalidStep):
            step()
    with pytest.raises(FrozenInstanceError):
        NEW.answer = "x"  # type: ignore[misc]


_STEPS = st.sampled_from(["running", "heard", "promoted", *ENDS])


@given(st.lists(st.tuples(_STEPS, st.text(max_size=3)), max_size=12))
def test_whatever_is_tried_the_sequence_only_rises_and_an_end_stays(
    steps: list[tuple[str, str]],
) -> None:
    side, said, now = NEW, "", 10
    for name, text in steps:
        now += 1
        before: Any = side
        try:
            match name:
                case "running":
                    side = side.running()
                case "heard":
                    side = side.heard(text, now)
                case "promoted":
                    side = side.promoted(now)
                case _:
                    side = side.end(cast(SideStatus, name), now)
        except InvalidStep:
            assert side is before
            continue
        said += text if name == "heard" else ""
        assert side.sequence == before.sequence + 1
        assert side.answer == said
        if before.ended:
            assert name == "promoted"
            assert side.status == before.status
            assert side.ended_us == before.ended_us


def test_each_status_has_its_words() -> None:
    assert set(STATUS_WORDS) == {"preparing", "running", *ENDED}
