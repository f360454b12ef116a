"""How good the keyless guides are, on questions with known answers."""

import statistics
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests.questions import (
    HERE,
    SHARED,
    answers,
    engine_over,
    has_fact,
    multihop_questions,
    pydoc_questions,
    read_titles,
    run_all,
    write_encyclopedia,
)


def report_pydoc() -> Iterator[str]:
    with (
        tempfile.TemporaryDirectory() as folder,
        engine_over("pydoc", Path(folder), Path(folder, "cache")) as engine,
    ):
        for which in ("test", "dev", "dev2", "dev3", "dev4"):
            questions = pydoc_questions(which)
            tasks = list(run_all(engine, [one.question for one in questions]))
            pairs = list(zip(tasks, questions, strict=True))
            hits = [has_fact(task, one) for task, one in pairs if one.facts]
            silent = [
                task.guide is not None and not task.guide.quotes
                for task, one in pairs
                if not one.facts
            ]
            missed = [one.id for task, one in pairs if one.facts and not has_fact(task, one)]
            yield (
                f"{which}: the fact in the guide for {_share(hits)}; "
                f"unknown, without quotes, for {_share(silent)} that have no answer; "
                f"missed {', '.join(missed) or 'none'}"
            )
        times = [row[0] for row in engine.sql("SELECT first_ms FROM first_delivery").fetchall()]
        yield f"first guide after {statistics.median(times) / 1000:.1f} s, median, 4 at a time"


def report_multihop() -> Iterator[str]:
    sets = {
        "the 50 questions": multihop_questions(SHARED / "multihop" / "questions.jsonl"),
        "60 others over the same pages": multihop_questions(
            HERE / "benchmarks" / "multihop_extra.jsonl"
        ),
    }
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name, "pages")
        folder.mkdir()
        write_encyclopedia(folder)
        with engine_over(f"folder:{folder}", Path(name), Path(name, "cache")) as engine:
            for title, questions in sets.items():
                tasks = list(
                    run_all(
                        engine, [one.question for one in questions], searches=2, pages=6, gaps=0
                    )
                )
                pairs = list(zip(tasks, questions, strict=True))
                assert all(task.usage.searches <= 2 and task.usage.pages <= 6 for task in tasks)
                both = [set(one.pages) <= read_titles(task) for task, one in pairs]
                found = [answers(task, one.answer) for task, one in pairs if not one.is_yes_no]
                yield (
                    f"{title}: both supporting pages read for {_share(both)}; "
                    f"the answer in the first 6 quotes for {_share(found)}"
                )


def _share(hits: list[bool]) -> str:
    return f"{sum(hits)} of {len(hits)} ({sum(hits) / len(hits):.0%})"
