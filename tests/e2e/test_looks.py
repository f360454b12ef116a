"""The card in both themes, in a narrow window and in Notebook 7; hostile text in a real browser."""

from pathlib import Path

from tests.e2e.conftest import LOAD, OpenLab, keep
from tests.e2e.research import QUESTION, SUMMARY, HeldResearch
from tests.loopback.world import LoopbackWorld

CELLS = [LOAD, f"%%research\n{QUESTION}"]
READABLE = 4.5
"""The contrast that WCAG 2.2 wants of text (1.4.3)."""
HOSTILE = (
    "<script>window.taken = 1</script><img src=https://tracker.example/p.png "
    "onerror='window.taken = 2'>![x](https://tracker.example/m.png) $x$ &lt;b&gt;"
)


def test_every_text_is_readable_in_the_light_and_in_the_dark(
    open_lab: OpenLab, research: HeldResearch
) -> None:
    lab = open_lab(CELLS)
    lab.hide_sidebar()
    lab.run(0, 1)
    card = lab.card(1)
    card.has_met("Pages", "2 of 6")
    faint = []
    for state in ("running", "complete"):
        for theme in ("light", "dark"):
            lab.use_theme(theme)
            keep(lab.page, f"{state}-{theme}")
            faint += [f"{state}, {theme}: {one}" for one in card.faint_texts(READABLE)]
        research.open_all()
        card.says("complete in")
    assert faint == [], "\n".join(faint)
    assert card.contains_what_it_shows()
    lab.page.set_viewport_size({"width": 480, "height": 1500})
    keep(lab.page, "complete-narrow")
    assert card.contains_what_it_shows()


def test_notebook_7_shows_the_card_and_its_stop_stops(
    open_lab: OpenLab, research: HeldResearch
) -> None:
    lab = open_lab(CELLS, app="notebook")
    lab.run(0, 1)
    card = lab.card(1)
    card.has_met("Pages", "2 of 6")
    card.stop()
    card.says("stopped after")


def test_hostile_titles_and_questions_are_text(
    open_lab: OpenLab, web: LoopbackWorld, folder: Path
) -> None:
    research = HeldResearch(web, title=HOSTILE)
    research.settle(folder)
    lab = open_lab([LOAD, f"%%research\n{HOSTILE} cost?", "%lazyboy list"])
    research.open_all()
    lab.run(0, 1, 2)
    card = lab.card(1)
    card.says("complete in")
    card.shows(SUMMARY)
    card.shows("<script>window.taken = 1</script><img src=https://tracker.example/p.png")
    card.shows("&lt;b&gt; cost?")
    lab.output(2).get_by_text("<script>window.taken").wait_for()
    assert lab.page.evaluate("() => window.taken") is None
    assert card.root.locator("img, script, iframe, mjx-container").count() == 0
