"""Side questions in a real kernel: the answer in its own cell, one line for each mistake."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.notebook.kernel import Kernel, kernel


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory, index_cache: Path) -> Iterator[Kernel]:
    with kernel(tmp_path_factory.mktemp("btw"), index_cache) as one:
        one.run("%research -w --name first --pages 2 How does the with statement work?")
        yield one


@pytest.fixture
def notebook(asked: Kernel) -> Kernel:
    """A kernel with one task and no side questions."""
    asked.run("%btw --clear")
    return asked


def test_a_question_is_answered_in_its_own_cell_and_kept(notebook: Kernel) -> None:
    ran = notebook.run("%%btw -w\nWhat does the with statement do\nwith a context manager?")
    assert (ran.status, ran.text, ran.errors) == ("ok", "", "")
    assert ran.value is None  # the card is there; a second one would not be
    card = list(notebook.displays.values())[-1]
    assert set(card) == {"text/plain", "text/markdown", "text/html"}
    assert "Answered, from what it knew" in card["text/plain"]
    assert "quote" in card["text/plain"]
    answer = notebook.run("answer = %btw -w Which page said that?\nanswer.status, answer.id != ''")
    assert answer.value == {"text/plain": "('completed', True)"}
    history = notebook.run("%btw").text
    assert history.startswith("1. What does the with statement do")
    assert "\n2. Which page said that?" in history
    counted = notebook.run(
        "from lazyboy_jupyter import get_engine\n"
        "get_engine().sql(\"SELECT count(*) FROM side_questions WHERE status = 'completed'\")"
        ".fetchall()[0][0]"
    )
    assert counted.value == {"text/plain": "2"}
    assert notebook.run("%btw --clear").text.startswith("2 questions about task ")
    assert "Nothing was asked about task" in notebook.run("%btw").text


def test_a_line_may_end_with_a_question_mark_and_take_variables(notebook: Kernel) -> None:
    notebook.run("name = 'with statement'")
    notebook.run("%btw -w What is the {name}?")
    assert "1. What is the with statement?" in notebook.run("%btw").text


def test_what_the_agent_would_be_told_is_shown_first(notebook: Kernel) -> None:
    notebook.run("%btw -w What is known so far?")
    shown = notebook.run("%btw --promote").text
    assert shown.startswith(
        "The agent would be told:\n\nBeside your work the person asked: What is"
    )
    assert shown.endswith("--promote 1 --yes\n")
    refused = notebook.run("%btw --promote 1 --yes")
    assert "The task has ended" in refused.errors
    assert "Traceback" not in refused.errors


def test_an_option_behind_the_question_is_told(notebook: Kernel) -> None:
    assert "Options come first: --to" in notebook.run("%btw What is missing --to 1f3e").text


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("%btw " + "x" * 4001, "4,001 characters, over 4,000"),
        ("%btw --to zzzz What?", "There is no task 'zzzz' here."),
        ("%btw --stopp", "Did you mean --stop?"),
        ("%btw --stop What is it?", "%btw does one thing at a time"),
        ("%btw --yes", "--yes belongs to --promote."),
        ("%btw --promote 7", "There is no answer to give to the agent."),
        ("%btw --promote x", "'x' is not a whole number"),
    ],
)
def test_a_mistake_is_one_line(notebook: Kernel, line: str, said: str) -> None:
    ran = notebook.run(line)
    assert said in ran.errors
    assert "Traceback" not in ran.errors


def test_before_any_task_there_is_nobody_to_ask(tmp_path: Path, index_cache: Path) -> None:
    with kernel(tmp_path, index_cache) as one:
        ran = one.run("%btw What is known?")
        assert "There is no task whose agent could be asked." in ran.errors
        assert one.run("%btw --stop").errors != ""


def test_tab_knows_the_options_and_the_tasks(notebook: Kernel) -> None:
    def completed(line: str) -> list[str]:
        ran = notebook.run(f"get_ipython().Completer.complete('', {line!r}, {len(line)})[1]")
        assert ran.value is not None
        return [str(one) for one in eval(ran.value["text/plain"])]

    assert "--promote" in completed("%btw --pr")
    (task,) = completed("%btw --to ")
    assert len(task) >= 4
