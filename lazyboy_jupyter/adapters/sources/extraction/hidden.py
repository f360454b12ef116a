"""Owns taking out of a tree what its reader does not see (FIELD_CASES P10); computes no layout.

Only what the page itself says is known here: attributes, inline styles and the plainest rules of
its own style sheets. Two kinds of page say "hidden" of what they will show: those whose script
fades the page in, and those that hide the page behind a dialog. So what holds the page's main
part is never taken out for its opacity, its visibility or for `aria-hidden`.
"""

from __future__ import annotations

import re

from lxml import etree
from lxml.html import HtmlElement

from .stylesheet import hiding_names, shown_names
from .tree import remove

_CANDIDATES = etree.XPath(
    "//*[@hidden or @style or @aria-hidden or @popover or self::noscript or self::font[@size]]"
)
_STYLED = etree.XPath("//*[@class or @id]")
_MAIN = etree.XPath("boolean(descendant-or-self::*[self::main or self::article or self::h1])")
_WHOLE = frozenset(("html", "body"))
_NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)")
_ZERO = re.compile(r"[+-]?0*\.?0*(?:px|em|rem|pt|%|vw|vh|ex|ch|cm|mm|in|pc)?$")
_INHERITED = frozenset(("font-size", "visibility"))
_MOST_NAMES = 200
_MOST = 0.3
"""The share of a page's text that style rules may hide; above it they await a script."""


def remove_hidden(root: HtmlElement) -> None:
    """Remove hidden elements from the tree; text after them stays."""
    for element in _CANDIDATES(root):
        reason = _reason(element)
        if not reason or element.tag in _WHOLE or (element.getparent() is None):
            continue
        if reason in ("opacity", "visibility", "aria-hidden") and _MAIN(element):
            element.attrib.pop("aria-hidden", None)
        elif reason in _INHERITED:
            _remove_all_but_shown(element, reason)
        else:
            remove(element)
    _apply_style_rules(root)


def _reason(element: HtmlElement) -> str:
    """What hides the element, or nothing."""
    get = element.get
    if element.tag == "noscript" or get("popover") is not None:
        return "hidden"
    if get("hidden") is not None and get("hidden") != "until-found":
        return "hidden"
    if (get("aria-hidden") or "").strip().lower() == "true":
        return "aria-hidden"
    if element.tag == "font" and get("size", "").strip() == "0":
        return "hidden"
    style = get("style")
    return hidden_by(style) if style else ""


def hidden_by(style: str) -> str:
    """Return the property that hides an element of this inline style, or nothing."""
    found: dict[str, str] = {}
    for declaration in style.lower().split(";"):
        name, _, value = declaration.partition(":")
        found[name.strip()] = value.replace("!important", "").strip()
    if found.get("display") == "none":
        return "display"
    if found.get("visibility") in ("hidden", "collapse"):
        return "visibility"
    if found.get("content-visibility") == "hidden":
        return "display"
    if "font-size" in found and _is_tiny(found["font-size"]):
        return "font-size"
    if "opacity" in found and _near_zero(found["opacity"]):
        return "opacity"
    if found.get("color") == "transparent" or _same_colours(found):
        return "colour"
    return _out_of_sight(found)


def _out_of_sight(found: dict[str, str]) -> str:
    """Off the screen, clipped away, or without any extent."""
    if found.get("position") in ("absolute", "fixed"):
        for side in ("left", "top", "right", "bottom"):
            if _far(found.get(side, "")):
                return "position"
        clip = found.get("clip", "")
        if clip.startswith("rect(") and len({*_NUMBER.findall(clip)} - {"0"}) <= 1:
            return "clip"
    for name in ("text-indent", "margin-left", "margin-top"):
        if _far(found.get(name, "")):
            return "position"
    if found.get("clip-path", "").replace(" ", "") in ("inset(50%)", "inset(100%)", "circle(0)"):
        return "clip"
    if re.match(r"scale(?:3d|x|y)?\(\s*0\s*[,)]", found.get("transform", "")):
        return "transform"
    if "hidden" in (found.get("overflow", ""), found.get("overflow-y", "")) and any(
        _ZERO.match(found.get(name, "1px")) for name in ("height", "width", "max-height")
    ):
        return "extent"
    return ""


