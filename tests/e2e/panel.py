"""The Research panel and the status-bar item; the one place that knows their markup."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.e2e.card import PATIENCE, Card

_COMMANDS = {
    "research": "lazyboy:open",
    "side": "lazyboy:open-side-questions",
    "timing": "lazyboy:open-timing",
}


class Panel:
    """One of the panels of a page: research, side, timing."""

    def __init__(self, page: Page, place: str = "research") -> None:
        self.page = page
        self.root = page.locator(f"#lazyboy-{place}")
        self._command = _COMMANDS[place]

    def open(self) -> "Panel":
        """Open it by its command."""
        expect(self.page.locator("#jupyterlab-splash")).to_have_count(0)
        self.page.evaluate(
            "name => window.jupyterapp.commands.execute(name).then(() => {})", self._command
        )
        expect(self.root).to_be_visible()
        return self

    @property
    def drawer(self) -> Locator:
        """What it is in where the window is narrow."""
        return self.page.get_by_role("dialog")

    def choose(self, question: str) -> None:
        """Choose the task that it speaks of."""
        options = self.root.get_by_label("Task", exact=True).locator("option")
        value = options.filter(has_text=question).first.get_attribute("value", timeout=PATIENCE)
        self.root.get_by_label("Task", exact=True).select_option(value)

    def becomes_as_wide_as(self, width: int) -> None:
        """Drag the handle of its side bar."""
        handle = self.page.locator("#jp-main-split-panel > .lm-SplitPanel-handle:visible").last
        box, there = handle.bounding_box(), self.root.bounding_box()
        assert box is not None
        assert there is not None
        self.page.mouse.move(box["x"] + box["width"] / 2, 400)
        self.page.mouse.down()
        self.page.mouse.move(box["x"] + there["width"] - width, 400, steps=4)
        self.page.mouse.up()

    def contains_what_it_shows(self) -> bool:
        """Whether nothing of it is wider than itself."""
        return bool(self.root.evaluate("root => root.scrollWidth <= root.clientWidth"))

    def close(self) -> None:
        """Close the side bar that it is in."""
        self.page.evaluate(
            "() => window.jupyterapp.commands.execute('application:toggle-right-area')"
        )
        expect(self.root).not_to_be_visible()

    def shows(self, words: str) -> None:
        """Wait until the words stand anywhere in it."""
        expect(self.root).to_contain_text(words, timeout=PATIENCE)

    def load(self) -> None:
        """Click what loads the extension in the kernel."""
        self.root.get_by_role("button", name="Load it now").click()
        expect(self.root.get_by_label("A question to research")).to_be_visible(timeout=PATIENCE)

    def research(self, question: str) -> None:
        """Type a question and press Enter."""
        box = self.root.get_by_label("A question to research")
        box.fill(question)
        box.press("Enter")

    def open_task(self, question: str) -> None:
        """Open a task of the list."""
        self.root.get_by_role("button", name=re.compile(f"^Open: {re.escape(question[:40])}")) \
            .first.click(timeout=PATIENCE)  # fmt: skip

    def back(self) -> None:
        """Go back to the list."""
        self.root.get_by_role("button", name="All research").click()

    @property
    def card(self) -> Card:
        """The card of the task that is open."""
        return Card(self.root)

    @property
    def status(self) -> Locator:
        """The status-bar item."""
        return self.page.locator(".lzl-status")

    def is_said(self, words: str) -> None:
        """Wait until the status bar says the words of the activity."""
        expect(self.status).to_have_text(f"Research: {words}", timeout=PATIENCE)
