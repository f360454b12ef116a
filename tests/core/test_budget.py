import math
from typing import Any

import pytest

from lazyboy_jupyter.core.budget import RANGES, Budget
from lazyboy_jupyter.errors import BudgetError


def test_the_defaults_are_the_documented_ones() -> None:
    budget = Budget()
    assert (budget.time, budget.searches, budget.pages, budget.gaps) == (120, 2, 6, 2)
    assert (budget.gap_time, budget.gap_searches, budget.gap_pages) == (120, 1, 2)
    assert (budget.rounds, budget.synthesis_rounds, budget.source_timeout) == (20, 3, 30)
    assert budget.max_tokens is None


@pytest.mark.parametrize("name", sorted(RANGES))
def test_each_value_has_hard_ends(name: str) -> None:
    low, high = RANGES[name]
    kind = type(getattr(Budget(), name)) if name != "max_tokens" else int
    for value in (low, high):
        Budget(**{name: kind(value)})
    for value in (low - 1, high + 1):
        with pytest.raises(BudgetError, match=f"--{name.replace('_', '-')}"):
            Budget(**{name: kind(value)})


@pytest.mark.parametrize(
    ("name", "value"),
    [("time", math.nan), ("time", math.inf), ("pages", 2.5), ("pages", True), ("searches", "2")],
)
def test_what_is_no_number_is_refused(name: str, value: Any) -> None:
    with pytest.raises(BudgetError):
        Budget(**{name: value})
