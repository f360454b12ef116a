"""JupyterLab and Notebook 7 as a person uses them; the one place that knows their markup.

`Lab` is an open notebook, `Card` what one of its cells shows of research. Waiting is always for
something that the page shows. A cell is over when it has a prompt number: the kernel's own status
also turns idle while a cell runs (DESIGN §17).
"""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote

import nbformat
from playwright.sync_api import Locator, Page, expect

from lazyboy_jupyter.core.card import PUBLICATION
from tests.e2e.card import Card
from tests.e2e.server import JupyterServer

Theme = Literal["light", "dark"]
App = Literal["lab", "notebook"]
SECOND = 1_000
BLOCKS = "print('begun', flush=True); print(open('gate').read())"
"""A cell that keeps the kernel busy until `Lab.let_go` is called."""
_KERNEL = """() => {
  const panel = window.jupyterapp?.shell?.currentWidget;
  return panel?.sessionContext?.session?.kernel?.status;
}"""
_RAN = re.compile(r"^\s*\[\d+\]:?\s*$")


def notebook_file(path: Path, cells: Sequence[str], kernel: str = "python3") -> Path:
    """Write a notebook that was never run."""
    notebook = nbformat.v4.new_notebook(
        cells=[nbformat.v4.new_code_cell(source) for source in cells],
        metadata={"kernelspec": {"name": kernel, "display_name": kernel, "language": "python"}},
    )
    path.parent.mkdir(parents=True, exist_ok=True)
    nbformat.write(notebook, path)
    return path


