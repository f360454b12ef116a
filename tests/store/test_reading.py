"""A person's SQL: what may run, how it fails, how much of it is shown."""

from pathlib import Path

import pytest

from lazyboy_jupyter.errors import UsageError
from lazyboy_jupyter.store.database import Database
from tests.store.archiving import store_task

READING = [
    "SELECT 1 AS x", "WITH a AS (SELECT 1) FROM a", "FROM timing", "TABLE timing", "VALUES (1)",
    "DESCRIBE timing", "SUMMARIZE timing", "SHOW TABLES", "EXPLAIN SELECT 1",
    "EXPLAIN ANALYZE SELECT 1", "explain (format json) select 1", "SELECT 1;", "SELECT 1 -- ; x",
    "/* c */ SELECT 1 /* ; */ ;", "SELECT '(insert into x' AS s", "SELECT '--' AS s",
    "PIVOT timing ON stage IN ('a') USING count(*)", "EXPLAIN SELECT '--x', 'a;b'",
    "SELECT $$ -- $$ AS s", "SELECT $a$ (copy x $a$ AS s",
    'SELECT 1 AS "copy (insert x)"', "SELECT (SELECT 1) UNION ALL SELECT 2",
]  # fmt: skip
WRITING = [
    "INSERT INTO data.timing (stage) VALUES ('x')", "UPDATE data.timing SET stage = 'x'",
    "DELETE FROM data.timing", "DROP VIEW timing", "CREATE TEMP TABLE x AS SELECT 1",
    "COPY timing TO 'x.csv'", "ATTACH 'x.duckdb'", "SET memory_limit = '9GB'", "PRAGMA threads = 1",
    "CALL checkpoint()", "CHECKPOINT", "VACUUM", "INSTALL json", "LOAD json", "BEGIN", "USE memory",
    "EXPORT DATABASE 'x'", "PREPARE p AS SELECT 1", "EXPLAIN ANALYZE DELETE FROM data.timing",
    "EXPLAIN /* x */ ANALYZE COPY timing TO 'x.csv'", "FROM force_checkpoint()",
    "FROM enable_logging()", 'FROM "truncate_duckdb_logs" ()',
    "WITH x AS (COPY timing TO 'x.csv') FROM x",
    "WITH x AS (/* ; */ DELETE FROM data.timing RETURNING *) FROM x",
    "WITH x AS (INSERT INTO data.timing (stage) VALUES ('x') RETURNING *) FROM x",
    "PIVOT timing ON stage USING count(*)", "SELECT 1; SELECT 2", "", "-- nothing", ";",
]  # fmt: skip


@pytest.mark.parametrize("sql", READING)
def test_what_reads_runs(database: Database, sql: str) -> None:
    database.query(sql).head(5)
    database.query(sql).result("rows")


@pytest.mark.parametrize("sql", WRITING)
def test_what_writes_is_refused(
    database: Database, sql: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    store_task(database, "t1")
    before = sorted(tmp_path.iterdir())
    for ask in (lambda: database.query(sql).head(5), lambda: database.query(sql).result("rows")):
        with pytest.raises(UsageError) as refused:
            ask()
        assert "\n" not in str(refused.value)
        assert refused.value.hint
    assert database.rows("SELECT count(*) AS n FROM timing WHERE stage = 'model_response'") == [
        {"n": 2}
    ]
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    ("count", "limit", "shown", "more"), [(0, 5, 0, 0), (5, 5, 5, 0), (6, 5, 5, 1), (99, 1, 1, 98)]
)
def test_how_many_more_there_are(
    database: Database, count: int, limit: int, shown: int, more: int
) -> None:
    head = database.query(f"SELECT i AS n FROM range({count}) r(i) ORDER BY i DESC").head(limit)
    assert (len(head.rows), head.more, head.columns) == (shown, more, ("n",))
    assert [row[0] for row in head.rows] == list(range(count - 1, count - 1 - shown, -1))


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        ("SELECT *\nFROM timings", 'Did you mean "timing"? (line 2, at timings) Views are events,'),
        ("SELECT\n\n1 1", 'syntax error at or near "1" (line 3, at 1).'),
        ("/* a\nb */ SELECT 1,\n1 1", 'syntax error at or near "1" (line 3, at 1).'),
        ("SELECT /* a\nb */ 1,\nelapsed FROM timing", "(line 3, at elapsed)"),
        ("SELECT elapsed FROM timing", 'Candidate bindings: "elapsed_ms"'),
        ("SELECT quantile_con(1)", 'Did you mean "quantile_cont"? (line 1, at quantile_con(1))'),
        ("SELECT 'x'::INTEGER", "Could not convert string 'x' to INT32 (line 1, at ::INTEGER)."),
        ("FROM read_csv('/no/such')", 'No files found that match the pattern "/no/such"'),
        ("SELECT error('a\n\nLINE 1: b')", "a"),
    ],
)
def test_a_mistake_is_one_sentence_with_its_place(database: Database, sql: str, said: str) -> None:
    with pytest.raises(UsageError) as wrong:
        database.query(sql).head(5)
    assert said in str(wrong.value)
    assert "\n" not in str(wrong.value)
    assert wrong.value.hint


def test_a_query_sees_what_is_there_when_it_is_read(database: Database) -> None:
    query = database.query("SELECT count(*) FROM tasks")
    assert query.head(1).rows == ((0,),)
    store_task(database, "t1")
    assert query.result("rows") == [(1,)]
