"""Hostile text, and what a browser makes of markup: parsed as HTML5, against a list of what may be.

The list is closed: an element, an attribute or an address that is not on it fails.
"""

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import html5lib
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from nbconvert.filters.markdown_mistune import markdown2html_mistune

_PIECES = (
    "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", '"><svg/onload=alert(1)>',
    "<style>*{display:none}</style>", "<iframe srcdoc=x>", "<a href=javascript:alert(1)>x</a>",
    "javascript:alert(1)", "data:text/html,<script>alert(1)</script>", "vbscript:x", "//e.example",
    "http://e.example/?a=1&b=2", "https://e.example/x)](y", "www.e.example", "mail@e.example",
    "![i](http://e.example/x.png)", "[x](javascript:alert(1))", "[x]: http://e.example 'y'", "[x]",
    "<http://e.example>", "<!-- x -->", "<!--", "-->", "<![CDATA[x]]>", "<?php x ?>",
    "<!DOCTYPE x>", "&lt;", "&amp;lt;", "&#60;b&#62;", "&#x3c;", "&colon;", "&nbsp;", "</div>",
    "</style>", "</textarea>", "</title>", "<b", ">", "'\"'\">", "`", "```", "~~~\n", "~~x~~",
    "**x**", "__x__", "$x$", "$$x$$", "\\(x\\)", "\\\\(x\\\\)", "\\[x\\]", "\\begin{a}x\\end{a}",
    "a|b|c", "|---|---|", "\n# x", "\n- x", "\n1. x", "\n1) x", "\n> x", "\n    x", "\n\tx",
    "\n---\n", "\n===\n", "\n+ x", "\n* x", "\n: x", "[ ] x", "[^1]", "[^1]: x", "\n\n", "\n",
    "\r", "\t", "\\", "\\\\", " ", "  ", "\x00", "\x0b", "\x1b[31m", "\x7f", "\x85", "\u2028",
    "\u202e", "\u2066", "\u061c", "\u200b", "\ufeff", "\ufffe", "\ufdd0", "\ud800", "\udfff",
    "\U000e0041", "\U0001fffe", "é", "日本", "🎈", "a", "1", ".", ":", "x" * 400,
)  # fmt: skip
HOSTILE = st.lists(
    st.sampled_from(_PIECES)
    | st.text(max_size=8)
    | st.text(alphabet=st.characters(categories=["Cs", "Cf", "Cc", "Po", "Sm"]), max_size=4),
    max_size=8,
).map("".join)
"""Pieces of attacks and of text, in every order."""

_LINK = {"href", "target", "rel"}
ELEMENTS = {
    "div": {"class", "style"}, "i": {"class", "style"}, "strong": {"class"},
    "span": {"class", "style"}, "b": set[str](), "ul": {"class", "style"}, "ol": set[str](),
    "li": {"title"}, "a": _LINK, "p": {"class", "style"}, "code": set[str](), "h4": set[str](),
    "cite": set[str](), "blockquote": {"class"}, "br": set[str](),
    "table": {"class"}, "thead": set[str](), "tbody": set[str](), "tr": set[str](),
    "th": {"style"}, "td": {"style"},
}  # fmt: skip
MARKDOWN = {
    "h3": {"id"}, "p": set[str](), "em": set[str](), "strong": set[str](), "ol": {"start"},
    "ul": set[str](), "li": set[str](), "blockquote": set[str](), "a": {"href"},
    "table": set[str](), "thead": set[str](), "tbody": set[str](), "tr": set[str](),
    "th": {"style"}, "td": {"style"}, "br": set[str](),
}  # fmt: skip
_OWN_STYLE = "<style>\n.lzb{"
_CLASS = re.compile(r"[a-z0-9_ -]*")
_STYLE = re.compile(r"[a-z-]+:[a-z0-9.,#%() -]+(;[a-z-]+:[a-z0-9.,#%() -]+)*;?")
_HIDING = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]"
)

_ANCHOR = re.compile(r'<a class="anchor-link" href="#[^"]*">&#182;</a>')


def _as_nbconvert_does(text: str) -> str:
    """With its formulas and addresses that become links, without its anchors of headings."""
    return _ANCHOR.sub("", str(markdown2html_mistune(text)))


Render = Callable[[str], str]
RENDERERS: dict[str, Render] = {
    "CommonMark": MarkdownIt("commonmark").render,
    "with tables": MarkdownIt("commonmark").enable(["table", "strikethrough"]).render,
    "nbconvert": _as_nbconvert_does,
}
"""Real renderers, each with raw HTML let through."""


def is_inert(markup: str, elements: dict[str, set[str]] = ELEMENTS) -> str:
    """Assert that nothing in it runs, loads or leads anywhere but to the web; return its text."""
    if markup.startswith(_OWN_STYLE):  # it stands before anything foreign
        markup = markup.partition("</style>")[2]
    root = html5lib.parseFragment(markup, treebuilder="etree", namespaceHTMLElements=False)
    for element in root.iter():
        if element is root:
            continue
        tag = element.tag
        assert isinstance(tag, str), f"a comment: {element.text!r}"
        assert tag in elements, f"<{tag}> in {markup!r}"
        for name, value in element.attrib.items():
            assert name in elements[tag], f"{name}={value!r} of <{tag}>"
            _may_be(name, value)
    text = _text_of(root)
    assert _HIDING.search(text) is None
    return text


def _may_be(name: str, value: str) -> None:
    match name:
        case "href":
            parts = urlsplit(value)
            assert parts.scheme in {"http", "https"}, value
            assert parts.hostname, value
            assert not re.search(r"\s", value), value
        case "class":
            assert _CLASS.fullmatch(value), value
        case "style":
            assert _STYLE.fullmatch(value), value
            assert "url" not in value, value
            assert "expression" not in value, value


def _text_of(element: Any) -> str:
    """The text of it; blocks and line breaks part words."""
    parts: list[str] = []

    def walk(one: Any) -> None:
        parts.append(one.text or "")
        for child in one:
            walk(child)
            parts.append(child.tail or "")
        if one.tag in {"br", "p", "div", "li", "td", "th", "h3", "h4", "blockquote"}:
            parts.append(" ")

    walk(element)
    return " ".join("".join(parts).split())
