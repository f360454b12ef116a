"""Owns what a live card is told of a run: plain values, words and tones, for the page to lay out.

Pure. The page decides nothing: what it shows stands here, as text that `sanitise` made visible and
links that a person may follow. The static card (`render_html`) says the same in markup.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from .activity import Activity
from .folding import FoldedText
from .guide import Guide, Source
from .phases import COLLECTING, SYNTHESISING
from .publication import Citation, Claim
from .quotes import find_quote
from .render_text import (
    additions_heading,
    beside_lead,
    dot_of,
    kind_words,
    mark_of,
    short_id,
    spent_of,
    state_of,
    tone_of,
    unread_of,
)
from .rests import rests_values
from .sanitise import safe_link, storable, visible
from .urls import host_of
from .view import PHASE_WORDS, RunView, clock

Values = dict[str, Any]
"""A JSON object."""
_TITLE = 300
_QUESTION = 20_000
_CLOCKED = COLLECTING | SYNTHESISING


def card_of(view: RunView, agent_id: str, activity: Activity, *, can_ask: bool) -> Values:
    """Return the part of a card that changes often: phase, meters, progress, what it spent.

    `activity`: that of the run's agent. `elapsed_s` and the time meter are as of the view; the
    page lets them run on while `ticking`.
    """
    return {
        "task_id": view.task_id,
        "short_id": short_id(view.task_id),
        "agent_id": agent_id,
        "question": visible(view.question, _QUESTION),
        **progress_of(view),
        "meters_of": _meters_of(view),
        "acknowledgement": visible(view.acknowledgement) if view.live else "",
        "progress": visible(view.progress) if view.live else "",
        "error": "" if view.live else visible(view.error),
        "problems": [visible(problem) for problem in view.problems],
        "search": visible(view.search, 120),
        "foot": "" if view.live else spent_of(view),
        "listed": sum(source.state == "listed" for source in view.sources),
        "can_ask": can_ask,
        "activity": activity_state(activity),
        "task_type": view.task_type,
        "asked": visible(view.asked or "", _QUESTION),
        "result": storable(view.result),
        "rests": rests_values(view.rests_on),
    }


def progress_of(view: RunView) -> Values:
    """Return how far a run is, as every surface shows it: state, phase, clock and meters."""
    return {
        "status": view.status,
        "live": view.live,
        "dot": dot_of(view),
        "headline": PHASE_WORDS[view.phase] if view.live else view.headline,
        "elapsed_s": round(view.elapsed_s, 1),
        "ticking": view.live and view.phase in _CLOCKED,
        "meters": [
            {"label": m.label, "used": round(m.used, 1), "total": m.total, "unit": m.unit}
            for m in view.meters
        ],
    }


def activity_state(activity: Activity) -> Values:
    """Return an activity as the page gets it, from whatever surface asks."""
    return {
        "state": activity.state,
        "task_ids": list(activity.task_ids),
        "pending_question": activity.pending_question,
    }


def _meters_of(view: RunView) -> str:
    if not view.live or not view.gaps:
        return ""
    return f"following up {view.gaps} gap{'s' * (view.gaps != 1)}"


def rows_of(view: RunView) -> list[Values]:
    """Return a row for each source that was read, has failed, or is being read."""
    quotes = Counter(
        citation.source
        for claim in (view.guide.claims if view.guide else ())
        for citation in claim.citations
        if citation.state == "verbatim"
    )
    rows = [_row(s, quotes[s.source_id]) for s in view.sources if s.state != "listed"]
    return rows + [
        {
            "id": "…",
            "title": visible(call.what, _TITLE),
            "url": "",
            "host": "",
            "state": call.doing,
            "tag": call.doing,
            "tone": "",
            "took": "",
            "detail": "",
        }
        for call in view.running
    ]


def _row(source: Source, quotes: int) -> Values:
    failed = source.state == "failed"
    count = f", {quotes} quote{'s' * (quotes != 1)}" if quotes else ""
    return {
        **_named(source),
        "state": source.state,
        "tag": kind_words(source.error_kind) if failed else f"read{count}",
        "tone": "bad" if failed else "ok",
        "took": clock(source.elapsed_ms / 1000) if source.elapsed_ms is not None else "",
        "detail": visible(source.error_detail, 600) if failed else "",
    }


def _named(source: Source) -> Values:
    return {
        "id": source.source_id,
        "title": visible(source.title or source.url, _TITLE),
        "url": safe_link(source.url) or "",
        "host": visible(host_of(source.url), 120),
    }


def guide_values(view: RunView) -> Values | None:
    """Return the guide as the page lays it out, or None before the first publication.

    A claim's key is its place in `Guide.claims`; a citation's is that, a dot, and its own place.
    """
    guide = view.guide
    if guide is None:
        return None
    places = {id(claim): place for place, claim in enumerate(guide.claims)}
    by_id = {source.source_id: source for source in guide.sources}

    def claims(those: Sequence[Claim]) -> list[Values]:
        return [_claim(claim, places[id(claim)], by_id) for claim in those]

    sections = [
        ("steps", "Steps", True, guide.steps),
        ("findings", "Findings", False, beside_lead(guide, guide.findings)),
        ("additions", additions_heading(guide), False, guide.additions),
    ]
    lead = guide.lead
    return {
        "summary": visible(guide.summary),
        "lead": None if lead is None else _claim(lead, places[id(lead)], by_id),
        "sections": [
            {"key": key, "title": title, "ordered": ordered, "claims": claims(those)}
            for key, title, ordered, those in sections
            if those
        ],
        "unknowns": [visible(unknown) for unknown in guide.unknowns],
        "sources": [
            {**_named(s), "tag": visible(state_of(s), 200), "tone": _SOURCE_TONES[s.state]}
            for s in guide.sources
        ],
        "unread": [
            {
                "title": visible(s.title or s.url, _TITLE),
                "url": safe_link(s.url) or "",
                "reason": visible(s.error_detail or s.error_kind, 600),
            }
            for s in (unread_of(view) if not view.live else ())
        ],
    }


_SOURCE_TONES = {"read": "ok", "listed": "", "failed": "bad"}


def _claim(claim: Claim, place: int, by_id: dict[str, Source]) -> Values:
    return {
        "key": str(place),
        "text": visible(claim.text),
        "no_source": not claim.citations,
        "citations": [
            _citation(citation, f"{place}.{number}", by_id.get(citation.source))
            for number, citation in enumerate(claim.citations)
        ],
    }


def _citation(citation: Citation, key: str, source: Source | None) -> Values:
    return {
        "key": key,
        "source": visible(citation.source, 40),
        "url": (safe_link(source.url) or "") if source is not None else "",
        "quote": None if citation.quote is None else visible(citation.quote),
        "mark": mark_of(citation, source),
        "tone": tone_of(citation),
    }


def citation_of(guide: Guide, key: str) -> Citation | None:
    """Return the citation whose key `guide_values` gave; None when there is none (any more)."""
    place, _, number = key.partition(".")
    try:
        return guide.claims[int(place)].citations[int(number)]
    except (ValueError, IndexError):
        return None


PUBLICATION = "application/vnd.lazyboy.publication+json"
"""The MIME type under which an output carries its task for front ends that know us, from the first
drawing on: with a guide as soon as there is one."""


def publication_of(view: RunView, agent_id: str, activity: Activity) -> Values:
    """Return a run as an output carries it, all that its card shows; `format` grows when its shape
    does. `activity`: that of the run's agent."""
    return {
        "format": 1,
        "task_id": view.task_id,
        "question": visible(view.question, _QUESTION),
        "status": view.status,
        "headline": view.headline,
        **card_values(view, agent_id, activity),
    }


