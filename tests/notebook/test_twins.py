"""A saved notebook reads without this package anywhere: the guide, its sources, quotes and marks.

nbconvert takes the first of its own order that an output has: HTML before Markdown in both exports.
A widget's view comes before HTML, but only where the notebook holds that widget's saved state.
"""

import copy
import json
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import mistune
import nbformat
import pytest
from nbclient import NotebookClient
from traitlets.config import Config

from tests.notebook.exports import card_in, exported, fetched, text_of, without_outputs, words_of

QUESTION = "How does the with statement make sure that a file is closed?"
VIEW = "application/vnd.jupyter.widget-view+json"
STATE = "application/vnd.jupyter.widget-state+json"
MODEL = "d0e1f2"
TOLD = """\
import json
from dataclasses import asdict
from lazyboy_jupyter import get_engine
print(json.dumps(asdict(get_engine().task("first").guide)))"""
CELLS = (
    "%load_ext lazyboy_jupyter",
    f"%%research -w --name first -s pydoc\n{QUESTION}",
    "%btw -w Which page said that?",
    "%lazyboy list",
    TOLD,
)


@dataclass(frozen=True)
class Executed:
    """A notebook that nbclient ran to its end, and the guide that its card shows."""

    notebook: Any
    guide: dict[str, Any]


@pytest.fixture(scope="module")
def executed(tmp_path_factory: pytest.TempPathFactory, index_cache: Path) -> Executed:
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(one) for one in CELLS])
    folder = tmp_path_factory.mktemp("executed")
    env = {name: value for name, value in os.environ.items() if not name.startswith("LAZYBOY_")}
    env |= {"LAZYBOY_CACHE": str(index_cache), "XDG_CONFIG_HOME": str(folder / "none")}
    settings: Any = Config()
    with tempfile.TemporaryDirectory() as sockets:
        settings.KernelManager.transport = "ipc"  # over TCP two kernels may be given one port
        settings.KernelManager.ip = f"{sockets}/k"
        resources = {"metadata": {"path": str(folder)}}
        client = NotebookClient(
            notebook, timeout=300, kernel_name="python3", resources=resources, config=settings
        )
        client.execute(env=env)
    told = notebook.cells.pop()
    return Executed(notebook, json.loads(told.outputs[-1]["text"]))


def with_view(notebook: Any, state: dict[str, Any] | None = None) -> Any:
    """The notebook with the view of a widget beside each of its twins, and a saved state."""
    viewed = copy.deepcopy(notebook)
    for cell in viewed.cells:
        for output in cell.outputs:
            if "text/html" in output.get("data", ()):
                view = {"version_major": 2, "version_minor": 0, "model_id": MODEL}
                output.data[VIEW] = view
    viewed.metadata.pop("widgets", None)
    if state is not None:
        saved = {"version_major": 2, "version_minor": 0, "state": state}
        viewed.metadata["widgets"] = {STATE: saved}
    return viewed


OTHERS = {
    "fffe": {
        "model_name": "IntSliderModel",
        "model_module": "@jupyter-widgets/controls",
        "model_module_version": "2.0.0",
        "state": {},
    }
}


def reads_as_the_guide(text: str, guide: dict[str, Any]) -> None:
    """Everything that the guide says stands in the text: claims, quotes, marks, sources."""
    claims = [*guide["steps"], *guide["findings"], *guide["additions"]]
    said = [guide["question"], guide["summary"], *guide["unknowns"]]
    said += [claim["text"] for claim in claims]
    said += [cite["quote"] for claim in claims for cite in claim["citations"]]
    said += [f"{source['source_id']} {source['title']}" for source in guide["sources"]]
    for words in said:
        assert words_of(words) in words_of(text)
    found = [cite["state"] for claim in claims for cite in claim["citations"]]
    assert text.count("quote found") == found.count("verbatim") > 0


def test_html_shows_everything_and_fetches_nothing_for_us(
    executed: Executed, tmp_path: Path
) -> None:
    page = exported(executed.notebook, tmp_path, "html")
    reads_as_the_guide(card_in(page), executed.guide)
    assert "Answered, from what it knew" in text_of(page)
    assert f"first: {QUESTION}" in text_of(page)
    assert fetched(page) == fetched(exported(without_outputs(executed.notebook), tmp_path, "html"))


def test_markdown_shows_the_guide_and_fetches_nothing(executed: Executed, tmp_path: Path) -> None:
    page = str(mistune.html(exported(executed.notebook, tmp_path, "markdown")))
    reads_as_the_guide(card_in(page), executed.guide)
    assert "Answered, from what it knew" in text_of(page)
    assert fetched(page) == []


def test_the_markdown_twin_alone_shows_the_guide(executed: Executed) -> None:
    twin = executed.notebook.cells[1].outputs[0].data["text/markdown"]
    page = str(mistune.html(twin))
    reads_as_the_guide(text_of(page), executed.guide)
    assert fetched(page) == []


@pytest.mark.parametrize("state", [None, OTHERS], ids=["no state", "state of others"])
def test_a_view_without_its_saved_state_gives_way_to_its_twin(
    executed: Executed, tmp_path: Path, state: dict[str, Any] | None
) -> None:
    page = exported(with_view(executed.notebook, state), tmp_path, "html")
    reads_as_the_guide(card_in(page), executed.guide)
