"""One interface and one style sheet for all widgets of a page, sent by the kernel once."""

from playwright.sync_api import expect

from . import traits
from .conftest import Host

SHEETS = "() => document.head.querySelectorAll('style').length"


def test_the_widgets_of_a_page_ask_once(blank: Host) -> None:
    blank.load(fresh=True)
    before = blank.page.evaluate(SHEETS)
    opened = [blank.open(traits.run()) for _ in range(3)]
    expect(blank.page.locator(".lzu-card")).to_have_count(3)
    assert [len(blank.sent(at, "interface")) for at in opened] == [1, 0, 0]
    assert blank.page.evaluate(SHEETS) == before + 1


def test_another_version_is_another_interface(blank: Host) -> None:
    blank.load(fresh=True)
    old = blank.open(traits.run(interface="old"))
    new = blank.open(traits.run(interface="new"))
    expect(blank.page.locator(".lzu-card")).to_have_count(2)
    assert len(blank.sent(old, "interface")) == len(blank.sent(new, "interface")) == 1


def test_when_the_one_that_asked_goes_another_asks(blank: Host) -> None:
    blank.load(fresh=True)
    gone = blank.call("open", traits.run(), {"interface": None})
    stays = blank.open(traits.run())
    assert blank.sent(stays, "interface") == []
    blank.call("end", gone)
    expect(blank.page.locator(".lzu-card")).to_have_count(1)
    assert len(blank.sent(stays, "interface")) == 1


def test_the_static_form_shows_until_a_kernel_answers(blank: Host) -> None:
    blank.page.clock.install(time=0)
    blank.load(fresh=True)
    blank.page.clock.pause_at(1_000)
    blank.call("draw", '<div data-lazyboy-view="here"><p>Static.</p></div>')
    busy = blank.call("open", traits.run(place="here"), {"interface": None})
    same = blank.call("open", traits.run(), {"interface": None})
    blank.page.clock.run_for(60_000)
    expect(blank.page.get_by_text("Static.")).to_be_visible()
    assert [len(blank.sent(at, "interface")) for at in (busy, same)] == [1, 1]
    blank.open(traits.run())  # of a kernel that is free
    assert blank.page.locator(".lzu-card").count() == 0
    blank.page.clock.run_for(2_000)
    expect(blank.page.get_by_text("Static.")).to_be_hidden()
    expect(blank.page.locator(".lzu-card")).to_have_count(2)


def test_a_kernel_may_answer_late_and_twice(blank: Host) -> None:
    blank.load(fresh=True)
    at = blank.call("open", traits.run(place="here"), {"interface": None})
    blank.call("draw", '<div data-lazyboy-view="here"><p>Static.</p></div>')
    sheets = blank.page.evaluate(SHEETS)
    blank.call("sayInterface", at)
    blank.call("sayInterface", at)
    expect(blank.page.locator(".lzu-card")).to_have_count(1)
    assert blank.page.evaluate(SHEETS) == sheets + 1


def test_an_interface_that_cannot_be_read_leaves_the_static_form(blank: Host) -> None:
    blank.load(fresh=True)
    blank.call("draw", '<div data-lazyboy-view="here"><p>Static.</p></div>')
    at = blank.call("open", traits.run(place="here"), {"interface": None})
    with blank.page.expect_console_message() as said:
        blank.say(at, type="interface", script="no script {", style="")
    assert "SyntaxError" in said.value.text
    expect(blank.page.get_by_text("Static.")).to_be_visible()
