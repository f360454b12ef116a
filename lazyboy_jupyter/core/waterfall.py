"""Owns the waterfall of one task: its timing rows as bars from the task's start, in time order.

Timing rows hold no text (DESIGN §7), so a bar is named by its stage, its request and its call.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from .chart import Bar, Chart, Span, amount

MOST_BARS = 60
"""A longer waterfall is folded: first calls of one request, then its middle."""
_HALF = MOST_BARS // 2

FAMILIES: dict[str, str] = {
    "worker_model_queue": "queue",
    "foreground_model_queue": "queue",
    "model_retry_backoff": "queue",
    "model_response": "model",
    "tool_execution": "tools",
    "research_source": "sources",
    "research_first_delivery": "delivery",
    "research_final_delivery": "delivery",
    "side_question_summary": "side questions",
    "side_question_first_text": "side questions",
    "side_question_response": "side questions",
}
WORDS: dict[str, str] = {
    "worker_model_queue": "waits for the model",
    "foreground_model_queue": "waits for the model",
    "model_retry_backoff": "waits to try again",
    "model_response": "model responds",
    "tool_execution": "tool",
    "research_source": "source",
    "research_first_delivery": "first delivery",
    "research_final_delivery": "final delivery",
    "side_question_summary": "side question: summary",
    "side_question_first_text": "side question: first text",
    "side_question_response": "side question: answer",
}
WATERFALL_SQL = """\
SELECT stage, request_no, call_id, outcome, elapsed_ms,
       epoch_us(ts) / 1000 - elapsed_ms
         - min(epoch_us(ts) / 1000 - elapsed_ms) OVER () AS offset_ms
FROM timing
WHERE task_id = '{task_id}'
ORDER BY offset_ms, elapsed_ms DESC"""


@dataclass(frozen=True, slots=True)
class Stage:
    """One row of the waterfall's SQL. `count`: how many measured stages it stands for."""

    stage: str
    request_no: int | None
    call_id: str | None
    outcome: str
    elapsed_ms: float
    offset_ms: float
    count: int = 1

    @property
    def family(self) -> str:
        """What it belongs to, and how it looks."""
        return FAMILIES.get(self.stage, "tools")

    @property
    def end_ms(self) -> float:
        """When it ended, from the task's start."""
        return self.offset_ms + self.elapsed_ms


def waterfall(name: str, stages: Sequence[Stage], sql: str) -> Chart:
    """Return the chart of a task called `name`; `stages` in the order of their beginning."""
    calls: dict[str, int] = {}
    for one in stages:
        if one.call_id:
            calls.setdefault(one.call_id, len(calls) + 1)
    shown = list(stages) if len(stages) <= MOST_BARS else _folded(stages)
    bars = [_bar(one, calls) for one in shown]
    if len(bars) > MOST_BARS:
        between = sum(one.count for one in shown[_HALF:-_HALF])
        gap = Bar("…", (), "", f"{between:,} stages between are not shown")
        bars = [*bars[:_HALF], gap, *bars[-_HALF:]]
    return Chart(f"Waterfall of {name}, from its start", tuple(bars), (_totals(stages),), sql)


def _folded(stages: Iterable[Stage]) -> list[Stage]:
    """Return the stages with those of one kind and request together, where the first began."""
    folded: dict[tuple[str, int | None], Stage] = {}
    for one in stages:
        key = (one.stage, one.request_no)
        before = folded.get(key)
        if before is None:
            folded[key] = one
        else:
            end = max(before.end_ms, one.end_ms)
            outcome = before.outcome if before.outcome == one.outcome else "mixed"
            folded[key] = replace(
                before,
                elapsed_ms=end - before.offset_ms,
                outcome=outcome,
                count=before.count + one.count,
            )
    return list(folded.values())


def _bar(one: Stage, calls: dict[str, int]) -> Bar:
    label = WORDS.get(one.stage, one.stage)
    if one.request_no is not None:
        label += f", request {one.request_no}"
    if one.count > 1:
        label += f", {one.count} together"
    elif one.call_id:
        label += f", call {calls[one.call_id]}"
    outcome = "" if one.outcome in {"ok", "completed"} else one.outcome
    detail = f"at {amount(one.offset_ms, 'ms')}" + (f", {outcome}" if outcome else "")
    return Bar(
        label,
        (Span(one.offset_ms, one.end_ms, one.family),),
        amount(one.elapsed_ms, "ms"),
        detail,
    )


def _totals(stages: Sequence[Stage]) -> str:
    spent: dict[str, list[float]] = {}
    for one in stages:
        spent.setdefault(one.family, []).append(one.elapsed_ms)
    parts = [
        f"{family} {amount(sum(spent[family]), 'ms')} in {len(spent[family])}"
        for family in dict.fromkeys(FAMILIES.values())
        if family in spent and family != "delivery"
    ]
    whole = max((one.end_ms for one in stages), default=0.0)
    return f"Together: {', '.join(parts)}; {amount(whole, 'ms')} from start to end."
