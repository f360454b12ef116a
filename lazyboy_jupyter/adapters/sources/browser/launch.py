"""Owns how Chromium is started: headless, silent, and with no way out but the guard."""

import asyncio
import os
import sys
from dataclasses import dataclass

from playwright.async_api import Browser, BrowserContext, Playwright

from .lane import Lane

# Playwright's own switches turn off updates, extensions, sync, first-run and crash reports.
_SWITCHES = (
    "--disable-gpu",
    # Nothing around the proxy: no UDP of QUIC and WebRTC, no name looked up by the browser itself.
    "--disable-quic",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--dns-prefetch-disable",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    # Nothing of its own to send.
    "--disable-domain-reliability",
    "--disable-client-side-phishing-detection",
    "--disable-crash-reporter",
    "--no-pings",
    # Text is what is wanted. The first four settings are Playwright's own: the switch is one.
    "--disable-remote-fonts",
    "--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,"
    "availablePointerTypes=4,imagesEnabled=false",
    # A page that fills its memory ends before it fills the person's.
    "--js-flags=--max-old-space-size=512",
)
_VIEW_WIDTH, _VIEW_HEIGHT = 1280, 2000  # tall, for pages that build what is in view
_START_MS = 20_000
_ALIVE_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class Launched:
    """A running browser. `user_agent`: how its pages name it."""

    browser: Browser
    proxy: str
    user_agent: str

    async def context(self, lane: Lane) -> BrowserContext:
        """Return a fresh context: no cookie, no permission, no download, no service worker."""
        context = await self.browser.new_context(
            proxy={"server": self.proxy, "username": lane.username, "password": lane.password},
            user_agent=self.user_agent,
            viewport={"width": _VIEW_WIDTH, "height": _VIEW_HEIGHT},
            accept_downloads=False,
            service_workers="block",
            reduced_motion="reduce",
        )
        await context.grant_permissions([])  # so that whatever is asked for is denied
        return context

    async def is_alive(self) -> bool:
        """Whether the driver and the browser still answer."""
        asking = asyncio.ensure_future(self.browser.new_browser_cdp_session())
        await asyncio.wait({asking}, timeout=_ALIVE_SECONDS)
        return asking.done() and not asking.cancelled() and asking.exception() is None


async def launch(playwright: Playwright, executable: str, port: int) -> Launched:
    """Start the browser behind the guard at `port`. Raises Playwright's errors."""
    proxy = f"http://127.0.0.1:{port}"
    browser = await playwright.chromium.launch(
        executable_path=executable,
        headless=True,
        # Chromium's sandbox cannot be set up by root on Linux, and it then does not start at all.
        chromium_sandbox=not (sys.platform == "linux" and os.geteuid() == 0),
        args=list(_SWITCHES),
        # Windows that a page opens without being asked are blocked, as they are for a person.
        ignore_default_args=["--disable-popup-blocking"],
        # Without credentials: what the browser sends for itself is not let through.
        proxy={"server": proxy},
        timeout=_START_MS,
    )
    session = await browser.new_browser_cdp_session()
    version = await session.send("Browser.getVersion")
    await session.detach()
    # Sites take the word for a broken browser; the engine is the same.
    return Launched(browser, proxy, version["userAgent"].replace("HeadlessChrome", "Chrome"))
