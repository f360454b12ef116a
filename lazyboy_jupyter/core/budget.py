"""Owns the limits of one research task (DESIGN §4 "Budget"); it must never count anything."""

from dataclasses import dataclass, fields

from ..errors import BudgetError

MICROSECONDS = 1_000_000


@dataclass(frozen=True, slots=True)
class Budget:
    """What one research task may spend. Times are seconds, the rest are counts.

    Raises `BudgetError`, naming the field and its range, for a value outside the hard ceilings.
    """

    time: float = 120.0
    searches: int = 2
    pages: int = 6
    gaps: int = 2
    max_tokens: int | None = None
    gap_time: float = 120.0
    gap_searches: int = 1
    gap_pages: int = 2
    rounds: int = 20
    synthesis_rounds: int = 3
    source_timeout: float = 30.0

    def __post_init__(self) -> None:
        for field in fields(self):
            _check(field.name, getattr(self, field.name))


# Lowest and highest value a user may ask for. The ceilings keep any one task from running away,
# whatever a caller or a configuration file says.
RANGES: dict[str, tuple[float, float]] = {
    "time": (1, 600),
    "searches": (0, 10),
    "pages": (0, 40),
    "gaps": (0, 2),
    "max_tokens": (1, 10_000_000),
    "gap_time": (1, 600),
    "gap_searches": (0, 10),
    "gap_pages": (0, 40),
    "rounds": (1, 20),
    "synthesis_rounds": (1, 3),
    "source_timeout": (1, 30),
}
_OPTIONAL = frozenset({"max_tokens"})
_FRACTIONAL = frozenset({"time", "gap_time", "source_timeout"})


def _check(name: str, value: object) -> None:
    if value is None and name in _OPTIONAL:
        return
    low, high = RANGES[name]
    kinds = (int, float) if name in _FRACTIONAL else (int,)
    option = "--" + name.replace("_", "-")
    if isinstance(value, bool) or not isinstance(value, kinds):
        whole = "a number" if name in _FRACTIONAL else "a whole number"
        raise BudgetError(f"{option} takes {whole}, not {value!r}.", f"Try {option} {low:g}.")
    if not low <= value <= high:  # also false for nan
        raise BudgetError(
            f"{option} {value:g} is outside {low:g} to {high:g}.", f"Choose {option} in that range."
        )


STANDARD = Budget(time=600.0, searches=10, pages=40, gaps=0)
"""The ceilings of a standard task."""
TURN = Budget(time=600.0, searches=0, pages=0, gaps=0)
"""Those of a turn of the conversation: the coordinator reads nothing itself."""
