"""Owns what a question must be before anything is begun for it."""

from ..core.sanitise import storable
from ..errors import UsageError


def checked_question(question: str, longest: int, example: str, instead: str) -> str:
    """Return the question as it is stored. Raises `UsageError` for an empty one, with an example,
    and for one over `longest` characters, with what to do instead."""
    asked = storable(question).strip()
    if not asked:
        raise UsageError("There is no question.", f"Write one, for example: {example}")
    if len(asked) > longest:
        raise UsageError(f"The question has {len(asked):,} characters, over {longest:,}.", instead)
    return asked
