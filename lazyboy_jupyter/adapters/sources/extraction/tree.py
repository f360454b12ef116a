"""Owns parsing HTML into a tree, however broken it is; removes nothing that a reader sees."""

from __future__ import annotations

import re

from lxml import etree
from lxml.html import HtmlElement

_DECLARATION = re.compile(r"\A\s*<\?xml[^>]{0,300}\?>", re.IGNORECASE)
_CONTROLS = bytes(code for code in range(32) if code not in b"\t\n\r\f")
# References to control characters, which the parser would let through.
_CONTROL_REFERENCE = re.compile(
    rb"&#(?:0*(?:[0-8]|1[124-9]|2\d|3[01])(?!\d)|[xX]0*(?:[0-8bBcCeEfF]|1[\da-fA-F])(?![\da-fA-F]));?"
)
# One class for every element, chosen without a call into Python for each: a quarter less time.
_CLASSES = etree.ElementDefaultClassLookup(element=HtmlElement)
_WITHOUT_TEXT = (
    "script style template svg canvas iframe frame object embed applet audio video map area "
    "button input select option optgroup datalist textarea meter progress link meta rp dialog"
).split()
"""Elements whose content is no text of the page; an open dialog is chrome too."""


def parse_html(html: str) -> HtmlElement | None:
    """Return the root element, or None when there is none. Never raises.

    It is parsed as UTF-8, since no text that holds a lone surrogate could be, and with the limits
    of depth and size lifted: 400 nested elements are a page (FIELD_CASES P9).
    """
    data = _DECLARATION.sub("", html).encode("utf-8", "replace").translate(None, _CONTROLS)
    data = _CONTROL_REFERENCE.sub(b"", data)
    parser = etree.HTMLParser(
        encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True, no_network=True
    )
    parser.set_element_class_lookup(_CLASSES)
    try:
        root = etree.fromstring(data, parser)
    except (etree.LxmlError, ValueError, AssertionError):
        return None
    return root if isinstance(root, HtmlElement) else None


def remove(element: HtmlElement) -> None:
    """Take `element` out of its tree; the text after it stays."""
    parent = element.getparent()
    if parent is None:
        return
    if element.tail:
        before = element.getprevious()
        if before is None:
            parent.text = (parent.text or "") + element.tail
        else:
            before.tail = (before.tail or "") + element.tail
    parent.remove(element)


def strip_machinery(root: HtmlElement) -> None:
    """Remove what holds no text: scripts but for linked data, styles, controls, embedded media."""
    kept = ("application/ld+json",)
    for element in list(root.iter(*_WITHOUT_TEXT)):
        if element.tag == "script" and (element.get("type") or "").lower() in kept:
            continue
        if element.tag == "dialog" and element.get("open") is not None:
            continue
        remove(element)


def plain_text(element: HtmlElement) -> str:
    """Return all text of an element, its white space runs as one space."""
    return " ".join("".join(element.itertext()).split())


def texts_by_box(element: HtmlElement, boxes: frozenset[str]) -> list[str]:
    """Return the texts of an element, one for each run between two boxes' edges."""
    texts: list[list[str]] = [[]]
    for event, one in etree.iterwalk(element, events=("start", "end")):
        if one.tag in boxes:
            texts.append([])
        if event == "start":
            texts[-1].append(one.text or "")
        elif one is not element:
            texts[-1].append(one.tail or "")
    return ["".join(parts) for parts in texts]
