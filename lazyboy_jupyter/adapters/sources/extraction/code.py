"""Owns writing code blocks verbatim, in the language that the page names; highlights nothing."""

from __future__ import annotations

import re

from lxml.html import HtmlElement

_LANGUAGE = (
    re.compile(
        r"(?:^|\s)(?:language|lang|highlight-source|highlight-text|sourceCode)[-:\s]\s*"
        r"([A-Za-z][\w+#.-]{0,20})"
    ),
    re.compile(r"(?:^|\s)brush:\s*([A-Za-z][\w+#-]{0,20})"),
    re.compile(
        r"(?:^|\s)(?:highlight|hljs|chroma|codehilite|prettyprint|src)[-\s]+"
        r"([a-z][\w+#-]{0,14})(?:\s|$)"
    ),
)
_NAME = re.compile(r"[a-z][\w+#.-]{0,20}")
_NO_LANGUAGE = frozenset(
    """
    none default notranslate text plain plaintext txt highlight block wrapper container source
    toolbar inline numbers line lines box light dark snippet example copy content area blocks
    nohighlight no-highlight auto highlight-source prettyprinted linenums is-loaded fence frame
    group header wrap pre
    """.split()
)
_GUTTER = re.compile(
    r"(?:^|[\s_-])(?:lineno|linenos|linenumber|line-numbers?(?:-rows)?|gutter|ln|rouge-gutter"
    r"|copy-?btn|copybutton)(?:$|[\s_])"
)
_LINES = frozenset(("div", "p", "li", "tr"))
_NAMES_FROM = 3


def code_text(element: HtmlElement) -> str:
    """Return the code as it is laid out: every space and line break, no line numbers."""
    parts: list[str] = []
    _collect(element, parts, 0)
    text = "".join(parts).replace("\r\n", "\n").replace("\r", "\n").replace("\xa0", " ")
    codes = [one for one in element if one.tag == "code"]
    if len(codes) > 1 and not (element.text or "").strip():
        text = "\n".join("".join(code.itertext()).strip("\n") for code in codes)
    elif "\n" not in text.strip("\n"):
        lines = [
            "".join(one.itertext())
            for one in element.iter("span", "code")
            if "line" in (one.get("class") or "").split()
        ]
        if len(lines) > 1:
            text = "\n".join(lines)
    lines = [line.rstrip() for line in text.split("\n")]
    while lines and not lines[0]:
        lines.pop(0)
    while lines and not lines[-1]:
        lines.pop()
    return "\n".join(lines)


def _collect(element: HtmlElement, parts: list[str], depth: int) -> None:
    if element.text:
        parts.append(element.text)
    for child in element:
        if child.tag == "br":
            parts.append("\n")
        elif depth > 60:
            parts.extend(child.itertext())
        elif not is_gutter(child):
            line = child.tag in _LINES
            if line and parts and not parts[-1].endswith("\n"):
                parts.append("\n")
            _collect(child, parts, depth + 1)
            if line and parts and not parts[-1].endswith("\n"):
                parts.append("\n")
        if child.tail:
            parts.append(child.tail)


def is_gutter(element: HtmlElement) -> bool:
    """Whether the element holds line numbers or a button beside the code."""
    classes = element.get("class")
    return bool(classes) and _GUTTER.search(classes or "") is not None


def code_language(element: HtmlElement) -> str:
    """Return the language that the element, its code or what encloses it names, or nothing."""
    inner = element.find(".//code")
    around = [one for one in (inner, element) if one is not None]
    parent = element.getparent()
    while (
        parent is not None
        and len(around) < _NAMES_FROM + 1
        and parent.tag in ("div", "figure", "td")
    ):
        around.append(parent)
        parent = parent.getparent()
    for one in around:
        named = (one.get("data-lang") or one.get("data-language") or "").lower()
        if _NAME.fullmatch(named) and named not in _NO_LANGUAGE:
            return named
        classes = one.get("class") or ""
        for pattern in _LANGUAGE:
            for found in pattern.finditer(classes):
                language = found.group(1).lower()
                if language not in _NO_LANGUAGE:
                    return language
    return ""


def fenced(code: str, language: str) -> tuple[str, str]:
    """Return the fence's first line and its last; longer than any run of backticks inside."""
    longest = max((len(run) for run in re.findall(r"`{3,}", code)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n", f"\n{fence}"
