"""Twenty questions written with their facts before the ranking was: the manual must answer them."""

from pathlib import Path

from tests.questions import engine_over, has_fact, pydoc_questions, run_all

ENOUGH = 0.60
QUIET = 4


def test_the_facts_are_in_the_guides_and_what_has_no_answer_says_so(
    tmp_path: Path, index_cache: Path
) -> None:
    questions = pydoc_questions("test")
    with engine_over("pydoc", tmp_path, index_cache) as engine:
        tasks = list(run_all(engine, [one.question for one in questions]))
        pairs = list(zip(tasks, questions, strict=True))
        assert {task.status for task in tasks} == {"completed"}

        answered = [has_fact(task, one) for task, one in pairs if one.facts]
        assert len(answered) == 20
        assert sum(answered) / len(answered) >= ENOUGH

        guides = [task.guide for task, one in pairs if not one.facts]
        silent = [guide for guide in guides if guide is not None and not guide.quotes]
        assert len(guides) == 6
        assert len(silent) >= QUIET
        assert all(guide.unknowns for guide in silent)

        states = engine.sql("SELECT DISTINCT state FROM citations").fetchall()
        assert states == [("verbatim",)]  # it claims only what it quotes
