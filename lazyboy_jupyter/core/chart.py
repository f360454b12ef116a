"""Owns small charts of bars as text, Markdown and HTML; foreign text goes through `sanitise`.

Nothing loads and nothing runs. Without its colours a chart is a table of labels and values; the
SQL that made it stands below, to be copied.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from .sanitise import storable, to_html, visible

_TEXT_WIDTH = 40
_LABEL = 44
_DETAIL = 60


@dataclass(frozen=True, slots=True)
class Tone:
    """How a kind of span looks: as a character, and as a colour with its theme's variable."""

    mark: str
    colour: str


TONES: dict[str, Tone] = {
    "p50": Tone("█", "var(--jp-brand-color1,#2563c9)"),
    "p95": Tone("▒", "var(--jp-brand-color2,#7aa5e8)"),
    "p99": Tone("░", "var(--jp-brand-color3,#c3d7f5)"),
    "queue": Tone("░", "var(--jp-border-color1,#9a9fa8)"),
    "model": Tone("█", "var(--jp-brand-color1,#2563c9)"),
    "tools": Tone("▒", "#9467bd"),
    "sources": Tone("▓", "var(--jp-success-color1,#2e8b57)"),
    "delivery": Tone("━", "var(--jp-warn-color1,#b7791f)"),
    "side questions": Tone("▚", "var(--jp-info-color1,#1c8c9c)"),
    "first": Tone("█", "var(--jp-brand-color1,#2563c9)"),
    "final": Tone("▒", "var(--jp-brand-color2,#7aa5e8)"),
    "amount": Tone("█", "var(--jp-brand-color1,#2563c9)"),
}


@dataclass(frozen=True, slots=True)
class Span:
    """A part of a bar from `start` to `end`, in the chart's unit; `tone` is a key of `TONES`."""

    start: float
    end: float
    tone: str


@dataclass(frozen=True, slots=True)
class Bar:
    """One row: a label, its spans in their order, and what its length is in words."""

    label: str
    spans: tuple[Span, ...]
    value: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class Chart:
    """Bars over one axis from zero. `sql`: the query that made it."""

    title: str
    bars: tuple[Bar, ...]
    notes: tuple[str, ...] = ()
    sql: str = ""

    @property
    def extent(self) -> float:
        """Where the axis ends."""
        return max((span.end for bar in self.bars for span in bar.spans), default=0.0) or 1.0

    @property
    def tones(self) -> tuple[str, ...]:
        """The tones that occur, in the order of `TONES`."""
        there = {span.tone for bar in self.bars for span in bar.spans}
        return tuple(tone for tone in TONES if tone in there)


def chart_values(chart: Chart) -> dict[str, Any]:
    """Return the chart as a page lays it out: text made visible, spans in shares of the axis."""
    extent = chart.extent
    return {
        "title": visible(chart.title),
        "bars": [
            {
                "label": visible(bar.label, _LABEL),
                "spans": [
                    {"start": max(one.start, 0.0) / extent, "end": one.end / extent,
                     "tone": one.tone}
                    for one in bar.spans
                ],
                "value": bar.value,
                "detail": visible(bar.detail, _DETAIL),
            }
            for bar in chart.bars
        ],
        "tones": list(chart.tones),
        "notes": [visible(note) for note in chart.notes],
        "sql": _plain(chart.sql),
    }  # fmt: skip


def chart_to_text(chart: Chart) -> str:
    """Return the chart as lines of text, the SQL last."""
    width = max((len(visible(bar.label, _LABEL)) for bar in chart.bars), default=0)
    values = max((len(bar.value) for bar in chart.bars), default=0)
    lines = [visible(chart.title)]
    for bar in chart.bars:
        drawn = _drawn(bar.spans, chart.extent)
        text = f"{visible(bar.label, _LABEL):<{width}}  {drawn:<{_TEXT_WIDTH}}  "
        lines.append(f"{text}{bar.value:>{values}}  {visible(bar.detail, _DETAIL)}".rstrip())
    if len(chart.tones) > 1:
        lines.append("  ".join(f"{TONES[tone].mark} {tone}" for tone in chart.tones))
    lines += [visible(note) for note in chart.notes]
    return "\n".join([*lines, *(["", _plain(chart.sql)] if chart.sql else [])])


def chart_to_markdown(chart: Chart) -> str:
    """Return the chart as Markdown: text bars and the SQL, each in a fence."""
    bars = chart_to_text(Chart(chart.title, chart.bars, chart.notes))
    parts = [_fenced(bars, ""), *([_fenced(_plain(chart.sql), "sql")] if chart.sql else [])]
    return "\n\n".join(parts)


