"""Models that fail: what is tried again, how long that waits, what is recorded (B5, B9, M5)."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from lazyboy_jupyter.engine.run import ResearchRun
from lazyboy_jupyter.errors import ModelError, ModelErrorKind
from lazyboy_jupyter.ports import ModelReply, ModelRequest, unheard
from lazyboy_jupyter.store.database import Database
from tests.engine.driving import Driver
from tests.fakes import FakeWeb, ScriptedModel, call, guide, pages

PUBLISH = [guide()]


def error(kind: ModelErrorKind, retry_after: float | None = None) -> ModelError:
    return ModelError("The model is busy.", "Wait.", kind=kind, retry_after=retry_after)


def drive(
    database: Database, model: ScriptedModel, *waits: float, **budget: Any
) -> tuple[Driver, ResearchRun]:
    """Run a task to its end; at each of its waits let so many seconds pass."""
    driver = Driver(database)

    async def scenario() -> ResearchRun:
        run = await driver.start(model, FakeWeb(pages(2)), **budget)
        for number, seconds in enumerate(waits, 1):
            await driver.until(lambda n=number: len(model.requests) == n)  # type: ignore[misc]
            driver.clock.advance(seconds)
        await driver.until(lambda: run.state.ended)
        return run

    return driver, asyncio.run(scenario())


def timings(database: Database) -> list[tuple[Any, ...]]:
    return database.relation(
        "select stage, outcome, elapsed_ms, request_no from timing where stage like '%model%' "
        "order by ts, stage desc"
    ).fetchall()


def test_the_wait_that_a_provider_asks_for_is_kept_and_is_no_model_time(database: Database) -> None:
    model = ScriptedModel([error("rate_limited", 7), PUBLISH])
    _, run = drive(database, model, 7)
    assert run.state.status == "completed"
    assert run.state.request_no == 1, "two tries are one round"
    assert timings(database) == [
        ("worker_model_queue", "ok", 0.0, 1),
        ("model_response", "rate_limited", 0.0, 1),
        ("worker_model_queue", "ok", 0.0, 1),
        ("model_retry_backoff", "rate_limited", 7000.0, 1),
        ("model_response", "ok", 0.0, 1),
    ]
    (rounds,) = database.relation(
        "select distinct round_id from timing where round_id is not null"
    ).fetchall()
    assert rounds


@pytest.mark.parametrize(
    "kind", ["connection", "rate_limited", "overloaded", "server", "unreadable"]
)
def test_what_may_pass_is_tried_three_times_with_growing_waits(
    database: Database, kind: ModelErrorKind
) -> None:
    model = ScriptedModel([error(kind), error(kind), error(kind), PUBLISH])
    _, run = drive(database, model, 1, 2)
    assert run.state.status == "completed"
    assert run.state.request_no == 2
    waits = [row[2] for row in timings(database) if row[0] == "model_retry_backoff"]
    assert waits == [1000.0, 2000.0]
    outcomes = database.relation("select outcome from rounds order by request_no").fetchall()
    assert outcomes == [("error",), ("ok",)]


def test_what_will_not_pass_is_not_tried_again_in_the_round(database: Database) -> None:
    model = ScriptedModel([error("rejected"), PUBLISH])
    _, run = drive(database, model)
    assert run.state.request_no == 2
    assert not [row for row in timings(database) if row[0] == "model_retry_backoff"]


@pytest.mark.parametrize("kind", ["not_configured", "not_found"])
def test_what_no_later_round_can_cure_ends_the_task_at_once(
    database: Database, kind: ModelErrorKind
) -> None:
    model = ScriptedModel([error(kind)])
    _, run = drive(database, model)
    assert (run.state.status, run.state.error) == ("failed", f"model_{kind}")
    assert run.state.error_detail == "The model is busy. Wait."
    assert len(model.requests) == 1


def test_a_wait_ends_with_the_tasks_own_time(database: Database) -> None:
    model = ScriptedModel([error("rate_limited", 3600), PUBLISH])
    _, run = drive(database, model, 30, time=30)
    assert run.state.status == "completed"
    assert [row[2] for row in timings(database) if row[0] == "model_retry_backoff"] == [30_000.0]
    assert "closed" in model.requests[1].tail


def test_stop_cuts_a_wait_and_a_request(database: Database) -> None:
    for reply in (error("rate_limited", 50), silence):
        model = ScriptedModel([reply])

        async def scenario(model: ScriptedModel = model) -> ResearchRun:
            driver = Driver(database)
            run = await driver.start(model, FakeWeb(pages(1)))
            await driver.until(lambda: bool(model.requests))
            await run.stop()
            return run

        assert asyncio.run(scenario()).state.status == "cancelled"


async def silence(_: Any) -> None:
    await asyncio.Event().wait()


class Begun(ScriptedModel):
    """A model whose reply begins at once."""

    async def respond(
        self, request: ModelRequest, heard: Callable[[str], None] = unheard
    ) -> ModelReply:
        heard("")
        return await super().respond(request, heard)


@pytest.mark.parametrize(("model", "seconds"), [(ScriptedModel, 60.0), (Begun, 120.0)])
def test_a_request_has_sixty_seconds_to_begin_and_twice_that_to_end(
    database: Database, model: type[ScriptedModel], seconds: float
) -> None:
    """FIELD_CASES B5."""
    _, run = drive(database, model([silence, PUBLISH]), seconds, time=300)
    assert run.state.status == "completed"
    responses = [row for row in timings(database) if row[0] == "model_response"]
    assert responses == [
        ("model_response", "timeout", seconds * 1000, 1),
        ("model_response", "ok", 0.0, 2),
    ]


def test_a_history_without_room_is_shortened_once_and_then_goes_on(database: Database) -> None:
    """FIELD_CASES M5."""
    text = "Gates cost 7 million euros. " + "More of it. " * 400
    web = FakeWeb({"https://a.example/1": text, "https://a.example/2": text})
    model = ScriptedModel(
        [
            [call("open_page", url="https://a.example/1")],
            [call("open_page", url="https://a.example/2")],
            error("overflow"),
            [call("read_tool_output", output_id="O1")],
            [guide(("S1", "cost 7 million euros"), text="They cost 7 million euros.")],
        ]
    )
    driver = Driver(database)
    run = asyncio.run(driver.finish(model, web))
    assert run.state.status == "completed"
    before, after = (str(model.requests[number].messages) for number in (2, 3))
    assert len(after) < len(before)
    old, new = model.requests[3].messages[2], model.requests[3].messages[4]
    assert len(old["parts"][0]["content"]["text"]) == 300
    assert "O1" in old["parts"][0]["content"]["shortened"]
    assert new["parts"][0]["content"]["text"] == text, "the newest result stays whole"
    assert model.results(4)[0]["text"] == text
    assert run.state.request_no == 4


def test_no_room_at_all_is_an_error_of_the_round(database: Database) -> None:
    model = ScriptedModel([error("overflow"), error("overflow"), PUBLISH])
    _, run = drive(database, model)
    assert run.state.request_no == 3


def test_the_tail_says_what_is_left_and_stands_in_no_message(database: Database) -> None:
    model = ScriptedModel([[call("web_search", query="q")], PUBLISH])
    drive(database, model)
    first, second = (request.tail for request in model.requests)
    assert "2 searches and 6 pages" in first
    assert "1 search and 6 pages" in second
    assert "publish_research" in first
    assert all(request.tail not in str(request.messages) for request in model.requests)


def test_a_stop_while_a_round_is_being_recorded_still_ends_the_round(database: Database) -> None:
    model = ScriptedModel([PUBLISH])

    async def scenario() -> None:
        driver = Driver(database)
        run = await driver.start(model, FakeWeb(pages(1)))
        while run.state.open_round is None:  # noqa: ASYNC110 - each turn of the loop counts
            await asyncio.sleep(0)
        await run.stop()
        assert run.state.status == "cancelled"

    asyncio.run(scenario())
    assert model.requests == []
    assert [row[:2] for row in timings(database)] == [
        ("worker_model_queue", "ok"),
        ("model_response", "cancelled"),
    ]
    assert database.relation("select outcome from rounds").fetchall() == [("cancelled",)]


def test_a_server_that_no_try_of_two_rounds_reaches_ends_the_task(database: Database) -> None:
    model = ScriptedModel([error("connection", 1)])
    _, run = drive(database, model, 1, 1, 0, 1, 1)
    assert (run.state.status, run.state.error) == ("failed", "model_connection")
    assert "The model is busy." in run.state.error_detail
    assert len(model.requests) == 6


def test_one_that_was_reached_meanwhile_has_all_its_rounds(database: Database) -> None:
    unreached = [error("connection", 1)] * 3
    search = [call("web_search", query="q")]
    model = ScriptedModel([*unreached, search, *unreached, PUBLISH])
    _, run = drive(database, model, 1, 1, 0, 0, 1, 1, 0)
    assert run.state.status == "completed"
