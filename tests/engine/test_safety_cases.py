"""Field cases X4, D3, D4, D6 on the engine's side, and Stop."""

import asyncio
from pathlib import Path

import pytest

from lazyboy_jupyter.core.events import SourceFinished, TaskCancelled
from lazyboy_jupyter.store.database import Database
from lazyboy_jupyter.store.events import log_of
from tests.engine.driving import Driver
from tests.fakes import FakeWeb, ScriptedModel, call, guide, pages

LONG = "".join(f"{n:06d}." for n in range(3_000))


def test_a_long_page_is_delivered_in_slices_and_quoted_from_its_whole_text(
    database: Database,
) -> None:
    web = FakeWeb({"https://a.example/": LONG})
    read_on = [
        call("read_tool_output", output_id="O1", offset=6_000),
        call("read_tool_output", output_id="O1", offset=0, limit=50_000),
        call("read_tool_output", output_id="O1", offset=20_990, limit=20),
    ]
    model = ScriptedModel(
        [[call("open_page", url="https://a.example/")], read_on, [guide(("S1", "002999."))]]
    )

    run = asyncio.run(Driver(database).finish(model, web))

    (first,) = model.results(1)
    assert (len(first["text"]), first["output_id"], first["next_offset"]) == (6_000, "O1", 6_000)
    second, widest, last = model.results(2)
    assert second["text"] == LONG[6_000:12_000]
    assert len(widest["text"]) == 12_000
    assert (last["text"], last["next_offset"]) == (LONG[20_990:], None)
    assert run.guide is not None
    assert run.guide.claims[0].citations[0].state == "verbatim"
    assert database.rows("SELECT characters FROM sources")[0]["characters"] == len(LONG)


@pytest.mark.parametrize("output_id", ["O1", "O99", "../../etc/passwd", "/etc/passwd", "o 1"])
def test_x4_an_output_of_another_task_reads_like_one_that_does_not_exist(
    database: Database, output_id: str
) -> None:
    async def scenario() -> ScriptedModel:
        driver = Driver(database)
        opened = [call("open_page", url="https://a.example/")]
        await driver.finish(
            ScriptedModel([opened, [guide()]]), FakeWeb({"https://a.example/": LONG})
        )
        model = ScriptedModel([[call("read_tool_output", output_id=output_id)], [guide()]])
        await driver.finish(model, FakeWeb())
        return model

    model = asyncio.run(scenario())

    assert model.results(1) == [
        {"error": "refused", "detail": "There is no such output in this task."}
    ]


@pytest.mark.parametrize(
    "question",
    [
        "x" * 10_000,
        "../../etc/passwd",
        'What\'s "this" & `that` {} {0} {name} %d %(x)s $HOME ?',
        "Wie funktioniert das 🧪 \u202e rückwärts?\n\nUnd nun?",
        "'; DROP TABLE data.task; --",
        "NUL \x00 in it",
        "<script>alert(1)</script>",
    ],
)
def test_d4_any_question_is_stored_and_shown_as_it_is(database: Database, question: str) -> None:
    run = asyncio.run(Driver(database).finish(ScriptedModel([[guide()]]), FakeWeb(), question))

    (row,) = database.rows("SELECT question FROM tasks")
    assert row["question"] == question
    assert run.guide is not None
    assert run.guide.question == question
    assert "<script>" not in run.guide.html
    names = {path.name for path in Path(database.path).parent.iterdir()}
    assert all(name.startswith("store.duckdb") for name in names)


def test_d3_nothing_of_a_page_or_a_model_reaches_html_as_markup(database: Database) -> None:
    evil = '<img src=x onerror="alert(1)"><script>x</script>'
    web = FakeWeb({"https://a.example/<b>": evil})
    cited = guide(("S1", evil), text=evil, summary=evil, unknowns=[evil])
    model = ScriptedModel([[call("open_page", url="https://a.example/<b>")], [cited]])

    run = asyncio.run(Driver(database).finish(model, web, evil))

    assert run.guide is not None
    html = run.guide.html
    body = html.partition("</style>")[2]
    assert "<img" not in body
    assert "<script" not in body
    assert "onerror=&quot;" in body
    markdown = run.guide.markdown
    assert "<img" not in markdown
    assert "\\!\\[" not in markdown


def test_stop_ends_a_hanging_task_at_once_and_keeps_what_it_has(database: Database) -> None:
    web = FakeWeb(pages(2), hanging={"https://a.example/2"})
    opens = [call("open_page", url=f"https://a.example/{n}") for n in (1, 2)]
    model = ScriptedModel([opens])

    async def scenario() -> None:
        driver = Driver(database)
        run = await driver.start(model, web)
        await driver.until(lambda: len(web.opened) == 2 and len(run.state.running) == 1)
        await run.stop()
        assert run.state.status == "cancelled"
        await run.stop()  # again: nothing happens

        log = [event for _, _, event in log_of(database, run.spec.task_id)]
        assert isinstance(log[-1], TaskCancelled)
        assert isinstance(log[-2], SourceFinished)
        assert log[-2].error == "interrupted"

    asyncio.run(scenario())
    states = {row["url"]: row["state"] for row in database.rows("SELECT url, state FROM sources")}
    assert states == {"https://a.example/1": "read"}


def test_a_store_that_fails_ends_the_task_with_a_sentence_and_no_exception(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    async def scenario() -> None:
        driver = Driver(database)

        async def close_the_store(_: object) -> list[object]:
            database.close()
            return [call("web_search", query="q")]

        run = await driver.start(ScriptedModel([close_the_store]), FakeWeb(pages(1)))
        await driver.until(lambda: run.state.ended)
        assert run.state.error == "store_failed"
        assert "The store is closed." in run.state.error_detail

    asyncio.run(scenario())
    assert not caplog.records


def test_an_error_of_ours_ends_the_task_and_is_logged(
    database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    run = asyncio.run(
        Driver(database).finish(ScriptedModel([ZeroDivisionError("boom")]), FakeWeb())
    )

    assert run.state.error == "internal_error"
    assert "ZeroDivisionError: boom" in run.state.error_detail
    assert [record.exc_text is not None or record.exc_info for record in caplog.records]
