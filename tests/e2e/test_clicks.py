"""What a person clicks in a card: it takes effect at once, whatever the kernel is busy with."""

import pytest

from tests.e2e.conftest import LOAD, OpenLab
from tests.e2e.lab import BLOCKS
from tests.e2e.research import QUESTION, SIDE_ANSWER, SUMMARY, HeldResearch

RESEARCH = f"%%research\n{QUESTION}"
VERSION = "import ipykernel; print('ipykernel', ipykernel.__version__)"


@pytest.mark.parametrize("version", ["7.3", "7.4"])
def test_stop_takes_effect_while_another_cell_keeps_the_kernel_busy(
    open_lab: OpenLab, research: HeldResearch, version: str
) -> None:
    cells = [f"{LOAD}\n{VERSION}", RESEARCH, BLOCKS]
    lab = open_lab(cells, kernel=f"ipykernel-{version}")
    lab.run(0, 1)
    assert f"ipykernel {version}." in lab.output(0).inner_text()
    card = lab.card(1)
    card.says("collecting")
    lab.block(2)
    card.stop()
    card.says("stopped after")
    assert lab.runs(2)
    lab.let_go(2)


def test_a_side_question_and_a_quote_in_the_card_while_a_cell_keeps_the_kernel_busy(
    open_lab: OpenLab, research: HeldResearch
) -> None:
    lab = open_lab([LOAD, RESEARCH, BLOCKS])
    lab.run(0, 1)
    card = lab.card(1)
    card.has_met("Pages", "2 of 6")
    lab.block(2)
    card.ask("What does one closing cost?")
    card.answers(SIDE_ANSWER[0].strip())
    research.side.open()
    card.answers(SIDE_ANSWER[1])
    card.answers("What does one closing cost?")
    card.says("collecting")
    research.open_all()
    card.says("complete in")
    card.shows(SUMMARY)
    card.answers(SIDE_ANSWER[1])
    card.open_quote("quote found")
    card.shows("They now expect one closing a year by 2040")
    assert lab.runs(2)
    lab.let_go(2)
