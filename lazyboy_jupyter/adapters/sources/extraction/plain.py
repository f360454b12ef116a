"""Owns the titles and texts of files that are text already: plain, Markdown, JSON, CSV."""

from __future__ import annotations

import csv
import io
import json
import re

from .characters import cut_between, visible
from .page import MAX_TITLE

_FRONT_MATTER = re.compile(r"\A---\s*\n(.{0,5000}?)\n---\s*\n", re.DOTALL)
_FRONT_TITLE = re.compile(r"^title:\s*[\"']?(.+?)[\"']?\s*$", re.MULTILINE)
_ATX = re.compile(r"^ {0,3}#{1,6}[ \t]+(\S.*)$", re.MULTILINE)
_UNDERLINED = re.compile(r"^(\S[^\n]{0,200})\n[=\-~^]{3,}[ \t]*$", re.MULTILINE)
_IMAGE = re.compile(r"!\[([^\]\n]{0,300})\]\([^)\n]{0,2000}\)")
_IMAGE_BY_NAME = re.compile(r"!\[([^\]\n]{0,300})\]\[[^\]\n]{0,200}\]")
_PRETTY_UNTIL = 300_000
_ROWS = 20_000
_COLUMNS = 60
_DELIMITERS = ",;\t|"


def normalised(text: str) -> str:
    """Return `text` with one kind of line end and without what is not seen."""
    return visible(text.replace("\r\n", "\n").replace("\r", "\n")).strip("\n")


def plain_to_text(text: str) -> tuple[str, str]:
    """Return the first line, when it is as short as a title, and the text."""
    text = normalised(text)
    first = next((line.strip() for line in text.split("\n", 50) if line.strip()), "")
    found = _UNDERLINED.search(text[:2_000])
    if found and found.group(1).strip():
        first = found.group(1).strip()
    return (first if len(first) <= 120 else ""), text


def markdown_to_text(text: str) -> tuple[str, str]:
    """Return title and Markdown; comments go, and a picture leaves its description only."""
    text = normalised(text)
    front = _FRONT_MATTER.match(text)
    if front:
        text = text[front.end() :].lstrip("\n")
    text = cut_between(text, "<!--", "-->") if "-->" in text else text
    text = _IMAGE_BY_NAME.sub(r"\1", _IMAGE.sub(r"\1", text))
    for pattern, source in (
        (_FRONT_TITLE, front.group(1) if front else ""),
        (_ATX, text),
        (_UNDERLINED, text),
    ):
        if found := pattern.search(source[:20_000]):
            return found.group(1).strip(" \t#")[:MAX_TITLE], text
    return "", text


def json_to_text(text: str) -> tuple[str, str]:
    """Return title and JSON, indented where it came on long lines and is not too large."""
    text = normalised(text)
    longest = max((len(line) for line in text.split("\n")), default=0)
    try:
        value = json.loads(text) if len(text) <= _PRETTY_UNTIL else None
    except (ValueError, RecursionError):
        return "", text
    title = ""
    if isinstance(value, dict):
        named = (value.get(key) for key in ("title", "name", "full_name", "id"))
        title = next((one for one in named if isinstance(one, str)), "")
    if value is not None and longest > 200:
        try:
            text = visible(json.dumps(value, ensure_ascii=False, indent=1))
        except (ValueError, RecursionError):
            return title[:MAX_TITLE], text
    return title[:MAX_TITLE], text


def csv_to_text(text: str) -> tuple[str, str]:
    """Return no title and the rows as a Markdown table; as they came, where they are no table."""
    text = normalised(text)
    first = text.partition("\n")[0]
    delimiter = max(_DELIMITERS, key=first.count)
    if delimiter not in first:
        return "", text
    lines: list[str] = []
    try:
        for number, row in enumerate(csv.reader(io.StringIO(text), delimiter=delimiter)):
            if number >= _ROWS or len(row) > _COLUMNS:
                return "", text
            cells = (" ".join(cell.split()).replace("|", "\\|") for cell in row)
            lines.append(f"| {' | '.join(cells)} |")
            if number == 0:
                lines.append("|" + " --- |" * len(row))
    except csv.Error:
        return "", text
    return "", "\n".join(lines)
