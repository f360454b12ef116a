"""Side questions to the keyless model, end to end: real workers and store, a source of tests."""

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from lazyboy_jupyter.adapters.clock import SystemClock
from lazyboy_jupyter.adapters.models.extractive import ExtractiveModel
from lazyboy_jupyter.adapters.workers import WorkerPool
from lazyboy_jupyter.config import Settings
from lazyboy_jupyter.core.side import Rest
from lazyboy_jupyter.engine.engine import Engine
from lazyboy_jupyter.engine.side.handle import SideAnswer
from lazyboy_jupyter.ports import SearchResult
from tests.fakes import FakeWeb, world

PATIENCE = 60
QUESTION = "How much did harbour gates reduce flood losses in Hamburg?"
FILLING = "\n\n".join(f"Paragraph {number} is about cranes and rails." for number in range(400))
PAGES = {
    "https://a.example/gates": (
        "# Harbour gates\n\nHarbour gates reduced flood losses in Hamburg by 17 percent.\n\n"
        f"{FILLING}\n\nThe swans of the harbour are counted every spring by two wardens."
    ),
    "https://a.example/dykes": (
        "Flood losses in Hamburg were high before.\n\n"
        "The mayor called the dykes “our slow friends” in a speech of 1998."
    ),
}


@dataclass
class GatedWeb(FakeWeb):
    """Its second search hangs; `waiting` is set when that has begun."""

    waiting: threading.Event = field(default_factory=threading.Event)
    is_gated: bool = False

    async def search(self, query: str, limit: int) -> Sequence[SearchResult]:
        if self.searched and self.is_gated:
            self.waiting.set()
            self.hanging.add(query)
        return await super().search(query, limit)


@pytest.fixture
def web() -> GatedWeb:
    return GatedWeb(PAGES)


@pytest.fixture
def engine(tmp_path: Path, web: GatedWeb) -> Iterator[Engine]:
    workers = WorkerPool(1)
    own = replace(world(SystemClock(), ExtractiveModel(workers, workers), web), close=workers.close)
    settings = Settings(cache=tmp_path / "cache")
    with Engine(tmp_path / "run.duckdb", settings=settings, world=own) as made:
        yield made


def quoted(engine: Engine, answer: SideAnswer) -> dict[str, Rest]:
    """The quotes that an answer rests on, each proven to stand in the stored text."""
    found = {rest.quote: rest for rest in answer.rests_on if rest.quote is not None}
    for quote, rest in found.items():
        rows = engine.sql(
            f"SELECT o.text FROM data.output o JOIN data.source s USING (task_id, output_id) "
            f"WHERE s.task_id = '{answer.parent}' AND s.source_id = '{rest.source}'"
        ).fetchall()
        assert rest.offset is not None
        stored = str(rows[0][0])[rest.offset : rest.offset + len(quote)]
        assert stored.replace("“", '"').replace("”", '"') == quote
    return found


def test_answers_rest_on_sentences_that_stand_in_the_stored_texts(engine: Engine) -> None:
    task = engine.research(QUESTION).wait(PATIENCE)
    assert task.status == "completed"

    found = engine.ask("What have you found so far?", task).wait(PATIENCE)
    assert found.status == "completed"
    sentence = "Harbour gates reduced flood losses in Hamburg by 17 percent."
    assert found.answer.startswith(f"“{sentence}” — Page at https://a.example/gates")
    assert sentence in quoted(engine, found)

    late = engine.ask("Who counts the swans of the harbour in spring?", task).wait(PATIENCE)
    (rest,) = quoted(engine, late).values()
    assert "two wardens" in str(rest.quote)
    assert (rest.offset or 0) > 6_000  # in a part of the page that was read on for

    marked = engine.ask("What did the mayor call the dykes?", task).wait(PATIENCE)
    assert any("our slow friends" in quote for quote in quoted(engine, marked))


def test_what_cannot_be_answered_is_said_to_be_unknown(engine: Engine) -> None:
    task = engine.research(QUESTION).wait(PATIENCE)
    unknown = engine.ask("Who invented the telephone?", task).wait(PATIENCE)
    assert unknown.status == "completed"
    assert unknown.answer.startswith("This is not answered in what was read so far")
    assert "Read 2 pages: " in unknown.answer
    assert quoted(engine, unknown) == {}

    why = engine.ask("Why did you open the page on dykes?", task).wait(PATIENCE)
    assert "was result 2 of the search for ‘" in why.answer


def test_a_task_that_runs_is_asked_and_goes_on(engine: Engine, web: GatedWeb) -> None:
    web.is_gated = True
    task = engine.research(QUESTION)
    assert web.waiting.wait(PATIENCE)

    status = engine.ask("What are you doing?", task).wait(PATIENCE)
    assert status.status == "completed"
    assert status.answer.startswith("Under way: the search for ‘")
    assert status.answer.endswith("No guide is published yet.")
    found = engine.ask("by how many percent did gates reduce losses", task).wait(PATIENCE)
    assert any("17 percent" in quote for quote in quoted(engine, found))
    assert task.status == "running"
    assert len(web.searched) == 2
    task.stop()
    assert task.wait(PATIENCE).status == "cancelled"

    after = engine.ask("What is still missing?", task).wait(PATIENCE)
    assert after.answer.startswith("No guide is published yet")
