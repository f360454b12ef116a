"""A headless Chromium for tests and benchmarks: the one that the product would find."""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, sync_playwright

from lazyboy_jupyter.adapters.sources.browser.find import Machine, find_browser

LOOPBACK_ONLY = "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1"


@contextmanager
def chromium_browser(*switches: str) -> Iterator[Browser]:
    """Run it until the block ends; while it is open, the thread can run no event loop."""
    machine = Machine(os.environ, sys.platform, Path.home(), shutil.which, os.path.isfile, True)
    found = find_browser(machine)
    assert found.executable, found.missing
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=found.executable,
            # Chromium's sandbox cannot be set up by root on Linux.
            chromium_sandbox=not (sys.platform == "linux" and os.geteuid() == 0),
            args=["--disable-gpu", *switches],
        )
        yield browser
        browser.close()
