"""The Research panel beside the notebook: it stays, answers while the kernel computes, tells truly
how things stand."""

import os
import signal

from playwright.sync_api import BrowserContext, expect

from lazyboy_jupyter.api.address import read_address
from tests.browsers import serious_findings
from tests.e2e.conftest import LOAD, OpenLab, keep
from tests.e2e.lab import BLOCKS, Lab
from tests.e2e.panel import Panel
from tests.e2e.research import QUESTION, SIDE_ANSWER, STEP, SUMMARY, HeldResearch
from tests.e2e.server import JupyterServer

RESEARCH = f"%%research\n{QUESTION}"
ASLEEP = 30_000
"""Milliseconds, by the page's clock, that a closed lid takes."""


def process_of(server: JupyterServer, lab: Lab) -> int:
    kernel = server.kernel_of(lab.path)["id"]
    address = read_address(server.runtime / f"kernel-{kernel}.json")
    assert address is not None
    return address.pid


def test_research_from_the_panel_alone(open_lab: OpenLab, research: HeldResearch) -> None:
    lab = open_lab([""])
    panel = Panel(lab.page).open()
    panel.shows("has not loaded the extension")
    panel.load()
    panel.shows("No research yet")
    panel.is_said("idle")
    panel.research(QUESTION)
    panel.card.says("collecting")
    panel.card.has_met("Pages", "2 of 6")
    panel.is_said("running")
    research.open_all()
    panel.card.says("complete in")
    for words in (SUMMARY, STEP):
        panel.card.shows(words)
    panel.card.marks("quote found")
    panel.is_said("idle")
    panel.card.open_quote("quote found")
    panel.card.shows("The river barrier's gates")
    panel.back()
    panel.shows("complete in")
    panel.open_task(QUESTION)
    panel.card.shows(SUMMARY)
    for width in (300, 640):
        panel.becomes_as_wide_as(width)
        assert panel.contains_what_it_shows()
        keep(lab.page, f"panel-{width}")
    assert serious_findings(lab.page, "#lazyboy-research") == []
    timing = Panel(lab.page, "timing").open()
    timing.shows("Waterfall of task")
    assert serious_findings(lab.page, "#lazyboy-timing") == []
    for words in ("model responds, request 1", "first delivery", "Time by stage"):
        timing.shows(words)
    assert timing.contains_what_it_shows()
    keep(lab.page, "panel-timing")
    timing.root.locator("summary").first.click()
    timing.root.get_by_role("button", name="Insert as cell").first.click()
    expect(lab.code(1)).to_contain_text("%%timing")
    lab.run(1)
    expect(lab.output(1)).to_contain_text("research_first_delivery")


def test_where_the_window_is_narrow_it_is_a_drawer(
    open_lab: OpenLab, research: HeldResearch
) -> None:
    lab = open_lab([LOAD])
    lab.run(0)
    lab.page.set_viewport_size({"width": 620, "height": 900})
    panel = Panel(lab.page).open()
    expect(panel.drawer).to_be_visible()
    panel.research(QUESTION)
    panel.card.has_met("Pages", "2 of 6")
    assert panel.contains_what_it_shows()
    keep(lab.page, "panel-drawer")
    lab.page.keyboard.press("Escape")
    expect(panel.drawer).to_have_count(0)
    expect(panel.root).not_to_be_visible()
    panel.open()
    panel.card.says("collecting")
    lab.page.set_viewport_size({"width": 1200, "height": 900})
    expect(panel.drawer).to_have_count(0)
    expect(panel.root).to_be_visible()
    research.open_all()
    panel.card.says("complete in")


def test_notebook_7_has_the_panels_too(open_lab: OpenLab, research: HeldResearch) -> None:
    research.open_all()
    lab = open_lab([LOAD], app="notebook")
    lab.run(0)
    panel = Panel(lab.page).open()
    panel.research(QUESTION)
    panel.card.says("complete in")
    keep(lab.page, "panel-notebook-7")
    Panel(lab.page, "timing").open().shows("first delivery")


def test_it_answers_while_the_kernel_computes_closed_and_opened_and_loaded_again(
    open_lab: OpenLab, research: HeldResearch
) -> None:
    lab = open_lab([LOAD, RESEARCH, BLOCKS])
    lab.run(0, 1)
    lab.card(1).has_met("Pages", "2 of 6")
    lab.block(2)
    panel = Panel(lab.page).open()
    panel.open_task(QUESTION)
    panel.card.ask("What does a closing cost?")
    panel.card.answers(SIDE_ANSWER[0].strip())
    panel.close()
    panel.open()
    panel.card.answers(SIDE_ANSWER[0].strip())
    assert lab.runs(2)
    lab.let_go(2)
    lab.save()
    lab.reload()
    panel.open()
    panel.open_task(QUESTION)
    panel.card.root.get_by_role("button", name="Ask", exact=True).click()
    panel.card.answers(SIDE_ANSWER[0].strip())
    assert SIDE_ANSWER[1] not in panel.root.inner_text()
    research.side.open()
    panel.card.answers("".join(SIDE_ANSWER))


