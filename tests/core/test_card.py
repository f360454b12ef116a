"""What a page is told of a run: every state, in values that hold text and safe links only."""

import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given

from lazyboy_jupyter.core.activity import Activity
from lazyboy_jupyter.core.card import (
    AROUND,
    card_of,
    citation_of,
    context_of,
    guide_values,
    publication_of,
    rows_of,
)
from lazyboy_jupyter.core.events import (
    CollectionClosed,
    ProgressReported,
    PublicationAccepted,
    TaskFailed,
)
from lazyboy_jupyter.core.guide import guide_of
from lazyboy_jupyter.core.publication import Claim
from lazyboy_jupyter.core.view import RunView
from tests.core.test_render import FIRST, SOURCES, STARTED, view
from tests.core.test_sanitise import EVIL

BUSY = Activity("running", ("0190-1234abcd",))
FIRST_GUIDE = view(STARTED, (30, PublicationAccepted(0, ("Which costs?",))), published=1)
WHOLE = view(
    STARTED,
    (112, PublicationAccepted(0, ("Which costs?",))),
    (160, PublicationAccepted(1)),
    published=2,
)


def card(shown: RunView) -> dict[str, Any]:
    return card_of(shown, "agent", BUSY, can_ask=True)


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        (view(), {"status": "queued", "live": True, "headline": "queued", "ticking": False}),
        (
            view(STARTED),
            {"headline": "collecting", "ticking": True, "elapsed_s": 41.0, "dot": "live"},
        ),
        (view(STARTED, (40, CollectionClosed("time"))), {"headline": "writing the guide"}),
        (FIRST_GUIDE, {"headline": "following up", "meters_of": "following up 1 gap"}),
        (
            WHOLE,
            {"headline": "first guide in 1:52, complete in 2:40", "live": False, "dot": "ok",
             "foot": "0 searches, 0 pages, 1 read", "meters_of": "", "ticking": False},
        ),
        (
            view(STARTED, (130, TaskFailed("synthesis_exhausted", "No guide."))),
            {"dot": "bad", "error": "No guide.", "headline": "failed after 2:10"},
        ),
    ],
)  # fmt: skip
def test_every_state(shown: RunView, expected: dict[str, Any]) -> None:
    said = card(shown)
    assert {key: said[key] for key in expected} == expected
    assert said["listed"] == 2
    assert said["activity"] == {
        "state": "running",
        "task_ids": ["0190-1234abcd"],
        "pending_question": None,
    }


def test_the_first_thing_said_is_the_acknowledgement_and_the_last_the_progress() -> None:
    first = (1, ProgressReported("I look at gates."))
    said = card(view(STARTED, first))
    assert (said["acknowledgement"], said["progress"]) == ("I look at gates.",) * 2
    said = card(view(STARTED, first, (2, ProgressReported("Reading."))))
    assert (said["acknowledgement"], said["progress"]) == ("I look at gates.", "Reading.")


def test_meters_are_numbers_that_the_page_can_run_on() -> None:
    time, searches, pages = card(view(STARTED))["meters"]
    assert time == {"label": "Time", "used": 41.0, "total": 120, "unit": "s"}
    assert (searches["total"], pages["total"]) == (2, 6)


def test_a_row_for_what_was_read_what_failed_and_what_is_being_read() -> None:
    read, failed, reading = rows_of(FIRST_GUIDE)
    assert (read["tag"], read["tone"], read["took"]) == ("read, 1 quote", "ok", "0.8 s")
    assert (failed["tag"], failed["detail"]) == ("blocked", "The site refused with 403.")
    assert (reading["state"], reading["title"]) == ("reading", "Ecology of the estuary")


def test_a_guide_in_parts_each_claim_with_its_marks() -> None:
    guide = guide_values(WHOLE)
    assert guide is not None
    assert [part["key"] for part in guide["sections"]] == ["steps", "findings", "additions"]
    assert guide["sections"][2]["title"] == "Added after following up “Which costs?”"
    marks = [
        (citation["mark"], citation["tone"])
        for part in guide["sections"]
        for claim in part["claims"]
        for citation in claim["citations"]
    ]
    assert marks == [
        ("no quote", ""),
        ("quote found", "ok"),
        ("quote not found; listed, not read", "bad"),
        ("unverified", "warn"),
        ("quote found", "ok"),
    ]
    assert guide["unknowns"] == ["Effects upstream"]
    assert [source["tag"] for source in guide["sources"]] == ["read", "listed, not read"]
    assert [one["reason"] for one in guide["unread"]] == ["The site refused with 403."]
    assert guide_values(view(STARTED)) is None


def test_a_claim_that_cites_nothing_says_so() -> None:
    first = replace(FIRST, findings=(Claim("Gates are beautiful."),))
    guide = guide_values(replace(WHOLE, guide=guide_of("Q?", (first,), SOURCES)))
    assert guide is not None
    assert guide["sections"][1]["claims"][0]["no_source"] is True


def test_a_key_leads_to_its_citation_and_any_other_text_to_none() -> None:
    values = guide_values(WHOLE)
    assert values is not None
    assert WHOLE.guide is not None
    for part in values["sections"]:
        for claim in part["claims"]:
            for citation in claim["citations"]:
                found = citation_of(WHOLE.guide, citation["key"])
                assert found is not None
                assert found.quote == citation["quote"]
    for key in ("", "0", "0.9", "99.0", "x.y", "0.-", "1e9.0", "-1.-9"):
        assert citation_of(WHOLE.guide, key) is None


PAGE = (
    "Before it. " * 60 + "Losses fell by\nseven\u00adteen “percent” between 1998. " + "After. " * 90
)


def test_a_quote_in_its_context() -> None:
    offset = PAGE.index("Losses")
    before, quote, after = context_of(PAGE, offset, 'Losses fell by seventeen "percent" between')
    assert quote == "Losses fell by seven\u00adteen “percent” between"
    assert before.startswith("… ")
    assert before.endswith("Before it. ")
    assert after.startswith(" 1998. After.")
    assert after.endswith(" …")
    assert len(before) <= AROUND + 3
    assert len(after) <= AROUND + 3


def test_a_quote_that_is_the_whole_page() -> None:
    assert context_of("All of it.", 0, "All of it.") == ("", "All of it.", "")


@given(EVIL)
def test_what_a_page_gets_is_text_and_links_that_may_be_followed(evil: str) -> None:
    shown = replace(
        WHOLE,
        question=evil,
        progress=evil,
        error=evil,
        problems=(evil,),
        search=evil,
        sources=tuple(replace(s, url=evil, title=evil, error_detail=evil) for s in SOURCES),
    )
    values = [card(shown), rows_of(shown), publication_of(shown, "an-agent", BUSY)]
    json.dumps(values).encode()
    for url in _values_of("url", values):
        assert url == "" or url.startswith(("http://", "https://"))
    assert "\x00" not in json.dumps(values, ensure_ascii=False)
    assert "\u202e" not in json.dumps(values, ensure_ascii=False)


def _values_of(name: str, data: Any) -> list[str]:
    if isinstance(data, dict):
        own = [data[name]] if name in data else []
        return own + [one for value in data.values() for one in _values_of(name, value)]
    if isinstance(data, list):
        return [one for value in data for one in _values_of(name, value)]
    return []
