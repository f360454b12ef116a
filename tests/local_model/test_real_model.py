"""A real small model over real sources: five questions end with a publication within their limits.

Not among the tests that run by themselves: `make test-local-model` needs a model server, which
`LOCAL_MODEL` names, and takes minutes. Small models say false things, so nothing here looks at
wording: only at structure, limits, and where each quote comes from. Each question prints its
transcript, so that what fails is told with its cause.
"""

import json
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from lazyboy_jupyter.config import Settings
from lazyboy_jupyter.engine.engine import Engine
from lazyboy_jupyter.engine.task import ResearchTask
from tests.questions import SHARED, multihop_questions, pydoc_questions, write_encyclopedia

MODEL = os.environ.get("LOCAL_MODEL", "openai-compatible:local@http://127.0.0.1:8080/v1")
SECONDS, SEARCHES, PAGES, GAPS = 300, 2, 6, 1
"""A model on a few cores reads a hundred tokens a second: it gets more time than people give."""
GAP_SECONDS = 120
SYNTHESIS_SECONDS = 8 * 120
"""After its time a task only writes: two publications of four rounds, each within its request."""
_WIDTH = 160


@dataclass(frozen=True)
class Asked:
    """A question and the kind of source it is put to."""

    name: str
    question: str
    source: str


def _asked() -> list[Asked]:
    manual = [one for one in pydoc_questions("dev") if one.facts][:3]
    pages = multihop_questions(SHARED / "multihop" / "questions.jsonl")[:2]
    return [
        *(Asked(one.id, one.question, "pydoc") for one in manual),
        *(Asked(one.id, one.question, "folder") for one in pages),
    ]


@pytest.fixture(scope="module")
def encyclopedia(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pages")
    write_encyclopedia(folder)
    return folder


@pytest.fixture(scope="module")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Engine]:
    folder = tmp_path_factory.mktemp("local")
    budget = {"gap_time": GAP_SECONDS}
    settings = Settings(cache=folder / "cache", model=MODEL, model_slots=1, budget=budget)
    with Engine(folder / "run.duckdb", settings=settings) as made:
        yield made
    shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.parametrize("asked", _asked(), ids=lambda asked: asked.name)
def test_a_question_ends_with_a_publication_within_its_limits(
    engine: Engine, encyclopedia: Path, asked: Asked
) -> None:
    task = engine.research(
        asked.question,
        search=f"folder:{encyclopedia}" if asked.source == "folder" else "pydoc",
        time=SECONDS,
        searches=SEARCHES,
        pages=PAGES,
        gaps=GAPS,
    )
    task.wait(SECONDS + GAP_SECONDS + SYNTHESIS_SECONDS)
    transcript = "\n".join(_transcript(engine, task))
    print(f"\n{transcript}")
    assert task.status == "completed", f"{task.error}\n{transcript}"
    assert task.publications
    _within_limits(engine, task)
    _every_quote_stands_where_it_is_said_to(engine, task)


def _within_limits(engine: Engine, task: ResearchTask) -> None:
    budget = task.budget
    gaps = sum(len(one.gaps) for one in task.publications)
    assert gaps <= GAPS
    assert task.usage.searches <= SEARCHES + gaps * budget.gap_searches
    assert task.usage.pages <= PAGES + gaps * budget.gap_pages
    late = engine.sql(
        f"""SELECT r.kind, r.ts FROM events r JOIN events closed USING (task_id)
        WHERE task_id = '{task.id}' AND r.kind = 'SourceReserved'
        AND closed.kind = 'CollectionClosed' AND r.ts > closed.ts
        AND NOT EXISTS (FROM events p WHERE p.task_id = r.task_id
                        AND p.kind = 'PublicationAccepted' AND p.ts BETWEEN closed.ts AND r.ts)"""
    ).fetchall()
    assert late == []


def _every_quote_stands_where_it_is_said_to(engine: Engine, task: ResearchTask) -> None:
    rows = engine.sql(
        f"""SELECT c.quote, c."offset", c.state, c.source_id, o.text FROM citations c
        LEFT JOIN data.output o USING (task_id, output_id) WHERE task_id = '{task.id}'"""
    ).fetchall()
    observed = {source.source_id for source in task.sources}
    for quote, offset, state, source_id, text in rows:
        assert source_id in observed
        if state in {"verbatim", "unverified"}:
            begins = quote.split()[0][:1]
            assert begins in text[offset : offset + 5], (quote, text[offset : offset + 80])


def _transcript(engine: Engine, task: ResearchTask) -> Iterator[str]:
    """What happened, a line each, as the store has it."""
    yield f"{task.question}  [{task.status}; {task.usage}]"
    events = engine.sql(
        f"SELECT seq, kind, phase, data FROM data.event WHERE task_id = '{task.id}' ORDER BY seq"
    ).fetchall()
    for seq, kind, phase, data in events:
        yield f"{seq:4} {phase:12} {kind} {_short(data)}"
    rounds = engine.sql(
        "SELECT request_no, outcome, input_tokens, output_tokens FROM rounds "
        f"WHERE task_id = '{task.id}' ORDER BY request_no"
    ).fetchall()
    yield f"rounds (no, outcome, tokens in, out): {rounds}"
    slow = engine.sql(
        f"SELECT stage, count(*), round(sum(elapsed_ms) / 1000, 1) FROM timing "
        f"WHERE task_id = '{task.id}' GROUP BY stage ORDER BY 3 DESC"
    ).fetchall()
    yield f"seconds by stage: {slow}"
    if task.error:
        yield f"error: {task.error}"
    if task.guide is not None:
        for claim in task.guide.claims:
            yield f"  claim: {claim.text} {[one.state for one in claim.citations]}"


def _short(data: object) -> str:
    text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
    return text if len(text) <= _WIDTH else text[:_WIDTH] + "…"
