"""Owns an agent's own words, a side answer or a result, as text, Markdown and HTML, with what they
rest on. Foreign text goes through `sanitise`: lines are kept, and no markup of theirs is."""

import textwrap
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from .sanitise import link_html, link_markdown, to_html, to_markdown, visible
from .side import Rest

_WIDTH = 80
INDENT = "   "


def answer_to_text(text: str, rests: Sequence[Rest], indent: str = "") -> list[str]:
    """Return an answer as lines, and what it rests on."""
    lines = [
        wrapped(visible(line), indent + " " * _leading(line))
        for line in text.strip("\n").split("\n")
    ]
    lines += [""] if text else []
    for one in _grouped(rests):
        named = f"{visible(one.source)} {_title(one)} ({visible(one.url)}){one.found}"
        lines.append(wrapped(named, indent))
    return lines


def answer_to_markdown(text: str, rests: Sequence[Rest]) -> list[str]:
    """Return an answer as paragraphs of Markdown, and what it rests on."""
    parts = [_lines_markdown(part) for part in text.split("\n\n") if part.strip()]
    if rests:
        parts.append("\n".join(map(_rest_markdown, _grouped(rests))))
    return parts


def answer_to_html(text: str) -> str:
    """Return an answer as paragraphs of HTML."""
    return "".join(f"<p>{_lines_html(part)}</p>" for part in text.split("\n\n") if part)


def rests_to_html(rests: Sequence[Rest]) -> str:
    """Return what an answer rests on as a list; nothing when it is nothing."""
    rows = "".join(map(_rest_html, _grouped(rests)))
    return f'<ul style="margin:4px 0;padding-left:18px">{rows}</ul>' if rows else ""


def wrapped(text: str, indent: str) -> str:
    """Return text in lines of a terminal's width, the first with this indent."""
    return textwrap.fill(
        text, _WIDTH, initial_indent=indent, subsequent_indent=indent or INDENT,
        break_long_words=False, break_on_hyphens=False,
    )  # fmt: skip


def _leading(line: str) -> int:
    """How far a line is indented, so that lists and code keep their shape."""
    return min(len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip()), _WIDTH // 2)


def _lines_html(text: str) -> str:
    lines = text.strip("\n").split("\n")
    return "<br>".join("&nbsp;" * _leading(line) + to_html(line) for line in lines)


def _lines_markdown(text: str) -> str:
    lines = text.strip("\n").split("\n")
    return "  \n".join("&nbsp;" * _leading(line) + to_markdown(line) for line in lines)


@dataclass(frozen=True, slots=True)
class _Source:
    """A source that an answer rests on, once, however often it is quoted."""

    source: str
    title: str
    url: str
    message: int
    quotes: int

    @property
    def found(self) -> str:
        quotes = f", {self.quotes} quote{'s' * (self.quotes != 1)} found" if self.quotes else ""
        return f", message {self.message}{quotes}"


def _grouped(rests: Sequence[Rest]) -> list[_Source]:
    quotes = Counter(rest.source for rest in rests if rest.quote)
    first: dict[str, Rest] = {}
    for rest in rests:
        first.setdefault(rest.source, rest)
    return [
        _Source(rest.source, rest.title, rest.url, rest.message, quotes[rest.source])
        for rest in first.values()
    ]


def _rest_markdown(one: _Source) -> str:
    return f"- {to_markdown(one.source)} {link_markdown(one.url, _title(one))}{one.found}"


def _rest_html(one: _Source) -> str:
    linked = link_html(one.url, _title(one))
    return f'<li>{to_html(one.source)} {linked}<span style="opacity:.75">{one.found}</span></li>'


def _title(one: _Source) -> str:
    return visible(one.title or one.url, 200)
