"""Owns the numbered changes of the schema; each runs once, in one transaction with its record.

DDL happens only here, at start-up, before the writer thread begins: an ALTER makes an open insert
fail. Existing columns are never changed: add a nullable one, or copy and swap.
"""

from collections.abc import Callable
from datetime import UTC, datetime

import duckdb

from ..errors import StoreError
from .schema import AGENT, HISTORY_SUMMARY, RETIREMENT, SIDE_TABLES, TABLES, TURN_MESSAGE
from .views import VIEWS


def _001_tables(connection: duckdb.DuckDBPyConnection) -> None:
    """Create the tables of the first version."""
    for table in TABLES:
        connection.execute(table.create)


def _002_citation_output(connection: duckdb.DuckDBPyConnection) -> None:
    """Name the output in which a citation's offset counts; a new store has the column already."""
    connection.execute("ALTER TABLE data.citation ADD COLUMN IF NOT EXISTS output_id VARCHAR")


def _003_side_questions(connection: duckdb.DuckDBPyConnection) -> None:
    """Create the tables of side questions and of the snapshots they are put to."""
    for table in SIDE_TABLES:
        connection.execute(table.create)


def _004_retirement(connection: duckdb.DuckDBPyConnection) -> None:
    """Create the table of what was put away; a new store has it already."""
    connection.execute(RETIREMENT.create)


def _005_conversation(connection: duckdb.DuckDBPyConnection) -> None:
    """Create the tables of agents and of the conversation's history; a new store has them."""
    for table in (AGENT, TURN_MESSAGE, HISTORY_SUMMARY):
        connection.execute(table.create)


MIGRATIONS: tuple[Callable[[duckdb.DuckDBPyConnection], None], ...] = (
    _001_tables,
    _002_citation_output,
    _003_side_questions,
    _004_retirement,
    _005_conversation,
)


def migrate(connection: duckdb.DuckDBPyConnection) -> None:
    """Bring the schema to the newest version and make the views anew.

    Raises `StoreError` when the file was written by a later version of this package.
    """
    connection.execute("CREATE SCHEMA IF NOT EXISTS data")
    connection.execute(
        "CREATE TABLE IF NOT EXISTS data.migration (number INTEGER, applied_at TIMESTAMPTZ)"
    )
    row = connection.execute("SELECT coalesce(max(number), 0) FROM data.migration").fetchone()
    done = row[0] if row else 0
    if done > len(MIGRATIONS):
        raise StoreError(
            f"The store has schema version {done}, and this version knows {len(MIGRATIONS)}.",
            "Upgrade lazyboy-jupyter, or choose another store with LAZYBOY_STORE.",
        )
    for number, migration in enumerate(MIGRATIONS[done:], done + 1):
        connection.begin()
        migration(connection)
        connection.execute("INSERT INTO data.migration VALUES (?, ?)", [number, datetime.now(UTC)])
        connection.commit()
    for name, query in VIEWS.items():
        connection.execute(f'CREATE OR REPLACE VIEW "{name}" AS {query}')
