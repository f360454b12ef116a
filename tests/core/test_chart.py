"""Charts and waterfalls: what they show, and that foreign text stays text."""

import pytest

from lazyboy_jupyter.core.chart import (
    TONES,
    Bar,
    Chart,
    Span,
    amount,
    chart_to_html,
    chart_to_markdown,
    chart_to_text,
)  # fmt: skip
from lazyboy_jupyter.core.waterfall import FAMILIES, MOST_BARS, WORDS, Stage, waterfall

HOSTILE = "</pre></details><script>alert(1)</script> ``` \u202e\x1b[31m"


def chart(*bars: Bar, sql: str = "SELECT 1") -> Chart:
    return Chart("Title", bars, ("A note.",), sql)


def bar(label: str, *edges: float, detail: str = "") -> Bar:
    tones = ("p50", "p95", "p99")
    spans = [Span(a, b, t) for a, b, t in zip((0.0, *edges), edges, tones, strict=False)]
    return Bar(label, tuple(spans), amount(edges[-1] if edges else 0, "ms"), detail)


def test_lengths_are_in_proportion() -> None:
    lines = chart_to_text(chart(bar("whole", 100), bar("half", 50), bar("none", 0))).splitlines()
    assert [line.count("█") for line in lines[1:4]] == [40, 20, 1]
    html = chart_to_html(chart(bar("whole", 100), bar("half", 50)))
    assert "width:100.00%" in html
    assert "width:50.00%" in html


def test_spans_follow_each_other() -> None:
    text = chart_to_text(chart(bar("a", 50, 75, 100)))
    assert "█" * 20 + "▒" * 10 + "░" * 10 in text
    assert "█ p50  ▒ p95  ░ p99" in text


def test_a_chart_of_nothing() -> None:
    empty = Chart("Title", (), ("There is nothing yet.",), "SELECT 1")
    assert chart_to_text(empty) == "Title\nThere is nothing yet.\n\nSELECT 1"
    assert "There is nothing yet." in chart_to_html(empty)


def test_foreign_text_stays_text() -> None:
    hostile = chart(bar(HOSTILE, 1, detail=HOSTILE), sql=f"SELECT '{HOSTILE}'")
    html, markdown = chart_to_html(hostile), chart_to_markdown(hostile)
    assert "<script" not in html
    assert html.count("</pre>") == 1
    for twin in (html, markdown, chart_to_text(hostile)):
        assert "\u202e" not in twin
        assert "\x1b" not in twin
    assert markdown.startswith("````")
    assert markdown.count("````") == 4


def test_html_reads_without_its_colours() -> None:
    html = chart_to_html(chart(bar("model response", 1234.0)))
    assert "<td" in html
    assert "model response" in html
    assert "1.2 s" in html
    colours = {tone.colour for name, tone in TONES.items() if name in FAMILIES.values()}
    assert len(colours) == len(set(FAMILIES.values()))  # JupyterLab's accents are its success's
    assert "src=" not in html
    assert "url(" not in html


@pytest.mark.parametrize(
    ("value", "unit", "words"),
    [
        (0.04, "ms", "0.0 ms"), (9.94, "ms", "9.9 ms"), (999.4, "ms", "999 ms"),
        (1000, "ms", "1.0 s"), (59_900, "ms", "59.9 s"), (119_700, "ms", "2 min 0 s"),
        (1234567, "", "1,234,567"), (3, "tokens", "3 tokens"),
    ],
)  # fmt: skip
def test_amounts_in_words(value: float, unit: str, words: str) -> None:
    assert amount(value, unit) == words


def stage(
    name: str, offset: float, elapsed: float, request: int | None = 1, call: str = ""
) -> Stage:
    return Stage(name, request, call or None, "ok", elapsed, offset)


def test_a_waterfall_names_what_it_shows() -> None:
    rows = [
        stage("worker_model_queue", 0, 10),
        stage("research_first_delivery", 0, 900, None),
        stage("model_response", 10, 500),
        stage("research_source", 510, 100, call="k1"),
        stage("tool_execution", 510, 101, call="k1"),
        Stage("research_source", 1, "k2", "timeout", 50, 520),
    ]
    drawn = waterfall("task x", rows, "SELECT 1")
    assert [one.label for one in drawn.bars] == [
        "waits for the model, request 1",
        "first delivery",
        "model responds, request 1",
        "source, request 1, call 1",
        "tool, request 1, call 1",
        "source, request 1, call 2",
    ]
    assert drawn.bars[-1].detail == "at 520 ms, timeout"
    assert drawn.notes == (
        "Together: queue 10 ms in 1, model 500 ms in 1, tools 101 ms in 1, "
        "sources 150 ms in 2; 900 ms from start to end.",
    )
    assert set(drawn.tones) == {"queue", "delivery", "model", "sources", "tools"}


def test_a_long_waterfall_folds_the_calls_of_a_request() -> None:
    rows = [stage("model_response", n * 100, 50, n) for n in range(10)]
    rows += [stage("research_source", 1000 + n, 30, 3, f"k{n}") for n in range(90)]
    drawn = waterfall("t", sorted(rows, key=lambda one: one.offset_ms), "")
    assert len(drawn.bars) == 11
    (folded,) = (one for one in drawn.bars if "together" in one.label)
    assert folded.label == "source, request 3, 90 together"
    assert folded.spans == (Span(1000, 1119, "sources"),)


def test_a_very_long_waterfall_says_what_it_leaves_out() -> None:
    rows = [stage("model_response", n, 1, n) for n in range(500)]
    drawn = waterfall("t", rows, "")
    assert len(drawn.bars) == MOST_BARS + 1
    assert drawn.bars[MOST_BARS // 2].detail == "440 stages between are not shown"
    assert "model 500 ms in 500" in drawn.notes[0]


def test_every_stage_has_a_family_and_words() -> None:
    from typing import get_args

    from lazyboy_jupyter.core.timing import Stage as Name

    assert set(FAMILIES) == set(WORDS) == set(get_args(Name))
    assert set(FAMILIES.values()) <= set(TONES)
