"""Owns the keyless model's replies outside research: as a coordinator, and in a standard task.

Pure, in a worker. As a coordinator it answers from what tasks have found, word for word, and gives
every other question to research. In a standard task it reads as in research, and says what it
found.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from lazyboy_jupyter.adapters.models.extractive_side import told
from lazyboy_jupyter.adapters.models.extractive_turn import Call, next_calls
from lazyboy_jupyter.adapters.models.side_history import Known, known_from
from lazyboy_jupyter.adapters.models.side_intents import intent_of
from lazyboy_jupyter.adapters.models.side_quotes import Found, quotes_on
from lazyboy_jupyter.core.left import BudgetLeft
from lazyboy_jupyter.core.messages import Message, calls_with_results, results_of
from lazyboy_jupyter.core.reports import REPORT_TOOL
from lazyboy_jupyter.core.sanitise import visible
from lazyboy_jupyter.core.team_tools import LONGEST_INSTRUCTION

Reply = tuple[str, list[Call]]
RESEARCHER = "researcher"
_SEARCHES, _PAGES = 2, 6
_SHOWN = 120
_NOTHING_ASKED = (
    "Ask something: what tasks of this notebook have found is quoted here, and everything else is "
    "looked up. This is the built-in model, which quotes and does not converse; %lazyboy model "
    "NAME takes another."
)


def reply(messages: Sequence[Message], left: BudgetLeft, offered: frozenset[str]) -> Reply:
    """Return the next reply: its text, and its calls."""
    if "spawn_agent" in offered:
        return _coordinated(messages)
    return _worked(messages, left, offered)


def _coordinated(messages: Sequence[Message]) -> Reply:
    words, since = _last_words(messages)
    answers = {
        answer.tool: answer.content for one in messages[since:] for answer in results_of(one)
    }
    if "delegate_task" in answers:
        return _begun(answers["delegate_task"]), []
    if REPORT_TOOL in answers:
        return _standing(answers[REPORT_TOOL]), []
    intent = intent_of(words)
    if intent.about == "status":
        return "", [(REPORT_TOOL, {})]
    if intent.about == "subject" and not intent.subject:
        return _NOTHING_ASKED, []
    known = known_from(messages)
    found = _found(known, intent.subject or known.question if intent.about != "subject" else words)
    if found.quotes:
        return "\n\n".join(told(found)), []
    return "", [
        (
            "delegate_task",
            {
                "agent": _free_name(messages),
                "instruction": words[:LONGEST_INSTRUCTION],
                "task_type": "research",
            },
        )
    ]


def _last_words(messages: Sequence[Message]) -> tuple[str, int]:
    """Return what the person said last, and how many messages stand up to it."""
    for number in range(len(messages), 0, -1):
        for part in messages[number - 1]["parts"]:
            if part["part_kind"] == "user-prompt":
                return str(part["content"]), number
    return "", len(messages)


def _found(known: Known, asked: str) -> Found:
    """What answers in full: what only comes near is looked up anew."""
    found = quotes_on(asked, known)
    whole = found.quotes and not found.is_near and not found.missing
    return found if whole else Found()


def _begun(content: Mapping[str, Any]) -> str:
    if "error" in content:
        return f"It could not be given to an agent: {content.get('detail')}"
    agent, task = visible(str(content.get("agent")), 60), visible(str(content.get("task")), 20)
    return (
        f"This is not known here yet, so {agent} looks it up (task {task}). "
        "The guide appears below by itself; ask about it here then."
    )


def _standing(content: Mapping[str, Any]) -> str:
    tasks = content.get("tasks") or []
    if not tasks:
        return "No task was begun in this notebook yet."
    lines = [
        f"- {one['task']}, {one['status']}: {visible(one['question'], _SHOWN)}" for one in tasks
    ]
    return "\n".join(["The tasks of this notebook, newest first:", "", *lines])


def _free_name(messages: Sequence[Message]) -> str:
    """An agent does one task at a time: each question that is still open has one of its own."""
    begun = set(_tasks_of(messages, "delegate_task"))
    reported = set(_tasks_of(messages, REPORT_TOOL))
    waiting = len(begun - reported)
    return RESEARCHER if not waiting else f"{RESEARCHER} {waiting + 1}"


def _tasks_of(messages: Sequence[Message], tool: str) -> Iterator[str]:
    for call, result in calls_with_results(messages):
        if call.tool == tool and result is not None and "task" in result.content:
            yield str(result.content["task"])


def _worked(messages: Sequence[Message], left: BudgetLeft, offered: frozenset[str]) -> Reply:
    """Read no more than research does, then say what was found."""
    done = [call.tool for call, _ in calls_with_results(messages)]
    searches = max(0, min(left.searches, _SEARCHES - done.count("web_search")))
    pages = max(0, min(left.pages, _PAGES - done.count("open_page") - done.count("browser_open")))
    may = offered - ({"web_search"} if not searches else set())
    may -= {"open_page", "browser_open"} if not pages else set()
    calls = next_calls(messages, replace(left, searches=searches, pages=pages, max_gaps=0), may)
    tool, args = calls[0]
    return ("", calls) if tool != "publish_research" else (_text_of(args), [])


def _text_of(args: Mapping[str, Any]) -> str:
    """A guide as a text: what it quotes stands in quotation marks, with its source."""
    claims = [*args["steps"], *args["findings"]]
    parts = [] if any(claim["text"] == args["summary"] for claim in claims) else [args["summary"]]
    for claim in claims:
        quotes = (f"“{one['quote']}” ({one['source']})" for one in claim["citations"])
        parts.append("; ".join(quotes) or claim["text"])
    parts += [f"Unknown: {unknown}" for unknown in args["unknowns"]]
    return "\n\n".join(parts)
