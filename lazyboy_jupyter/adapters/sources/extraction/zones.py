"""Owns telling a page's navigation, footers and the like by what they call themselves."""

from __future__ import annotations

import re

from lxml.html import HtmlElement

_TAGS = frozenset(("nav", "footer", "form", "menu", "search", "fieldset"))
_ROLES = frozenset(
    """
    navigation contentinfo complementary banner search menu menubar toolbar dialog alertdialog
    tablist
    """.split()
)
_NAMES = re.compile(
    r"(?:^|[\s_-])(?:nav|navbar|navbox|navigation|menu|breadcrumbs?|sidebar|footer|masthead|toolbar"
    r"|pagination|pager|prev-next|prevnext|cookies?|consent|gdpr|newsletter|subscribe|signup"
    r"|share|sharing|social|related|recommended|recirc|promo|advert|ads?|sponsored|popup|modal"
    r"|skip-?link|jump-?link|edit-?section|toc|toctree|noprint|printfooter|catlinks"
    r"|sr-only|visually-?hidden|screen-reader-text)(?:$|[\s_-])",
    re.IGNORECASE,
)
_NOISE = re.compile(
    r"(?:^|\s)(?:mw-editsection|mw-cite-backlink|sr-only|visually-?hidden|screen-reader-text"
    r"|a11y-hidden|assistive-text)(?:$|\s)"
)
_PAGE = frozenset(("html", "body", "main", "article"))
_MOST = 0.5


class Zones:
    """Answers for one tree; what classes say is looked up once each."""

    def __init__(self, root: HtmlElement) -> None:
        self._all = _length(root) if root.find("body/form") is not None else 0
        self._apart: dict[str, bool] = {}
        self._noise: dict[str, bool] = {}

    def is_apart(self, element: HtmlElement) -> bool:
        """Whether the element is navigation, a footer, a dialog or the like, by its own word.

        A class that says so is not believed of what holds the page's main part, nor is a form
        that holds most of the body's words: some sites put the whole page into one.
        """
        tag = element.tag
        if tag in _PAGE:
            return False
        if tag in ("header", "aside") and not _is_inside_main(element):
            return True
        get = element.get
        if (tag in _TAGS and tag != "form") or (get("role") or "") in _ROLES:
            return True
        names = f"{get('class') or ''} {get('id') or ''}"
        known = self._apart.get(names)
        if known is None:
            known = self._apart[names] = _NAMES.search(names) is not None
        return (known or tag == "form") and not self._holds_page(element)

    def _holds_page(self, element: HtmlElement) -> bool:
        if any(True for _ in element.iter("main", "article", "h1")):
            return True
        if element.tag != "form" or element.getparent().tag != "body":
            return False
        return _length(element) > _MOST * self._all

    def is_noise(self, span: HtmlElement) -> bool:
        """Whether a span is an edit link, a way back, or words that a style sheet hides."""
        classes = span.get("class")
        if not classes:
            return False
        known = self._noise.get(classes)
        if known is None:
            known = self._noise[classes] = _NOISE.search(classes) is not None
        return known


def _length(element: HtmlElement) -> int:
    return sum(len(text.strip()) for text in element.itertext())


def _is_inside_main(element: HtmlElement) -> bool:
    return any(above.tag in ("article", "main") for above in element.iterancestors())
