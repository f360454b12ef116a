"""Owns the ready views of `%timing`: for each its SQL, and how its rows become bars. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .chart import Bar, Chart, Span, amount

MOST_BARS = 20


@dataclass(frozen=True, slots=True)
class ReadyView:
    """A view with a plot. `sql` gives a label, one value for each of `tones`, and a detail."""

    title: str
    unit: str
    sql: str
    tones: tuple[str, ...] = ("amount",)


_TASK = "right(task_id, 8)"
READY: dict[str, ReadyView] = {
    "stages": ReadyView(
        "Time by stage: p50, p95, p99",
        "ms",
        """\
SELECT stage, p50_ms, p95_ms, p99_ms, 'n = ' || n || ', longest ' || max_ms::BIGINT || ' ms' AS rows
FROM stage_percentiles
ORDER BY p95_ms DESC""",
        ("p50", "p95", "p99"),
    ),
    "slow_sources": ReadyView(
        "Slowest sources: p50, p95",
        "ms",
        f"""\
SELECT url, p50_ms, p95_ms, calls || ' calls, ' || failures || ' failed' AS calls
FROM slow_sources
ORDER BY p95_ms DESC
LIMIT {MOST_BARS}""",
        ("p50", "p95"),
    ),
    "first_delivery": ReadyView(
        "When tasks delivered: first, final",
        "ms",
        f"""\
SELECT {_TASK} AS task, coalesce(first_ms, final_ms) AS first_ms, final_ms,
       strftime(started_at, '%Y-%m-%d %H:%M') AS started
FROM first_delivery
ORDER BY started_at DESC
LIMIT {MOST_BARS}""",
        ("first", "final"),
    ),
    "timing": ReadyView(
        "Time by stage, all together",
        "ms",
        """\
SELECT stage, sum(elapsed_ms) AS total_ms, 'n = ' || count(*) AS rows
FROM timing
GROUP BY stage
ORDER BY total_ms DESC""",
    ),
    "tasks": ReadyView(
        "Newest tasks: time from start to end",
        "ms",
        f"""\
SELECT question, epoch_ms(coalesce(ended_at, now())) - epoch_ms(started_at) AS took_ms,
       status || ', ' || {_TASK} AS task
FROM tasks
ORDER BY created_at DESC
LIMIT {MOST_BARS}""",
    ),
    "rounds": ReadyView(
        "Newest model requests: tokens",
        "",
        f"""\
SELECT {_TASK} || ', request ' || request_no AS request, input_tokens + output_tokens AS tokens,
       phase || ', ' || outcome AS outcome
FROM rounds
ORDER BY started_at DESC
LIMIT {MOST_BARS}""",
    ),
    "sources": ReadyView(
        "Slowest calls of sources",
        "ms",
        f"""\
SELECT coalesce(nullif(title, ''), url) AS source, elapsed_ms, state || ', ' || via AS state
FROM sources
WHERE elapsed_ms IS NOT NULL
ORDER BY elapsed_ms DESC
LIMIT {MOST_BARS}""",
    ),
    "publications": ReadyView(
        "Newest publications: citations",
        "",
        f"""\
SELECT {_TASK} || ', publication ' || number AS publication,
       (SELECT count(*) FROM citations c
        WHERE c.task_id = p.task_id AND c.publication = p.number) AS citations,
       summary
FROM publications p
ORDER BY published_at DESC
LIMIT {MOST_BARS}""",
    ),
    "citations": ReadyView(
        "Citations by state",
        "",
        """\
SELECT state, count(*) AS n, 'in ' || count(DISTINCT task_id) || ' tasks' AS tasks
FROM citations
GROUP BY state
ORDER BY n DESC""",
    ),
    "events": ReadyView(
        "Events by kind",
        "",
        """\
SELECT kind, count(*) AS n, 'in ' || count(DISTINCT task_id) || ' tasks' AS tasks
FROM events
GROUP BY kind
ORDER BY n DESC""",
    ),
    "side_questions": ReadyView(
        "Newest side questions: time to the answer's end",
        "ms",
        f"""\
SELECT question, epoch_ms(coalesce(ended_at, now())) - epoch_ms(asked_at) AS took_ms,
       status || ', ' || model AS status
FROM side_questions
ORDER BY asked_at DESC
LIMIT {MOST_BARS}""",
    ),
    "conversations": ReadyView(
        "Tasks by notebook",
        "",
        f"""\
SELECT coalesce(nullif(notebook, ''), 'no notebook') AS notebook, turns,
       strftime(created_at, '%Y-%m-%d') AS since
FROM conversations
ORDER BY turns DESC
LIMIT {MOST_BARS}""",
    ),
}
READY["stage_percentiles"] = READY["stages"]
NAMES = ("waterfall", *READY)


def chart_of(view: ReadyView, rows: Sequence[Sequence[Any]], notes: tuple[str, ...] = ()) -> Chart:
    """Return the plot of a ready view's rows."""
    bars = tuple(_bar(view, row) for row in rows)
    return Chart(view.title, bars, notes or (() if bars else ("There is nothing yet.",)), view.sql)


def _bar(view: ReadyView, row: Sequence[Any]) -> Bar:
    label, *values, detail = row
    spans, at, told = [], 0.0, []
    for tone, value in zip(view.tones, values, strict=True):
        if value is None:
            told.append("unknown")
            continue
        end = max(float(value), at)
        spans.append(Span(at, end, tone))
        told.append(amount(float(value), view.unit))
        at = end
    return Bar(str(label), tuple(spans), " · ".join(told), "" if detail is None else str(detail))
