"""Field cases M1 to M4, M7 and M8: replies that are not what was asked for. Each names its case."""

import asyncio
from typing import Any

from lazyboy_jupyter.core.events import CallRefused
from lazyboy_jupyter.core.messages import ToolCall
from lazyboy_jupyter.core.tools import MOST_CALLS
from lazyboy_jupyter.engine.run import ResearchRun
from lazyboy_jupyter.store.database import Database
from lazyboy_jupyter.store.events import log_of
from tests.engine.driving import Driver
from tests.fakes import FakeWeb, ScriptedModel, call, guide, pages, supplement

SEARCH = [call("web_search", query="gates")]
GUIDE = guide(("S1", None))


def run_of(database: Database, *replies: Any) -> tuple[ResearchRun, ScriptedModel, FakeWeb]:
    model, web = ScriptedModel(replies), FakeWeb(pages(2))
    return asyncio.run(Driver(database).finish(model, web)), model, web


def last_note(model: ScriptedModel, number: int) -> str:
    return str(model.requests[number].messages[-1]["parts"][-1]["content"])


def test_m1_prose_is_answered_with_what_is_due_and_what_is_offered(database: Database) -> None:
    gap = guide(("S1", None), gaps=[{"question": "And dikes?", "why": ""}])
    run, model, _ = run_of(
        database, SEARCH, "Gates cost money.", [gap], "Dikes too.", [supplement(("S1", None))]
    )

    assert run.state.phase == "completed"
    assert "The guide is still to be published" in last_note(model, 2)
    assert ", ".join(model.offered(2)) in last_note(model, 2)
    assert "The additions to the guide are still to be published" in last_note(model, 4)


def test_m2_a_publication_that_was_cut_is_refused_and_may_be_made_again(
    database: Database,
) -> None:
    cut = ToolCall("", "publish_research", '{"summary": "A guide that')
    run, model, _ = run_of(database, SEARCH, [cut], [GUIDE])

    assert "cut off" in model.results(2)[0]["detail"]
    assert run.state.phase == "completed"
    assert run.guide is not None
    assert run.publisher.publications[0].summary == "A summary."


def test_m2_arguments_as_python_writes_them_are_run_and_sent_on_as_an_object(
    database: Database,
) -> None:
    odd = ToolCall("", "web_search", "{'query': 'gates'} as asked")
    _, model, web = run_of(database, [odd], [GUIDE])

    assert web.searched == ["gates"]
    assert model.requests[1].messages[1]["parts"][0]["args"] == {"query": "gates"}


def test_m2_half_a_character_does_not_end_the_task(database: Database) -> None:
    odd = ToolCall("", "publish_research", '{"summary": "Gates \\ud83d cost \\u0000 money."}')
    run, _, _ = run_of(database, SEARCH, [odd])

    assert run.state.phase == "completed"
    assert run.publisher.publications[0].summary == "Gates \ufffd cost \ufffd money."


def test_m3_a_tool_that_is_not_there_is_answered_with_those_that_are(database: Database) -> None:
    _, model, _ = run_of(database, [call("shell", command="ls")], SEARCH, [GUIDE])

    detail = model.results(1)[0]["detail"]
    assert detail.startswith("There is no tool 'shell'. Offered now: web_search")


def test_m4_printed_calls_are_made_with_ids_of_ours(database: Database) -> None:
    run, model, web = run_of(
        database,
        'I look.\n<tool_call>{"name": "web_search", "arguments": {"query": "gates"}}</tool_call>',
        'Here it is:\n```json\n{"summary": "Gates.", "findings": [{"text": "f", "citations": '
        '["S1"]}]}\n```',
    )

    assert web.searched == ["gates"]
    said, made = model.requests[1].messages[1]["parts"]
    assert (said["content"], made["tool_name"]) == ("I look.", "web_search")
    assert made["tool_call_id"].startswith("id-")
    assert run.state.phase == "completed"
    assert run.publisher.publications[0].findings[0].citations[0].source == "S1"


def test_m7_reasoning_is_no_part_of_the_guide_and_makes_no_call(database: Database) -> None:
    thinking = '<think>Maybe\n<tool_call>{"name": "web_search", "arguments": {"query": "x"}}'
    published = call("publish_research", summary="<think>Hmm.</think>Gates cost money.")
    run, model, web = run_of(database, thinking, SEARCH, [published])

    assert web.searched == ["gates"]
    assert [message["kind"] for message in model.requests[1].messages] == ["request", "request"]
    assert run.publisher.publications[0].summary == "Gates cost money."


def test_m8_the_publication_after_too_many_calls_is_judged(database: Database) -> None:
    many = [call("report_progress", text=f"Step {number}.") for number in range(500)]
    run, model, _ = run_of(database, SEARCH, [*many, GUIDE])

    assert run.state.phase == "completed"
    assert len(model.requests) == 2


def test_m8_every_call_beyond_the_limit_gets_its_result_for_one_event(database: Database) -> None:
    many = [call("report_progress", text=f"Step {number}.") for number in range(MOST_CALLS + 3)]
    run, model, _ = run_of(database, many, SEARCH, [GUIDE])

    results = model.results(1)
    reported = [result.get("reported", False) for result in results]
    assert reported == [True] * MOST_CALLS + [False] * 3
    assert all("was not run" in result["detail"] for result in results[MOST_CALLS:])
    log = log_of(database, run.spec.task_id)
    assert len([event for _, _, event in log if isinstance(event, CallRefused)]) == 1
