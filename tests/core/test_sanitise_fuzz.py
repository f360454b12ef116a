"""Field case D3, on every surface: what is hostile in any foreign text is shown, and is inert.

Each surface is filled with hostile text in every field that a page, a model or a person writes, and
then read as a browser reads it: its HTML, and its Markdown rendered with raw HTML let through.
`LAZYBOY_TEST_FULL=1` runs the long form.
"""

import json
import os
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lazyboy_jupyter.core.activity import Activity
from lazyboy_jupyter.core.card import card_of, guide_values, rows_of
from lazyboy_jupyter.core.exports import EXPORTS
from lazyboy_jupyter.core.guide import Guide, Source, guide_of
from lazyboy_jupyter.core.publication import (
    Citation,
    CitationState,
    Claim,
    Gap,
    Publication,
    SourceState,
)
from lazyboy_jupyter.core.render_html import guide_to_html, view_to_html
from lazyboy_jupyter.core.render_side import (
    SideView,
    history_to_text,
    side_to_html,
    side_to_markdown,
)
from lazyboy_jupyter.core.render_text import guide_to_markdown, view_to_markdown, view_to_text
from lazyboy_jupyter.core.sanitise import safe_link, visible
from lazyboy_jupyter.core.side import Rest, Seen, SideQuestion, SideStatus
from lazyboy_jupyter.core.side_panel import item_of
from lazyboy_jupyter.core.view import Meter, RunningCall, RunView
from lazyboy_jupyter.notebook.tables import Table, tasks_table
from tests.core.hostile import ELEMENTS, HOSTILE, MARKDOWN, RENDERERS, is_inert

SECOND = 1_000_000
FEW = settings(max_examples=3_000 if os.environ.get("LAZYBOY_TEST_FULL") else 60)
ASKED = HOSTILE.filter(visible)
SEEN: tuple[SourceState, ...] = ("read", "listed", "failed", "failed")
ENDS: tuple[SideStatus, ...] = ("completed", "needs_tools", "failed", "stopped")
STATES: tuple[CitationState, ...] = ("verbatim", "not_found", "unverified", "unquoted")


@st.composite
def runs(draw: st.DrawFn) -> RunView:
    """A run in any state, with every foreign text hostile."""
    text = lambda: draw(HOSTILE)  # noqa: E731
    sources = tuple(
        Source(f"S{number}", text(), text(), state, "page", error_kind="tls", error_detail=text())
        for number, state in enumerate(SEEN, 1)
    )

    def claim() -> Claim:
        cited = draw(st.sampled_from(STATES))
        quote = None if cited == "unquoted" else text()
        source = draw(st.sampled_from(("S1", "S2", "S3", "S9")))
        return Claim(text(), (Citation(source, quote, None, cited),) * draw(st.integers(0, 2)))

    first = Publication(
        0, summary=text(), steps=(claim(),), findings=(claim(),), unknowns=(text(),),
        gaps=(Gap(text(), text()),),
    )  # fmt: skip
    second = Publication(1, additions=(claim(),))
    question = draw(ASKED)
    published = draw(st.integers(0, 2))
    status, phase = draw(
        st.sampled_from(
            [("queued", "queued"), ("running", "collecting"), ("completed", "completed"),
             ("failed", "failed"), ("cancelled", "cancelled")]
        )
    )  # fmt: skip
    return RunView(
        "0190-1234abcd", question, phase, status, 41.0, 9.0, 41.0,
        (Meter("Time", 41, 120, "s"), Meter("Pages", 1, 6)), sources,
        (RunningCall("reading", text()),), text(),
        guide_of(question, (first, second)[:published], sources), draw(ASKED), 1, 2,
        (text(),), text(),
    )  # fmt: skip


@st.composite
def side_questions(draw: st.DrawFn) -> SideView:
    """A side question in any state, with every foreign text hostile."""
    text = lambda: draw(HOSTILE)  # noqa: E731
    seen = Seen("run", 3, "reply", 100 * SECOND, 2)
    side = SideQuestion("r", "task", 2, "c", draw(ASKED), text(), seen, 101 * SECOND)
    if draw(st.booleans()):
        side = side.running().heard(text(), 103 * SECOND)
        rests = (Rest("S1", text(), text(), 3, text(), 0), Rest("S2", text(), text(), 4))
        status = draw(st.sampled_from(ENDS))
        side = side.end(status, 112 * SECOND, tool=text(), problem=text(), rests_on=rests)
    return SideView(side, 130 * SECOND, draw(st.sampled_from((None, 0, 3))))


