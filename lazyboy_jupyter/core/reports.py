"""Owns what an agent is told of another one's task: as the result of a tool, never as words of
ours, since it holds what pages say. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .guide import Guide, Source
from .messages import Message, ToolCall, ToolResult, reply, results, user_note
from .publication import Claim
from .render_text import short_id
from .sanitise import visible
from .side import Rest

REPORT_TOOL = "task_status"
QUOTES_APART = "\n\n"
"""Stands between two quotes of a source, so that nobody takes them for one."""
TOLD = "A task has come to something; this is what task_status says of it."
_MOST_CLAIMS = 12
_TEXT = 6_000
_LINE = 600


@dataclass(frozen=True, slots=True)
class Report:
    """What one task has come to. `guide`: as published then; `result`: a standard task's."""

    task_id: str
    agent: str
    question: str
    status: str
    guide: Guide | None = None
    result: str = ""
    rests_on: tuple[Rest, ...] = ()
    error: str = ""
    additions_only: bool = False


def report_content(report: Report) -> dict[str, Any]:
    """Return a report as a tool gives it, bounded; `output_id` is for reading all of it."""
    content: dict[str, Any] = {
        "task": short_id(report.task_id),
        "agent": visible(report.agent, 80),
        "status": report.status,
        "question": visible(report.question, _TEXT // 3),
    }
    if report.guide is not None:
        content |= _guide(report.guide, report.task_id, additions_only=report.additions_only)
    if report.result:
        content |= {
            "result": report.result[:_TEXT],
            "results": [_rest(rest, report.task_id) for rest in report.rests_on[:_MOST_CLAIMS]],
        }
    if report.guide is not None or len(report.result) > _TEXT:
        content["output_id"] = f"{short_id(report.task_id)}/guide"
    if report.error:
        content["problem"] = visible(report.error, _LINE)
    return content


def report_messages(report: Report) -> list[Message]:
    """Return a report as a history has it that nobody asked for: a call with its result."""
    # Some providers take no id of more than 40 characters.
    call_id = f"report-{short_id(report.task_id)}-{report.additions_only:d}"
    call = ToolCall(call_id, REPORT_TOOL, {"task": short_id(report.task_id)})
    answer = ToolResult(call.call_id, call.tool, report_content(report))
    # Some providers take a call only behind words of the person, or behind results.
    return [user_note(TOLD), reply("", [call]), results([answer])]


def _guide(guide: Guide, task_id: str, *, additions_only: bool) -> dict[str, Any]:
    claims = guide.additions if additions_only else guide.claims
    shown = claims[:_MOST_CLAIMS]
    told: dict[str, Any] = {} if additions_only else {"summary": visible(guide.summary, _TEXT // 3)}
    told["additions" if additions_only else "findings"] = [
        {"text": visible(claim.text, _LINE), "sources": _sources_of(claim)} for claim in shown
    ]
    told["unknowns"] = [visible(unknown, _LINE) for unknown in guide.unknowns[:_MOST_CLAIMS]]
    told["results"] = [
        one for source in guide.sources if (one := _quoted(source, shown, task_id)) is not None
    ]
    return told


def _sources_of(claim: Claim) -> list[str]:
    return list(dict.fromkeys(citation.source for citation in claim.citations))


def _quoted(source: Source, claims: Sequence[Claim], task_id: str) -> dict[str, Any] | None:
    """A source with the quotes of it that were found; None where no claim cites it."""
    cited = [c for claim in claims for c in claim.citations if c.source == source.source_id]
    if not cited:
        return None
    quotes = [c.quote for c in cited if c.quote and c.state == "verbatim"]
    return {
        "source": f"{short_id(task_id)}/{source.source_id}",
        "title": visible(source.title, 200),
        "url": source.url,
        "state": source.state,
        "text": QUOTES_APART.join(dict.fromkeys(visible(quote, _LINE) for quote in quotes)),
    }


def _rest(rest: Rest, task_id: str) -> dict[str, Any]:
    return {
        "source": f"{short_id(task_id)}/{rest.source}",
        "title": visible(rest.title, 200),
        "url": rest.url,
        "text": visible(rest.quote or "", _LINE),
    }
