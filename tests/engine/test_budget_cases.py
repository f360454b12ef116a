"""Field cases B and M8: budgets, loops, hangs. Each test names its case."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from lazyboy_jupyter.core.events import CallRefused, SourceReserved
from lazyboy_jupyter.errors import ModelError, SourceError
from lazyboy_jupyter.store.database import Database
from lazyboy_jupyter.store.events import log_of
from tests.engine.driving import Driver
from tests.fakes import FakeWeb, ScriptedModel, call, guide, pages, supplement


def events(database: Database, task_id: str, kind: type[Any]) -> list[Any]:
    return [event for _, _, event in log_of(database, task_id) if isinstance(event, kind)]


def test_b2_a_model_that_only_searches_is_not_offered_search_any_more(database: Database) -> None:
    web = FakeWeb(pages(9))
    model = ScriptedModel([lambda r: [call("web_search", query=f"q{len(r.messages)}")]])

    run = asyncio.run(Driver(database).finish(model, web))

    assert len(web.searched) == 2
    assert ["web_search" in model.offered(n) for n in range(4)] == [True, True, False, False]
    assert "open_page" in model.offered(3)
    refused = events(database, run.spec.task_id, CallRefused)
    assert refused[0].reason == "All 2 searches are spent. Use what was read."
    assert len(events(database, run.spec.task_id, SourceReserved)) == 2
    assert run.state.phase == "failed"
    assert run.state.error == "synthesis_exhausted"
    assert len(model.requests) == 20 + 3


def test_b3_a_model_that_calls_no_tool_ends_at_its_limits(database: Database) -> None:
    web = FakeWeb(pages(2))
    first = [call("web_search", query="gates")]
    model = ScriptedModel([first, "End of document"])

    run = asyncio.run(Driver(database).finish(model, web))

    assert run.state.error == "synthesis_exhausted"
    assert "3 synthesis rounds" in run.state.error_detail
    assert "its model rounds are spent" in run.state.error_detail
    assert len(model.requests) == 20 + 3
    assert [source.state for source in run.book.sources.values()] == ["listed", "listed"]
    kept = database.rows("SELECT count(*) AS n FROM data.evidence")[0]["n"]
    assert kept == 1


def test_b4_searches_that_find_nothing_end_in_a_guide_that_says_so(database: Database) -> None:
    web = FakeWeb({}, found={"no": []})
    searches = [call("web_search", query="one"), call("web_search", query="two")]
    third = [call("web_search", query="three")]
    published = [call("publish_research", summary="Nothing was found.", unknowns=["Nothing found"])]
    model = ScriptedModel([searches, third, published])

    run = asyncio.run(Driver(database).finish(model, web))

    assert web.searched == ["one", "two"]
    assert run.state.phase == "completed"
    assert run.guide is not None
    assert run.guide.unknowns == ("Nothing found",)


def test_b10_the_same_question_twice_is_two_tasks_with_a_budget_each(database: Database) -> None:
    web = FakeWeb(pages(6))

    async def both() -> None:
        driver = Driver(database)
        script: list[Any] = [[call("web_search", query="q"), call("web_search", query="r")]]
        runs = [
            await driver.start(ScriptedModel([*script, [guide(("S1", None))]]), web)
            for _ in range(2)
        ]
        await driver.until(lambda: all(run.state.ended for run in runs))
        assert [run.state.phase for run in runs] == ["completed", "completed"]
        assert [run.state.searches for run in runs] == [2, 2]
        assert runs[0].spec.task_id != runs[1].spec.task_id

    asyncio.run(both())
    assert len(web.searched) == 4


def test_m8_ten_calls_with_three_pages_left_run_three_and_answer_all(database: Database) -> None:
    web = FakeWeb(pages(12))
    opening = [call("web_search", query="q")]
    wanted = [call("open_page", url=f"https://a.example/{n}") for n in range(1, 11)]
    model = ScriptedModel([opening, wanted, [guide(("S1", None))]])

    run = asyncio.run(Driver(database).finish(model, web, pages=3))

    assert web.opened == [f"https://a.example/{n}" for n in (1, 2, 3)]
    results = model.results(2)
    assert len(results) == 10
    assert ["text" in result for result in results] == [True] * 3 + [False] * 7
    assert all("all its pages are reserved" in result["detail"] for result in results[3:])
    assert run.state.pages == 3
    assert run.state.phase == "completed"


def test_a_kind_is_spent_while_the_other_is_left(database: Database) -> None:
    web = FakeWeb(pages(4))
    searches = [call("web_search", query=q) for q in ("a", "b", "c")]
    model = ScriptedModel([searches, [call("open_page", url="https://a.example/1")], [guide()]])

    asyncio.run(Driver(database).finish(model, web))

    assert [("error" in result) for result in model.results(1)] == [False, False, True]
    assert web.opened == ["https://a.example/1"]


def test_collection_closes_by_time_while_a_call_runs_and_the_call_may_finish(
    database: Database,
) -> None:
    web = FakeWeb(pages(2), hanging={"https://a.example/2"})
    opens = [call("open_page", url=f"https://a.example/{n}") for n in (1, 2)]
    late = [
        call("open_page", url="https://a.example/1"),
        call("open_page", url="https://x.example/"),
    ]
    model = ScriptedModel([opens, late, [guide(("S1", "Page 1"))]])

    async def scenario() -> None:
        driver = Driver(database)
        run = await driver.start(model, web, time=10)
        await driver.until(lambda: len(web.opened) == 2 and len(run.state.running) == 1)
        driver.clock.advance(10)
        await driver.until(lambda: run.state.phase == "synthesis")
        assert run.state.closed == "time"
        assert run.state.running
        driver.clock.advance(20)  # the call's own 30 seconds
        await driver.until(lambda: run.state.ended)
        assert run.state.phase == "completed"
        assert run.book.sources["S2"].error_kind == "timeout"

    asyncio.run(scenario())
    assert model.offered(1) == ["read_tool_output", "report_progress", "publish_research"]
    again, refused = model.results(2)
    assert again["text"].startswith("Page 1")  # saved evidence is answered in any phase
    assert "its time is over" in refused["detail"]
    assert len(web.opened) == 2


def test_a_search_that_hangs_ends_within_its_30_seconds_and_is_not_sent_again(
    database: Database,
) -> None:
    web = FakeWeb(pages(1), hanging={"slow"})
    ask = [call("web_search", query="slow")]
    model = ScriptedModel([ask, ask, [call("publish_research", summary="No source answered.")]])

    async def scenario() -> None:
        driver = Driver(database)
        run = await driver.start(model, web)
        await driver.until(lambda: bool(web.searched))
        driver.clock.advance(30)
        await driver.until(lambda: run.state.ended)
        assert run.state.searches == 1

    asyncio.run(scenario())
    assert web.searched == ["slow"]
    assert model.results(1)[0]["error"] == "timeout"
    assert model.results(2)[0] == model.results(1)[0]


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param(lambda: ModelError("The model refused.", kind="rejected"), id="error"),
        pytest.param(lambda: "prose", id="prose"),
        pytest.param(lambda: [call("web_search")], id="missing argument"),
        pytest.param(lambda: [call("no_such_tool", x=1)], id="unknown tool"),
        pytest.param(lambda: [call("publish_research", summary="")], id="empty guide"),
    ],
)
def test_whatever_a_model_does_the_task_ends_explicitly(
    database: Database, reply: Callable[[], Any]
) -> None:
    model = ScriptedModel([lambda _: reply()])

    run = asyncio.run(Driver(database).finish(model, FakeWeb(pages(1)), rounds=2))

    assert run.state.error == "synthesis_exhausted"
    assert len(model.requests) == 5


def test_a_model_that_never_answers_costs_a_round_and_its_120_seconds(database: Database) -> None:
    async def silence(_: Any) -> None:
        await asyncio.Event().wait()

    model = ScriptedModel([silence, silence, [guide()]])

    async def scenario() -> None:
        driver = Driver(database)
        run = await driver.start(model, FakeWeb(pages(1)), time=60)
        for requests in (1, 2):
            await driver.until(lambda: len(model.requests) == requests)  # noqa: B023
            driver.clock.advance(120)
        await driver.until(lambda: run.state.ended)
        assert run.state.phase == "completed"

    asyncio.run(scenario())
    outcomes = database.rows("SELECT outcome FROM rounds ORDER BY request_no")
    assert [row["outcome"] for row in outcomes] == ["timeout", "timeout", "ok"]


def test_a_token_ceiling_closes_the_collection(database: Database) -> None:
    model = ScriptedModel([[call("web_search", query="q")], [guide()]], tokens=600)

    run = asyncio.run(Driver(database).finish(model, FakeWeb(pages(1)), max_tokens=500))

    assert run.state.closed == "tokens"
    assert "web_search" not in model.offered(1)
    assert run.rounds.tokens.input == 1200


def test_a_gap_gets_one_search_and_two_pages_and_a_second_publication(database: Database) -> None:
    web = FakeWeb(pages(9))
    gap = {"question": "What does dredging cost?", "why": "The largest part."}
    follow = [
        call("web_search", query="dredging", gap=0),
        call("web_search", query="more", gap=0),
        call("open_page", url="https://a.example/1"),
        call("open_page", url="https://a.example/1", gap=1),
        *(call("open_page", url=f"https://a.example/{n}", gap=0) for n in (1, 2, 3)),
    ]
    model = ScriptedModel(
        [[guide(gaps=[gap])], follow, [supplement(("S1", "gates cost 1 million"), unknowns=["x"])]]
    )

    run = asyncio.run(Driver(database).finish(model, web))

    assert run.state.phase == "completed"
    assert ["error" in result for result in model.results(2)] == [
        False, True, True, True, False, False, True,
    ]  # fmt: skip
    assert run.state.gap_searches == (1,)
    assert run.state.gap_pages == (2,)
    assert run.guide is not None
    assert [claim.text for claim in run.guide.additions] == ["An addition."]
    assert run.guide.summary == "A summary."
    assert run.guide.unknowns == ("x",)
    deliveries = database.rows("SELECT stage FROM timing WHERE stage LIKE 'research_%_delivery'")
    assert sorted(row["stage"] for row in deliveries) == [
        "research_final_delivery",
        "research_first_delivery",
    ]


def test_a_failed_supplement_keeps_the_first_guide(database: Database) -> None:
    gap = {"question": "And then?", "why": ""}
    model = ScriptedModel([[guide(gaps=[gap])], "prose"])

    run = asyncio.run(Driver(database).finish(model, FakeWeb(pages(1)), rounds=1))

    assert run.state.phase == "failed"
    assert run.state.error == "synthesis_exhausted"
    assert run.guide is not None
    assert run.guide.summary == "A summary."


def test_gaps_over_the_budget_become_unknowns(database: Database) -> None:
    gaps = [{"question": f"Gap {n}?", "why": ""} for n in range(3)]
    model = ScriptedModel([[guide(gaps=gaps)], [supplement()]])

    run = asyncio.run(Driver(database).finish(model, FakeWeb(pages(1))))

    assert run.state.gaps == ("Gap 0?", "Gap 1?")
    assert run.guide is not None
    assert run.guide.unknowns == ("Gap 2?",)


def test_identical_calls_in_one_reply_are_sent_once(database: Database) -> None:
    web = FakeWeb(pages(2))
    url = "https://a.example/1"
    same = [call("open_page", url=u) for u in (url, url + "#top", "HTTPS://A.example:443/1", url)]
    same += [call("web_search", query=q) for q in ("two words", "two   words")]
    model = ScriptedModel([same, [guide(("S1", None))]])

    run = asyncio.run(Driver(database).finish(model, web))

    assert web.opened == [url]
    assert web.searched == ["two words"]
    assert (run.state.pages, run.state.searches) == (1, 1)
    texts = [result.get("text") for result in model.results(1)[:4]]
    assert len(set(texts)) == 1


def test_a_failed_page_is_evidence_and_is_reused(database: Database) -> None:
    web = FakeWeb({}, errors={"https://b.example/": SourceError("tls", "Expired.", "Look there.")})
    ask = [call("open_page", url="https://b.example/")]
    model = ScriptedModel([ask, ask, [guide()]])

    run = asyncio.run(Driver(database).finish(model, web))

    assert web.opened == ["https://b.example/"]
    assert model.results(2)[0] == {
        "source": "S1",
        "url": "https://b.example/",
        "error": "tls",
        "detail": "Expired.",
        "hint": "Look there.",
    }
    assert run.state.pages == 1
