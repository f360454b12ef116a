"""What a drawn order of events expects of each side question, told by no code of the engine."""

import itertools
from dataclasses import dataclass
from typing import Any

from lazyboy_jupyter.store.database import Database
from tests.engine.side_world import Streamed


@dataclass
class Expected:
    """What is known of a question: how it may have ended, and all that was said."""

    request_id: str
    question: str
    client: str
    ordinal: int
    ended: "Any"
    streamed: Streamed | None = None
    statuses: frozenset[str] = frozenset({"running"})

    @property
    def running(self) -> bool:
        return "running" in self.statuses

    @property
    def said(self) -> str:
        return self.streamed.said if self.streamed is not None else ""

    def end(self, *statuses: str) -> None:
        self.statuses = frozenset(statuses)


class SharedIds:
    """Ids that no life and no other example shares."""

    def __init__(self, prefix: str, numbers: "itertools.count[int]") -> None:
        self._prefix = prefix
        self._numbers = numbers

    def new(self) -> str:
        return f"{self._prefix}{next(self._numbers):05d}"


def stored_of(database: Database, prefix: str) -> dict[str, list[dict[str, Any]]]:
    """The view's rows of all parents whose ids begin so, in their order, by the rest of the id."""
    found: dict[str, list[dict[str, Any]]] = {}
    for row in database.rows(
        "SELECT * FROM side_questions WHERE starts_with(parent, ?) ORDER BY parent, ordinal",
        [prefix],
    ):
        found.setdefault(row["parent"].removeprefix(prefix), []).append(row)
    return found
