"""The interpreter switches threads sooner while tasks run, and as before when none does."""

import sys
from collections.abc import Iterator

import pytest

from lazyboy_jupyter.engine.yielding import SECONDS, Yielding


@pytest.fixture(autouse=True)
def interval() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(0.005)
    yield
    sys.setswitchinterval(before)


def now() -> float:
    return round(sys.getswitchinterval(), 6)


def test_it_is_shorter_while_anyone_is_at_work() -> None:
    yielding = Yielding()
    with yielding.at_work():
        with yielding.at_work():
            assert now() == SECONDS
        assert now() == SECONDS
    assert now() == 0.005


def test_one_that_is_shorter_already_stays() -> None:
    sys.setswitchinterval(0.0002)
    with Yielding().at_work():
        assert now() == 0.0002
    assert now() == 0.0002


def test_what_a_person_sets_meanwhile_stays() -> None:
    with Yielding().at_work():
        sys.setswitchinterval(0.01)
    assert now() == 0.01


def test_a_failure_inside_puts_it_back() -> None:
    with pytest.raises(ValueError, match="x"), Yielding().at_work():
        raise ValueError("x")
    assert now() == 0.005
