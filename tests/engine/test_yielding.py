"""While tasks run, the interpreter switches threads sooner and collects garbage more rarely; when
none does, it is as before."""

import gc
import sys
from collections.abc import Iterator

import pytest

from lazyboy_jupyter.engine.yielding import OBJECTS, SECONDS, Yielding


@pytest.fixture(autouse=True)
def interval() -> Iterator[None]:
    before, thresholds = sys.getswitchinterval(), gc.get_threshold()
    sys.setswitchinterval(0.005)
    gc.set_threshold(700, 10, 10)
    yield
    sys.setswitchinterval(before)
    gc.set_threshold(*thresholds)


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


def test_garbage_is_looked_for_more_rarely_while_anyone_is_at_work() -> None:
    yielding = Yielding()
    with yielding.at_work():
        with yielding.at_work():
            assert gc.get_threshold() == (OBJECTS, 10, 10)
        assert gc.get_threshold() == (OBJECTS, 10, 10)
    assert gc.get_threshold() == (700, 10, 10)


@pytest.mark.parametrize("objects", [0, OBJECTS + 1])
def test_a_collector_that_is_off_or_rarer_already_stays(objects: int) -> None:
    gc.set_threshold(objects, 10, 10)
    with Yielding().at_work():
        assert gc.get_threshold() == (objects, 10, 10)
    assert gc.get_threshold() == (objects, 10, 10)


def test_what_a_person_sets_of_the_collector_meanwhile_stays() -> None:
    with Yielding().at_work():
        gc.set_threshold(900, 5, 5)
    assert gc.get_threshold() == (900, 5, 5)
