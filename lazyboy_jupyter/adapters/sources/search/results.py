"""Owns turning what a service found into results: the one place where they are cleaned.

Links are made absolute and direct, each page comes once, and titles and snippets become plain
text. Nothing here is markup for a screen: `core/sanitise.py` alone makes that.
"""

import html
import re
from collections.abc import Iterable
from typing import Any, NamedTuple
from urllib.parse import urljoin

from ....core.sanitise import safe_link, visible
from ....core.urls import canonical_url, host_of
from ....ports import SearchResult
from .query import cut_at_word
from .redirects import direct_link

SNIPPET_CHARACTERS = 300
_TITLE_CHARACTERS = 300
_URL_CHARACTERS = 4_000
_MARKUP_CHARACTERS = 4_000
# Services mark what matched with inline elements, inside words too; the others part words. Only
# HTML's own elements are taken for markup: `vector<int>` in a text is what the text says.
_INLINE = frozenset(
    "a abbr b bdi bdo cite code em font i kbd mark q s small span strong sub sup u wbr".split()
)
_BLOCK = frozenset(
    (
        "article aside audio blockquote body br button center dd details div dl dt embed figure "
        "footer form frame h1 h2 h3 h4 h5 h6 head header hr html iframe img input li link main "
        "meta nav noscript object ol option p param picture pre script section select source "
        "style svg table tbody td template textarea tfoot th thead title tr track ul video"
    ).split()
)
_DROPPED = re.compile(r"<!--.*?(?:-->|$)|<(script|style|noscript)\b.*?(?:</\1\s*>|$)", re.I | re.S)
_TAG = re.compile(r"</?([A-Za-z][A-Za-z0-9]*)(?=[\s/>]|$)[^<>]*(?:>|$)")


class Hit(NamedTuple):
    """One result as a service gave it, markup and all."""

    url: str
    title: str
    snippet: str


def hits_of(items: Any, snippet: str) -> list[Hit] | None:
    """Return the hits of a service's JSON list; None for what is no list.

    `snippet`: the field that holds it. What has not the form of a result is left out.
    """
    if not isinstance(items, list):
        return None
    return [
        Hit(_text(item.get("url")), _text(item.get("title")), _text(item.get(snippet)))
        for item in items
        if isinstance(item, dict)
    ]


def cleaned(hits: Iterable[Hit], limit: int, base: str = "") -> list[SearchResult]:
    """Return at most `limit` results in the order given, one for each canonical address.

    `base`: the address of the page that the hits stood on, against which relative links are
    resolved; without one they are dropped.
    """
    found: dict[str, SearchResult] = {}
    for hit in hits:
        if len(found) >= limit:
            break
        url = _link(hit.url, base)
        if url is None:
            continue
        title = visible(plain(hit.title), _TITLE_CHARACTERS) or host_of(url)
        found.setdefault(canonical_url(url), SearchResult(url, title, _snippet(hit.snippet)))
    return list(found.values())


def plain(markup: str) -> str:
    """Return the text of a piece of HTML, on one line: elements and references resolved once."""
    text = _DROPPED.sub(" ", markup[:_MARKUP_CHARACTERS])
    return visible(html.unescape(_TAG.sub(_without, text)))


def _without(tag: re.Match[str]) -> str:
    name = tag.group(1).lower()
    if name in _INLINE:
        return ""
    return " " if name in _BLOCK else tag.group()


def _link(url: str, base: str) -> str | None:
    try:
        absolute = urljoin(base, url.strip()) if base else url.strip()
    except ValueError:
        return None
    direct = direct_link(absolute)
    if direct is None or len(direct) > _URL_CHARACTERS:
        return None
    return safe_link(direct)


def _snippet(markup: str) -> str:
    text = plain(markup)
    if len(text) <= SNIPPET_CHARACTERS:
        return text
    return cut_at_word(text, SNIPPET_CHARACTERS - 1) + "…"


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
