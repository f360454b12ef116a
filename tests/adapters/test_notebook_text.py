import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lazyboy_jupyter.adapters.sources.notebook_text import notebook_to_markdown


def cell(kind: str, source: Any, **more: Any) -> dict[str, Any]:
    return {"cell_type": kind, "source": source, "metadata": {}, **more}


def markdown(*cells: Any, **more: Any) -> str | None:
    return notebook_to_markdown(json.dumps({"cells": list(cells), **more}).encode())


def test_cells_and_their_printed_outputs_become_markdown() -> None:
    outputs = [
        {"output_type": "stream", "name": "stdout", "text": ["four ", "gates\n"]},
        {
            "output_type": "execute_result",
            "data": {"text/plain": "17.5\n18.5", "image/png": "aGk="},
        },
        {"output_type": "display_data", "data": {"text/markdown": "**bold**", "text/plain": "x"}},
        {"output_type": "error", "ename": "ValueError", "evalue": "no gate", "traceback": ["…"]},
    ]
    found = markdown(
        cell("markdown", ["# Gates\n", "Costs of each."]),
        cell("code", "print('gates')", outputs=outputs),
        metadata={"kernelspec": {"name": "python3", "language": "python"}},
    )
    assert found == (
        "# Gates\nCosts of each.\n\n```python\nprint('gates')\n```\n\nOutput: four gates\n\n"
        "```\n17.5\n18.5\n```\n\n**bold**\n\nOutput: ValueError: no gate"
    )


def test_the_older_format_is_read() -> None:
    old = {
        "nbformat": 3,
        "worksheets": [
            {"cells": [
                {"cell_type": "heading", "level": 2, "source": "Gates"},
                {"cell_type": "code", "input": "1 + 1",
                 "outputs": [{"output_type": "pyout", "text": "2"}]},
            ]}
        ],
    }  # fmt: skip
    assert notebook_to_markdown(json.dumps(old).encode()) == (
        "## Gates\n\n```\n1 + 1\n```\n\nOutput: 2"
    )


def test_a_fence_is_longer_than_any_in_the_cell() -> None:
    assert markdown(cell("code", "s = '```'")) == "````\ns = '```'\n````"


def test_a_long_output_is_cut() -> None:
    output = {"output_type": "stream", "text": "x" * 100_000}
    found = markdown(cell("code", "", outputs=[output]))
    assert found is not None
    assert len(found) < 5_000


@pytest.mark.parametrize(
    "data", [b"", b"{}", b"[]", b"no json", b'"x"', b"\xff\xfe", b"[" * 99_999]
)
def test_what_is_no_notebook_is_none(data: bytes) -> None:
    assert notebook_to_markdown(data) is None


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(
        st.sampled_from(["cell_type", "source", "outputs", "data", "text", "level", "metadata",
                         "text/plain", "text/markdown", "output_type", "cells", "kernelspec"]),
        inner, max_size=4,
    ),
    max_leaves=20,
)  # fmt: skip


@given(st.lists(_JSON), st.sampled_from(["cells", "worksheets"]), _JSON)
def test_cells_of_any_shape_are_survived(cells: list[Any], key: str, metadata: Any) -> None:
    data = json.dumps({key: cells, "metadata": metadata}).encode()
    assert isinstance(notebook_to_markdown(data), str)
