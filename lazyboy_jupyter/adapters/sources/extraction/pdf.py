"""Owns reading a PDF's text with pypdfium2; renders no page and runs no script in it.

A page that never ends is ended from outside: this runs in a worker that can be killed.
"""

from __future__ import annotations

import ctypes
import re
from dataclasses import dataclass
from typing import Any

import pypdfium2
import pypdfium2.raw as pdfium

from ..documents import Failure
from .characters import visible
from .page import MAX_CHARACTERS, MAX_TITLE, noted
from .pdf_layout import Line, paragraphs

MAX_PAGES = 2_000
"""More pages are not read, with a note."""
_PASSWORD = 4
_SECURITY = 5
_LINE_END = re.compile(r"\r\n|\r|\n")
_NO_TITLE = re.compile(
    r"^(?:untitled|title|document\d*|microsoft (?:word|powerpoint).*"
    r"|.*\.(?:docx?|tex|indd|pptx?|pdf|dvi|qxd|xlsx?))?$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class PdfText:
    """A PDF's title and text: each page begins with a line `[page N]`. `note`: what is missing."""

    title: str
    text: str
    note: str


def pdf_to_text(data: bytes, *, truncated: bool = False) -> PdfText | Failure:
    """Return title and text of a PDF, or why it has none. Never raises.

    `truncated`: the bytes were cut off; what can still be read is returned with a note.
    """
    try:
        document = pypdfium2.PdfDocument(data)
    except (pypdfium2.PdfiumError, ValueError, TypeError) as error:
        return _unopened(getattr(error, "err_code", None), truncated=truncated)
    try:
        return _read(document, truncated=truncated)
    except (pypdfium2.PdfiumError, ValueError, TypeError, OSError):
        return _unopened(None, truncated=truncated)
    finally:
        document.close()


def _unopened(code: int | None, *, truncated: bool) -> Failure:
    if code in (_PASSWORD, _SECURITY):
        return Failure(
            "unreadable", "The PDF is protected by a password.", "Look for another copy."
        )
    if truncated:
        sentence = "The PDF is longer than may be read, and its beginning alone cannot be opened."
        return Failure("unreadable", sentence, "Look for a shorter document or for an HTML page.")
    return Failure(
        "unreadable", "The PDF is damaged and cannot be opened.", "Look for another copy."
    )


def _read(document: pypdfium2.PdfDocument, *, truncated: bool) -> PdfText | Failure:
    count = len(document)
    parts: list[str] = []
    first: list[Line] = []
    length = failed = empty = read = 0
    for number in range(1, min(count, MAX_PAGES) + 1):
        lines = _page_lines(document, number - 1)
        read = number
        if lines is None:
            failed += 1
            continue
        text = visible("\n\n".join(paragraphs(lines))).strip()
        if not text:
            empty += 1
            continue
        first = first or lines
        parts.append(f"[page {number}]\n\n{text}")
        length += len(text)
        if length > MAX_CHARACTERS:
            break
    if not parts:
        return _no_text(count, failed, truncated=truncated)
    note = noted(
        f"{failed} of {count} pages could not be read." if failed else "",
        f"{empty} of {count} pages hold no text; they may be scanned." if empty * 4 > count else "",
        f"Only the first {read:,} of {count:,} pages were read." if read < count else "",
        "The file was cut off, so pages may be missing." if truncated else "",
    )
    return PdfText(_title(document, first), "\n\n".join(parts), note)


def _no_text(count: int, failed: int, *, truncated: bool) -> Failure:
    if not count or failed:
        return _unopened(None, truncated=truncated)
    pages = "page holds" if count == 1 else "pages hold"
    sentence = f"The PDF's {count} {pages} no text, only pictures (it was probably scanned)."
    return Failure("unreadable", sentence, "Look for a version with text.")


def _page_lines(document: pypdfium2.PdfDocument, index: int) -> list[Line] | None:
    """The lines of one page, or None when it is broken."""
    try:
        page = document[index]
        try:
            textpage = page.get_textpage()
            try:
                return _lines(textpage)
            finally:
                textpage.close()
        finally:
            page.close()
    except (pypdfium2.PdfiumError, ValueError, TypeError, OSError, IndexError):
        return None


def _lines(textpage: pypdfium2.PdfTextPage) -> list[Line]:
    text = textpage.get_text_range(errors="replace")
    same = len(text) == textpage.count_chars()
    lines: list[Line] = []
    start = 0
    for piece in _LINE_END.split(text):
        stripped = piece.strip()
        if stripped:
            begin = start + len(piece) - len(piece.lstrip())
            lines.append(_placed(textpage, stripped, begin, begin + len(stripped) - 1, same=same))
        start += len(piece)
        start += 2 if text[start : start + 2] == "\r\n" else 1
    return lines


def _placed(
    textpage: pypdfium2.PdfTextPage, text: str, begin: int, end: int, *, same: bool
) -> Line:
    """The line with its place; without one, where text and characters do not count alike."""
    middle = begin + next(i for i in (*range(len(text) // 2, len(text)), 0) if text[i] != " ")
    boxes = [_box(textpage.raw, index, same=same) for index in (begin, middle, end)]
    first, central, last = boxes
    if first is None or central is None or last is None:
        return Line(text)
    base = _baseline(textpage.raw, middle, same=same) or central.bottom
    # A bullet or a raised mark at either end is not the size of the line.
    size = sorted(box.top - box.bottom for box in (first, central, last))[1]
    return Line(text, first.left, max(last.right, first.right), base, max(size, 0.0))


def _box(raw: Any, index: int, *, same: bool) -> pdfium.FS_RECTF | None:
    box = pdfium.FS_RECTF()
    at = _character(raw, index, same=same)
    return box if pdfium.FPDFText_GetLooseCharBox(raw, at, ctypes.byref(box)) else None


def _baseline(raw: Any, index: int, *, same: bool) -> float:
    x, y = ctypes.c_double(), ctypes.c_double()
    at = _character(raw, index, same=same)
    found = pdfium.FPDFText_GetCharOrigin(raw, at, ctypes.byref(x), ctypes.byref(y))
    return float(y.value) if found else 0.0


def _character(raw: Any, index: int, *, same: bool) -> int:
    """The character of a place in the text; the library counts them apart on some pages."""
    return index if same else int(pdfium.FPDFText_GetCharIndexFromTextIndex(raw, index))


def _title(document: pypdfium2.PdfDocument, first: list[Line]) -> str:
    """The title that the file declares, else the largest lines of its first page with text."""
    try:
        declared = " ".join(visible(document.get_metadata_value("Title")).split())
    except (pypdfium2.PdfiumError, ValueError, TypeError):
        declared = ""
    if len(declared) > 2 and not _NO_TITLE.match(declared):
        return declared[:MAX_TITLE]
    sizes = [line.size for line in first if len(line.text) > 3]
    if not sizes:
        return ""
    largest = max(sizes)
    at = next(i for i, line in enumerate(first) if line.size == largest and len(line.text) > 3)
    lines = [first[at].text]
    for line in first[at + 1 : at + 4]:
        if abs(line.size - largest) > 0.05 * largest:
            break
        lines.append(line.text)
    if len(lines) == 4 or len(" ".join(lines)) > MAX_TITLE:
        lines = lines[:1]
    return " ".join(visible(" ".join(lines)).split())[:MAX_TITLE]
