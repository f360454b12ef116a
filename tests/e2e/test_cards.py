"""Research in a cell of JupyterLab: it moves, it ends in its own cell, and nothing stops it."""

from tests.e2e.conftest import LOAD, OpenLab
from tests.e2e.lab import BLOCKS, SECOND
from tests.e2e.research import (
    MADE_UP,
    PROGRESS,
    QUESTION,
    QUOTE,
    STEP,
    SUMMARY,
    UNKNOWN,
    HeldResearch,
)

RESEARCH = f"%%research\n{QUESTION}"


def test_a_manual_is_read_and_a_guide_written(open_lab: OpenLab) -> None:
    lab = open_lab([LOAD, "%%research\nHow does the with statement work?", "6 * 7"])
    lab.run(0, 1, 2)
    card = lab.card(1)
    card.says("complete in", patience=150 * SECOND)
    card.marks("quote found")
    card.shows("context manager")
    assert "42" in lab.output(2).inner_text()


def test_meters_move_and_the_guide_appears_in_its_own_cell_while_others_run(
    open_lab: OpenLab, research: HeldResearch
) -> None:
    lab = open_lab([LOAD, RESEARCH, BLOCKS])
    lab.run(0, 1)
    card = lab.card(1)
    card.says("collecting")
    card.has_met("Searches", "1 of 2")
    lab.block(2)
    card.shows(PROGRESS)
    card.has_met("Pages", "2 of 6")
    card.shows("reading")
    seen = card.spent("Time")
    card.changes_from("Time", seen)
    research.page.open()
    card.shows("The river barrier's gates")
    card.shows("read")
    research.guide.open()
    card.says("complete in")
    for words in (SUMMARY, STEP, QUOTE, MADE_UP, UNKNOWN):
        card.shows(words)
    for mark in ("quote found", "quote not found"):
        card.marks(mark)
    assert lab.runs(2)
    assert SUMMARY not in lab.output(2).inner_text()
    lab.let_go(2)
    assert lab.card(1).root.count() == 1


def test_an_interrupt_stops_the_cell_and_not_the_research(
    open_lab: OpenLab, research: HeldResearch
) -> None:
    lab = open_lab([LOAD, RESEARCH, BLOCKS])
    lab.run(0, 1)
    lab.block(2)
    lab.interrupt()
    lab.ended(2)
    assert "KeyboardInterrupt" in lab.output(2).inner_text()
    card = lab.card(1)
    card.says("collecting")
    research.open_all()
    card.says("complete in")
    card.shows(SUMMARY)


def test_after_a_restart_of_the_kernel_the_guide_is_shown_again(
    open_lab: OpenLab, research: HeldResearch
) -> None:
    lab = open_lab([LOAD, f"%%research --name gates\n{QUESTION}", "%lazyboy show gates"])
    research.open_all()
    lab.run(0, 1)
    lab.card(1).says("complete in")
    lab.restart()
    lab.run(0, 2)
    card = lab.card(2)
    card.says("complete in")
    for words in (QUESTION, SUMMARY, STEP):
        card.shows(words)
    card.marks("quote found")


def test_a_side_question_in_a_cell_of_its_own(open_lab: OpenLab, research: HeldResearch) -> None:
    lab = open_lab([LOAD, RESEARCH, "%btw What does one closing cost?"])
    lab.run(0, 1)
    lab.card(1).has_met("Pages", "2 of 6")
    lab.run(2)
    side = lab.card(2)
    side.shows("So far: a closing costs")
    research.side.open()
    side.shows("about 1.2 million euros (S1)")
    side.shows("from what it knew")
    lab.card(1).says("collecting")
