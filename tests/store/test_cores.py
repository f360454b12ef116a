"""Rows go in with one thread; whoever asks something has the machine's."""

import duckdb
import pytest

from lazyboy_jupyter.store.cores import QUIET_SECONDS, Cores
from lazyboy_jupyter.store.database import Database

ALL = duckdb.connect().sql("SELECT current_setting('threads')").fetchall()[0][0]


class Time:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def connection() -> duckdb.DuckDBPyConnection:
    return duckdb.connect(config={"threads": "1"})


def threads(connection: duckdb.DuckDBPyConnection) -> int:
    found = connection.execute("SELECT current_setting('threads')").fetchone()
    assert found is not None
    return int(found[0])


def test_a_question_has_all_threads_until_nothing_was_asked_for_a_while(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    time = Time()
    cores = Cores(time)
    cores.for_question(connection)
    assert threads(connection) == ALL
    time.now = QUIET_SECONDS - 1
    cores.for_rows(connection)
    assert threads(connection) == ALL
    time.now = QUIET_SECONDS
    cores.for_rows(connection)
    assert threads(connection) == 1
    cores.for_question(connection)
    assert threads(connection) == ALL


def test_a_question_that_runs_keeps_its_threads_however_long(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    time = Time()
    cores = Cores(time)
    with cores.asking(connection):
        time.now = 10 * QUIET_SECONDS
        cores.for_rows(connection)
        assert threads(connection) == ALL
    cores.for_rows(connection)
    assert threads(connection) == ALL
    time.now += QUIET_SECONDS
    cores.for_rows(connection)
    assert threads(connection) == 1


def test_rows_alone_change_nothing_that_a_person_has_set(
    connection: duckdb.DuckDBPyConnection,
) -> None:
    connection.execute("SET threads = 3")
    Cores(Time()).for_rows(connection)
    assert threads(connection) == 3


def test_an_open_store_has_one_thread_and_a_persons_relation_all(database: Database) -> None:
    asked = "SELECT current_setting('threads') AS threads"
    assert database.rows(asked) == [{"threads": 1}]
    assert database.relation(asked).fetchall() == [(ALL,)]
