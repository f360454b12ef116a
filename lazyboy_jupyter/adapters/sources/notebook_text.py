"""Owns turning a Jupyter notebook's bytes into Markdown: its cells and what they printed.

It runs nothing and opens no file. Pictures and widgets are left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

_LONGEST_OUTPUT = 4_000


def notebook_to_markdown(data: bytes) -> str | None:
    """Return the notebook as Markdown, or None when the bytes are no notebook.

    Reads the formats 3 and 4; a cell of a wrong shape is left out.
    """
    try:
        notebook = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if not isinstance(notebook, dict) or not ("cells" in notebook or "worksheets" in notebook):
        return None
    language = _language(notebook)
    parts = [part for cell in _cells(notebook) for part in _cell_parts(cell, language)]
    return "\n\n".join(part for part in parts if part.strip())


def _language(notebook: Mapping[str, Any]) -> str:
    metadata = notebook.get("metadata")
    for key in ("kernelspec", "language_info"):
        described = metadata.get(key) if isinstance(metadata, dict) else None
        name = (
            described.get("language") or described.get("name")
            if isinstance(described, dict)
            else None
        )
        if isinstance(name, str) and name.isidentifier():
            return name
    return ""


def _cells(notebook: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    holders = [notebook, *_dicts(notebook.get("worksheets"))]
    for holder in holders:
        yield from _dicts(holder.get("cells"))


def _cell_parts(cell: Mapping[str, Any], language: str) -> Iterator[str]:
    source = _text(cell.get("source", cell.get("input")))
    match cell.get("cell_type"):
        case "markdown" | "raw":
            yield source
        case "heading":  # format 3
            level = cell.get("level")
            yield f"{'#' * (level if isinstance(level, int) and 1 <= level <= 6 else 1)} {source}"
        case "code":
            if source.strip():
                yield f"{_fence(source)}{language}\n{source}\n{_fence(source)}"
            for output in _dicts(cell.get("outputs")):
                yield _output(output)


def _output(output: Mapping[str, Any]) -> str:
    """Return an output's text: Markdown and single lines as they are, the rest between fences."""
    data = output.get("data")
    kinds: Mapping[str, Any] = data if isinstance(data, dict) else output
    markdown = _text(kinds.get("text/markdown"))
    if markdown.strip():
        return markdown[:_LONGEST_OUTPUT]
    if output.get("output_type") in {"error", "pyerr"}:
        text = f"{output.get('ename', 'Error')}: {output.get('evalue', '')}"
    else:
        text = _text(kinds.get("text/plain", kinds.get("text")))
    text = text.strip("\n")[:_LONGEST_OUTPUT]
    if "\n" not in text:  # a figure or a word: as a sentence it can be found and quoted
        return f"Output: {text}" if text.strip() else ""
    return f"{_fence(text)}\n{text}\n{_fence(text)}"


def _fence(text: str) -> str:
    """Return a fence that nothing in the text closes."""
    fence = "```"
    while fence in text:
        fence += "`"
    return fence


def _text(value: object) -> str:
    """Return a text that the format keeps whole or as a list of lines."""
    if isinstance(value, list):
        return "".join(line for line in value if isinstance(line, str))
    return value if isinstance(value, str) else ""


def _dicts(value: object) -> Iterator[dict[str, Any]]:
    if isinstance(value, list):
        yield from (one for one in value if isinstance(one, dict))
