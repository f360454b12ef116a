"""Owns a finished guide as a file: Markdown, HTML, text, JSON, and its sources as BibTeX. Pure."""

import json
import re
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import asdict
from types import MappingProxyType
from typing import Any, Final

from .guide import Source
from .render_html import view_to_html
from .render_text import short_id, view_to_markdown, view_to_text
from .sanitise import safe_link, storable, visible
from .urls import host_of
from .view import RunView


def _html_page(view: RunView) -> str:
    return f'<!doctype html><meta charset="utf-8">\n{view_to_html(view)}\n'


def _json(view: RunView) -> str:
    guide = None if view.guide is None else asdict(view.guide)
    data: dict[str, Any] = {"task_id": view.task_id, "status": view.status, "guide": guide}
    return storable(json.dumps(data, ensure_ascii=False, indent=2)) + "\n"


def sources_to_bibtex(view: RunView) -> str:
    """Return the guide's sources as BibTeX, one `@misc` each, the keys unique in the file.

    A page tells neither author nor year for certain, so none is made up; the note says what was
    proven: that it was read, or only listed by a search.
    """
    entries, keys = [], set[str]()
    for source in view.guide.sources if view.guide else ():
        key = base = _bibtex_key(source)
        number = 1
        while key in keys:
            number += 1
            key = f"{base}-{number}"
        keys.add(key)
        fields = {
            "title": f"{{{_bibtex(source.title or source.url)}}}",
            "howpublished": _bibtex(host_of(source.url)),
            "url": _bibtex_url(source.final_url or source.url),
            "note": "read in full" if source.state == "read" else "listed by a search, not read",
        }
        lines = ",\n".join(f"  {name} = {{{value}}}" for name, value in fields.items() if value)
        entries.append(f"@misc{{{key},\n{lines}\n}}\n")
    return "\n".join(entries)


def _bibtex_key(source: Source) -> str:
    """Return a key of letters, digits and hyphens: the host and the title's first words."""
    words = f"{host_of(source.url).removeprefix('www.')} {source.title}"
    plain = unicodedata.normalize("NFKD", words).encode("ascii", "ignore").decode().lower()
    return "-".join(re.findall(r"[a-z0-9]+", plain)[:6]) or source.source_id.lower()


_BIBTEX_MARKS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "\\": r"\textbackslash{}",
        "{": r"\{",
        "}": r"\}",
        "%": r"\%",
        "&": r"\&",
        "#": r"\#",
        "$": r"\$",
        "_": r"\_",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
    }
)


def _bibtex(text: str) -> str:
    return "".join(_BIBTEX_MARKS.get(char, char) for char in visible(text, 500))


def _bibtex_url(url: str) -> str:
    """Return an address for a `url` field, where nothing but braces and blanks needs care."""
    target = safe_link(url) or visible(url)
    return re.sub(r"[{}\\\s]", lambda found: f"%{ord(found.group()):02X}", target)


EXPORTS: Final[Mapping[str, Callable[[RunView], str]]] = MappingProxyType(
    {
        "md": view_to_markdown,
        "html": _html_page,
        "txt": view_to_text,
        "json": _json,
        "bib": sources_to_bibtex,
    }
)
"""How a run with a guide is written, by the ending of the file's name."""
MEDIA: Final[Mapping[str, str]] = MappingProxyType(
    {
        "md": "text/markdown",
        "html": "text/html",
        "txt": "text/plain",
        "json": "application/json",
        "bib": "application/x-bibtex",
    }
)


def file_name(view: RunView, kind: str) -> str:
    """Return the name under which a guide is saved; a question is never a part of it."""
    return f"guide-{short_id(view.task_id)}.{kind}"
