"""Owns turning a file's bytes into a title and plain text; never opens a file."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import PurePath

_HTML_SUFFIXES = frozenset((".html", ".htm", ".xhtml"))
_META_CHARSET = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?\s*([\w-]{2,40})", re.IGNORECASE)
_BOMS = (
    (b"\xef\xbb\xbf", "utf-8-sig"),
    (b"\xff\xfe\x00\x00", "utf-32"),
    (b"\x00\x00\xfe\xff", "utf-32"),
    (b"\xff\xfe", "utf-16"),
    (b"\xfe\xff", "utf-16"),
)
_CUT = 1_000_000
_FRONT_MATTER = re.compile(r"\A---\s*\n(.{0,5000}?)\n---\s*\n", re.DOTALL)
_ATX = re.compile(r"^\s{0,3}#{1,6}\s+(.+?)\s*#*\s*$", re.MULTILINE)
_UNDERLINED = re.compile(
    r"^(?P<line>\S[^\n]{0,200})\n(?P<mark>[=\-~^*#\"'+])(?P=mark){2,}\s*$", re.MULTILINE
)
_HIDDEN = frozenset(
    ("title", "script", "style", "template", "noscript", "svg", "head", "nav", "iframe")
)
_BREAKS = frozenset(
    """
    p div section article main header footer aside ul ol table tr blockquote pre dl dt dd
    figure form hr h1 h2 h3 h4 h5 h6
    """.split()
)
_VOID = frozenset(
    """
    br hr img meta link input wbr col source area
    """.split()
)


def title_and_text(data: bytes, name: str) -> tuple[str, str]:
    """Return title and plain text of a file's bytes; the file name is the last title to try."""
    stem, suffix = PurePath(name).stem, PurePath(name).suffix.lower()
    text = decoded(data).replace("\r\n", "\n").replace("\r", "\n").replace("\x00", "")
    if suffix in _HTML_SUFFIXES:
        page = _html(text)
        return page.title or stem, page.text
    found = _FRONT_MATTER.match(text)
    front = found.group(1) if found else ""
    body = text[found.end() :] if found else text
    return _plain_title(front, body) or stem, body.strip("\n")


def decoded(data: bytes) -> str:
    """Return bytes as text: byte order mark, UTF-8, the page's own word, then Windows-1252."""
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return data.decode(encoding, "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        if len(data) >= _CUT and len(data) - error.start < 4:  # the size cap cut the last character
            return data[: error.start].decode("utf-8")
    declared = _META_CHARSET.search(data, 0, 4_000)
    for encoding in (declared.group(1).decode("ascii") if declared else "", "cp1252"):
        try:
            return data.decode(encoding)
        except (LookupError, UnicodeDecodeError, ValueError):
            continue
    return data.decode("utf-8" if data.count(b"\xc3") else "latin-1", "replace")


def _plain_title(front: str, body: str) -> str:
    named = re.search(r"^title:\s*[\"']?(.+?)[\"']?\s*$", front, re.MULTILINE)
    if named:
        return named.group(1)[:200]
    start = body[:5_000]
    found = [(m.start(), m.group(1)) for m in [_ATX.search(start)] if m]
    found += [(m.start(), m.group("line")) for m in [_UNDERLINED.search(start)] if m]
    title = min(found)[1] if found else ""
    return re.sub(r"[*_`]{1,2}(?=\S)|(?<=\S)[*_`]{1,2}(?!\w)", "", title).strip()[:200]


class _PageText(HTMLParser):
    """Collects the visible text of a page, with Markdown marks for headings and items."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self._parts: list[str] = []
        self._hidden: list[str] = []
        self._title: list[str] = []
        self._first_heading: list[str] = []
        self._in = ""
        self._pre = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "title" and not self._title:
            self._in = "title"
        if self._hidden or tag in _HIDDEN or _is_hidden(attrs):
            if tag not in _VOID:
                self._hidden.append(tag)
            return
        if tag == "br":
            self._parts.append("\n")
        elif tag == "li":
            self._parts.append("\n- ")
        elif tag in ("td", "th"):
            self._parts.append(" ")
        elif tag in _BREAKS:
            self._parts.append("\n\n")
        if tag == "pre":
            self._pre += 1
        if tag in ("h1", "h2", "h3", "h4", "h5", "h6"):
            self._parts.append("#" * int(tag[1]) + " ")
            self._in = "heading" if not self._first_heading else ""

    def handle_endtag(self, tag: str) -> None:
        if tag == "title" or (tag[0] == "h" and self._in == "heading"):
            self._in = ""
        if self._hidden:
            if tag in self._hidden:
                del self._hidden[len(self._hidden) - 1 - self._hidden[::-1].index(tag) :]
            return
        if tag == "pre":
            self._pre = max(0, self._pre - 1)
        if tag in _BREAKS:
            self._parts.append("\n\n")

    def handle_data(self, data: str) -> None:
        if self._in == "title":
            self._title.append(data)
        if self._hidden:
            return
        if self._in == "heading":
            self._first_heading.append(data)
        self._parts.append(data if self._pre else re.sub(r"\s+", " ", data))

    @property
    def title(self) -> str:
        """The first heading, else the page's title."""
        for parts in (self._first_heading, self._title):
            if title := " ".join("".join(parts).split()).rstrip("¶").strip():
                return title[:200]
        return ""

    @property
    def text(self) -> str:
        """The text, one blank line between blocks."""
        joined = re.sub(r"[ \t]+\n|\n {1,3}(?=\S)", "\n", "".join(self._parts))
        return re.sub(r"\n{3,}", "\n\n", joined).strip()


def _is_hidden(attrs: list[tuple[str, str | None]]) -> bool:
    values = {name: (value or "").lower().replace(" ", "") for name, value in attrs}
    style = values.get("style", "")
    return (
        "hidden" in values
        or values.get("aria-hidden") == "true"
        or "display:none" in style
        or "visibility:hidden" in style
    )


def _html(text: str) -> _PageText:
    page = _PageText()
    page.feed(text)
    page.close()
    return page
