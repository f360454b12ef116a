"""The Research panel and the status-bar item; the one place that knows their markup."""

import re

from playwright.sync_api import Locator, Page, expect

from tests.e2e.card import PATIENCE, Card


class Panel:
    """The panel of a page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.root = page.locator(".lzl-panel")

    def open(self) -> "Panel":
        """Open it by its command."""
        expect(self.page.locator("#jupyterlab-splash")).to_have_count(0)
        self.page.evaluate("() => window.jupyterapp.commands.execute('lazyboy:open')")
        expect(self.root).to_be_visible()
        return self

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
