"""The whole card by keyboard alone, and where the focus goes."""

from playwright.sync_api import expect

from . import traits
from .conftest import Host


def focused(host: Host) -> str:
    return str(
        host.page.evaluate("document.activeElement.dataset.k ?? document.activeElement.tagName")
    )


def test_ask_read_a_quote_and_stop_without_a_mouse(host: Host) -> None:
    at = host.open(traits.run(guide=traits.guide()), stop=None)
    press = host.page.keyboard.press
    press("Tab")
    assert focused(host) == "ask-open"
    press("Enter")
    expect(host.page.get_by_role("textbox")).to_be_focused()
    host.page.keyboard.type("Why?")
    press("Enter")
    expect(host.page.get_by_role("textbox")).to_have_value("")
    assert [one["question"] for one in host.sent(at, "ask")] == ["Why?"]
    press("Escape")
    assert focused(host) == "ask-open"
    expect(host.page.get_by_role("textbox")).to_have_count(0)
    press("Tab")
    assert focused(host) == "stop"
    press("Space")
    expect(host.button("stopping…")).to_be_focused()
    for _ in range(4):
        press("Tab")
    assert focused(host) == "cite:0.0.1"
    press("Enter")
    expect(host.page.get_by_role("group", name="Quote from S1")).to_be_visible()
    press("Tab")
    assert focused(host) == "A"
    press("Escape")
    expect(host.page.get_by_role("group", name="Quote from S1")).to_have_count(0)
    assert focused(host) == "cite:0.0.1"


def test_the_export_menu_follows_the_pattern(host: Host) -> None:
    host.open(traits.states()["completed"])
    button = host.button("Export")
    button.focus()
    host.page.keyboard.press("Enter")
    expect(button).to_have_attribute("aria-expanded", "true")
    expect(host.page.get_by_role("menuitem", name="Markdown")).to_be_focused()
    host.page.keyboard.press("ArrowUp")
    expect(host.page.get_by_role("menuitem", name="BibTeX")).to_be_focused()
    host.page.keyboard.press("Home")
    host.page.keyboard.press("ArrowDown")
    expect(host.page.get_by_role("menuitem", name="HTML")).to_be_focused()
    host.page.keyboard.press("Escape")
    expect(button).to_be_focused()
    expect(host.page.get_by_role("menu")).to_have_count(0)
    button.click()
    host.page.get_by_text("Losses before 1998").click()
    expect(host.page.get_by_role("menu")).to_have_count(0)


def test_the_focus_stays_on_a_button_that_moves(host: Host) -> None:
    at = host.open(traits.run(guide=traits.guide()))
    host.page.keyboard.press("Tab")
    assert focused(host) == "ask-open"
    host.push(at, card=traits.ended("completed", "complete in 2:40", "ok"))
    expect(host.button("Ask about this")).to_be_focused()


def test_the_focus_is_seen(host: Host) -> None:
    host.open(traits.run(guide=traits.guide()))
    host.page.keyboard.press("Tab")
    style = host.page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert style == "solid"


def test_the_notebooks_shortcuts_are_kept_out(host: Host) -> None:
    host.open(traits.run())
    assert host.page.locator(".lzu").get_attribute("data-lm-suppress-shortcuts") == "true"