def said_in(guide: Guide | None) -> list[str]:
    """What a guide must show, word for word."""
    if guide is None:
        return []
    claims = [claim.text for claim in guide.claims if claim is not guide.lead]
    return [guide.summary, *claims, *guide.unknowns]


def stands_in(texts: list[str], shown: str) -> None:
    """Each text stands there as it reads."""
    for text in texts:
        assert visible(text) in shown


@FEW
@given(runs())
def test_a_run_as_html(view: RunView) -> None:
    shown = is_inert(view_to_html(view))
    stands_in([*said_in(view.guide), *view.problems], shown)
    assert visible(view.question, 300) in shown
    if view.guide is not None:
        stands_in(said_in(view.guide), is_inert(guide_to_html(view.guide)))


@FEW
@given(runs())
@pytest.mark.parametrize("renderer", RENDERERS)
def test_a_run_as_markdown(renderer: str, view: RunView) -> None:
    shown = is_inert(RENDERERS[renderer](view_to_markdown(view)), MARKDOWN)
    stands_in([*said_in(view.guide), *view.problems], shown)
    assert visible(view.question, 300) in shown
    if view.guide is not None:
        shown = is_inert(RENDERERS[renderer](guide_to_markdown(view.guide)), MARKDOWN)
        stands_in(said_in(view.guide), shown)


@FEW
@given(runs())
def test_a_run_as_text_and_as_a_file(view: RunView) -> None:
    told = view_to_text(view)
    stands_in([*said_in(view.guide), *view.problems], " ".join(told.split()))
    files = {name: write(view) for name, write in EXPORTS.items()}
    for written in files.values():
        written.encode("utf-8")
    is_inert(files["html"].partition("\n")[2].rstrip("\n"))
    assert json.loads(files["json"])["status"] == view.status
    assert files["bib"].count("@misc") == (len(view.guide.sources) if view.guide else 0)


def texts_in(values: Any) -> Iterator[tuple[str, str]]:
    """Every text of a tree of values, with the name that it stands under."""
    match values:
        case dict():
            for name, value in values.items():
                for under, text in texts_in(value):
                    yield under or name, text
        case list() | tuple():
            for value in values:
                yield from texts_in(value)
        case str():
            yield "", values


@FEW
@given(runs(), side_questions())
def test_what_a_widget_is_told(view: RunView, side: SideView) -> None:
    told = (
        card_of(view, "agent", Activity("running", (view.task_id,)), can_ask=True),
        rows_of(view),
        guide_values(view),
        item_of(side),
    )
    json.dumps(told, ensure_ascii=False).encode("utf-8")
    for name, text in texts_in(list(told)):
        if name == "url":
            assert text == "" or safe_link(text) == text
        elif name not in {"answer", "question"}:
            assert visible(text) == text


@FEW
@given(side_questions())
def test_a_side_question(view: SideView) -> None:
    lines = [view.side.question, *view.side.answer.split("\n")]
    stands_in(lines, is_inert(side_to_html(view)))
    for render in RENDERERS.values():
        stands_in(lines, is_inert(render(side_to_markdown(view)), MARKDOWN))
    told = history_to_text([view, view])
    assert "\x1b" not in told
    assert "\u202e" not in told


@FEW
@given(HOSTILE, HOSTILE, HOSTILE)
def test_a_table(one: str, other: str, note: str) -> None:
    table = Table(("What", "Found out"), ((one, other), (other, one)), note)
    bundle = table._repr_mimebundle_()
    stands_in([one, other, note], is_inert(bundle["text/html"]))
    for name in ("with tables", "nbconvert"):
        shown = is_inert(RENDERERS[name](bundle["text/markdown"]), MARKDOWN)
        stands_in([one, other, note], shown)


@FEW
@given(HOSTILE, HOSTILE)
def test_the_list_of_tasks(question: str, name: str) -> None:
    now = datetime(2026, 1, 1, tzinfo=UTC)
    row = {
        "task_id": "0190-1234abcd", "phase": "completed", "created_at": now, "started_at": now,
        "ended_at": now, "searches": 1, "pages": 2, "name": name, "question": question,
    }  # fmt: skip
    bundle = tasks_table([row])._repr_mimebundle_()
    is_inert(bundle["text/html"])
    is_inert(RENDERERS["nbconvert"](bundle["text/markdown"]), MARKDOWN)


def test_the_check_sees_what_it_is_for() -> None:
    for evil in (
        "<script>x</script>", "<img src=x>", "<a href='javascript:x'>x</a>", "<p onclick=x>x</p>",
        "<!-- x -->", "<span style='background:url(x)'>x</span>", "<svg></svg>", "<p>\u202e</p>",
    ):  # fmt: skip
        with pytest.raises(AssertionError):
            is_inert(evil, ELEMENTS)
