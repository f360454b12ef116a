"""Owns finding out whether what an engine is set up with works: asked once, for real, and said.

On the engine's thread. It spends what it asks for: one model request, one search of each source.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from ..core.left import BudgetLeft
from ..core.messages import opening
from ..core.sanitise import visible
from ..core.tools import ToolCallError, parse_call, tool_specs
from ..errors import ModelError, SourceError
from ..ports import Clock, Model, ModelReply, ModelRequest, Searcher
from .asking import ask
from .services import in_time

_TOOL = "report_progress"
_SYSTEM = "You are being tested: whether you can call tools."
_TASK = f"Call the tool {_TOOL} once, with the text: ready. Say nothing else."
_LEFT = BudgetLeft(
    "collecting", supplement=False, seconds=60, searches=0, pages=0, rounds=1, max_gaps=0
)
_MAX_TOKENS = 500
_QUERY = "how to open a file in Python"
_SEARCH_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found out of one part."""

    part: str
    state: Literal["works", "fails", "absent"]
    said: str


async def examine(
    model: Model, searchers: Sequence[Searcher], browser_problem: str, clock: Clock
) -> list[Finding]:
    """Return what was found out, the model first. Never raises for what does not work."""
    found = [await _model(model, clock)]
    found += [await _search(searcher, clock) for searcher in searchers]
    if browser_problem:
        return [*found, Finding("browser", "absent", browser_problem)]
    return [*found, Finding("browser", "works", "A browser is there, for pages that want one.")]


async def _model(model: Model, clock: Clock) -> Finding:
    """Whether the model answers, streams, and calls tools as it is told to."""
    part, pieces = f"model {model.name}", 0

    def heard(text: str) -> None:
        nonlocal pieces
        pieces += 1

    request = ModelRequest(
        (opening(_SYSTEM, _TASK),),
        tool_specs((_TOOL,), supplement=False),
        _LEFT,
        max_tokens=_MAX_TOKENS,
    )
    if model.name == "extractive":
        return Finding(part, "works", "It is built in: no key, no network, no tokens.")
    began_us = clock.now_us()
    try:
        answer = await ask(model, request, clock, heard)
    except ModelError as error:
        return Finding(part, "fails", visible(f"{error.sentence} {error.hint}"))
    took = (clock.now_us() - began_us) / 1_000_000
    problem = _tool_problem(answer)
    words = [f"It answered in {took:.1f} s", "streams" if pieces else "does not stream"]
    if problem:
        return Finding(part, "fails", f"{', '.join(words)}, but {problem}.")
    tokens = f"{answer.usage.total} tokens" if answer.usage.total else "tokens unknown"
    return Finding(part, "works", f"{', '.join(words)}, and calls tools ({tokens}).")


def _tool_problem(answer: ModelReply) -> str:
    if not answer.calls:
        return "it called no tool: research needs a model that does"
    call = answer.calls[0]
    if call.tool != _TOOL:
        return f"it called {visible(call.tool, 60)!r} where {_TOOL} was offered"
    try:
        parse_call(call, supplement=False)
    except ToolCallError as error:
        return f"its call cannot be read: {visible(str(error), 200).rstrip('.')}"
    return ""


async def _search(searcher: Searcher, clock: Clock) -> Finding:
    part, began_us = f"search {searcher.name}", clock.now_us()
    try:
        results = await in_time(searcher.name, searcher.search(_QUERY, 5), clock, _SEARCH_SECONDS)
    except SourceError as error:
        return Finding(part, "fails", visible(f"{error.sentence} {error.hint}"))
    took = (clock.now_us() - began_us) / 1_000_000
    return Finding(part, "works", f"It found {len(results)} pages in {took:.1f} s.")
