"""Owns turning formulas into readable text inside the tree; evaluates nothing."""

from __future__ import annotations

import re

from lxml.html import HtmlElement

from .tree import remove

_DISPLAY_STYLE = re.compile(r"\A\{\\(?:displaystyle|textstyle)\s*(.*)\}\Z", re.DOTALL)
_LONGEST_EMOJI = 8


def spell_formulas(root: HtmlElement) -> None:
    """Replace MathML, MathJax scripts and pictures of formulas and emoji by their text."""
    for script in list(root.iter("script")):
        if (script.get("type") or "").startswith("math/tex"):
            _replace(script, script.text or "")
    for math in list(root.iter("math", "{http://www.w3.org/1998/Math/MathML}math")):
        _replace(math, _mathml_text(math))
    for image in list(root.iter("img")):
        alt = image.get("alt") or ""
        classes = image.get("class") or ""
        if "math" in classes or "tex" in classes.split() or alt.startswith("{\\"):
            if not _stands_beside(image, alt):
                _replace(image, alt)
        elif "emoji" in classes and 0 < len(alt) <= _LONGEST_EMOJI:
            image.tag = "span"
            image.text = alt


def _replace(element: HtmlElement, text: str) -> None:
    inner = _DISPLAY_STYLE.match(text.strip())
    spelled = " ".join((inner.group(1) if inner else text).split())
    if not spelled:
        remove(element)
        return
    tail = element.tail
    element.clear()
    element.tail = tail
    element.tag = "span"
    element.text = f"${spelled}$" if "\\" in spelled or "^" in spelled else spelled


def _mathml_text(math: HtmlElement) -> str:
    for annotation in math.iter("annotation"):
        if annotation.get("encoding") == "application/x-tex":
            return annotation.text or ""
    return math.get("alttext") or "".join(math.itertext())


def _stands_beside(image: HtmlElement, alt: str) -> bool:
    """Whether the formula of a picture was spelled from the MathML that comes before it."""
    before = image.getprevious()
    if before is None or (before.get("style") or "").replace(" ", "").startswith("display:none"):
        return False
    return bool(alt) and "".join(before.itertext()).strip().startswith("$")
