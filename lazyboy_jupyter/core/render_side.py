"""Owns side questions as text, Markdown and HTML; foreign text goes through `sanitise`."""

from collections.abc import Sequence
from dataclasses import dataclass

from .budget import MICROSECONDS
from .render_answer import (
    INDENT,
    answer_to_html,
    answer_to_markdown,
    answer_to_text,
    rests_to_html,
    wrapped,
)
from .render_text import short_id
from .sanitise import to_html, to_markdown, visible
from .side import STATUS_WORDS, SideQuestion
from .snapshot import BOUNDARY_WORDS
from .view import clock

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
    lines = [wrapped(f"{side.ordinal}. {visible(side.question)}", ""), ""]
    lines += answer_to_text(view.shown, side.rests_on, INDENT)
    lines += [wrapped(visible(note), INDENT) for note in view.notes]
    return "\n".join(lines)


def history_to_text(views: Sequence[SideView]) -> str:
    """Return a parent's questions as plain text, oldest first."""
    return "\n\n".join(map(side_to_text, views))


def side_to_markdown(view: SideView) -> str:
    """Return the question with its answer as Markdown that can be put into a notebook."""
    side = view.side
    parts = [f"**{to_markdown(side.question)}**"]
    parts += answer_to_markdown(view.shown, side.rests_on)
    parts.append("*" + " ".join(to_markdown(note) for note in view.notes) + "*")
    return "\n\n".join(parts)


def side_to_html(view: SideView) -> str:
    """Return the question with its answer as HTML."""
    side = view.side
    waiting = "" if side.answer or side.ended else '<p style="opacity:.7">…</p>'
    answer, rests = answer_to_html(view.shown), rests_to_html(side.rests_on)
    notes = "<br>".join(to_html(note) for note in view.notes)
    return (
        '<div class="lazyboy-side mathjax_ignore tex2jax_ignore" style="max-width:46em;'
        'border-left:3px solid var(--jp-brand-color1,#2196f3);padding:2px 0 2px 12px">'
        f'<div style="font-weight:600">{to_html(side.question)}</div>{answer}{waiting}{rests}'
        f'<div style="font-size:.85em;opacity:.75">{notes}</div></div>'
    )
