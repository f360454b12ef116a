"""The card of a standard task or a turn: its result, and the box to answer what it asks."""

from typing import Any

import pytest
from playwright.sync_api import expect

from . import traits
from .conftest import Host

RESULT = """Two ways:

- `pathlib`: “Gates close at noon” (S1)
- `os.path`

```python
Path("a") / "b"
```
"""
RESTS = [
    {
        "source": "S1", "title": "Annual flood survey", "url": "https://data.example.org/report",
        "message": 4, "quotes": ["Gates close at noon"],
    }
]  # fmt: skip


def state(**changes: Any) -> dict[str, Any]:
    """Return the traits of a turn's card."""
    card = traits.card(
        **{
            "task_type": "standard", "meters": [], "headline": "working", "asked": "",
            "result": "", "rests": [], "listed": 0, **changes,
        }
    )  # fmt: skip
    return {
        "kind": "run",
        "card": card,
        "sources": [],
        "guide": None,
        "side": None,
        "current": None,
    }


WAITING = state(
    status="waiting_input", headline="waiting for you", dot="", asked="Which year?", ticking=False
)
DONE = state(
    live=False, status="completed", dot="ok", headline="complete in 3.2 s", ticking=False,
    result=RESULT, rests=RESTS,
)  # fmt: skip


def test_what_a_task_asks_is_answered_in_its_card(host: Host) -> None:
    at = host.open(WAITING, answer={"ok": True})
    box = host.page.get_by_role("textbox", name="Your answer")
    expect(host.page.get_by_role("group", name="Waiting for you")).to_contain_text("Which year?")
    expect(host.button("Answer")).to_be_disabled()
    box.fill("  1999 ")
    box.press("Enter")
    expect(box).to_have_value("")
    assert [one["text"] for one in host.sent(at, "answer")] == ["1999"]
    host.push(at, card=state(result="In 1999.", headline="working")["card"])
    expect(box).to_have_count(0)
    expect(host.page.locator(".lzu-result")).to_contain_text("In 1999.")


def test_an_answer_that_is_refused_is_kept_and_its_reason_said(host: Host) -> None:
    host.open(WAITING, answer={"ok": False, "error": "Nothing waits.", "hint": "Look again."})
    box = host.page.get_by_role("textbox", name="Your answer")
    box.fill("1999")
    host.button("Answer").click()
    expect(host.page.locator(".lzu-card")).to_contain_text("Nothing waits. Look again.")
    expect(box).to_have_value("1999")


def test_a_result_is_markdown_that_rests_on_its_sources(host: Host) -> None:
    host.open(DONE)
    result = host.page.locator(".lzu-result")
    expect(result.get_by_role("listitem").first).to_contain_text("pathlib: “Gates close at noon”")
    expect(result.locator("pre")).to_contain_text('Path("a") / "b"')
    host.page.get_by_role("button", name="S1: Annual flood survey").click()
    expect(result.locator("blockquote")).to_have_text("“Gates close at noon”")
    expect(host.page.get_by_role("meter")).to_have_count(0)
    host.button("Copy").click()
    expect(host.page.locator(".lzu-foot")).to_contain_text("Copied as Markdown")
    assert host.page.evaluate("navigator.clipboard.readText()") == RESULT.strip()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_is_accessible(blank: Host, axe: Any, theme: str) -> None:
    blank.load(theme)
    for one in (WAITING, DONE, state(result="It **arri", ticking=True)):
        blank.open(one, "280px")
        blank.open(one)
    blank.page.get_by_role("button", name="S1: Annual flood survey").first.click()
    assert axe() == []


def test_in_a_dashboard_the_task_that_asks_has_the_box(host: Host) -> None:
    task = {**traits.dashboard()["roster"]["tasks"][0], "asked": "Which year?", "meters": []}
    at = host.open(traits.dashboard(tasks=[task]), answer={"ok": True})
    box = host.page.get_by_role("textbox", name="Your answer")
    box.fill("1999")
    box.press("Enter")
    expect(box).to_have_value("")
    (sent,) = host.sent(at, "answer")
    assert (sent["text"], sent["task_id"]) == ("1999", task["task_id"])
