"""Owns which link targets are given, as absolute addresses; follows none."""

from __future__ import annotations

import re
from urllib.parse import urljoin, urlsplit

from lxml.html import HtmlElement

LONGEST_LINK = 400
_ABSOLUTE = re.compile(r"https?://[^\s/]", re.IGNORECASE)
_PATH = r"(?:/(?!\.)[A-Za-z0-9_~.-]*)+"
_PLAIN = re.compile(_PATH)
_PLAIN_ABSOLUTE = re.compile(rf"(https?://[a-z0-9.-]+(?::\d+)?)(?:{_PATH})?")
"""Addresses that need no taking apart: nothing in them leads anywhere else or stands for another
character. Most links of most pages are such."""
_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*:", re.IGNORECASE)
_LINE_ENDS = str.maketrans("", "", "\t\r\n")  # as browsers do
_UNSAFE = str.maketrans({" ": "%20", "(": "%28", ")": "%29", "<": "%3C", ">": "%3E", "\\": "%5C"})

_PERMALINK = re.compile(
    r"(?:^|\s)(?:headerlink|header-?anchor|heading-?anchor|hash-link|anchor-?link|anchorjs-link"
    r"|anchor|permalink|heading-link|direct-link|headinglink|octicon-link)(?:$|\s)",
    re.IGNORECASE,
)
_SIGNS = frozenset(("", "¶", "#", "§", "🔗", "⚓", "\uf0c1", "link"))
_SIGN_WORDS = ("Permalink", "Link to this", "Direct link to", "Anchor link to")
_LONGEST_SIGN = 100


def is_permalink(anchor: HtmlElement, *, in_heading: bool) -> bool:
    """Return whether the anchor is the sign beside a heading or a term that links to it."""
    if "#" not in (anchor.get("href") or "#"):
        return False
    text = "".join(anchor.itertext()).strip()
    if text in _SIGNS:
        classes = anchor.get("class")
        return in_heading or bool(classes and _PERMALINK.search(classes))
    return text.startswith(_SIGN_WORDS) and len(text) < _LONGEST_SIGN


def stated_target(anchor: HtmlElement) -> str:
    """Return where the anchor leads, as browsers read it; nothing for a place on the page itself,
    and for an address that no person would write."""
    href = (anchor.get("href") or "").translate(_LINE_ENDS).strip()
    return "" if href[:1] == "#" or len(href) > LONGEST_LINK else href.replace(" ", "%20")


class Links:
    """Resolves the links of one page against `base`; `page` is the page's own address."""

    def __init__(self, base: str, page: str = "") -> None:
        self._base = base if _ABSOLUTE.match(base) else ""
        self._page = (page or self._base).partition("#")[0]
        origin = _PLAIN_ABSOLUTE.match(self._base)
        self._origin = origin[1] if origin and origin.end(1) == self._base.find("/", 8) else ""
        self._known: dict[str, str] = {}

    def target(self, href: str) -> str:
        """Return the absolute http(s) address of a link, or nothing: then its text is only text.

        A place on the page itself is no address; neither is `javascript:` or `data:`.
        """
        if not href:
            return ""
        known = self._known.get(href)
        if known is None:
            known = self._known[href] = self._resolved(href)
        return known

    def _resolved(self, href: str) -> str:
        if self._origin and href[:2] != "//" and _PLAIN.fullmatch(href):
            target = self._origin + href
            return "" if target == self._page else target
        if _PLAIN_ABSOLUTE.fullmatch(href):
            return "" if href == self._page else href
        if not _ABSOLUTE.match(href):
            if not self._base or _SCHEME.match(href):
                return ""
            try:
                href = urljoin(self._base, href)
            except ValueError:
                return ""
        try:
            parts = urlsplit(href)
        except ValueError:
            return ""
        if parts.scheme not in ("http", "https") or not parts.netloc or "@" in parts.netloc:
            return ""
        target = href.translate(_UNSAFE)
        return "" if target.partition("#")[0] == self._page else target
