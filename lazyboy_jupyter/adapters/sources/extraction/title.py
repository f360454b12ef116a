"""Owns finding a page's title; chooses no text."""

from __future__ import annotations

import re
from itertools import islice
from urllib.parse import unquote, urlsplit

from lxml.html import HtmlElement

from .blocks import word_key
from .characters import visible
from .page import MAX_TITLE
from .tree import plain_text

_NAMES = ("og:title", "twitter:title", "dc.title", "citation_title")
_SITE = re.compile(r"\s+[|·•»«–—-]+\s+|\s*[|»«]\s*")
_HEADINGS = 20
_SHARE = 0.4
_LONGEST = 1_000
_SIGNS = " ¶#\u00a0"


def page_title(root: HtmlElement) -> str:
    """Return the title: the page's one heading when its head says the same, else what its head
    says without the site's name, else the first heading; or nothing."""
    headings = [text for one in islice(root.iter("h1"), _HEADINGS) if (text := _heading(one))]
    declared = [*_declared(root), *(plain_text(one) for one in list(root.iter("title"))[:1])]
    declared = [text[:_LONGEST] for text in declared if text]
    for heading in headings:
        key = word_key(heading)
        if len(key) > 3 and any(_names_page(key, word_key(text)) for text in declared):
            return _clean(heading)
    if not declared:
        return _clean(headings[0]) if headings else ""
    return _clean(_without_site(declared[0]))


def _names_page(heading: str, declared: str) -> bool:
    """Whether a heading is what the head says of the page; the site's name comes last there."""
    if declared.startswith(heading):
        return True
    if heading not in declared or declared.endswith(heading):
        return False
    return len(heading) > _SHARE * len(declared)


def title_from_address(url: str) -> str:
    """Return the last part of an address as words: the last resort for a title."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return ""
    last = unquote(parts.path.rstrip("/").rpartition("/")[2], errors="replace")
    return _clean(last or parts.netloc)


def _declared(root: HtmlElement) -> list[str]:
    found: dict[str, str] = {}
    for meta in root.iter("meta"):
        name = (meta.get("property") or meta.get("name") or "").lower()
        if name in _NAMES:
            found.setdefault(name, " ".join((meta.get("content") or "").split()))
    return [found[name] for name in _NAMES if name in found]


def _heading(element: HtmlElement) -> str:
    return plain_text(element).strip(_SIGNS)


def _without_site(title: str) -> str:
    """The first part of "Title | Site", when it is most of it."""
    first = _SITE.split(title)[0].strip()
    return first if len(first) > 0.5 * len(title) else title


def _clean(title: str) -> str:
    return " ".join(visible(title).split())[:MAX_TITLE].strip()