def card_values(view: RunView, agent_id: str, activity: Activity) -> Values:
    """Return all that a card shows: how far the run is, its sources, its guide."""
    return {
        "card": card_of(view, agent_id, activity, can_ask=view.status != "queued"),
        "sources": rows_of(view),
        "guide": guide_values(view),
    }


AROUND = 300
"""Characters of a page shown to each side of a quote."""


def context_of(text: str, offset: int, quote: str) -> tuple[str, str, str]:
    """Return what stands before a quote in its page, the page's own words for it, and what stands
    behind, each on one line, with the blanks between them; cut marks where the page goes on.

    `offset`: where the quote begins, in characters of `text`. The page may write it with other
    blanks, hyphens and marks than the quote, so the quote is found there by the rule that proved
    it.
    """
    start, stop = max(0, offset - AROUND), min(len(text), offset + 2 * len(quote) + AROUND)
    place = find_quote(FoldedText(text[offset:stop]), quote)
    end = offset + (place.offset + place.length if place is not None else len(quote))
    stop = min(len(text), end + AROUND)
    before, after = visible(text[start:offset]), visible(text[end:stop])
    if start:
        before = "… " + before.partition(" ")[2]
    if stop < len(text):
        after = after.rpartition(" ")[0] + " …"
    gap = " " * text[start:offset][-1:].isspace()
    follows = " " * text[end:stop][:1].isspace()
    return before + gap, visible(text[offset:end]), follows + after
