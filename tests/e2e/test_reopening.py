"""A page that is loaded again, a tab that was closed: what a card then shows (D1)."""

from pathlib import Path

import nbformat
from playwright.sync_api import expect

from lazyboy_jupyter.core.card import PUBLICATION, publication_of
from tests.core.test_card import BUSY, WHOLE
from tests.e2e.conftest import LOAD, OpenLab
from tests.e2e.research import (
    QUESTION,
    QUOTE,
    SIDE_ANSWER,
    STEP,
    SUMMARY,
    UNKNOWN,
    HeldResearch,
)
from tests.notebook.exports import card_in, exported

CELLS = [LOAD, f"%%research --name gates\n{QUESTION}"]


def test_a_reload_in_mid_run_shows_the_card_going_on(
    open_lab: OpenLab, research: HeldResearch
) -> None:
    lab = open_lab(CELLS)
    lab.run(0, 1)
    lab.card(1).has_met("Pages", "2 of 6")
    lab.save()
    lab.reload()
    card = lab.card(1)
    card.has_met("Pages", "2 of 6")
    card.changes_from("Time", card.spent("Time"))
    research.open_all()
    card.says("complete in")
    card.shows(SUMMARY)


def test_a_tab_closed_during_the_research_shows_the_result_when_it_is_opened_again(
    open_lab: OpenLab, research: HeldResearch
) -> None:
    lab = open_lab(CELLS)
    lab.run(0, 1)
    lab.card(1).has_met("Pages", "2 of 6")
    lab.save()
    lab.page.close()
    research.open_all()
    research.published()
    again = lab.in_a_new_tab()
    card = again.card(1)
    card.says("complete in")
    for words in (SUMMARY, STEP, UNKNOWN):
        card.shows(words)
    card.marks("quote found")
    again.keeps(1, "completed")
    kept = again.save().cells[1].outputs[0].data
    assert SUMMARY in kept["text/html"]
    assert "quote found" in kept["text/markdown"]


def test_a_result_that_was_never_saved_is_shown_again_in_its_cell(
    open_lab: OpenLab, research: HeldResearch
) -> None:
    research.open_all()
    lab = open_lab(CELLS)
    expect(lab.code(1)).to_have_attribute("data-language", "markdown")
    expect(lab.code(0)).to_have_attribute("data-language", "python")
    lab.run(0, 1)
    lab.card(1).says("complete in")
    lab.page.close()
    assert nbformat.read(lab.file, as_version=4).cells[1].outputs == []
    again = lab.in_a_new_tab()
    again.card(1).shows(SUMMARY)
    again.keeps(1, "completed")
    assert again.output(0).inner_text().strip() == ""


def test_a_saved_notebook_still_shows_its_guide_without_its_kernel_and_without_us(
    open_lab: OpenLab, research: HeldResearch, tmp_path: Path
) -> None:
    lab = open_lab(CELLS)
    research.open_all()
    lab.run(0, 1)
    lab.card(1).says("complete in")
    saved = lab.save()
    page = card_in(exported(saved, tmp_path, "html"))
    twin = " ".join(saved.cells[1].outputs[0].data["text/markdown"].replace("\\", "").split())
    lab.page.close()
    lab.shut_down()
    again = lab.in_a_new_tab()
    for words in (QUESTION, SUMMARY, STEP, UNKNOWN, "quote not found"):
        again.card(1).shows(words)
    for words in (QUESTION, SUMMARY, STEP, UNKNOWN, "quote found", "quote not found"):
        assert words in page
        assert words in twin
    again.card(1).open_quote("quote found")
    again.card(1).shows(QUOTE)
    expect(again.card(1).root.get_by_role("button", name="Ask about this")).to_have_count(0)
    again.run(0)
    again.card(1).ask("What does a closing cost?")
    again.card(1).answers("".join(SIDE_ANSWER))


def test_a_notebook_that_is_not_trusted_shows_its_cards_and_runs_nothing(
    open_lab: OpenLab, folder: Path
) -> None:
    lab = open_lab([""])
    lab.page.close()
    notebook = nbformat.read(lab.file, as_version=4)
    data = {
        PUBLICATION: publication_of(WHOLE, "an-agent", BUSY),
        "text/html": "<img src=x onerror='window.ran = true'>",
    }
    notebook.cells[0].outputs = [nbformat.v4.new_output("display_data", data)]
    nbformat.write(notebook, lab.file)  # as a stranger's, that nobody has signed
    again = lab.in_a_new_tab()
    again.card(0).shows(WHOLE.question)
    again.card(0).marks("quote found")
    assert again.page.evaluate("window.ran") is None