class Lab:
    """One notebook, open in a page."""

    def __init__(self, page: Page, server: JupyterServer, file: Path, app: App = "lab") -> None:
        self.page = page
        self.file = file
        self.path = file.relative_to(server.root).as_posix()
        self._server = server
        self._app: App = app
        where = f"lab/workspaces/{quote(file.parent.name)}/tree" if app == "lab" else "notebooks"
        self._address = f"{server.url}/{where}/{quote(self.path)}?token={server.token}"

    def open(self) -> "Lab":
        """Open it, and wait until its kernel listens."""
        self.page.goto(self._address)
        self._settled()
        return self

    def reload(self) -> None:
        """Load the page again; JupyterLab opens the notebook by itself."""
        self.page.reload()
        self._settled()

    def in_a_new_tab(self) -> "Lab":
        """Open the same notebook in another tab of the same browser."""
        fresh = self.page.context.new_page()
        return Lab(fresh, self._server, self.file, self._app).open()

    def shut_down(self) -> None:
        """End the kernel, as the server does when it stops."""
        self._server.shut_down_kernels()

    def _settled(self) -> None:
        expect(self.cells.first).to_be_visible(timeout=60 * SECOND)
        self.page.wait_for_function(f"({_KERNEL})() === 'idle'", timeout=60 * SECOND)

    @property
    def cells(self) -> Locator:
        """All cells, in order."""
        return self.page.locator(".jp-Notebook .jp-Cell")

    def begin(self, number: int) -> None:
        """Run a cell, the first is 0, by the keyboard; do not wait for it."""
        # A cell that is run again would keep its old number for a moment, also after a restart.
        self.page.evaluate(
            """number => { window.jupyterapp.shell.currentWidget.content.widgets[number]
              .model.sharedModel.execution_count = null }""",
            number,
        )
        expect(self.prompt(number)).to_contain_text("[ ]")
        self.cells.nth(number).locator(".cm-content").click()
        self.page.keyboard.press("Control+Enter")
        expect(self.prompt(number)).not_to_contain_text("[ ]")

    def run(self, *numbers: int) -> None:
        """Run cells, one after the other, each to its end."""
        for number in numbers:
            self.begin(number)
            self.ended(number)

    def ended(self, number: int) -> None:
        """Wait until a cell has its number."""
        expect(self.prompt(number)).to_have_text(_RAN, timeout=60 * SECOND)

    def runs(self, number: int) -> bool:
        """Whether a cell is at work or waits its turn."""
        return self.prompt(number).inner_text().strip().startswith("[*]")

    def prompt(self, number: int) -> Locator:
        """What stands before a cell: [ ], [*] or its number."""
        return self.cells.nth(number).locator(".jp-InputPrompt")

    def output(self, number: int) -> Locator:
        """All that a cell has put out."""
        return self.cells.nth(number).locator(".jp-Cell-outputArea")

    def code(self, number: int) -> Locator:
        """What a cell's editor holds."""
        return self.cells.nth(number).locator(".cm-content")

    def keeps(self, number: int, status: str) -> None:
        """Wait until what a cell's output keeps of its task has a status."""
        self.page.wait_for_function(
            """([number, mime, status]) => {
              const { widgets } = window.jupyterapp.shell.currentWidget.content;
              const { outputs } = widgets[number].model;
              return outputs.length > 0 && outputs.get(0).data[mime]?.status === status;
            }""",
            arg=[number, PUBLICATION, status],
            timeout=60 * SECOND,
        )

    def add_cell(self, source: str) -> int:
        """Put a cell at the end; return its number."""
        number = self.cells.count()
        self.page.evaluate(
            """source => window.jupyterapp.shell.currentWidget.content.model.sharedModel.addCell(
              {cell_type: 'code', source})""",
            source,
        )
        expect(self.cells).to_have_count(number + 1)
        return number

    def block(self, number: int) -> None:
        """Run a cell that is `BLOCKS`, and wait until the kernel is busy with it."""
        gate = self.file.parent / "gate"
        if not gate.exists():
            _make_pipe(gate)
        self.begin(number)
        expect(self.output(number)).to_contain_text("begun", timeout=30 * SECOND)

    def let_go(self, number: int) -> None:
        """Let the blocked cell end, and wait for it."""
        (self.file.parent / "gate").write_text("let go", "utf-8")
        expect(self.output(number)).to_contain_text("let go", timeout=30 * SECOND)
        self.ended(number)

    def card(self, number: int) -> Card:
        """The card in a cell's output."""
        return Card(self.output(number))

    def command(self, name: str, **arguments: Any) -> None:
        """Execute one of JupyterLab's commands, and wait for it."""
        self.page.evaluate(
            "([name, args]) => window.jupyterapp.commands.execute(name, args).then(() => {})",
            [name, arguments],
        )

    def save(self) -> Any:
        """Save the notebook; return what then stands in its file."""
        self.command("docmanager:save")
        self.page.wait_for_function(
            "() => !window.jupyterapp.shell.currentWidget.context.model.dirty"
        )
        return nbformat.read(self.file, as_version=4)

    def interrupt(self) -> None:
        """Interrupt the kernel by its button, ■."""
        self.page.locator(".jp-NotebookPanel-toolbar [data-command='notebook:interrupt-kernel']") \
            .or_(self.page.get_by_role("button", name=re.compile("Interrupt the kernel"))) \
            .first.click()  # fmt: skip

    def restart(self) -> None:
        """Restart the kernel, and wait until it listens again."""
        before = self._server.kernel_of(self.path)
        self.page.evaluate(
            "() => window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart()"
        )
        self.page.wait_for_function(f"({_KERNEL})() === 'idle'", timeout=60 * SECOND)
        assert self._server.kernel_of(self.path)["id"] == before["id"]

    def use_theme(self, theme: Theme) -> None:
        """Change to JupyterLab's light or dark theme, and wait until it is there."""
        self.command("apputils:change-theme", theme=f"JupyterLab {theme.title()}")
        light = str(theme == "light").lower()
        expect(self.page.locator(f"body[data-jp-theme-light='{light}']")).to_be_attached()
        expect(self.page.locator("#jupyterlab-splash")).to_have_count(0)

    def hide_sidebar(self) -> None:
        """Give the notebook the width of the window."""
        self.command("application:toggle-left-area")


def _make_pipe(path: Path) -> None:
    import os

    os.mkfifo(path)
