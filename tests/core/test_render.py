"""What people see of a run: each state in words, the same in text, Markdown and HTML."""

from dataclasses import replace

import pytest

from lazyboy_jupyter.core.budget import Budget
from lazyboy_jupyter.core.events import (
    CollectionClosed,
    Event,
    ProgressReported,
    PublicationAccepted,
    SourceReserved,
    TaskCancelled,
    TaskFailed,
    TaskQueued,
    TaskStarted,
)
from lazyboy_jupyter.core.guide import Source, guide_of
from lazyboy_jupyter.core.publication import Citation, Claim, Gap, Publication
from lazyboy_jupyter.core.render_html import view_to_html
from lazyboy_jupyter.core.render_text import view_to_markdown, view_to_text
from lazyboy_jupyter.core.research import ResearchState, fold
from lazyboy_jupyter.core.view import RunningCall, RunView, clock, view_of

SECOND = 1_000_000
START = 1_000 * SECOND
SOURCES = (
    Source("S1", "https://a.example/x", "Gates", "read", "page", characters=9, elapsed_ms=812.0),
    Source("S2", "https://b.example/", "Costs", "listed", "search"),
    Source("S3", "https://c.example/", "Audit", "failed", "page", error_kind="blocked",
           error_detail="The site refused with 403.", elapsed_ms=300.0),
    Source("S4", "https://d.example/", "Never cited", "listed", "search"),
)  # fmt: skip
FIRST = Publication(
    0,
    summary="Gates reduce losses.",
    steps=(Claim("Compare closing times.", (Citation("S1", None, None, "unquoted"),)),),
    findings=(
        Claim(
            "Losses fell by 17 %.", (Citation("S1", "fell by seventeen percent", 5, "verbatim"),)
        ),
        Claim("Costs fell.", (Citation("S2", "costs fell", None, "not_found"),)),
        Claim("By 99 %.", (Citation("S1", "losses", 3, "unverified"),)),
    ),
    unknowns=("Effects upstream",),
    gaps=(Gap("Which costs?", "The largest part."),),
)
SECOND_PUBLICATION = Publication(
    1, additions=(Claim("Dredging is 40 %.", (Citation("S1", "40 %", 9, "verbatim"),)),)
)


def view(*events: tuple[int, Event], now: int = 41, published: int = 0, **more: object) -> RunView:
    state = ResearchState()
    for at, event in [(0, TaskQueued("How do gates work?", Budget())), *events]:
        state = fold(state, START + at * SECOND, event)
    publications = (FIRST, SECOND_PUBLICATION)[:published]
    drawn = view_of(
        "0190-1234abcd",
        state,
        START + now * SECOND,
        sources=SOURCES,
        running=(RunningCall("reading", "Ecology of the estuary"),),
        guide=guide_of(state.question, publications, SOURCES),
    )
    return replace(drawn, **more)  # type: ignore[arg-type]


STARTED = (0, TaskStarted())
PAGE = (5, SourceReserved("c", "page", "https://a/", 1))


@pytest.mark.parametrize(
    ("shown", "words"),
    [
        (view(), ["queued"]),
        (view(STARTED), ["collecting, 0:41", "41 of 120 s", "0 of 2", "0 of 6"]),
        (view(STARTED, PAGE), ["1 of 6"]),
        (view(STARTED, (1, ProgressReported("Reading the audit."))), ["Reading the audit."]),
        (view(STARTED, (40, CollectionClosed("time"))), ["writing the guide, 0:41"]),
        (
            view(STARTED, (30, PublicationAccepted(0, ("Which costs?",))), published=1),
            ["following up, 0:41", "11 of 120 s", "0 of 1", "Gates reduce losses."],
        ),
        (
            view(STARTED, (112, PublicationAccepted(0)), published=1),
            ["complete in 1:52", "quote found", "quote not found", "unverified", "no quote",
             "listed, not read", "Effects upstream", "fell by seventeen percent"],
        ),
        (
            view(
                STARTED,
                (112, PublicationAccepted(0, ("Which costs?",))),
                (160, PublicationAccepted(1)),
                published=2,
            ),
            ["first guide in 1:52, complete in 2:40", "Added after following up", "Which costs?",
             "Dredging is 40 %."],
        ),
        (
            view(STARTED, (130, TaskFailed("synthesis_exhausted", "No guide within its limit."))),
            ["failed after 2:10", "No guide within its limit."],
        ),
        (view(STARTED, (7, TaskCancelled())), ["stopped after 7.0 s"]),
        (view(STARTED, problems=("The search failed: no network.",)), ["no network"]),
    ],
)  # fmt: skip
def test_every_state_is_said_in_every_form(shown: RunView, words: list[str]) -> None:
    text, html, markdown = view_to_text(shown), view_to_html(shown), view_to_markdown(shown)
    for word in words:
        assert word in text
        assert word.replace('"', "&quot;") in html
        plain = markdown.replace("\\", "")
        assert word in plain


def test_a_running_card_shows_what_was_read_and_what_is_being_read() -> None:
    html = view_to_html(view(STARTED))
    assert "Ecology of the estuary" in html
    assert ">reading<" in html
    assert ">blocked<" in html
    assert "2 more listed by searches, not read" in html
    assert "0.8 s" in html


def test_a_summary_that_repeats_a_claim_stands_once_with_its_proof() -> None:
    said = "Gates reduce losses."
    claim = Claim(said, (Citation("S1", said, 3, "verbatim"),))
    first = replace(FIRST, findings=(claim, *FIRST.findings))
    guide = guide_of("Q?", (first,), SOURCES)
    assert guide is not None
    for shown in (str(guide), guide.html, guide.markdown.replace("\\", "")):
        assert shown.count(said) == 1
        assert "quote found" in shown.split("Steps")[0]


def test_a_claim_that_cites_nothing_says_so_in_every_form() -> None:
    first = replace(FIRST, findings=(Claim("Gates are beautiful."), *FIRST.findings))
    guide = guide_of("Q?", (first,), SOURCES)
    assert guide is not None
    for shown in (str(guide), guide.html, guide.markdown):
        assert shown.count("no source") == 1
        assert shown.index("Gates are beautiful") < shown.index("no source")


def test_the_guide_lists_what_was_read_or_cited_and_nothing_else() -> None:
    guide = view(STARTED, (112, PublicationAccepted(0)), published=1).guide
    assert guide is not None
    assert [source.source_id for source in guide.sources] == ["S1", "S2"]
    assert guide.quotes == ("fell by seventeen percent", "losses")


def test_a_card_has_no_colour_of_its_own_behind_the_text() -> None:
    style = view_to_html(view(STARTED)).partition("</style>")[0]
    assert "#fff" not in style
    assert "background:white" not in style


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "0.0 s"),
        (0.84, "0.8 s"),
        (9.94, "9.9 s"),
        (10, "0:10"),
        (112.9, "1:52"),
        (3723, "1:02:03"),
    ],
)
def test_clock(seconds: float, words: str) -> None:
    assert clock(seconds) == words
