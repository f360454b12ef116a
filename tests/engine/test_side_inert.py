"""Side questions leave a run alone: with and without them it does, records and sends the same."""

import asyncio
from pathlib import Path
from typing import Any

from lazyboy_jupyter.core.messages import ToolCall
from lazyboy_jupyter.engine.run import ResearchRun
from lazyboy_jupyter.engine.side.service import Asked, SideQuestions
from lazyboy_jupyter.ports import ModelRequest
from lazyboy_jupyter.store.database import open_database
from tests.engine.beside import BesideModel, BesideWeb, side_of
from tests.engine.driving import Driver
from tests.fakes import call, guide, pages, supplement

QUESTIONS = 10
GAP = {"question": "How long do they last?", "why": "They wear out."}


def script() -> list[Any]:
    opens = [call("open_page", url=f"https://a.example/{n}") for n in (1, 2, 3)]
    return [
        [call("report_progress", text="I look."), call("web_search", query="gates")],
        "I think about it.",
        opens,
        [guide(("S1", "gates cost 1 million euros"), gaps=[GAP])],
        [call("open_page", url="https://a.example/4", gap=0)],
        [supplement(("S4", "gates cost 4 million euros"))],
    ]


class Asker:
    """Asks at every moment that the run comes to, in another way each time: it waits for the
    answer, or lets it run on, or stops it, or clears the history, or gives it to no one."""

    def __init__(self) -> None:
        self.side: SideQuestions | None = None
        self.parent = ""
        self.asked: list[Asked] = []
        self.refused = 0

    async def __call__(self) -> None:
        if self.side is None:
            return
        number = len(self.asked)
        if number >= QUESTIONS:
            return
        try:
            asked = await self.side.ask(self.parent, f"What is known at {number}?", f"c{number}")
        except Exception:
            self.refused += 1
            raise
        self.asked.append(asked)
        match number % 4:
            case 0:
                await asyncio.wrap_future(asked.ended)
            case 1:
                await self.side.stop(self.parent)
            case 2:
                await self.side.clear(self.parent)
            case _:
                await asyncio.wrap_future(asked.ended)
                await self.side.history(self.parent)


async def played(path: Path, *, beside: bool) -> tuple[dict[str, Any], list[ModelRequest], Asker]:
    database = open_database(path)
    driver = Driver(database)
    turn = asyncio.Lock()
    asker = Asker()

    async def moment() -> None:
        async with turn:  # the pages of one reply come to theirs at the same time
            await asker()

    web = BesideWeb(pages(6), moment=moment)
    model = BesideModel(script(), clock=driver.clock, moment=moment)
    run: ResearchRun = await driver.start(model, web, pages=3)
    if beside:
        asker.side = side_of(driver, model, lambda _: run)
        asker.parent = run.spec.task_id
    await driver.until(lambda: run.state.ended)
    if asker.side is not None:
        await asker.side.close()
    assert run._task is not None
    await run._task
    tables = {
        "events": "SELECT event_id, seq, ts, kind, phase, data FROM data.event ORDER BY seq",
        "rounds": "SELECT * FROM rounds ORDER BY request_no",
        "publications": "SELECT * FROM publications ORDER BY number",
        "citations": "SELECT * FROM data.citation ORDER BY rowid",
        "sources": "SELECT * FROM data.source ORDER BY rowid",
        "evidence": "SELECT * FROM data.evidence ORDER BY rowid",
        # In the order of their times: which commit a row rides with is the writer's to choose.
        "timing": "SELECT * FROM timing WHERE NOT starts_with(stage, 'side_') ORDER BY ALL",
        "snapshots": "SELECT * FROM data.side_snapshot WHERE boundary = 'end'",
    }
    seen = {name: database.rows(sql) for name, sql in tables.items()}
    database.close()
    return seen, model.requests, asker


def test_ten_side_questions_change_nothing_of_a_run(tmp_path: Path) -> None:
    alone, requests, _ = asyncio.run(played(tmp_path / "alone.duckdb", beside=False))
    beside, others, asker = asyncio.run(played(tmp_path / "beside.duckdb", beside=True))

    assert len(asker.asked) == QUESTIONS
    assert asker.refused == 0
    assert len(alone["publications"]) == 2
    assert len(alone["timing"]) > 20
    for name in ("events", "rounds", "publications", "citations", "sources", "evidence", "timing"):
        assert alone[name] == beside[name], name
    assert requests == others  # messages, tools, what is left, tail
    for one, other in zip(alone["snapshots"], beside["snapshots"], strict=True):
        for column in ("version", "request_no", "taken_at", "tools"):
            assert one[column] == other[column]


def test_no_call_of_a_side_answer_is_ever_run(tmp_path: Path) -> None:
    class Calling(BesideModel):
        async def respond(self, request: ModelRequest, heard: Any = None) -> Any:
            reply = await super().respond(request, heard or (lambda text: None))
            if request.left is not None:
                return reply
            return type(reply)(
                "", (ToolCall("x", "open_page", {"url": "https://beside.example/"}),)
            )

    async def scenario() -> None:
        database = open_database(tmp_path / "s.duckdb")
        driver = Driver(database)
        asker = Asker()
        web = BesideWeb(pages(6))
        model = Calling(script(), clock=driver.clock, moment=asker)
        run = await driver.start(model, web, pages=3)
        asker.side = side_of(driver, model, lambda _: run)
        asker.parent = run.spec.task_id
        await driver.until(lambda: run.state.ended)
        await run.stop()
        assert "https://beside.example/" not in web.opened
        assert "https://beside.example/" not in str(model.requests[-1].messages)
        statuses = database.rows("SELECT DISTINCT status FROM side_questions")
        assert {"status": "needs_tools"} in statuses
        database.close()

    asyncio.run(scenario())


def test_a_stop_that_meets_the_end_loses_nothing_of_it(tmp_path: Path) -> None:
    async def scenario(number: int) -> None:
        database = open_database(tmp_path / f"{number}.duckdb")
        driver = Driver(database)
        model = BesideModel([[guide(text="Nothing.")]], clock=driver.clock)
        run = await driver.start(model, BesideWeb(pages(1)))
        driver.hub.subscribe(lambda _: ended.set() if run.state.ended else None)
        ended = asyncio.Event()
        await ended.wait()
        for _ in range(number):
            await asyncio.sleep(0)
        await run.stop()
        assert run.state.status == "completed"
        rows = database.rows("SELECT boundary FROM data.side_snapshot ORDER BY version")
        assert [row["boundary"] for row in rows].count("end") == 1
        database.close()

    for number in range(6):
        asyncio.run(scenario(number))
