"""One page for a test, served from memory. A request to anywhere else fails the test."""

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock
from playwright.sync_api import Browser, Locator, Page, Route

from tests.browsers import AXE, chromium_browser, serious_findings

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
LABEXTENSION = ROOT / "labextension"
STATIC = ROOT / "lazyboy_jupyter" / "widgets" / "static"
PAGE = "https://notebook.test/"  # answered from memory; a page without TLS has no clipboard

# The values of JupyterLab's own two themes.
THEMES = {
    "light": "--jp-layout-color0:#fff;--jp-layout-color1:#fff;"
    "--jp-content-font-color1:rgba(0,0,0,.87);--jp-brand-color1:#1976d2;--jp-success-color1:#388e3c;--jp-warn-color1:#f57c00;"
    "--jp-error-color1:#d32f2f",
    "dark": "--jp-layout-color0:#111;--jp-layout-color1:#212121;--jp-content-font-color1:#fff;"
    "--jp-brand-color1:#2196f3;--jp-success-color1:#4caf50;--jp-warn-color1:#ff9800;"
    "--jp-error-color1:#f44336",
}


class Host:
    """A page that holds widgets. Functions are those of `host.js`; `at` names a model."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.requests: list[str] = []

    def load(self, theme: str = "light", *, fresh: bool = False) -> None:
        """Open the empty page; a `fresh` one has not shown a widget before."""
        self._theme = theme
        self.page.route("**/*", self._serve)
        self.page.goto(f"{PAGE}#fresh" if fresh else PAGE)
        self.page.wait_for_function("window.ready === true")

    def call(self, function: str, *arguments: Any) -> Any:
        return self.page.evaluate(
            "([name, args]) => window.host[name](...args)", [function, list(arguments)]
        )

    def open(self, state: dict[str, Any], width: str = "", **replies: Any) -> int:
        """Make a model and show it in one view; return the model."""
        at = self.call("open", state, replies)
        self.call("show", at, width)
        return int(at)

    def push(self, at: int, **changes: Any) -> None:
        """Change traits, as Python does."""
        self.call("push", at, changes)

    def say(self, at: int, **message: Any) -> None:
        self.call("say", at, message)

    def beat(self, at: int, version: int, activity: dict[str, Any]) -> None:
        self.say(at, type="beat", version=version, activity=activity)

    def sent(self, at: int, kind: str) -> list[dict[str, Any]]:
        return list(self.call("sent", at, kind))

    def animations(self) -> int:
        """Return how many animations run on the page."""
        return int(self.call("animations"))

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def _serve(self, route: Route) -> None:
        asked = route.request.url.partition("#")[0]
        files = {
            "ui.js": (STATIC / "ui.js", "text/javascript"),
            "ui.css": (STATIC / "ui.css", "text/css"),
            "loader.js": (STATIC / "loader.js", "text/javascript"),
            "host.js": (HERE / "host.js", "text/javascript"),
        }  # fmt: skip
        name = asked.removeprefix(PAGE)
        if name == "":
            route.fulfill(body=self._html(), content_type="text/html")
        elif name in files:
            path, kind = files[name]
            route.fulfill(body=path.read_bytes(), content_type=kind)
        else:
            self.requests.append(asked)
            route.abort()

    def _html(self) -> str:
        return (
            f'<!doctype html><html lang="en"><meta charset="utf-8"><title>Notebook</title>'
            f'<link rel="icon" href="data:,">'
            f"<style>:root{{color-scheme:{self._theme};{THEMES[self._theme]}}}"
            "body{margin:0;padding:16px;background:var(--jp-layout-color0)}"
            "#outputs{display:grid;gap:16px;justify-content:start;grid-template-columns:100%}"
            '</style><main id="outputs"></main><script type="module" src="host.js"></script>'
        )


@pytest.fixture(scope="session")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Build the interface if nobody did, or if its sources are newer; one process of a run does."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    with FileLock(shared / "bundle.lock"):
        built = [STATIC / name for name in ("loader.js", "ui.js", "ui.css")]
        sources = [path.stat().st_mtime for path in (LABEXTENSION / "src").rglob("*.*")]
        is_new = all(one.is_file() and one.stat().st_mtime >= max(sources) for one in built)
        if is_new and AXE.is_file():
            return
        npm = shutil.which("npm")
        assert npm is not None, "the interface is not built, and there is no npm to build it with"
        for command in ([] if AXE.is_file() else [["ci"]]) + [["run", "build"]]:
            subprocess.run([npm, *command], cwd=LABEXTENSION, check=True, capture_output=True)


# Of the module, not of the session: while it is open, no other test could run an event loop.
@pytest.fixture(scope="module")
def browser(bundle: None) -> Iterator[Browser]:
    with chromium_browser("--disable-crash-reporter", "--no-pings") as opened:
        yield opened


@pytest.fixture
def blank(browser: Browser) -> Iterator[Host]:
    """A page that is not loaded yet; at its end nothing has thrown and nothing has left it."""
    context = browser.new_context(viewport={"width": 900, "height": 900})
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    page = context.new_page()
    page.set_default_timeout(5_000)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    host = Host(page)
    yield host
    context.close()
    assert errors == []
    assert host.requests == []


@pytest.fixture
def host(blank: Host) -> Host:
    blank.load()
    return blank


@pytest.fixture
def axe(blank: Host) -> Callable[[], list[str]]:
    """Return what axe finds serious or critical on the page, a line each."""

    return lambda: serious_findings(blank.page, "#outputs")
