"""Runs questions through a real engine and looks for their known facts in the guides."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lazyboy_jupyter.config import Settings
from lazyboy_jupyter.engine.engine import Engine
from lazyboy_jupyter.engine.task import ResearchTask

HERE = Path(__file__).parent
SHARED = HERE.parent.parent / "shared" / "data"
AT_ONCE = 4


@dataclass(frozen=True)
class PydocQuestion:
    """A question about Python. `facts`: any of them answers; none means that nothing does."""

    id: str
    set: str
    question: str
    facts: tuple[str, ...]


def pydoc_questions(which: str) -> list[PydocQuestion]:
    name = f"pydoc_{which}.json" if which in {"dev2", "dev3", "dev4"} else "pydoc_questions.json"
    data = json.loads((HERE / "data" / name).read_text("utf-8"))
    return [
        PydocQuestion(one["id"], one["set"], one["question"], tuple(one["fact"]))
        for one in data
        if one["set"] == which
    ]


def has_fact(task: ResearchTask, question: PydocQuestion) -> bool:
    """Whether one of the guide's quotes has one of the facts in it."""
    assert task.guide is not None
    quotes = [_folded(quote) for quote in task.guide.quotes]
    return any(_folded(fact) in quote for fact in question.facts for quote in quotes)


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold()


@dataclass(frozen=True)
class MultihopQuestion:
    """A question whose answer needs two pages of the encyclopedia."""

    id: str
    question: str
    answer: str
    pages: tuple[str, ...]

    @property
    def is_yes_no(self) -> bool:
        return self.answer.lower() in {"yes", "no"}


def multihop_questions(path: Path) -> list[MultihopQuestion]:
    with path.open(encoding="utf-8") as lines:
        return [
            MultihopQuestion(
                one["id"], one["question"], one["answer"], tuple(one["supporting_pages"])
            )
            for one in map(json.loads, lines)
        ]


def write_encyclopedia(folder: Path) -> None:
    """Write the pages as Markdown files: a title, a blank line, the text."""
    with (SHARED / "multihop" / "pages.jsonl").open(encoding="utf-8") as lines:
        for number, page in enumerate(map(json.loads, lines)):
            text = f"# {page['title']}\n\n{page['text']}\n"
            (folder / f"{number:04d}.md").write_text(text, encoding="utf-8")


def read_titles(task: ResearchTask) -> set[str]:
    return {source.title for source in task.sources if source.state == "read"}


def answers(task: ResearchTask, answer: str, quotes: int = 6, longest: int = 300) -> bool:
    """Whether the answer stands as contiguous words inside one of the guide's first quotes."""
    assert task.guide is not None
    wanted = _words(answer)
    return any(
        f" {wanted} " in f" {_words(quote)} "
        for quote in task.guide.quotes[:quotes]
        if len(quote) <= longest
    )


def _words(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def run_all(engine: Engine, questions: Sequence[str], **budget: Any) -> Iterator[ResearchTask]:
    """Yield the ended task of each question, in order; a few run at the same time."""
    started: list[ResearchTask] = []
    for number, question in enumerate(questions):
        if number >= AT_ONCE:
            started[number - AT_ONCE].wait(300)
        started.append(engine.research(question, **budget))
    for task in started:
        yield task.wait(300)


def engine_over(search: str, folder: Path, cache: Path) -> Engine:
    settings = Settings(cache=cache, search=(search,))
    return Engine(folder / "run.duckdb", settings=settings)