def _is_tiny(size: str) -> bool:
    number = _NUMBER.match(size)
    if number is None:
        return False
    unit = size[number.end() :].strip()
    return abs(float(number.group())) <= (0.06 if unit in ("em", "rem") else 1 if unit else 0)


def _near_zero(opacity: str) -> bool:
    number = _NUMBER.match(opacity)
    if number is None:
        return False
    return float(number.group()) / (100 if "%" in opacity else 1) < 0.05


def _far(offset: str) -> bool:
    number = _NUMBER.match(offset)
    if number is None or not number.group().startswith("-"):
        return False
    unit, size = offset[number.end() :].strip(), -float(number.group())
    return size >= (90 if unit in ("em", "rem", "%", "vw", "vh") else 900)


_COLOURS = {"white": "fff", "black": "000", "#ffffff": "fff", "#000000": "000"}


def _same_colours(found: dict[str, str]) -> bool:
    """Text in the very colour of its ground."""
    if "color" not in found:
        return False
    ground = found.get("background-color") or found.get("background", "")
    text, ground = (
        _COLOURS.get(colour, colour.removeprefix("#")) for colour in (found["color"], ground)
    )
    return bool(ground) and text == ground and text not in ("inherit", "initial", "currentcolor")


def _remove_all_but_shown(element: HtmlElement, reason: str) -> None:
    """Remove an element's text but for the parts that set an inherited property back."""
    shown = [one for one in element.iterdescendants("*") if _sets_back(one, reason)]
    if not shown:
        remove(element)
        return
    kept = {below for one in shown for below in one.iter("*")}
    around = {above for one in shown for above in one.iterancestors()}
    element.text = None
    for one in list(element.iterdescendants("*")):
        if one in kept:
            if one in shown and one.getparent() not in kept:
                one.tail = None
            continue
        one.text = one.tail = None
        if one not in around:
            remove(one)


def _sets_back(element: HtmlElement, reason: str) -> bool:
    style = (element.get("style") or "").lower()
    if reason == "visibility":
        return re.search(r"visibility\s*:\s*visible", style) is not None
    size = re.search(r"font-size\s*:\s*([^;]*)", style)
    return size is not None and not _is_tiny(size.group(1).strip()) and "%" not in size.group(1)


def _apply_style_rules(root: HtmlElement) -> None:
    """Remove what the page's own simple rules hide, unless that would be most of the page."""
    sheet = "\n".join(style.text for style in root.iter("style") if style.text)
    names = hiding_names(sheet)
    if not names:
        return
    found: list[HtmlElement] = []
    used: set[str] = set()
    named: dict[tuple[str, str], set[str]] = {}
    for element in _STYLED(root):
        key = (element.tag, element.get("class") or "")
        mine = named.get(key)
        if mine is None:
            mine = named[key] = names.intersection(_class_names(element))
        if (identity := f"#{element.get('id')}") in names:
            mine = mine | {identity}
        if mine:
            found.append(element)
            used |= mine
    if len(used) > _MOST_NAMES:
        return
    hidden = used - shown_names(sheet, used)
    found = [
        one
        for one in found
        if hidden.intersection((*_class_names(one), f"#{one.get('id')}"))
        and one.tag not in _WHOLE
        and not _MAIN(one)
    ]
    length = sum(len("".join(element.itertext())) for element in found)
    if found and length <= _MOST * len("".join(root.itertext())):
        for element in found:
            remove(element)


def _class_names(element: HtmlElement) -> list[str]:
    names: list[str] = []
    for name in (element.get("class") or "").split():
        names += (f".{name}", f"{element.tag}.{name}")
    return names
