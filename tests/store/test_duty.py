"""An idle writer commits at once; a busy one rests a little, and never long."""

from hypothesis import given
from hypothesis import strategies as st

from lazyboy_jupyter.store.duty import LONGEST, Duty


def working(seconds: float, *, commit: float, pause: float) -> Duty:
    duty, now = Duty(), 100.0
    while now < 100.0 + seconds:
        duty.worked(now, now + commit)
        now += commit + pause
    return duty


def test_a_writer_that_has_done_nothing_does_not_rest() -> None:
    assert Duty().rest(1_000.0) == 0.0


def test_one_task_s_few_commits_are_never_held_up() -> None:
    duty = working(5.0, commit=0.004, pause=0.05)
    assert duty.rest(105.0) == 0.0


def test_a_writer_that_never_stops_rests_longest() -> None:
    duty = working(2.0, commit=0.01, pause=0.0)
    assert duty.rest(102.0) == LONGEST


def test_what_is_a_second_ago_does_not_count() -> None:
    duty = working(2.0, commit=0.01, pause=0.0)
    assert duty.rest(103.5) == 0.0


def test_the_busier_the_longer() -> None:
    rests = [working(2.0, commit=0.004, pause=pause).rest(102.0) for pause in (0.02, 0.006, 0.001)]
    assert rests == sorted(rests)
    assert rests[0] < rests[-1]


@given(st.lists(st.tuples(st.floats(0, 100), st.floats(0, 100)), max_size=50))
def test_no_history_makes_it_rest_longer_than_the_longest(spans: list[tuple[float, float]]) -> None:
    duty, now = Duty(), 0.0
    for pause, spent in spans:
        now += pause
        assert 0.0 <= duty.rest(now) <= LONGEST
        duty.worked(now, now + spent)
        now += spent
    assert 0.0 <= duty.rest(now) <= LONGEST
