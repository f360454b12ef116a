"""A page that is loaded again, a tab that was closed: what a card then shows (D1)."""

from pathlib import Path

from tests.e2e.conftest import LOAD, OpenLab
from tests.e2e.research import QUESTION, STEP, SUMMARY, UNKNOWN, HeldResearch
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
    for words in (QUESTION, SUMMARY, STEP, UNKNOWN, "quote found", "quote not found"):
        assert words in page
        assert words in twin
        again.card(1).shows(words)
