"""Views that come and go: JupyterLab empties an updated output, and tells no one."""

from playwright.sync_api import expect

from . import traits
from .conftest import Host


def again(host: Host, at: int, view: int) -> None:
    host.call("wipe", at, view)
    host.call("show", at)


def test_a_new_view_goes_on_where_the_old_one_was(host: Host) -> None:
    at = host.open(traits.run(guide=traits.guide()))
    host.page.get_by_role("button", name="S2, unverified: the quote").click()
    host.button("Ask").click()
    box = host.page.get_by_role("textbox")
    box.press_sequentially("a draft")
    box.press("ArrowLeft")
    box.press("ArrowLeft")
    again(host, at, 0)
    expect(box).to_have_count(1)
    expect(box).to_be_focused()
    expect(box).to_have_value("a draft")
    expect(host.page.get_by_role("group", name="Quote from S2")).to_be_visible()
    host.page.keyboard.type("+")
    expect(box).to_have_value("a dra+ft")


def test_a_new_view_takes_no_focus_that_went_elsewhere(host: Host) -> None:
    at = host.open(traits.run())
    host.button("Ask").click()
    expect(host.page.get_by_role("textbox")).to_be_focused()
    host.page.evaluate(
        "() => { const other = document.createElement('input'); other.id = 'other';"
        "document.body.append(other); other.focus(); }"
    )
    again(host, at, 0)
    expect(host.page.locator("#other")).to_be_focused()


def test_a_wiped_view_leaves_nothing_behind(host: Host) -> None:
    at = host.open(traits.run())
    before = host.call("listeners", at)
    for view in range(20):
        again(host, at, view)
    assert host.call("listeners", at) == before
    expect(host.page.locator(".lzu-card")).to_have_count(1)


def test_a_view_that_is_scrolled_out_of_sight_comes_back_alive(host: Host) -> None:
    at = host.open(traits.run())
    expect(host.page.locator(".lzu-card")).to_have_count(1)
    host.call("scroll", at, 0, False)
    host.call("show", at)
    host.call("scroll", at, 0, True)
    host.push(at, card=traits.card(version=8, progress="Reading on."))
    expect(host.page.locator(".lzu-progress")).to_have_count(2)


def test_views_that_are_there_stay(host: Host) -> None:
    at = host.open(traits.run())
    host.call("show", at)
    host.push(at, card=traits.card(version=8, progress="Reading on."))
    expect(host.page.locator(".lzu-progress")).to_have_count(2)
    host.call("close", at, 0)
    host.push(at, card=traits.card(version=9, progress="And on."))
    expect(host.page.locator(".lzu-progress")).to_have_text(["And on."])


def test_a_new_view_says_hello_and_ids_are_its_own(host: Host) -> None:
    at = host.open(traits.run(guide=traits.guide()))
    host.call("show", at)
    assert len(host.sent(at, "hello")) == 2
    host.button("Ask").first.click()
    ids = host.page.evaluate("[...document.querySelectorAll('[id]')].map((one) => one.id)")
    assert len(ids) == len(set(ids)) > 2


def test_what_one_widget_opens_stays_closed_in_another(host: Host) -> None:
    host.open(traits.run(guide=traits.guide()))
    host.open(traits.run(guide=traits.guide()))
    host.page.get_by_role("button", name="S2, unverified: the quote").first.click()
    expect(host.page.get_by_role("group", name="Quote from S2")).to_have_count(1)
