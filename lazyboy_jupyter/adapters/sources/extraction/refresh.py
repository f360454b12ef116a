"""Owns seeing that a page only sends its reader on, by its `<meta http-equiv=refresh>`."""

from __future__ import annotations

import html
import re
from urllib.parse import urljoin

_LOOKED_AT = 20_000
_SOON = 5
"""Seconds; a page that waits longer, or names no other address, only reloads itself."""
_NOT_FOR_US = re.compile(r"<!--.*?-->|<(noscript|script|template)\b.*?</\1\s*>", re.I | re.DOTALL)
_META = re.compile(r"<meta\s[^>]{0,1000}>", re.I)
_IS_REFRESH = re.compile(r"http-equiv\s*=\s*[\"']?\s*refresh\b", re.I)
_CONTENT = re.compile(r"\bcontent\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s>]+))", re.I)
_TARGET = re.compile(r"\s*(\d{1,4})(?:\.\d*)?\s*[;,]\s*(?:url\s*=\s*)?[\"']?([^\"']+)", re.I)


def refresh_target(markup: str, url: str) -> str:
    """Return the address that the page sends on to within seconds, or an empty text."""
    head = _NOT_FOR_US.sub("", markup[:_LOOKED_AT])
    for tag in _META.findall(head):
        content = _CONTENT.search(tag)
        if content is None or not _IS_REFRESH.search(tag):
            continue
        target = _TARGET.match(html.unescape(next(filter(None, content.groups()), "")))
        if target is not None and int(target[1]) <= _SOON:
            return _joined(url, target[2].strip())
    return ""


def _joined(url: str, target: str) -> str:
    try:
        found = urljoin(url, target)
    except ValueError:
        return ""
    return found if found.partition("#")[0] != url.partition("#")[0] else ""
