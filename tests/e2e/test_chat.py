"""The conversation in JupyterLab: an answer, work that is given away, questions to the person."""

import json
from pathlib import Path

from playwright.sync_api import expect

from tests.e2e.card import PATIENCE
from tests.e2e.conftest import LOAD, OpenLab
from tests.e2e.lab import BLOCKS, SECOND
from tests.e2e.panel import Panel
from tests.loopback.models import Asked, Call, ModelEndpoint, Said
from tests.loopback.world import LoopbackWorld


def test_a_guide_appears_by_itself_and_the_next_turn_quotes_it(open_lab: OpenLab) -> None:
    asks = ["%%chat\nHow does the with statement work?", "%%chat\nWhat does __exit__ do?"]
    lab = open_lab([LOAD, *asks, "%lazyboy status"])
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


def test_what_is_asked_is_answered_in_the_card_and_in_the_panel_while_a_cell_computes(
    open_lab: OpenLab, folder: Path, web: LoopbackWorld
) -> None:
    def answer(asked: Asked) -> Said:
        told = [one.text for one in asked.messages if one.role == "tool"]
        if len(told) < 2:
            question = ("Which year?", "And which month?")[len(told)]
            return Said(calls=[Call("ask_user", json.dumps({"question": question}))])
        return Said([f"Then it was in **{told[1][11:-2]} {told[0][11:-2]}**."])

    model = ModelEndpoint(web, answer).base_url("openai-chat")
    (folder / ".lazyboy").mkdir()
    settings = f'model = "openai-compatible:tiny@{model}"\nsearch = ["pydoc"]\n'
    (folder / ".lazyboy" / "config.toml").write_text(settings, "utf-8")
    lab = open_lab([LOAD, "%%chat\nWhen was the barrier opened?", BLOCKS])
    lab.hide_sidebar()
    lab.run(0, 1)
    card = lab.output(1).locator(".lzu-card")
    expect(card).to_contain_text("Which year?", timeout=PATIENCE)
    lab.block(2)
    card.get_by_label("Your answer").fill("1999")
    card.get_by_label("Your answer").press("Enter")
    expect(card).to_contain_text("And which month?", timeout=PATIENCE)
    panel = Panel(lab.page).open()
    panel.is_said("waiting for you")
    panel.shows("And which month?")
    assert panel.contains_what_it_shows()
    panel.root.get_by_label("Your answer").fill("May")
    panel.root.get_by_role("button", name="Answer").click()
    expect(card).to_contain_text("Then it was in May 1999.", timeout=PATIENCE)
    panel.is_said("idle")
    expect(panel.root).not_to_contain_text("And which month?", timeout=PATIENCE)
    assert lab.runs(2)
    lab.let_go(2)
