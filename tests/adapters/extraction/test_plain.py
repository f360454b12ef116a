"""Text files, data and feeds."""

import json

import pytest

from lazyboy_jupyter.adapters.sources.documents import Failure
from lazyboy_jupyter.adapters.sources.extraction.feeds import feed_to_text, xml_to_text
from lazyboy_jupyter.adapters.sources.extraction.job import extract
from lazyboy_jupyter.adapters.sources.extraction.page import PageText
from lazyboy_jupyter.adapters.sources.extraction.plain import (
    csv_to_text,
    json_to_text,
    markdown_to_text,
    plain_to_text,
)


def read(
    text: str, header: str = "text/plain", url: str = "https://site.example/a/b.txt"
) -> PageText:
    found = extract(text.encode(), header, url, False)
    assert isinstance(found, PageText)
    return found


def test_a_text_keeps_its_lines() -> None:
    found = read("Tides\n=====\n\n  one\r\n    two\x00\u200b\n")
    assert (found.title, found.kind, found.charset) == ("Tides", "text", "utf-8")
    assert found.text == "Tides\n=====\n\n  one\n    two"


def test_the_last_title_to_try_is_the_address() -> None:
    assert read("x" * 300).title == "b.txt"
    assert read("x" * 300, url="https://site.example/").title == "site.example"
    assert read("x" * 300, url="").title == ""


def test_markdown_is_given_as_it_is_but_for_pictures_and_comments() -> None:
    front = "---\ntitle: Tides\n---\n"
    text = f"{front}# Other\n\na ![pic](https://spy.example/x.png) b <!-- c -->\n[d](e)\n"
    title, body = markdown_to_text(text)
    assert title == "Tides"
    assert body == "# Other\n\na pic b \n[d](e)"
    assert markdown_to_text("## A part ##\n\nx")[0] == "A part"


def test_json_on_one_line_is_indented() -> None:
    value = {"title": "Tides", "rows": list(range(100)), "ü": "ß"}
    title, body = json_to_text(json.dumps(value))
    assert title == "Tides"
    assert json.loads(body) == value
    assert '\n "ü": "ß"' in body
    assert json_to_text('{\n  "a": 1\n}')[1] == '{\n  "a": 1\n}'
    assert json_to_text("[" * 100_000)[1] == "[" * 100_000
    assert read(json.dumps(value), "text/html").kind == "json"


def test_csv_is_a_table() -> None:
    assert csv_to_text('a;b\n1;"x;|y"\n')[1] == "| a | b |\n| --- | --- |\n| 1 | x;\\|y |"
    assert csv_to_text("words only\nmore")[1] == "words only\nmore"
    assert csv_to_text('a,b\n"unclosed')[1].startswith("| a | b |")
    assert plain_to_text("")[1] == ""


RSS = """<?xml version="1.0" encoding="UTF-8"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/">
<channel><title>Shore news</title><link>https://shore.example/</link>
<item><title>High &amp; low</title><link>https://shore.example/1?a=1&amp;b=2</link><pubDate>Mon, 06 Jan 2025</pubDate>
<description>&lt;p&gt;Water at &lt;b&gt;3 m&lt;/b&gt;. &lt;img src="https://spy.example/x"&gt;&lt;span style="display:none"&gt;SECRET&lt;/span&gt;&lt;/p&gt;</description></item>
<item><title/><guid>2</guid><content:encoded><![CDATA[<ul><li>a</li><li>b</li></ul>]]></content:encoded></item>
</channel></rss>"""  # noqa: E501
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><title>Notes</title><link rel="self" href="/feed"/>
<entry><title type="html">One &lt;i&gt;day&lt;/i&gt;</title><link rel="alternate" href="/one"/><updated>2025-01-06</updated>
<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>Low water.</p></div></content></entry></feed>"""  # noqa: E501


def test_a_feed_is_its_entries() -> None:
    title, text = feed_to_text(RSS, "https://shore.example/feed")
    assert title == "Shore news"
    assert text == (
        "## [High & low](https://shore.example/1?a=1&b=2)\n\nMon, 06 Jan 2025\n\nWater at 3 m.\n\n"
        "## (no title)\n\n- a\n- b"
    )
    title, text = feed_to_text(ATOM, "https://notes.example/feed")
    assert title == "Notes"
    assert text == "## [One day](https://notes.example/one)\n\n2025-01-06\n\nLow water."


@pytest.mark.parametrize("text", [RSS[:-40], RSS.replace("</item>", ""), "<rss><channel>", "<rss"])
def test_a_broken_feed_is_no_exception(text: str) -> None:
    assert isinstance(feed_to_text(text, "")[1], str)


def test_other_xml_is_its_names_and_texts() -> None:
    title, text = xml_to_text(
        "<?xml version='1.0'?><c:shelf xmlns:c='u'><title>T</title>"
        "<book id='1'>A <b>x</b> tail</book></c:shelf>"
    )  # fmt: skip
    assert title == "T"
    assert text == 'shelf\n  title: T\n  book (id="1"): A\n    b: x\n    tail'


def test_entities_of_xml_are_not_resolved() -> None:
    entities = "<!ENTITY a 'aaaaaaaaaa'><!ENTITY b SYSTEM 'file:///etc/passwd'>"
    bomb = f"<?xml version='1.0'?><!DOCTYPE l [{entities}]>"
    text = xml_to_text(f"{bomb}<l>x &b; &a;</l>")[1]
    assert "root:" not in text
    assert text.startswith("l: x")


def test_a_file_without_text_is_unreadable() -> None:
    for data in (b"", b"\n \n", b"\xef\xbb\xbf", b"\x00"):
        found = extract(data, "text/plain", "", False)
        assert isinstance(found, Failure)
        assert found.kind == "unreadable"
