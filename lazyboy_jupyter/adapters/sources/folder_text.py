"""Owns turning the bytes of a person's plain documents into title and text; never opens a file."""

from __future__ import annotations

import re
from pathlib import PurePath

from lazyboy_jupyter.adapters.sources.notebook_text import notebook_to_markdown

_FRONT_MATTER = re.compile(r"\A---\s*\n(.{0,5000}?)\n---\s*\n", re.DOTALL)
_ATX = re.compile(r"^\s{0,3}#{1,6}\s+(.+?)\s*#*\s*$", re.MULTILINE)
_UNDERLINED = re.compile(
    r"^(?P<line>\S[^\n]{0,200})\n(?P<mark>[=\-~^*#\"'+])(?P=mark){2,}\s*$", re.MULTILINE
)


def plain_title_and_text(text: str, name: str) -> tuple[str, str]:
    """Return title and text of a plain document; the file name is the last title to try."""
    body = text.replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "")
    found = _FRONT_MATTER.match(body)
    front = found.group(1) if found else ""
    body = body[found.end() :] if found else body
    return _plain_title(front, body) or PurePath(name).stem, body.strip("\n")


def notebook_title_and_text(data: bytes, name: str) -> tuple[str, str] | None:
    """Return title and text of a Jupyter notebook, or None when the bytes are none."""
    markdown = notebook_to_markdown(data)
    return None if markdown is None else plain_title_and_text(markdown, name)


def _plain_title(front: str, body: str) -> str:
    named = re.search(r"^title:\s*[\"']?(.+?)[\"']?\s*$", front, re.MULTILINE)
    if named:
        return named.group(1)[:200]
    start = body[:5_000]
    found = [(m.start(), m.group(1)) for m in [_ATX.search(start)] if m]
    found += [(m.start(), m.group("line")) for m in [_UNDERLINED.search(start)] if m]
    title = min(found)[1] if found else ""
    return re.sub(r"[*_`]{1,2}(?=\S)|(?<=\S)[*_`]{1,2}(?!\w)", "", title).strip()[:200]
