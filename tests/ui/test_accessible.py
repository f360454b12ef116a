"""What axe-core finds serious or critical: nothing, in both of JupyterLab's themes."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from . import traits
from .conftest import Host

Axe = Callable[[], list[str]]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", ["280px", "760px"])
def test_cards(blank: Host, axe: Axe, theme: str, width: str) -> None:
    blank.load(theme)
    for state in traits.states().values():
        blank.open(state, width, stop={"ok": False, "error": "It ended.", "hint": "Run it again."})
    for name in ("S1, quote found: the quote", "S3, quote not found: the quote", "Stop", "Ask"):
        blank.page.get_by_role("button", name=name, exact=True).first.click()
    expect(blank.page.locator(".lzu-said").first).to_be_visible()
    blank.page.get_by_role("button", name="Export").last.click()
    assert axe() == []


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_panel_and_dashboard(blank: Host, axe: Axe, theme: str) -> None:
    blank.load(theme)
    live = traits.item(4, live=True, status="running", status_words="answering")
    items = [
        live,
        traits.item(3, status="needs_tools", tool="web_search"),
        traits.item(2, status="failed", status_words="failed", problem="No key.", answer=""),
        traits.item(
            1,
            ahead=2,
            answer="# A\n\n|a|b|\n|-|-|\n|1|2|\n\n```\nx\n```\n\n> q `c` [l](https://x.test)",
        ),
    ]
    blank.open(
        traits.panel(side=traits.side(*items, next_cursor=1), current=live), promote={"note": "n"}
    )
    blank.open(traits.panel(side=traits.side(can_ask=False, why_not="Nothing is known yet.")))
    blank.open(traits.dashboard())
    blank.open(traits.dashboard(tasks=[], agents=[]))
    blank.button("Clear").click()
    blank.button("Tell the agent").first.click()
    expect(blank.button("Tell it")).to_be_visible()
    assert axe() == []
