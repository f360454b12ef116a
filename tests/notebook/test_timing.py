"""`%timing` and `%%timing` in a real kernel: plots, SQL, mistakes, interrupts, completion."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.notebook.kernel import Kernel, kernel

QUESTION = "How does the with statement work?"


@pytest.fixture(scope="module")
def notebook(tmp_path_factory: pytest.TempPathFactory, index_cache: Path) -> Iterator[Kernel]:
    with kernel(tmp_path_factory.mktemp("timing"), index_cache) as one:
        assert one.run("%timing").text.startswith("Nothing was timed yet.")
        assert one.run("%timing waterfall").text.startswith("Nothing was timed yet.")
        assert one.run(f"t = %research -w --name first --pages 2 {QUESTION}").status == "ok"
        yield one


def shown(notebook: Kernel, cell: str) -> dict[str, str]:
    ran = notebook.run(cell)
    assert (ran.status, ran.errors) == ("ok", "")
    assert ran.value is not None
    return {kind: str(text) for kind, text in ran.value.items()}


def test_alone_it_shows_the_stages_and_the_newest_waterfall(notebook: Kernel) -> None:
    twins = shown(notebook, "%timing")
    assert set(twins) == {"text/plain", "text/markdown", "text/html"}
    text = twins["text/plain"]
    assert "Time by stage: p50, p95, p99" in text
    assert "FROM stage_percentiles" in text
    assert f"({QUESTION}), from its start" in text
    assert "model responds, request 1" in text
    assert "source, request 1, call 1" in text
    assert re.search(r"Together: queue .* in \d+, model .* in \d+, tools .*, sources ", text)
    assert "<script" not in twins["text/html"]
    assert "```sql\nSELECT stage" in twins["text/markdown"]


@pytest.mark.parametrize(
    "view",
    [
        "waterfall", "waterfall first", "stages", "tasks", "rounds", "sources", "publications",
        "citations", "events", "timing", "first_delivery", "slow_sources", "stage_percentiles",
        "side_questions", "conversations",
    ],
)  # fmt: skip
def test_each_view_has_a_plot_whose_sql_runs(notebook: Kernel, view: str) -> None:
    text = shown(notebook, f"%timing {view}")["text/plain"]
    sql = text[text.index("\nSELECT") :]
    again = notebook.run(f"%%timing{sql}")
    assert (again.status, again.errors) == ("ok", "")
    assert shown(notebook, f"%timing --all {view}")["text/plain"].startswith(text.split("\n")[0])


def test_sql_gives_a_relation(notebook: Kernel) -> None:
    twins = shown(notebook, "%%timing -o rows --limit 3\nFROM events ORDER BY seq; -- all of them")
    count = notebook.run("len(rows.fetchall())").value or {}
    assert f"… {int(count['text/plain']) - 3:,} more" in twins["text/plain"]
    assert "TaskQueued" in twins["text/html"]
    line = notebook.run("r = %timing SELECT count(*) AS n FROM tasks\nr.fetchall(), r.columns")
    assert (line.value or {})["text/plain"] == "([(1,)], ('n',))"
    notebook.run("name = 'first'")
    named = shown(notebook, "%%timing\nSELECT status FROM tasks WHERE name = '{name}'")
    assert named["text/plain"].splitlines()[1].strip() == "completed"
    assert shown(notebook, "%%timing\nSELECT 1 AS x WHERE false")["text/plain"] == (
        "No rows. Columns: x."
    )
    assert "\n" in shown(notebook, "%%timing\nEXPLAIN FROM timing")["text/plain"]
    assert "elapsed_ms" in shown(notebook, "%%timing\nDESCRIBE timing")["text/plain"]


HOSTILE = "<img src=x onerror=alert(1)> `*` | \u202e"


def test_what_pages_wrote_stays_text(notebook: Kernel) -> None:
    notebook.run(f"hostile = {HOSTILE!r}")
    twins = shown(notebook, "%%timing\nSELECT '{hostile}' AS \"<b>x</b>\"")
    assert "<img" not in twins["text/html"] + twins["text/markdown"]
    assert "<b>" not in twins["text/html"] + twins["text/markdown"]
    assert "\u202e" not in "".join(twins.values())


@pytest.mark.parametrize(
    ("cell", "line"),
    [
        ("%timing waterfal", "There is no view 'waterfal'. Did you mean %timing waterfall?"),
        ("%timing waterfall 12345678", "There is no task '12345678' here."),
        ("%timing --lim 3 tasks", "There is no option --lim. Did you mean --limit?"),
        ("%timing --limit 0 tasks", "--limit 0 is outside 1 to 1,000."),
        ("%%timing -o 1x\nSELECT 1", "'1x' is no name of a variable."),
        ("%%timing\n-- nothing", "There is no SQL."),
        (
            "%%timing\nSELECT *\nFROM timings",
            'Did you mean "timing"? (line 2, at timings) Views are events, tasks,',
        ),
        ("%%timing\nSELECT elapsed FROM timing", 'Candidate bindings: "elapsed_ms"'),
        ("%%timing\nSELECT\n1 1", 'syntax error at or near "1" (line 2, at 1).'),
        ("%%timing\nSELECT 1; SELECT 2", "There are 2 statements."),
        ("%%timing\nDELETE FROM data.timing", "DELETE does not only read."),
        ("%%timing\nATTACH 'x.duckdb'", "ATTACH does not only read."),
        ("%%timing\nSET threads = 1", "SET does not only read."),
        ("%%timing\nEXPLAIN ANALYZE COPY tasks TO 'x.csv'", "COPY does not only read."),
        (
            "%%timing\nWITH x AS (COPY tasks TO 'x.csv') FROM x",
            "COPY does not only read.",
        ),
        (
            "%%timing\nWITH x AS (INSERT INTO data.timing (stage) VALUES ('x') RETURNING *) FROM x",
            "INSERT does not only read.",
        ),
        ("r = %timing SELECT 1\nr.df()", "pandas is not installed. %pip install pandas"),
        ("r = %timing SELECT 1\nr.pl()", "polars and pyarrow are not installed."),
    ],
)
def test_a_mistake_is_one_line(notebook: Kernel, tmp_path: Path, cell: str, line: str) -> None:
    ran = notebook.run(cell)
    assert ran.status == "error"
    assert line in ran.errors
    assert ran.errors.strip().count("\n") == 0
    assert "Traceback" not in ran.errors
    kept = notebook.run("%timing SELECT count(*) AS n FROM timing WHERE stage = 'x'").value or {}
    assert kept["text/plain"].split() == ["n", "0"]


ENDLESS = "SELECT max(hash(a.i + b.i)) AS m FROM range(9000000) a(i), range(9000000) b(i)"


@pytest.mark.parametrize(
    "cell",
    [
        f"print('begun')\nget_ipython().run_cell_magic('timing', '', {ENDLESS!r})",
        f"print('begun')\nr.__class__(get_engine().query({ENDLESS!r}), r._head).fetchall()",
    ],
    ids=["shown", "read"],
)
def test_an_interrupt_ends_the_query_and_nothing_else(notebook: Kernel, cell: str) -> None:
    notebook.run("r = %timing SELECT 1 AS x\nfrom lazyboy_jupyter import get_engine")
    notebook.run(f"other = %research --pages 2 {QUESTION}")
    message = notebook.begin(cell)
    notebook.manager.interrupt_kernel()
    reply = notebook.client.get_shell_msg(timeout=60)
    assert reply["parent_header"]["msg_id"] == message
    assert reply["content"]["status"] == "error"
    assert reply["content"]["evalue"].startswith("Interrupted: the query is ended")
    assert notebook.run("other.wait(60).status").value == {"text/plain": "'completed'"}
    assert notebook.run("r.fetchall()").value == {"text/plain": "[(1,)]"}
    assert "stage" in shown(notebook, "%timing stages")["text/plain"]


def completed(notebook: Kernel, code: str, cursor: int | None = None) -> tuple[list[str], str]:
    cursor = len(code) if cursor is None else cursor
    content = notebook.client.complete(code, cursor, reply=True, timeout=60)["content"]
    replaced = code[content["cursor_start"] : content["cursor_end"]]
    return list(content["matches"]), replaced


def test_tab_inside_a_cell_of_sql(notebook: Kernel) -> None:
    assert completed(notebook, "%%timing\nSELECT * FROM ti") == (["timing"], "ti")
    names, _ = completed(notebook, "%%timing\nSELECT * FROM ")
    assert {"tasks", "timing", "slow_sources"} <= set(names)
    body = "%%timing --all\nSELECT el\nFROM timing"
    assert completed(notebook, body, body.index("el\n") + 2)[0][0] == "elapsed_ms"
    body = "%%timing\nSELECT t.p\nFROM slow_sources t"
    assert completed(notebook, body, body.index("t.p") + 3) == (["t.p50_ms", "t.p95_ms"], "t.p")
    assert "GROUP BY" in completed(notebook, "%%timing\nSELECT 1 FROM timing gr")[0]
    assert "print" in completed(notebook, "x = 1\npri")[0]


def test_tab_on_the_line(notebook: Kernel) -> None:
    assert {"waterfall", "stages", "side_questions"} <= set(completed(notebook, "%timing ")[0])
    assert "--all" in completed(notebook, "%timing --a")[0]
    assert "--all" in completed(notebook, "%lazyboy list --")[0]
    offered, _ = completed(notebook, "%timing waterfall ")
    assert notebook.run(f"t.id[-8:] in {offered}").value == {"text/plain": "True"}


def test_loading_again_completes_once(notebook: Kernel) -> None:
    notebook.run("%reload_ext lazyboy_jupyter")
    assert completed(notebook, "%%timing\nSELECT * FROM ti")[0] == ["timing"]
    count = "len([m for m in get_ipython().Completer.custom_matchers if 'timing' in m.__name__])"
    assert notebook.run(count).value == {"text/plain": "1"}
