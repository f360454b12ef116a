"""A headless Chromium for tests and benchmarks: the one that the product would find."""

import json
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

from lazyboy_jupyter.adapters.sources.browser.find import Machine, find_browser

AXE = Path(__file__).parents[1] / "labextension" / "node_modules" / "axe-core" / "axe.min.js"
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


def serious_findings(page: Page, selector: str) -> list[str]:
    """Return what axe-core finds serious or critical in an element, a line each."""
    page.evaluate(AXE.read_text("utf-8"))
    found = page.evaluate("selector => axe.run(document.querySelector(selector))", selector)
    return [
        f"{one['id']}: {json.dumps(node['target'])} {node['failureSummary']}"
        for one in found["violations"]
        if one["impact"] in {"serious", "critical"}
        for node in one["nodes"]
    ]
