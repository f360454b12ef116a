"""Owns the browser as a reader of text: what it shows goes the way of every page's bytes."""

from collections.abc import Collection

from ....core.sanitise import visible
from ....errors import SourceError
from ....ports import Page
from ..page_texts import Moved, PageTexts
from .process import ChromiumBrowser
from .shown import BrowserPage

_HTML = "text/html; charset=utf-8"
_FEW = 0.4
"""A text of less than this share of what a person sees has lost too much of the page."""


class BrowserReader:
    """The port `Browser` over a Chromium. To be used on one loop, the engine's."""

    def __init__(self, browser: ChromiumBrowser, texts: PageTexts) -> None:
        self._browser = browser
        self._texts = texts

    async def open(self, owner: str, url: str) -> Page:
        """Open a page in place of the owner's open one; return its text. Raises `SourceError`."""
        return await self._text_of(await self._browser.open(owner, url))

    async def snapshot(self, owner: str) -> Page:
        """Return the owner's open page as it is now. Raises `SourceError` when none is open."""
        return await self._text_of(await self._browser.snapshot(owner))

    async def release(self, owner: str) -> None:
        """Close the owner's page, if any. Never raises."""
        await self._browser.release(owner)

    async def close(self) -> None:
        """End the browser's process. Safe to call twice."""
        await self._browser.close()

    async def _text_of(self, shown: BrowserPage) -> Page:
        html = shown.html.encode("utf-8", "replace")
        seen = shown.text.strip()
        try:
            page = await self._texts.page(html, _HTML, shown.url, truncated=shown.truncated)
        except SourceError as error:
            # The browser has run the page's scripts: what a person sees is all there is to read.
            if not seen or error.kind == "blocked":
                raise
            return _as_seen(shown, seen)
        # A browser follows what a page sends on to: what stands there now is what there is.
        if isinstance(page, Moved) or len(page.text) < _FEW * len(seen):
            return _as_seen(shown, seen)
        return page


def found_browser(
    texts: PageTexts, allow_hosts: Collection[str]
) -> tuple[BrowserReader | None, str]:
    """Return the browser of this machine, or None and how to get one. Starts nothing."""
    browser = ChromiumBrowser(allow_hosts)
    missing = browser.missing()
    return (None if missing else BrowserReader(browser, texts)), missing


def _as_seen(shown: BrowserPage, text: str) -> Page:
    title = visible(shown.title, 300)
    return Page(shown.url, title, text, "html", "utf-8", shown.truncated)
