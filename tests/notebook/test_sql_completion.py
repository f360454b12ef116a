"""What Tab offers in a cell of SQL: a function of the text around the cursor (| below)."""

import pytest

from lazyboy_jupyter.notebook.sql_completion import sql_completions


def offered(text: str) -> list[str]:
    before, _, after = text.partition("|")
    return sql_completions(before, after)[1]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("SELECT * FROM tim|", ["timing"]),
        ("select * from TIM|", ["timing"]),
        ("SELECT * FROM tasks JOIN slow|", ["slow_sources"]),
        ("SELECT p9| FROM stage_percentiles", ["p95_ms", "p99_ms"]),
        ("SELECT s.p9|\nFROM stage_percentiles AS s", ["s.p95_ms", "s.p99_ms"]),
        ("SELECT slow_sources.ho| FROM slow_sources", ["slow_sources.host"]),
        ("SELECT x.ho| FROM slow_sources s", []),
        ("SELECT off| FROM citations", ['"offset"']),
        ("SELECT c.off| FROM citations c", ['c."offset"']),
        ("SELECT 1 FROM tasks WHERE statu|", ["status"]),
        ("SELECT 1 FROM tasks gr|", ["GROUP BY"]),
        ("SELECT zzz|", []),
    ],
)
def test_what_is_offered(text: str, expected: list[str]) -> None:
    assert offered(text) == expected


def test_without_a_view_every_column_is_offered_once() -> None:
    names = offered("SELECT |")
    assert len(names) == len(set(names))
    assert {"elapsed_ms", "question", "timing"} <= set(names)
    assert "SELECT" not in names  # words come once something is typed


def test_the_fragment_is_what_stands_before_the_cursor() -> None:
    assert sql_completions("SELECT t.el")[0] == "t.el"
    assert sql_completions("SELECT ")[0] == ""
    assert sql_completions("")[0] == ""
