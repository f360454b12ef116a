"""Foreign text in every field: nothing runs, nothing loads, nothing leaves the page."""

from typing import Any

import pytest
from playwright.sync_api import expect

from . import traits
from .conftest import Host

TEXTS = [
    "<img src='http://evil.test/a.png' onerror='ran.push(1)'><script>ran.push(2)</script>",
    "javascript:ran.push(3)",
    "![x](http://evil.test/b.png) [y](javascript:ran.push(4)) <svg onload=ran.push(5)>",
    "\u202e\u0000\"'><iframe src='javascript:parent.ran.push(6)'></iframe>",
]
KEPT = {"kind", "state", "status", "tone", "dot", "key"}


def poisoned(value: Any, text: str, name: str = "") -> Any:
    """Return the value with every text in it replaced, but those that steer."""
    if isinstance(value, dict):
        return {key: poisoned(one, text, key) for key, one in value.items()}
    if isinstance(value, list):
        return [poisoned(one, text, name) for one in value]
    return text if isinstance(value, str) and name not in KEPT else value


@pytest.mark.parametrize("text", TEXTS)
def test_nothing_of_it_is_executed_or_loaded(host: Host, text: str) -> None:
    live = traits.item(2, live=True, status="running")
    needs = traits.item(1, status="needs_tools", ahead=2)
    states = [
        traits.run(traits.card(problems=["p"], error="e", progress="q", acknowledgement="a")),
        traits.run(
            traits.ended("failed", "h", "bad", error="e"), guide=traits.guide(additions=True)
        ),
        traits.panel(side=traits.side(live, needs), current=live),
        traits.dashboard(),
    ]
    reply = {"before": text, "quote": text, "after": text, "title": text, "url": text, "note": text}
    for state in states:
        host.open(poisoned(state, text), context=reply, promote=reply)
    for button in host.page.locator(".lzu-cite").all():
        button.click()
    for button in host.page.get_by_role("button", name="Tell the agent").all():
        button.click()
    expect(host.page.locator(".lzu-quote").first).to_be_visible()
    for name in ("img", "script", "iframe", "svg", "object", "style"):
        expect(host.page.locator(f"#outputs {name}")).to_have_count(0)
    hrefs = host.page.evaluate(
        "[...document.querySelectorAll('#outputs a')].map((one) => one.href)"
    )
    assert [href for href in hrefs if not href.startswith("http")] == []
    attributes = host.page.evaluate(
        "[...document.querySelectorAll('#outputs *')].flatMap((one) => one.getAttributeNames())"
    )
    assert [name for name in attributes if name.startswith("on")] == []
    assert host.page.evaluate("window.ran") == []


def test_an_object_in_the_place_of_a_text_is_nothing(host: Host) -> None:
    node = {
        "type": "img",
        "props": {"src": "http://evil.test/c.png"},
        "__v": 1,
        "constructor": None,
    }
    host.open(traits.run(traits.card(question=node, progress=node, headline=[node])))
    expect(host.page.get_by_text("Untitled")).to_be_visible()
    expect(host.page.locator("#outputs img")).to_have_count(0)