def test_over_a_comm_where_the_server_does_not_know_us(
    open_lab: OpenLab, research: HeldResearch, context: BrowserContext
) -> None:
    context.route("**/lazyboy/**", lambda route: route.fulfill(status=404, body="Not Found"))
    lab = open_lab(["", BLOCKS])
    panel = Panel(lab.page).open()
    panel.load()
    lab.block(1)
    panel.research(QUESTION)
    panel.card.has_met("Pages", "2 of 6")
    panel.card.ask("What does a closing cost?")
    panel.card.answers(SIDE_ANSWER[0].strip())
    research.open_all()
    panel.card.says("complete in")
    panel.card.answers("".join(SIDE_ANSWER))
    assert lab.runs(1)
    lab.let_go(1)
    lab.restart()
    panel.shows("has not loaded the extension")
    panel.root.get_by_role("button", name="Load it now").click()
    panel.shows("complete in")
    assert panel.contains_what_it_shows()


def test_two_tabs_agree_and_a_switch_of_tasks_mixes_nothing(
    open_lab: OpenLab, research: HeldResearch
) -> None:
    lab = open_lab([LOAD, RESEARCH])
    lab.run(0, 1)
    lab.card(1).has_met("Pages", "2 of 6")
    lab.save()
    first, second = Panel(lab.page).open(), Panel(lab.in_a_new_tab().page).open()
    for panel in (first, second):
        panel.open_task(QUESTION)
    first.card.ask("What does a closing cost?")
    first.card.answers(SIDE_ANSWER[0].strip())
    second.card.root.get_by_role("button", name="Ask", exact=True).click()
    second.card.answers(SIDE_ANSWER[0].strip())
    aside = Panel(first.page, "side").open()
    aside.card.answers(SIDE_ANSWER[0].strip())
    assert serious_findings(first.page, "#lazyboy-side") == []
    first.page.keyboard.press("Escape")
    first.open()
    first.back()
    first.shows(QUESTION)
    research.side.open()
    second.card.answers("".join(SIDE_ANSWER))
    first.open_task(QUESTION)
    first.card.root.get_by_role("button", name="Ask", exact=True).click()
    first.card.answers("".join(SIDE_ANSWER))
    second.card.root.get_by_role("button", name="Clear", exact=True).click()
    second.card.root.get_by_role("button", name="Delete", exact=True).click()
    for panel in (second, first):
        expect(panel.card.root.locator(".lzu-side")).not_to_contain_text(
            "A closing", timeout=60_000
        )
        panel.card.answers("Ask about what it knows so far")


def test_a_kernel_that_stops_is_unknown_and_one_that_starts_anew_says_what_is_left(
    open_lab: OpenLab, research: HeldResearch, server: JupyterServer, context: BrowserContext
) -> None:
    context.clock.install()
    lab = open_lab([LOAD, RESEARCH])
    lab.run(0, 1)
    lab.card(1).has_met("Pages", "2 of 6")
    panel = Panel(lab.page).open()
    panel.is_said("running")
    process = process_of(server, lab)
    os.kill(process, signal.SIGSTOP)
    lab.page.clock.fast_forward(ASLEEP)
    panel.is_said("unknown, reconnecting")
    expect(panel.status.locator(".lzl-dot")).to_have_css("animation-name", "none")
    os.kill(process, signal.SIGCONT)
    panel.is_said("running")
    lab.restart()
    panel.shows("has not loaded the extension")
    expect(panel.status).to_have_count(0)
    panel.load()
    panel.shows("interrupted")
    panel.is_said("idle")
    panel.open_task(QUESTION)
    panel.root.get_by_role("button", name="Resume", exact=True).click()
    panel.card.says("collecting")
    panel.card.stop()
    panel.card.says("stopped after")
    panel.back()
    process = process_of(server, lab)
    os.kill(process, signal.SIGSTOP)
    lab.page.clock.fast_forward(ASLEEP)
    panel.is_said("unknown, reconnecting")  # though nothing runs
    panel.card.says("unknown, reconnecting")
    os.kill(process, signal.SIGCONT)
    panel.is_said("idle")
