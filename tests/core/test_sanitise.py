"""Field case D3: foreign text is shown as text, whatever it holds, in HTML and in Markdown."""

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lazyboy_jupyter.core.sanitise import (
    link_html,
    link_markdown,
    safe_link,
    storable,
    to_html,
    to_markdown,
    visible,
)

EVIL = st.lists(
    st.sampled_from(
        ["<script>", "</script>", "<img src=x onerror=alert(1)>", "javascript:alert(1)", "](", "[",
         "![x](http://e/x.png)", "<!--", "&lt;", "\"'><svg/onload=x>", "`", "```", "\n", "$$",
         "http://e.example/?a=1&b=2", "data:text/html,x", "\x00", "\u202e", "|", "\\", "a", " "]
    ),
    max_size=12,
).map("".join)  # fmt: skip


class Tags(HTMLParser):
    """Collects the tags and attributes that a browser would see."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


@given(EVIL | st.text())
def test_text_in_html_has_no_tag_and_reads_as_itself(text: str) -> None:
    parsed = Tags(f"<p>{to_html(text)}</p>")
    assert [tag for tag, _ in parsed.tags] == ["p"]
    assert parsed.text == visible(text)
    assert "\n" not in to_html(text)


@given(EVIL | st.text(), EVIL | st.text())
def test_a_link_leads_only_to_the_web(url: str, label: str) -> None:
    parsed = Tags(link_html(url, label))
    (tag, attributes) = parsed.tags[0]
    assert len(parsed.tags) == 1
    if tag == "a":
        href = attributes["href"] or ""
        assert href.lower().startswith(("http://", "https://"))
        assert set(attributes) == {"href", "target", "rel"}
    else:
        assert (tag, attributes) == ("span", {})


@given(EVIL | st.text(alphabet=st.characters(codec="utf-8")))
def test_text_in_markdown_is_escaped(text: str) -> None:
    escaped = to_markdown(text)
    assert "<" not in escaped
    assert "\n" not in escaped
    assert "\\\\" not in escaped
    escaped = escaped.replace("&#92;", "")
    for mark in "[]`*_!|$#":
        assert escaped.replace("\\\\", "").count(mark) == escaped.replace("\\\\", "").count(
            "\\" + mark
        )


@pytest.mark.parametrize(
    ("url", "link"),
    [
        ("https://a.example/x?y=1&z=2", "https://a.example/x?y=1&z=2"),
        ("HTTP://A.example/", "HTTP://A.example/"),
        ("javascript:alert(1)", None),
        (" java\tscript:alert(1)", None),
        ("JaVaScRiPt:alert(1)", None),
        ("data:text/html,<script>", None),
        ("vbscript:x", None),
        ("//a.example/", None),
        ("file:///etc/passwd", None),
        ("pydoc:topic/with", None),
        ("http://", None),
        ("http://user:password@a.example/", None),
        ("http://[broken", None),
        ("http://a.example/ x", None),
        ("", None),
    ],
)
def test_safe_link(url: str, link: str | None) -> None:
    assert safe_link(url) == link


def test_a_markdown_link_cannot_be_left() -> None:
    link = link_markdown("https://a.example/x)>](javascript:x)", "a](b")
    assert link == "[a\\]\\(b](<https://a.example/x%29%3E%5D%28javascript:x%29>)"


@pytest.mark.parametrize(
    ("text", "stored"), [("a\x00b", "a\ufffdb"), ("\ud800", "\ufffd"), ("ok\u202e", "ok\u202e")]
)
def test_storable(text: str, stored: str) -> None:
    assert storable(text) == stored
    stored.encode()


def test_visible_is_one_line_cut_with_an_ellipsis() -> None:
    assert visible("a\n  b\u202e\u200b c\t") == "a b c"
    assert visible("abcdef ghi", 6) == "abcde…"
    assert visible("abc", 3) == "abc"
