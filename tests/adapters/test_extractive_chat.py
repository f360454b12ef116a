"""The keyless model as a coordinator and in standard tasks: it quotes, and gives away the rest."""

from typing import Any

import pytest

from lazyboy_jupyter.adapters.models.extractive_chat import reply
from lazyboy_jupyter.core.conversation import opening_of
from lazyboy_jupyter.core.guide import Guide, Source
from lazyboy_jupyter.core.left import BudgetLeft
from lazyboy_jupyter.core.messages import Message, ToolCall, ToolResult, results, user_note
from lazyboy_jupyter.core.messages import reply as said
from lazyboy_jupyter.core.publication import Citation, Claim
from lazyboy_jupyter.core.reports import Report, report_messages
from lazyboy_jupyter.core.side_evidence import rests_of

LEFT = BudgetLeft("working", False, 600, 0, 0, 20, 0)
TEAM = frozenset(("delegate_task", "spawn_agent", "task_status", "ask_user", "read_tool_output"))
QUOTE = "The barrier's gates close at noon on every second Sunday."
OTHER = "A closing of the gates costs about 1.2 million euros."


def report(*quotes: str, task_id: str = "0190-1f3e9c2a") -> Report:
    """What a task has found: one claim a quote, all of one source."""
    source = Source("S1", "https://gates.example/hours", "Hours of the gates", "read", "page")
    claims = tuple(Claim(quote, (Citation("S1", quote, 0, "verbatim", "O1"),)) for quote in quotes)
    guide = Guide("When do gates close?", quotes[0], (), claims, (), (source,), (), ())
    return Report(task_id, "researcher", "When do gates close?", "completed", guide)


def turn(*before: Message, words: str) -> list[Message]:
    return [opening_of("You are the coordinator.", ""), *before, user_note(words)]


def coordinated(messages: list[Message]) -> tuple[str, list[Any]]:
    return reply(messages, LEFT, TEAM)


def test_what_a_task_has_found_is_quoted_and_proven() -> None:
    messages = turn(*report_messages(report(QUOTE, OTHER)), words="When do the gates close?")
    text, calls = coordinated(messages)
    assert calls == []
    assert f"“{QUOTE}”" in text
    rests = rests_of(text, messages)
    assert (rests[0].source, rests[0].quote) == ("1f3e9c2a/S1", QUOTE)


def test_two_quotes_are_never_made_one() -> None:
    messages = turn(*report_messages(report(QUOTE, OTHER)), words="What about the gates?")
    text, _ = coordinated(messages)
    quoted = [rest.quote for rest in rests_of(text, messages)]
    assert set(quoted) <= {QUOTE, OTHER}


def test_what_is_not_known_is_given_to_research() -> None:
    messages = turn(*report_messages(report(QUOTE)), words="Who owns the ferry?")
    text, calls = coordinated(messages)
    assert text == ""
    assert calls == [
        (
            "delegate_task",
            {
                "agent": "researcher",
                "instruction": "Who owns the ferry?",
                "task_type": "research",
            },
        )
    ]


def test_while_a_researcher_is_at_work_another_is_asked() -> None:
    call = ToolCall("a", "delegate_task", {"agent": "researcher", "instruction": "Q?"})
    begun = results([ToolResult("a", "delegate_task", {"task": "77777777", "agent": "researcher"})])
    messages = turn(user_note("Q?"), said("", [call]), begun, words="Who owns the ferry?")
    _, calls = coordinated(messages)
    assert calls[0][1]["agent"] == "researcher 2"
    told = report_messages(report(QUOTE, task_id="0190-77777777"))
    messages = turn(user_note("Q?"), said("", [call]), begun, *told, words="Who owns the ferry?")
    _, calls = coordinated(messages)
    assert calls[0][1]["agent"] == "researcher"


def test_after_delegating_it_says_who_looks() -> None:
    call = ToolCall("a", "delegate_task", {"agent": "researcher", "instruction": "Q?"})
    begun = {"task": "77777777", "agent": "researcher"}
    messages = turn(words="Q?")
    text, calls = coordinated(
        [*messages, said("", [call]), results([ToolResult("a", "delegate_task", begun)])]
    )
    assert calls == []
    assert "researcher looks it up (task 77777777)" in text
    refused = {"error": "refused", "detail": "A task gives at most 8 tasks away."}
    text, _ = coordinated(
        [*messages, said("", [call]), results([ToolResult("a", "delegate_task", refused)])]
    )
    assert "at most 8 tasks" in text


@pytest.mark.parametrize("words", ["hello", "Thanks!", "???", ""])
def test_small_talk_begins_nothing(words: str) -> None:
    text, calls = coordinated(turn(words=words))
    assert calls == []
    assert "looked up" in text


def test_how_things_stand_is_asked_of_the_tasks() -> None:
    messages = turn(words="What is running now?")
    text, calls = coordinated(messages)
    assert (text, calls) == ("", [("task_status", {})])
    call = ToolCall("a", "task_status", {})
    rows = [{"task": "1f3e9c2a", "agent": "x", "status": "running", "question": "When?"}]
    told = results([ToolResult("a", "task_status", {"tasks": rows})])
    text, calls = coordinated([*messages, said("", [call]), told])
    assert calls == []
    assert "- 1f3e9c2a, running: When?" in text


@pytest.mark.parametrize("content", [{}, {"results": 7}, {"results": [{"source": 3}]}, {"task": 1}])
def test_a_report_that_is_none_is_passed_over(content: dict[str, Any]) -> None:
    call = ToolCall("a", "task_status", {})
    odd = [said("", [call]), results([ToolResult("a", "task_status", content)])]
    _, calls = coordinated(turn(*odd, words="Who owns the ferry?"))
    assert calls[0][0] == "delegate_task"
