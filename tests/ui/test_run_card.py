"""The card of a run: each state, its actions, what it announces."""

import re

import pytest
from playwright.sync_api import expect

from . import traits
from .conftest import Host

STATES = traits.states()
SAYS = {
    "queued": "queued",
    "collecting": "collecting, 0:41",
    "synthesis": "writing the guide, 0:41",
    "waiting": "Waiting for you: May I open a page of example.org?",
    "first guide": "following up 2 gaps",
    "supplement": "writing the additions, 2:20",
    "completed": "first guide in 1:52, complete in 2:40",
    "failed": "The model published nothing within its three last rounds.",
    "interrupted": "interrupted after 0:41",
    "stopped": "stopped after 1:02",
    "empty": "No guide was published.",
}
LIVE = {"queued", "collecting", "synthesis", "waiting", "first guide", "supplement"}


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_state_says_what_it_is_and_offers_what_can_be_done(blank: Host, theme: str) -> None:
    blank.load(theme)
    assert STATES.keys() == SAYS.keys()
    for number, (name, state) in enumerate(STATES.items()):
        blank.open(state)
        card = blank.page.locator(".lzu-card").nth(number)
        expect(card).to_contain_text(SAYS[name])
        expect(card).to_contain_text(traits.QUESTION)
        expect(card.get_by_role("button", name="Stop")).to_have_count(int(name in LIVE))
        expect(card.get_by_role("meter")).to_have_count(3 if name in LIVE - {"queued"} else 0)
        has_guide = state["guide"] is not None
        expect(card.get_by_role("button", name="Export")).to_have_count(int(has_guide))
        expect(card.get_by_text("Annual flood survey").first).to_be_visible(
            visible=name not in {"queued", "empty"}
        )
        box = card.bounding_box()
        assert box is not None
        assert box["width"] == 760


def test_meters_and_rows_carry_their_words(host: Host) -> None:
    host.open(STATES["collecting"])
    time = host.page.get_by_role("meter", name="Time")
    assert time.get_attribute("aria-valuetext") == "41 of 120 s"
    assert time.get_attribute("aria-valuenow") == "41"
    rows = host.page.get_by_role("list", name="Sources").get_by_role("listitem")
    expect(rows).to_have_count(4)
    expect(rows.nth(2)).to_contain_text("blocked")
    expect(rows.nth(2)).to_contain_text("The site refused the request (403).")
    link = rows.nth(0).get_by_role("link", name="Annual flood survey")
    assert link.get_attribute("rel") == "noopener noreferrer nofollow"
    assert link.get_attribute("target") == "_blank"
    expect(host.page.locator(".lzu-listed")).to_have_text("14 more listed by searches, not read")


def test_a_citation_opens_its_quote_in_its_place(host: Host) -> None:
    words = {
        "before": "… In all of them ", "quote": "losses fell", "after": ", after 1998 …",
        "title": "Survey", "url": "https://data.example.org/report",
    }  # fmt: skip
    at = host.open(STATES["completed"], context=words)
    cite = host.page.get_by_role("button", name="S1, quote found: the quote").first
    expect(cite).to_have_attribute("aria-expanded", "false")
    cite.click()
    expect(cite).to_have_attribute("aria-expanded", "true")
    quote = host.page.get_by_role("group", name="Quote from S1")
    expect(quote.locator("blockquote")).to_have_text("… In all of them losses fell, after 1998 …")
    expect(quote.locator("mark")).to_have_text("losses fell")
    assert quote.get_attribute("id") == cite.get_attribute("aria-controls")
    cite.click()
    cite.click()
    assert [one["claim"] for one in host.sent(at, "context")] == ["0.0.1"]


def test_marks_that_are_not_good_are_read_without_a_click(host: Host) -> None:
    host.open(STATES["completed"])
    guide = host.page.locator(".lzu-guide")
    for mark in ("unverified", "quote not found", "no quote", "no source"):
        expect(guide.get_by_text(mark, exact=True)).to_be_visible()
    expect(guide.get_by_text("quote found", exact=True)).to_have_count(0)


def test_a_context_that_fails_says_so_beside_the_quote(host: Host) -> None:
    host.open(
        STATES["completed"], context={"ok": False, "error": "The page is gone.", "hint": "Open it."}
    )
    host.page.get_by_role("button", name="S1, quote found: the quote").first.click()
    quote = host.page.get_by_role("group", name="Quote from S1")
    expect(quote).to_contain_text("“losses fell by seventeen percent between 1998 and 2020”")
    expect(quote).to_contain_text("The page is gone. Open it.")


