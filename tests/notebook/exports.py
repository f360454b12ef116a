"""What people make of a saved notebook: nbconvert's HTML and Markdown, without this package."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Literal

import lxml.html
import nbformat

Format = Literal["html", "markdown"]
# The package is installed beside nbconvert, but importing it fails.
_ABROAD = (
    "import sys; sys.modules['lazyboy_jupyter'] = None\n"
    "from nbconvert.nbconvertapp import main; sys.exit(main())"
)
_OURS = ("LAZYBOY_", "JUPYTER", "IPYTHON", "PYTHON")


def exported(notebook: Any, folder: Path, to: Format) -> str:
    """Write a notebook, convert it where this package cannot be imported, return the result."""
    file = folder / "saved.ipynb"
    nbformat.write(notebook, file)
    env = {name: value for name, value in os.environ.items() if not name.startswith(_OURS)}
    places = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR")
    env |= {name: str(folder / "none") for name in places}
    command = [sys.executable, "-I", "-c", _ABROAD, "--to", to, "--output", "out", str(file)]
    done = subprocess.run(
        command, cwd=folder, env=env, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    return (folder / f"out.{'html' if to == 'html' else 'md'}").read_text("utf-8")


def without_outputs(notebook: Any) -> Any:
    """The same notebook, as it was before it ran."""
    fresh = nbformat.from_dict(notebook)
    for cell in fresh.cells:
        if cell.cell_type == "code":
            cell.outputs = []
    return fresh


def fetched(page: str) -> list[str]:
    """What a browser would run or fetch for a page: each script and every address, in order."""
    tree = lxml.html.document_fromstring(page)
    scripts = [one.get("src") or one.text_content() for one in tree.iter("script")]
    addresses = [
        str(value)
        for name in ("src", "srcset", "data", "poster", "background")
        for value in tree.xpath(f"//*/@{name}")
    ]
    links = [one.get("href") for one in tree.iter("link")]
    return [*scripts, *addresses, *(str(one) for one in links)]


def text_of(markup: str) -> str:
    """The text that a reader sees, on one line."""
    return _text(lxml.html.fragment_fromstring(markup, create_parent="div"))


def card_in(page: str) -> str:
    """The text of the first card, on one line."""
    (card, *_) = lxml.html.document_fromstring(page).find_class("lzb")
    return _text(card)


def _text(element: Any) -> str:
    for unseen in list(element.iter("style", "script", "head")):
        unseen.drop_tree()
    return " ".join(element.text_content().split())


def words_of(text: str) -> str:
    """A text without what typography may change: its letters and digits, in order."""
    return "".join(character for character in text if character.isalnum())
