"""The magics in a real kernel (field cases D2, D4, D5, D7, D8, B10)."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from lazyboy_jupyter.core.card import PUBLICATION
from lazyboy_jupyter.store.database import open_database
from tests.notebook.kernel import Kernel, kernel

QUESTION = "How does the with statement work?"


@pytest.fixture
def notebook(tmp_path: Path, index_cache: Path) -> Iterator[Kernel]:
    with kernel(tmp_path, index_cache) as one:
        yield one


def test_a_cell_researches_and_the_guide_appears_in_it(notebook: Kernel) -> None:
    asked = notebook.run(f"%%research --name first\n{QUESTION}")
    assert (asked.status, asked.text, asked.errors) == ("ok", "", "")
    assert len(asked.shown) == 1
    assert asked.value is None  # the card is there; a second one would not be
    (parent,) = notebook.parents.values()

    assert notebook.run("1 + 1").value == {"text/plain": "2"}
    notebook.listen_until(lambda: "complete in" in notebook.card())

    assert set(notebook.parents.values()) == {parent}  # the right cell, to the end
    assert "Findings" in notebook.card()
    card = next(iter(notebook.displays.values()))
    assert set(card) == {"text/plain", "text/markdown", "text/html", PUBLICATION}
    assert "quote found" in card["text/html"]
    assert notebook.run("_").value == {"text/plain": "2"}  # and `Out` of the cell is not in its way
    said = notebook.run(
        "from lazyboy_jupyter import get_engine\n"
        "task = get_engine().task('first')\n"
        "print(task.status, len(task.guide.quotes) >= 3)"
    )
    assert said.text == "completed True\n"
    sql = notebook.run("get_engine().sql('SELECT count(*) FROM citations').fetchall()[0][0] >= 3")
    assert sql.value == {"text/plain": "True"}


def test_a_line_gives_a_task_that_waits(notebook: Kernel) -> None:
    ran = notebook.run("task = %research --pages 2 -w What is a descriptor?\ntask.status")
    assert ran.value == {"text/plain": "'completed'"}
    assert "complete in" in notebook.card()
    assert notebook.run("(await task).question").value == {"text/plain": "'What is a descriptor?'"}
    shown = notebook.run("task")
    assert shown.value is None
    assert "What is a descriptor?" in shown.shown[0]["text/plain"]


def test_variables_of_the_notebook_in_the_question(notebook: Kernel) -> None:
    notebook.run("name = 'with'")
    ran = notebook.run("%%research -w --pages 1\nWhat does {name} do, and {this}?\n")
    assert "What does with do, and {this}?" in ran.shown[0]["text/plain"]


@pytest.mark.parametrize(
    ("cell", "line"),
    [
        ("%research", "There is no question. Write one, for example: %research QUESTION."),
        ("%%research\n  \n", "There is no question."),
        ("%research --page 3 Q", "There is no option --page. Did you mean --pages?"),
        ("%research --pages -3 Q", "--pages -3 is outside 0 to 40. Choose --pages in that range."),
        ("%research -s folder:/no/such Q", "There is no folder /no/such. Name one that exists"),
        (
            "%research -s nowhere Q",
            "There is no source 'nowhere'. Sources are auto, ddgs, brave,",
        ),
        ("%research -m gpt Q", "There is no model 'gpt'. Models are extractive, openai:MODEL,"),
        ("%lazyboy shwo x", "There is no %lazyboy shwo. Did you mean %lazyboy show?"),
        (
            "%lazyboy show",
            "%lazyboy show takes ID. Write %lazyboy show ID; %lazyboy list",
        ),
        (
            "%lazyboy show 12345678",
            "There is no task '12345678' here. Give 4 characters of its id or more",
        ),
        ("%lazyboy export x", "%lazyboy export takes ID PATH."),
    ],
)
def test_a_mistake_is_one_line(mistakes: Kernel, cell: str, line: str) -> None:
    ran = mistakes.run(cell)
    assert ran.status == "error"
    assert line in ran.errors
    assert ran.errors.strip().count("\n") == 0
    assert "Traceback" not in ran.errors
    assert mistakes.run("%lazyboy list").text.startswith("Nothing was asked here yet.")


@pytest.fixture(scope="module")
def mistakes(tmp_path_factory: pytest.TempPathFactory, index_cache: Path) -> Iterator[Kernel]:
    with kernel(tmp_path_factory.mktemp("mistakes"), index_cache) as one:
        yield one


def test_debug_shows_the_traceback(mistakes: Kernel) -> None:
    assert "Traceback" in mistakes.run("%research --debug --pages 99 Q").errors


def test_a_store_that_cannot_be_written_is_one_line_and_the_kernel_lives(
    tmp_path: Path, index_cache: Path
) -> None:
    (tmp_path / "way").write_text("x")
    with kernel(tmp_path, index_cache, LAZYBOY_STORE=str(tmp_path / "way" / "s.duckdb")) as one:
        ran = one.run("%research Q")
        assert "cannot be written" in ran.errors
        assert ran.errors.strip().count("\n") == 0
        assert one.run("1").value == {"text/plain": "1"}


def test_d7_loading_again_keeps_one_engine(notebook: Kernel) -> None:
    notebook.run("from lazyboy_jupyter import get_engine; first = get_engine()")
    notebook.run("%load_ext lazyboy_jupyter\n%reload_ext lazyboy_jupyter")
    notebook.run("%load_ext autoreload\n%autoreload 2")
    notebook.run(
        "import importlib, sys\n"
        "for name in [n for n in sys.modules if n.startswith('lazyboy_jupyter.notebook')]:\n"
        "    importlib.reload(sys.modules[name])"
    )
    ran = notebook.run("from lazyboy_jupyter import get_engine\nget_engine() is first")
    assert ran.value == {"text/plain": "True"}
    count = "import threading; sum(t.name == 'lazyboy-engine' for t in threading.enumerate())"
    assert notebook.run(count).value == {"text/plain": "1"}
    assert notebook.run(f"%research -w --pages 1 {QUESTION}").status == "ok"


def test_d8_an_interrupt_stops_nothing_in_the_background(notebook: Kernel) -> None:
    notebook.run(f"task = %research {QUESTION}")
    message = notebook.begin("print('begun')\nwhile True: pass")
    notebook.manager.interrupt_kernel()
    reply = notebook.client.get_shell_msg(timeout=60)
    assert reply["parent_header"]["msg_id"] == message
    assert reply["content"]["status"] == "error"
    ran = notebook.run("task.wait(60).status")
    assert ran.value == {"text/plain": "'completed'"}


def test_d2_after_sigkill_the_next_kernel_shows_what_there_was(
    tmp_path: Path, index_cache: Path
) -> None:
    with kernel(tmp_path, index_cache) as first:
        first.run(f"%research --name done -w --pages 2 {QUESTION}")
        first.run("%research --name open What is a decorator?")
        first.kill()
    with kernel(tmp_path, index_cache) as second:
        ran = second.run("%lazyboy show done")
        assert "complete in" in ran.shown[0]["text/plain"]
        assert "Findings" in ran.shown[0]["text/plain"]
        listed = second.run("%lazyboy list").value or {}
        assert "interrupted" in listed["text/plain"]
        assert "complete" in listed["text/plain"]
        assert second.run("%lazyboy show open").status == "ok"
        assert "interrupted" in second.card()
    database = open_database(tmp_path / ".lazyboy" / "console.duckdb")
    statuses = database.rows("SELECT name, status FROM tasks ORDER BY created_at")
    database.close()
    assert [row["status"] for row in statuses] == ["completed", "interrupted"]


def test_sigkill_says_so_in_one_line_next_time(tmp_path: Path, index_cache: Path) -> None:
    with kernel(tmp_path, index_cache) as first:
        first.run("%research What is a decorator?")
        first.kill()
    with kernel(tmp_path, index_cache) as second:
        ran = second.run("%lazyboy status")
        assert ran.text == (
            "1 task was interrupted when the last kernel ended; %lazyboy list shows them.\n"
        )


def test_d5_two_notebooks_of_one_folder_work_at_the_same_time(
    tmp_path: Path, index_cache: Path
) -> None:
    with (
        kernel(tmp_path, index_cache, JPY_SESSION_NAME="a.ipynb") as one,
        kernel(tmp_path, index_cache, JPY_SESSION_NAME="b.ipynb") as two,
        kernel(tmp_path, index_cache, JPY_SESSION_NAME="b.ipynb") as again,
    ):
        for each in (one, two):
            assert each.run(f"%research --pages 1 -w {QUESTION}").status == "ok"
        ran = again.run("%lazyboy status")
        assert "Another kernel uses this notebook's store, so this one has" in ran.text
    stores = sorted(path.name for path in (tmp_path / ".lazyboy").glob("*.duckdb"))
    assert stores == ["a.duckdb", "b-2.duckdb", "b.duckdb"]


def test_stop_export_and_delete(notebook: Kernel, tmp_path: Path) -> None:
    notebook.run(f"%research --name 'my first' -w --pages 1 {QUESTION}")
    assert "complete in" in notebook.run("%lazyboy show 'my first'").shown[0]["text/plain"]
    notebook.run(f"%research --name t -w --pages 1 {QUESTION}")
    assert "has ended already: completed" in notebook.run("%lazyboy stop t").text
    for suffix in ("md", "html", "txt", "json"):
        assert notebook.run(f"%lazyboy export t my guide.{suffix}").text.startswith("Written to")
        assert QUESTION.split()[-2] in (tmp_path / f"my guide.{suffix}").read_text("utf-8")
    data = json.loads((tmp_path / "my guide.json").read_text("utf-8"))
    assert data["guide"]["question"] == QUESTION
    assert "Choose a path that ends in" in notebook.run("%lazyboy export t guide.pdf").errors
    for path in ("no/such/dir/x.md", "~nobody-there/x.md", "x\0.md"):
        errors = notebook.run(f"%lazyboy export t {path}").errors
        assert "cannot be written" in errors
        assert "Traceback" not in errors
    assert "is deleted" in notebook.run("%lazyboy delete t").text
    assert notebook.run("%lazyboy show t").status == "error"


def test_help_and_completion(notebook: Kernel) -> None:
    assert "%lazyboy export ID PATH" in notebook.run("%lazyboy help").text

    def completed(code: str) -> list[str]:
        reply = notebook.client.complete(code, len(code), reply=True, timeout=60)
        return list(reply["content"]["matches"])

    assert "--pages" in completed("%research --pa")
    assert "extractive" in completed("%research -m ")
    assert {"auto", "pydoc", "folder:", "web"} <= set(completed("%research -s "))
    assert {"list", "show", "stop"} <= set(completed("%lazyboy "))
    notebook.run(f"t = %research -w --pages 1 {QUESTION}")
    offered = completed("%lazyboy show ")
    assert notebook.run(f"t.id[-8:] in {offered}").value == {"text/plain": "True"}


def test_sources_are_chosen_for_a_session(notebook: Kernel) -> None:
    said = notebook.run("%lazyboy search").text
    assert "Questions look in pydoc." in said
    assert "wikipedia" in said
    said = notebook.run("%lazyboy search auto").text
    assert "Questions look in auto, which is ddgs now." in said
    assert "There is no source 'nowhere'" in notebook.run("%lazyboy search nowhere").errors
    said = notebook.run("%lazyboy search pydoc, wikipedia:de").text
    assert "Questions look in pydoc, wikipedia:de." in said
    assert "Questions look in pydoc." in notebook.run("%lazyboy search pydoc").text


def test_unloading_leaves_the_engine_running(
    notebook: Kernel,
) -> None:
    notebook.run(f"%research -w --pages 1 {QUESTION}")
    assert notebook.run("%unload_ext lazyboy_jupyter").status == "ok"
    assert "not found" in notebook.run("%lazyboy list").errors
    assert notebook.run("%load_ext lazyboy_jupyter").status == "ok"
    assert "idle" in str(notebook.run("%lazyboy status").shown)
    assert notebook.run("1").value == {"text/plain": "1"}
