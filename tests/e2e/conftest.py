"""A real JupyterLab, and a notebook in a real Chromium for each test.

Server and browser live as long as the tests of this folder, which one worker runs one after the
other. A test fails too when its page logs an error, or asks for anything beyond this machine. What
the page showed at the end of each test is kept in `$LAZYBOY_ARTIFACTS`, to be looked at.
"""

import os
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Error,
    Page,
    Request,
    WebError,
)

from tests.browsers import LOOPBACK_ONLY, chromium_browser
from tests.e2e.lab import App, Lab, notebook_file
from tests.e2e.research import HeldResearch
from tests.e2e.server import JupyterServer, jupyter_server
from tests.loopback.world import LoopbackWorld

FOLDER = Path(__file__).parent
ARTIFACTS = Path(os.environ.get("LAZYBOY_ARTIFACTS") or FOLDER / ".artifacts")
LOAD = "%load_ext lazyboy_jupyter"
NOTEBOOKS_OWN = re.compile(r"reading 'schema'\)|Command 'filebrowser:open-path' not registered")
"""What Notebook 7.6 throws when it opens any notebook, without any extension."""


@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory, manual_index: Path) -> Iterator[JupyterServer]:
    with jupyter_server(tmp_path_factory.mktemp("jupyter"), manual_index) as running:
        yield running


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    with chromium_browser(LOOPBACK_ONLY) as browser:
        yield browser


@pytest.fixture
def context(chromium: Browser) -> Iterator[BrowserContext]:
    fresh = chromium.new_context(viewport={"width": 1200, "height": 1500})
    yield fresh
    fresh.close()


class Watched:
    """What went wrong in the pages of a test."""

    def __init__(self, context: BrowserContext) -> None:
        self.console: list[str] = []
        self.errors: list[str] = []
        self.abroad: list[str] = []
        context.on("console", self._said)
        context.on("weberror", self._thrown)
        context.on("request", self._asked)
        context.on("dialog", lambda dialog: dialog.accept())  # to leave an unsaved notebook

    def _said(self, message: ConsoleMessage) -> None:
        line = f"{message.type}: {message.text}"
        self.console.append(line)
        if message.type == "error" and not self._is_a_refusal(message):
            self.errors.append(f"{line} ({message.location.get('url', '')})")

    def _is_a_refusal(self, message: ConsoleMessage) -> bool:
        """A browser logs whatever a server refuses; a kernel that is gone is said to be so."""
        url = message.location.get("url", "")
        refused = "/lazyboy/kernels/" in url and "status of 503" in message.text
        return refused or (
            url.partition("?")[0].endswith("/lazyboy/kernels") and "404" in message.text
        )

    def _thrown(self, error: WebError) -> None:
        if not NOTEBOOKS_OWN.search(str(error.error)):
            self.errors.append(str(error.error))

    def _asked(self, request: Request) -> None:
        parts = urlsplit(request.url)
        if parts.hostname not in {None, "127.0.0.1"}:
            self.abroad.append(request.url)


OpenLab = Callable[..., Lab]


@pytest.fixture
def watched(context: BrowserContext) -> Watched:
    return Watched(context)


@pytest.fixture
def folder(server: JupyterServer, request: pytest.FixtureRequest) -> Path:
    """The test's own folder among those that the server serves."""
    name = re.sub(r"\W+", "-", request.node.name).strip("-")
    made = server.root / name
    made.mkdir()
    return made


@pytest.fixture
def open_lab(
    server: JupyterServer,
    context: BrowserContext,
    watched: Watched,
    folder: Path,
    request: pytest.FixtureRequest,
) -> Iterator[OpenLab]:
    """Opens a fresh notebook with these cells."""

    def opened(cells: Sequence[str], kernel: str = "python3", app: App = "lab") -> Lab:
        file = notebook_file(folder / "notebook.ipynb", cells, kernel)
        return Lab(context.new_page(), server, file, app).open()

    yield opened
    for number, page in enumerate(context.pages):
        keep(page, f"{folder.name}{f'-{number}' * bool(number)}")
    _keep_text(folder.name, watched)
    for page in context.pages:
        page.close()
    server.shut_down_kernels()
    server.forget_settings()
    assert watched.errors == []
    assert watched.abroad == []


@pytest.fixture
def research(web: LoopbackWorld, folder: Path) -> Iterator[HeldResearch]:
    """Research of the test's notebook, which goes on when the test lets it."""
    held = HeldResearch(web)
    held.settle(folder)
    yield held
    held.open_all()


def keep(page: Page, name: str) -> None:
    """Take a picture of what the page shows."""
    ARTIFACTS.mkdir(parents=True, exist_ok=True)
    try:
        page.screenshot(path=ARTIFACTS / f"{name}.png")
    except Error as error:  # the page is gone: the test says why
        (ARTIFACTS / f"{name}.txt").write_text(str(error), "utf-8")


def _keep_text(name: str, watched: Watched) -> None:
    lines = [*watched.console, *watched.errors, *(f"asked: {url}" for url in watched.abroad)]
    (ARTIFACTS / f"{name}.console.txt").write_text("\n".join(lines) + "\n", "utf-8")