def test_stop_is_heard_at_once_and_comes_back_after_an_error(host: Host) -> None:
    refused = {"ok": False, "error": "The engine has ended.", "hint": "Run it again."}
    at = host.open(STATES["collecting"], stop=None)
    host.button("Stop").click()
    stopping = host.button("stopping…")
    expect(stopping).to_have_attribute("aria-disabled", "true")
    stopping.click(force=True)
    (sent,) = host.sent(at, "stop")
    host.say(at, type="reply", id=sent["id"], **refused)
    expect(host.page.locator(".lzu-said")).to_contain_text("The engine has ended. Run it again.")
    expect(host.button("Stop")).to_be_visible()
    host.call("replies", at, {"stop": {}})
    host.button("Stop").click()
    expect(host.page.locator(".lzu-said")).to_have_count(0)
    expect(host.button("stopping…")).to_be_visible()
    host.push(at, card=traits.ended("cancelled", "stopped after 1:02", ""))
    expect(host.button("stopping…")).to_have_count(0)


def test_the_guide_is_copied_and_saved(host: Host) -> None:
    host.open(
        STATES["completed"], export={"name": "gates.bib", "text": "@misc{a}", "media": "text/plain"}
    )
    host.button("Copy as Markdown").click()
    expect(host.page.locator(".lzu-said")).to_have_text("Copied as Markdown")
    assert host.page.evaluate("navigator.clipboard.readText()") == "@misc{a}"
    with host.page.expect_download() as saved:
        host.button("Export").click()
        host.page.get_by_role("menuitem", name="BibTeX").click()
    assert saved.value.suggested_filename == "gates.bib"
    assert saved.value.path().read_text() == "@misc{a}"


def test_the_live_region_tells_of_phases_publications_and_errors_only(host: Host) -> None:
    at = host.open(STATES["collecting"], stop={"ok": False, "error": "Too late.", "hint": ""})
    region = host.page.get_by_role("status")
    expect(region).to_have_text("")
    host.push(at, card=traits.card(version=8, elapsed_s=50.0, progress="Reading another page."))
    expect(host.page.locator(".lzu-progress")).to_have_text("Reading another page.")
    expect(region).to_have_text("")
    host.push(at, card=traits.card(version=9, headline="following up"), guide=traits.guide())
    expect(region).to_have_text("Guide published: Steps, Findings. following up")
    host.button("Stop").click()
    expect(region).to_have_text("Too late.")
    host.push(at, guide=traits.guide(additions=True))
    expect(region).to_have_text(re.compile("Added after following up “Which costs"))


def test_a_long_question_is_clamped_until_it_is_wanted(host: Host) -> None:
    host.open(traits.run(traits.card(question="Why? " * 2000)))
    question = host.page.locator(".lzu-q")
    assert len(question.inner_text()) < 300
    host.button("more").click()
    expect(host.button("less")).to_have_attribute("aria-expanded", "true")
    assert len(question.inner_text()) > 9_000


@pytest.mark.parametrize("width", ["280px", "760px"])
def test_nothing_is_wider_than_its_card(host: Host, width: str) -> None:
    rows = [
        traits.sources()[0] | {"id": f"S{n}", "title": "Überschrift" * 30} for n in range(1, 41)
    ]
    guide = traits.guide()
    guide["summary"] = guide["unknowns"][0] = "a" * 500
    guide["sources"][0]["title"] = "b" * 300
    for one in (
        traits.run(traits.card(question="w" * 200, problems=["p" * 300]), sources=rows),
        traits.run(traits.ended("completed", "h" * 90, "ok"), guide=guide),
        traits.panel(traits.item(question="q" * 700, answer="x" * 900, known="k" * 200)),
        traits.dashboard(
            tasks=[traits.task(1, "running", "collecting", "live", question="w" * 150)]
        ),
    ):
        host.open(one, width)
    wide = host.page.evaluate(
        """() => [...document.querySelectorAll('.lzu-card')].flatMap((card) =>
            [...card.querySelectorAll('*')].filter((one) => !one.closest('.lzu-hidden') &&
                one.getBoundingClientRect().right > card.getBoundingClientRect().right + 1 &&
                !one.closest('.lzu-where, pre, .lzu-table'))
            .map((one) => one.outerHTML.slice(0, 90)))"""
    )
    assert wide == []
    thin = host.page.evaluate(
        """() => [...document.querySelectorAll(
                '.lzu-where, .lzu-phase, .lzu-task-q, .lzu-answer, .lzu-text')]
            .filter((one) => one.offsetWidth < 60 && one.offsetHeight > 50)
            .map((one) => one.outerHTML.slice(0, 90))"""
    )
    assert thin == []
    host.button("Show 32 more").first.click()
    expect(host.page.get_by_text("S40", exact=True)).to_be_visible()


@pytest.mark.parametrize("card", [{}, {"question": None, "meters": None, "activity": None}, None])
def test_missing_data_is_no_error(host: Host, card: traits.Json | None) -> None:
    host.open({"kind": "run", "card": card, "sources": None, "guide": {}, "side": None})
    expect(host.page.locator(".lzu-card")).to_be_visible()
    host.open({"kind": "side"})
    host.open({"kind": "status", "roster": {"tasks": [{}], "agents": [{}]}})
    expect(host.page.locator(".lzu-card")).to_have_count(3)
