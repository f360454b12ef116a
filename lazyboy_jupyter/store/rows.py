"""Owns batches: rows of several tables that are committed together or not at all."""

from collections import defaultdict
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from .schema import Table

Row = Mapping[str, Any]
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def at(us: int) -> datetime:
    """Return microseconds UTC as the store's time stamp."""
    return _EPOCH + timedelta(microseconds=us)


class Batch:
    """Rows to append in one transaction. A column that a row does not name is null."""

    def __init__(self) -> None:
        self.rows: dict[Table, list[Row]] = defaultdict(list)

    def add(self, table: Table, **row: Any) -> "Batch":
        """Add one row. Raises KeyError for a column that the table does not have."""
        unknown = row.keys() - table.columns.keys()
        if unknown:
            raise KeyError(f"{table.name} has no column {', '.join(sorted(unknown))}")
        self.rows[table].append(row)
        return self

    def update(self, other: "Batch") -> "Batch":
        """Add the rows of another batch."""
        for table, rows in other.rows.items():
            self.rows[table].extend(rows)
        return self

    def __len__(self) -> int:
        return sum(map(len, self.rows.values()))


def columns_of(table: Table, rows: list[Row]) -> list[list[Any]]:
    """Return the rows as one list a column, in the table's order."""
    return [[row.get(name) for row in rows] for name in table.columns]
