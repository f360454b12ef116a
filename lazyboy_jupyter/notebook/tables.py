"""Owns small tables as text, Markdown and HTML; all foreign text goes through `sanitise`."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..core.render_text import short_id
from ..core.sanitise import to_html, to_markdown, visible
from ..core.view import PHASE_WORDS, clock

_QUESTION = 70
_NOTEBOOK = 40


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of text under headings, with a note below; shows itself as text, Markdown and HTML."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""

    def __str__(self) -> str:
        lines = [self.headings, *self.rows] if self.rows else []
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        text = [
            "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
            for line in lines
        ]
        return "\n".join([*text, *([self.note] if self.note else [])])

    def __repr__(self) -> str:
        return str(self)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {
            "text/plain": str(self),
            "text/markdown": self._markdown(),
            "text/html": self._html(),
        }

    def _markdown(self) -> str:
        lines = []
        if self.rows:
            lines = [tuple(map(to_markdown, self.headings)), tuple("---" for _ in self.headings)]
            lines += [tuple(map(to_markdown, row)) for row in self.rows]
        text = ["| " + " | ".join(line) + " |" for line in lines]
        return "\n".join([*text, "", to_markdown(self.note)]).strip()

    def _html(self) -> str:
        note = f"<p>{to_html(self.note)}</p>" if self.note else ""
        if not self.rows:
            return note
        head = "".join(f'<th style="text-align:left">{to_html(h)}</th>' for h in self.headings)
        body = "".join(
            "<tr>"
            + "".join(f'<td style="text-align:left">{to_html(c)}</td>' for c in row)
            + "</tr>"
            for row in self.rows
        )
        return (
            '<table class="mathjax_ignore tex2jax_ignore">'
            + f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{note}"
        )


def tasks_table(rows: Sequence[dict[str, Any]], note: str = "") -> Table:
    """Return tasks, rows of the view `tasks`, as a table."""
    headings = ("ID", "State", "Asked", "Took", "Searches", "Pages", "Question")
    if any("notebook" in row for row in rows):  # of several notebooks
        where = (*headings[:-1], "Notebook", headings[-1])
        return Table(
            where, tuple((*_task_row(r)[:-1], _where(r), _task_row(r)[-1]) for r in rows), note
        )
    return Table(headings, tuple(_task_row(row) for row in rows), note)


def _where(row: dict[str, Any]) -> str:
    if row["own"]:
        return "this one, archived" if row["archived"] else "this one"
    return visible(row["notebook"].replace("\\", "/").rpartition("/")[2], _NOTEBOOK) or "none"


def _task_row(row: dict[str, Any]) -> tuple[str, ...]:
    took = ""
    if row["started_at"] is not None and row["ended_at"] is not None:
        took = clock((row["ended_at"] - row["started_at"]).total_seconds())
    return (
        short_id(row["task_id"]),
        PHASE_WORDS.get(row["phase"] or "queued", str(row["phase"])),
        row["created_at"].astimezone().strftime("%Y-%m-%d %H:%M"),
        took,
        str(row["searches"]),
        str(row["pages"]),
        visible(f"{row['name']}: " * bool(row["name"]) + row["question"], _QUESTION),
    )
