"""A widget draws itself over the static twin that names its place, wherever that comes to be."""

from playwright.sync_api import expect

from . import traits
from .conftest import Host

TWIN = (
    '<div data-lazyboy-view="one"><style>.twin{color:red}</style><p class="twin">As saved</p></div>'
)
OTHER = TWIN.replace("one", "other")


def live(host: Host) -> int:
    at = host.call("open", {**traits.run(guide=traits.guide()), "place": "one"}, {})
    return int(at)


def test_the_twin_is_hidden_while_the_widget_lives_there(host: Host) -> None:
    host.call("draw", TWIN)
    host.call("draw", OTHER)
    at = live(host)
    expect(host.page.locator(".lzu-card")).to_have_count(1)
    expect(host.page.locator(".twin").first).to_be_hidden()
    expect(host.page.locator(".twin").last).to_be_visible()
    host.call("end", at)
    expect(host.page.locator(".lzu-card")).to_have_count(0)
    expect(host.page.locator(".twin").first).to_be_visible()
    assert host.call("listeners", at) == 0


def test_an_output_that_is_drawn_anew_shows_the_widget_as_it_was(host: Host) -> None:
    at = live(host)
    assert host.sent(at, "hello") == []  # nobody sees it yet
    host.call("draw", TWIN)
    expect(host.page.locator(".lzu-card")).to_have_count(1)
    assert len(host.sent(at, "hello")) == 1
    host.button("Ask").click()
    host.page.get_by_role("textbox").press_sequentially("a draft")
    before = host.call("listeners", at)
    for _ in range(5):
        host.call("redraw", 0, TWIN)
        expect(host.page.locator(".lzu-card")).to_have_count(1)
    expect(host.page.locator(".twin")).to_be_hidden()
    expect(host.page.get_by_role("textbox")).to_have_value("a draft")
    expect(host.page.get_by_role("textbox")).to_be_focused()
    assert host.call("listeners", at) == before
    host.call("redraw", 0, "<p>Cleared</p>")
    expect(host.page.locator(".lzu-card")).to_have_count(0)


def test_an_output_that_is_shown_twice_has_two_views_that_agree(host: Host) -> None:
    at = live(host)
    host.call("draw", TWIN)
    host.call("draw", TWIN)
    expect(host.page.locator(".lzu-card")).to_have_count(2)
    host.push(at, card=traits.card(version=8, headline="writing the guide"))
    for number in (0, 1):
        card = host.page.locator(".lzu-card").nth(number)
        expect(card.locator(".lzu-phase")).to_contain_text("writing the guide")


def test_an_answer_becomes_a_cell_below_its_own(host: Host) -> None:
    host.call("draw", "<p>Another cell</p>")
    host.call("draw", TWIN)
    at = host.call("open", {**traits.panel(traits.item()), "place": "one"}, {})
    host.button("Insert as cell").click()
    expect(host.page.locator(".lzu-said")).to_have_text("Inserted as a cell")
    ((index, cell),) = host.call("cells", at)
    assert (index, cell["cell_type"]) == (2, "markdown")
    assert cell["source"].startswith("**Why was the audit not used?**")


def test_a_cell_that_leaves_the_page_takes_its_view_along_until_it_comes_back(host: Host) -> None:
    at = live(host)
    idle = host.call("listeners", at)
    host.call("draw", TWIN)
    host.button("Ask").click()
    host.page.get_by_role("textbox").press_sequentially("a draft")
    host.call("take", 0)
    expect(host.page.locator(".lzu-card")).to_have_count(0)
    assert len(host.sent(at, "bye")) == 1
    asked = len(host.sent(at, "reconcile"))
    host.push(at, card=traits.card(version=9, headline="writing the guide"))
    assert len(host.sent(at, "reconcile")) == asked
    host.call("putBack")
    expect(host.page.locator(".lzu-phase").first).to_contain_text("writing the guide")
    expect(host.page.get_by_role("textbox")).to_have_value("a draft")
    expect(host.page.locator(".twin")).to_be_hidden()
    assert len(host.sent(at, "hello")) == 2
    host.call("end", at)
    assert host.call("listeners", at) <= idle


def test_a_view_that_cannot_be_drawn_leaves_the_twin_and_the_others(blank: Host) -> None:
    blank.load()
    blank.call("draw", TWIN)
    blank.call("draw", OTHER)
    blank.call("open", {"kind": "run", "place": "one", "broken": True}, {})
    blank.call("open", {**traits.run(guide=traits.guide()), "place": "other"}, {})
    expect(blank.page.locator(".twin").first).to_be_visible()
    expect(blank.page.locator(".lzu-card")).to_have_count(1)
