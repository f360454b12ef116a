"""Owns the one way any foreign text reaches a screen; no other module may build markup from text.

Everything a page, a model or a person wrote is text: it is never parsed as HTML or Markdown. So
nothing executes, and nothing is fetched, whatever it holds (FIELD_CASES D3).
"""

import html
import re
from urllib.parse import urlsplit

# C0 and C1 controls but tab and newline; the bidirectional marks and overrides that can make a text
# read as another; zero-width characters that hide in a word, and tags that hide a whole text.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff"
    "\U000e0000-\U000e007f]"
)
# U+FFFE, U+FFFF and lone surrogates cannot be written as UTF-8 or are no characters.
_UNWRITABLE = re.compile("[\x00\ud800-\udfff\ufffe\uffff]")
_MARKDOWN = re.compile(r"([`*_{}\[\]()#+\-.!|~$>=:@^])")


def storable(text: str) -> str:
    """Return `text` without what cannot be written: NUL, lone surrogates, non-characters."""
    if text.isascii() and "\x00" not in text:
        return text  # most whole pages, which the pattern takes a hundred times as long to read
    return _UNWRITABLE.sub("\ufffd", text)


def visible(text: str, limit: int | None = None) -> str:
    """Return `text` on one line, without invisible characters, cut at `limit` with an ellipsis."""
    line = " ".join(_INVISIBLE.sub("", storable(text)).split())
    if limit is not None and len(line) > limit:
        return line[: limit - 1].rstrip() + "…"
    return line


def to_html(text: str, limit: int | None = None) -> str:
    """Return `text` as the content of an HTML element or a quoted attribute."""
    return html.escape(visible(text, limit), quote=True)


def to_markdown(text: str, limit: int | None = None) -> str:
    """Return `text` as Markdown that renders as just that text, in CommonMark and its kin."""
    plain = visible(text, limit).replace("&", "&amp;").replace("<", "&lt;")
    # As an entity: JupyterLab takes a backslash before an escaped bracket for a formula's mark.
    return "&#92;".join(_MARKDOWN.sub(r"\\\1", part) for part in plain.split("\\"))


def safe_link(url: str) -> str | None:
    """Return `url` when a person may follow it (absolute http or https), else None."""
    cleaned = _INVISIBLE.sub("", storable(url)).strip()
    try:
        parts = urlsplit(cleaned)
    except ValueError:
        return None
    if parts.scheme.lower() not in {"http", "https"} or not parts.hostname:
        return None
    if parts.username is not None or parts.password is not None or re.search(r"\s", cleaned):
        return None
    return cleaned


def link_html(url: str, label: str) -> str:
    """Return `label` linked to `url`, or as text where the address is none to follow."""
    target = safe_link(url)
    if target is None:
        return f"<span>{to_html(label)}</span>"
    href = html.escape(target, quote=True)
    return (
        f'<a href="{href}" target="_blank" rel="noopener noreferrer nofollow">{to_html(label)}</a>'
    )


_IN_TARGET = re.compile(r"[<>\\()\s]")
_IN_PATH = re.compile(r"[<>\\()\[\]\s]")
_HOST_ENDS = re.compile(r"//[^/?#]*")


def link_markdown(url: str, label: str) -> str:
    """Return `label` linked to `url` in Markdown, or as text."""
    target = safe_link(url)
    if target is None:
        return to_markdown(label)
    # In a host, brackets are an IPv6 address's own.
    host = _HOST_ENDS.search(target)
    end = host.end() if host is not None else 0
    escaped = _IN_TARGET.sub(_percent, target[:end]) + _IN_PATH.sub(_percent, target[end:])
    return f"[{to_markdown(label)}](<{html.escape(escaped, quote=True)}>)"


def _percent(match: re.Match[str]) -> str:
    return f"%{ord(match.group()):02X}"
