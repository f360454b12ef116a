"""The conversation in JupyterLab: an answer, work that is given away, and its guide in the cell."""

from playwright.sync_api import expect

from tests.e2e.conftest import LOAD, OpenLab
from tests.e2e.lab import SECOND

ASK = "%%chat\nHow does the with statement work?"
ASK_AGAIN = "%%chat\nWhat does __exit__ do?"


def test_a_guide_appears_by_itself_and_the_next_turn_quotes_it(open_lab: OpenLab) -> None:
    lab = open_lab([LOAD, ASK, ASK_AGAIN, "%lazyboy status"])
    lab.run(0, 1)
    cards = lab.output(1).locator(".lzu-card")
    expect(cards).to_have_count(2, timeout=30 * SECOND)
    expect(cards.nth(0)).to_contain_text("researcher looks it up")
    expect(cards.nth(1)).to_contain_text("complete in", timeout=150 * SECOND)
    lab.run(2, 3)
    answer = lab.output(2).locator(".lzu-card")
    expect(answer).to_have_count(1)
    expect(answer).to_contain_text("__exit__")
    expect(answer).to_contain_text("Rests on")
    expect(lab.output(3)).to_contain_text("researcher")
