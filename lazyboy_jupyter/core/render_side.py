"""Owns side questions as text, Markdown and HTML; foreign text goes through `sanitise`."""

import textwrap
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from .budget import MICROSECONDS
from .render_text import short_id
from .sanitise import link_html, link_markdown, to_html, to_markdown, visible
from .side import STATUS_WORDS, Rest, SideQuestion
from .snapshot import BOUNDARY_WORDS
from .view import clock

_WIDTH = 80
_INDENT = "   "
_GROWING = 4_000
_ASK_ANEW = "its task has ended: ask anew with %research"


@dataclass(frozen=True, slots=True)
class SideView:
    """One side question at one moment. `ahead`: how many requests the agent has made since the
    snapshot; None when its task has ended."""

    side: SideQuestion
    now_us: int
    ahead: int | None

    @property
    def status(self) -> str:
        """The state in words, with what went wrong."""
        side = self.side
        words = STATUS_WORDS[side.status]
        if side.status == "needs_tools":
            give = f"%btw --to {short_id(side.parent)} --promote {side.ordinal}"
            ask = _ASK_ANEW if self.ahead is None else f"give it to the agent: {give}"
            words = f"{words} ({side.tool}); {ask}"
        return f"{words}: {side.problem}" if side.problem else words

    @property
    def as_of(self) -> str:
        """Of when the answer is: the snapshot's age when it was asked, and its boundary."""
        side = self.side
        age = clock(max(0, side.asked_us - side.seen.taken_us) / MICROSECONDS)
        return f"from what it knew {age} before, {BOUNDARY_WORDS[side.seen.boundary]}"

    @property
    def known(self) -> str:
        """Of when the answer is, and how far the agent was since when this was drawn."""
        words = self.as_of
        if self.ahead:
            words += f"; {self.ahead} step{'s' * (self.ahead != 1)} ago when this was shown"
        return words

    @property
    def shown(self) -> str:
        """The answer; of a long one that still grows its end, since each piece draws it anew."""
        answer = self.side.answer
        if self.side.ended or len(answer) <= _GROWING:
            return answer
        return f"… {answer[-_GROWING:]}"

    @property
    def tokens(self) -> str:
        """What it took, *unknown* where nobody said."""
        side = self.side
        if not side.ended or side.model == "extractive":
            return ""
        told = [side.input_tokens, side.output_tokens]
        into, out = ("unknown" if one is None else f"{one:,}" for one in told)
        return f"{into} tokens in, {out} out"

    @property
    def notes(self) -> list[str]:
        """What stands below the answer, a line each."""
        lines = [f"{self.status[:1].upper()}{self.status[1:]}, {self.known}."]
        if self.tokens:
            lines.append(f"{self.side.model}: {self.tokens}.")
        if self.side.promoted_us is not None:
            lines.append("Given to the agent.")
        return lines


def side_to_text(view: SideView) -> str:
    """Return the question with its answer as plain text."""
    side = view.side
    lines = [_wrapped(f"{side.ordinal}. {visible(side.question)}", ""), ""]
    lines += [
        _wrapped(visible(line), _INDENT + " " * _leading(line))
        for line in view.shown.strip("\n").split("\n")
    ]
    lines += [""] if side.answer else []
    for one in _grouped(side.rests_on):
        named = f"{visible(one.source)} {_title(one)} ({visible(one.url)}){one.found}"
        lines.append(_wrapped(named, _INDENT))
    lines += [_wrapped(visible(note), _INDENT) for note in view.notes]
    return "\n".join(lines)


def history_to_text(views: Sequence[SideView]) -> str:
    """Return a parent's questions as plain text, oldest first."""
    return "\n\n".join(map(side_to_text, views))


def side_to_markdown(view: SideView) -> str:
    """Return the question with its answer as Markdown that can be put into a notebook."""
    side = view.side
    parts = [f"**{to_markdown(side.question)}**"]
    parts += [_lines_markdown(part) for part in view.shown.split("\n\n") if part.strip()]
    if side.rests_on:
        parts.append("\n".join(map(_rest_markdown, _grouped(side.rests_on))))
    parts.append("*" + " ".join(to_markdown(note) for note in view.notes) + "*")
    return "\n\n".join(parts)


def side_to_html(view: SideView) -> str:
    """Return the question with its answer as HTML."""
    side = view.side
    answer = "".join(f"<p>{_lines_html(part)}</p>" for part in view.shown.split("\n\n") if part)
    waiting = "" if side.answer or side.ended else '<p style="opacity:.7">…</p>'
    rests = "".join(map(_rest_html, _grouped(side.rests_on)))
    notes = "<br>".join(to_html(note) for note in view.notes)
    return (
        '<div class="lazyboy-side mathjax_ignore tex2jax_ignore" style="max-width:46em;'
        'border-left:3px solid var(--jp-brand-color1,#2196f3);padding:2px 0 2px 12px">'
        f'<div style="font-weight:600">{to_html(side.question)}</div>{answer}{waiting}'
        + (f'<ul style="margin:4px 0;padding-left:18px">{rests}</ul>' if rests else "")
        + f'<div style="font-size:.85em;opacity:.75">{notes}</div></div>'
    )


def _wrapped(text: str, indent: str) -> str:
    return textwrap.fill(
        text, _WIDTH, initial_indent=indent, subsequent_indent=indent or _INDENT,
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
