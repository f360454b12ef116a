"""An answer that is given to the agent: shown first, applied once, refused after the end."""

import asyncio

import pytest

from lazyboy_jupyter.engine.run import ResearchRun
from lazyboy_jupyter.engine.side.service import SideQuestions
from lazyboy_jupyter.errors import UsageError
from lazyboy_jupyter.store.database import Database
from lazyboy_jupyter.store.side import load_questions
from tests.engine.beside import BesideModel, side_of
from tests.engine.driving import Driver
from tests.fakes import FakeWeb, call, guide, pages


class Scene:
    """A run whose second request waits for what the test does."""

    def __init__(self, database: Database) -> None:
        self.driver = Driver(database)
        self.reached = asyncio.Event()
        self.go = asyncio.Event()
        self.model = BesideModel(
            [[call("web_search", query="q")], [call("open_page", url="https://a.example/1")],
             [call("report_progress", text="Nearly.")],
             [guide(("S1", None))]],
            clock=self.driver.clock, moment=self._moment,
        )  # fmt: skip
        self.side: SideQuestions
        self.run: ResearchRun

    async def _moment(self) -> None:
        if len(self.model.requests) == 1:
            self.reached.set()
            await self.go.wait()

    async def begin(self) -> str:
        self.run = await self.driver.start(self.model, FakeWeb(pages(1)))
        self.side = side_of(self.driver, self.model, lambda _: self.run)
        await self.reached.wait()
        return self.run.spec.task_id

    async def answered(self, question: str, client: str) -> None:
        asked = await self.side.ask(self.run.spec.task_id, question, client)
        await asyncio.wrap_future(asked.ended)

    async def end(self) -> None:
        self.go.set()
        await self.driver.until(lambda: self.run.state.ended)
        await self.run.stop()


def given(database: Database) -> list[str]:
    rows = database.rows("SELECT data->>'request_id' AS id FROM events WHERE kind = 'NoteGiven'")
    return [row["id"] for row in rows]


def texts(model: BesideModel, number: int) -> str:
    return str(model.requests[number].messages)


def test_it_is_shown_and_then_stands_before_the_next_request_once(database: Database) -> None:
    async def scenario() -> None:
        scene = Scene(database)
        task_id = await scene.begin()
        await scene.answered("Do they rust?", "one")
        shown, note = await scene.side.promotion(task_id, None)
        assert "Do they rust?" in note
        assert "S1 says so." in note
        assert given(database) == []
        chosen = await scene.side.promote(task_id, shown.ordinal)
        assert chosen.promoted_us is None  # its agent has not got it yet
        with pytest.raises(UsageError, match="already"):
            await scene.side.promote(task_id, 1)
        await scene.end()

        assert "Do they rust?" not in texts(scene.model, 1)  # it was under way
        for later in (2, 3):
            assert texts(scene.model, later).count("Do they rust?") == 1
        assert given(database) == [chosen.request_id]
        (promoted,) = await scene.side.history(task_id)
        assert promoted.promoted_us is not None
        assert load_questions(database, task_id) == [promoted]
        assert scene.run.state.status == "completed"
        with pytest.raises(UsageError, match="has ended"):
            await scene.side.promote(task_id, 1)

    asyncio.run(scenario())


def test_several_are_given_in_the_order_they_were_chosen(database: Database) -> None:
    async def scenario() -> None:
        scene = Scene(database)
        task_id = await scene.begin()
        for number in (1, 2):
            await scene.answered(f"Question {number}?", f"client {number}")
        await scene.side.promote(task_id, 2)
        await scene.side.promote(task_id, 1)
        await scene.end()
        said = texts(scene.model, 2)
        assert said.index("Question 2?") < said.index("Question 1?")
        assert given(database) == ["side-00002", "side-00001"]

    asyncio.run(scenario())


def test_what_cannot_be_given_is_refused(database: Database) -> None:
    async def scenario() -> None:
        scene = Scene(database)
        task_id = await scene.begin()
        for ordinal in (None, 1):
            with pytest.raises(UsageError, match="no answer"):
                await scene.side.promotion(task_id, ordinal)
        await scene.answered("Do they rust?", "one")
        with pytest.raises(UsageError, match="no answer"):
            await scene.side.promote(task_id, 7)
        await scene.end()
        with pytest.raises(UsageError, match="ended"):
            await scene.side.promote(task_id, 1)
        (kept,) = await scene.side.history(task_id)
        assert kept.promoted_us is None
        assert given(database) == []

    asyncio.run(scenario())
