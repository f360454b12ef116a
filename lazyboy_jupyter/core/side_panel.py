"""Owns what a panel of side questions is told: plain values for the page to lay out. Pure."""

from dataclasses import dataclass
from typing import Any

from .budget import MICROSECONDS
from .render_side import SideView
from .render_text import short_id
from .rests import rests_values
from .sanitise import storable, visible
from .side import LONGEST_ANSWER, LONGEST_QUESTION, STATUS_WORDS
from .snapshot import BOUNDARY_WORDS, Boundary

PAGE = 20
"""Side questions that one answer holds (DESIGN §10)."""


@dataclass(frozen=True, slots=True)
class SnapshotSeen:
    """The newest snapshot of a parent. `ahead`: requests its agent has made since; None when its
    task has ended."""

    taken_us: int
    boundary: Boundary
    ahead: int | None


@dataclass(frozen=True, slots=True)
class SidePage:
    """At most twenty side questions of a parent, newest first, and what could be asked now.

    `next_cursor`: the ordinal before which the next page begins; 0 when there is none. `why_not`:
    why nothing can be asked, in a sentence; empty when it can. `words`: the parent as people call
    it.
    """

    parent: str
    views: tuple[SideView, ...]
    next_cursor: int
    snapshot: SnapshotSeen | None
    why_not: str
    now_us: int
    words: str


def parent_words(parent: str, conversation_id: str) -> str:
    """Return a parent of side questions as people call it."""
    return "this conversation" if parent == conversation_id else f"task {short_id(parent)}"


def panel_of(page: SidePage) -> dict[str, Any]:
    """Return a page as the panel gets it."""
    seen = page.snapshot
    return {
        "parent": page.parent,
        "parent_words": page.words,
        "can_ask": not page.why_not,
        "why_not": page.why_not,
        "snapshot": None
        if seen is None
        else {
            "age_s": round(max(0, page.now_us - seen.taken_us) / MICROSECONDS, 1),
            "boundary": BOUNDARY_WORDS[seen.boundary],
            "ahead": seen.ahead,
        },
        "items": [item_of(view) for view in page.views],
        "next_cursor": page.next_cursor,
    }


def item_of(view: SideView) -> dict[str, Any]:
    """Return one side question as the panel gets it; its answer is whole, line breaks kept."""
    side = view.side
    return {
        "id": side.request_id,
        "ordinal": side.ordinal,
        "question": visible(side.question, LONGEST_QUESTION),
        "answer": storable(side.answer[:LONGEST_ANSWER]),
        "live": not side.ended,
        "status": side.status,
        "status_words": STATUS_WORDS[side.status],
        "problem": visible(side.problem),
        "tool": visible(side.tool, 80),
        "known": view.as_of if side.ended else "",
        "tokens": view.tokens,
        "ahead": view.ahead,
        "rests": rests_values(side.rests_on),
        "promoted": side.promoted_us is not None,
        "can_promote": side.ended and side.promoted_us is None and view.ahead is not None,
    }