def chart_to_html(chart: Chart) -> str:
    """Return the chart as a table with bars, the SQL folded below."""
    rows = "".join(_row(bar, chart.extent) for bar in chart.bars)
    legend = "".join(
        f"<span>{_block(TONES[tone].colour, '10px')} {to_html(tone)}</span> "
        for tone in (chart.tones if len(chart.tones) > 1 else ())
    )
    below = f"<div>{legend}</div>" if legend else ""
    below += "".join(f"<div>{to_html(note)}</div>" for note in chart.notes)
    if chart.sql:
        below += f"<details><summary>SQL</summary><pre>{_escaped(chart.sql)}</pre></details>"
    return (
        f'{_STYLE}<div class="lzc mathjax_ignore tex2jax_ignore">'
        f'<div class="lzc-head"><strong>{to_html(chart.title)}</strong></div>'
        f'<div class="lzc-body"><table>{rows}</table></div>'
        f'<div class="lzc-foot">{below}</div></div>'
    )


# JupyterLab turns every cell of a table to the right by a rule of three classes; four weigh more.
_TABLE = ".lzc" * 4
_STYLE = f"""<style>
.lzc{{--fg2:var(--jp-content-font-color2,var(--vscode-descriptionForeground,#808080));
--line:var(--jp-border-color2,var(--vscode-widget-border,rgba(128,128,128,.3)));
border:1px solid var(--line);border-radius:8px;overflow:hidden;max-width:860px;margin:2px 0 10px;
color:var(--jp-content-font-color1,var(--vscode-foreground,inherit));
font:13px/1.55 var(--jp-ui-font-family,system-ui,sans-serif)}}
.lzc-head{{padding:9px 14px;background:var(--jp-layout-color2,rgba(128,128,128,.08));
border-bottom:1px solid var(--line)}}
.lzc-body{{padding:8px 14px;overflow-x:auto}}
.lzc-foot{{padding:7px 14px 9px;border-top:1px solid var(--line);color:var(--fg2)}}
.lzc-foot span{{white-space:nowrap;margin-right:12px}}
.lzc-foot pre{{margin:6px 0 0;overflow-x:auto;font-size:12px;background:none;color:inherit}}
.lzc summary{{cursor:pointer}}
{_TABLE} table{{width:100%;border-collapse:collapse;table-layout:auto;margin:0;color:inherit;
font:inherit}}
{_TABLE} tr{{background:none}}
{_TABLE} td{{text-align:left;vertical-align:middle;padding:2px 12px 2px 0;border:0;
white-space:nowrap;font-variant-numeric:tabular-nums}}
{_TABLE} td:nth-child(2){{width:60%;min-width:120px;line-height:0}}
{_TABLE} td:nth-child(3){{text-align:right}}
{_TABLE} td:nth-child(4){{color:var(--fg2);padding-right:0}}
.lzc i{{display:inline-block;height:10px;border-radius:1px}}
</style>"""


def _row(bar: Bar, extent: float) -> str:
    blocks, at = "", 0.0
    for span in bar.spans:
        begin, end = (100 * max(edge, 0.0) / extent for edge in (span.start, span.end))
        begin = max(begin, at)
        if begin > at:
            blocks += _block("none", f"{begin - at:.2f}%")
        shown = max(end - begin, 0.3)
        blocks += _block(TONES[span.tone].colour, f"{min(shown, 100 - begin):.2f}%")
        at = begin + shown
    return (
        f"<tr><td>{to_html(bar.label, _LABEL)}</td><td>{blocks}</td>"
        f"<td>{to_html(bar.value)}</td><td>{to_html(bar.detail, _DETAIL)}</td></tr>"
    )


def _block(colour: str, width: str) -> str:
    return f'<i style="width:{width};background:{colour}"></i>'


def _drawn(spans: Sequence[Span], extent: float) -> str:
    drawn = [" "] * _TEXT_WIDTH
    at = 0
    for span in spans:
        begin = max(min(round(_TEXT_WIDTH * span.start / extent), _TEXT_WIDTH - 1), at, 0)
        end = max(round(_TEXT_WIDTH * span.end / extent), begin + 1 if at == 0 else begin)
        for place in range(begin, min(end, _TEXT_WIDTH)):
            drawn[place] = TONES[span.tone].mark
        at = min(end, _TEXT_WIDTH)
    return "".join(drawn)


def _plain(sql: str) -> str:
    """Return SQL with its lines, and nothing in it that hides or cannot be written."""
    lines = storable(sql).split("\n")
    return "\n".join(
        f"{line[: len(line) - len(line.lstrip(' '))]}{visible(line)}" for line in lines
    )


def _escaped(sql: str) -> str:
    return "\n".join(
        f"{line[: len(line) - len(line.lstrip(' '))]}{to_html(line)}" for line in sql.split("\n")
    )


def _fenced(text: str, language: str) -> str:
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def amount(value: float, unit: str) -> str:
    """Return a value in words: milliseconds as people read them, counts with thousands apart."""
    if unit != "ms":
        return f"{value:,.0f}" + (f" {unit}" if unit else "")
    if value < 10:
        return f"{value:.1f} ms"
    if value < 1000:
        return f"{value:.0f} ms"
    if value < 60_000:
        return f"{value / 1000:.1f} s"
    minutes, seconds = divmod(round(value / 1000), 60)
    return f"{minutes} min {seconds} s"
