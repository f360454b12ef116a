"""The job as a whole: any bytes, any header, a result or a named failure."""

import asyncio
import io
import pickle
import string
import zipfile

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from lazyboy_jupyter.adapters.sources.documents import Failure
from lazyboy_jupyter.adapters.sources.extraction.job import extract, is_challenge
from lazyboy_jupyter.adapters.sources.extraction.page import MAX_CHARACTERS, PageText
from lazyboy_jupyter.adapters.workers import WorkerPool
from tests.adapters.extraction.pages import PARAGRAPH, page, stored
from tests.adapters.extraction.pdfs import paragraph, pdf

SECRET = "SECRETWORD"


def test_a_page_is_read_whole() -> None:
    found = extract(stored("product").encode(), "text/html", "https://shop.example/kettle", False)
    assert isinstance(found, PageText)
    assert (found.title, found.kind, found.charset, found.note) == (
        "Kettle 1.7 l, steel", "html", "utf-8", "",
    )  # fmt: skip


def test_a_page_that_was_cut_off_says_so() -> None:
    data = page("Tides", f"<p>{PARAGRAPH * 9}</p>").encode()[:-40]
    found = extract(data, "text/html", "", True)
    assert isinstance(found, PageText)
    assert "cut off" in found.note


def test_a_long_text_is_cut_with_a_note() -> None:
    data = b"word " * (MAX_CHARACTERS // 4)
    for body in (data, b"<html><body><p>" + data):
        found = extract(body, "", "", False)
        assert isinstance(found, PageText)
        assert len(found.text) == MAX_CHARACTERS
        assert "2,000,000" in found.note


def test_a_table_of_many_rows_is_read() -> None:
    rows = "".join(f"<tr><td>{n}</td><td>name {n}</td></tr>" for n in range(20_000))
    found = extract(f"<html><body><table>{rows}</table>".encode(), "text/html", "", False)
    assert isinstance(found, PageText)
    assert "| 19999 | name 19999 |" in found.text


def test_it_runs_in_a_worker() -> None:
    data = page("Tides", f"<p>{PARAGRAPH * 3}</p>").encode()

    async def scenario() -> tuple[object, object]:
        pool = WorkerPool(1)
        where = "adapters.sources.extraction.job"
        try:
            found = await pool.run(f"{where}:extract", data, "text/html", "", False, timeout=60)
            return found, await pool.run(f"{where}:is_challenge", data, "text/html", timeout=60)
        finally:
            await pool.close()

    assert asyncio.run(scenario()) == (extract(data, "text/html", "", False), False)


HEADERS = st.one_of(
    st.sampled_from(
        ["", "text/html", "text/html; charset=gb2312", "text/plain; charset=utf-16", "text/csv",
         "application/pdf", "application/json", "text/html; charset=\x00", "application/rss+xml"]
    ),
    st.text(max_size=30),
)  # fmt: skip
MARKUP = rb"""
        <html>|<body>|<div |<p>|>|<table>|<tr><td>|</table>|<li>|<pre>|<a href='|'|<h1>|<style>
        |</style>|.a{display:none}|<!--|<script>|</script>|style='font-size:0'|<math>|<form>|<title>
        |<base href=|1 0 obj|<?xml version='1.0'?>|<rss>|<item>|{"a":|&#0;|&#2;|&#xD800;|&amp;|# x
        |http://[|<a href='http://[x'>y</a>|<svg>|<noscript>|<blockquote>|<ol start=99999999999>
        |<td colspan=999999999>|<dl><dt>|<dd>|words and more words
        """.split(b"|")
PIECES = st.one_of(
    st.binary(max_size=30),
    st.sampled_from(
        [
            *MARKUP,
            b"%PDF-1.4\n",
            b"PK\x03\x04",
            b"\xff\xfe",
            b"\xef\xbb\xbf",
            b"\xed\xa0\x80",
            b"\x00",
        ]
    ),
)


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(PIECES, max_size=30).map(b"".join), HEADERS, st.text(max_size=40), st.booleans())
@example(b"<a href='http://[x'>y</a> words", "", "http://[", False)
@example(b"<a href='x'>" + b"words " * 60, "text/html", "https://\ud800/", False)
def test_no_input_raises(data: bytes, header: str, url: str, truncated: bool) -> None:
    found = extract(data, header, url, truncated)
    assert isinstance(is_challenge(data, header), bool)
    assert pickle.loads(pickle.dumps(found)) == found
    if isinstance(found, PageText):
        found.text.encode("utf-8")
        found.title.encode("utf-8")
        assert "\x00" not in found.text
        assert found.text.strip()
        assert "![" not in found.text or b"![" in data or found.kind != "html"
    else:
        assert not found.sentence.startswith("The page could not be read (")
        assert "browser_open" not in found.hint


WORDS = st.text(string.ascii_letters + " .,", max_size=40)
TAGS = st.sampled_from(["div", "p", "span", "li", "td", "b", "section", "h2", "blockquote", "a"])
HIDING = st.sampled_from(
    ["hidden", "style='display:none'", "style='visibility:hidden'", "style='font-size:0'",
     "aria-hidden=true", "style='position:absolute;left:-9999px'", "style='opacity:0'", "class=hid"]
)  # fmt: skip


@st.composite
def trees(draw: st.DrawFn, depth: int = 0) -> str:
    tag = draw(TAGS)
    inside = draw(WORDS)
    if depth < 3:
        inside += "".join(draw(trees(depth + 1)) for _ in range(draw(st.integers(0, 2))))
    if draw(st.booleans()):
        nested = draw(st.sampled_from(["{}", "<b>{}</b>", "<i>x {} y</i>", "<div>{}</div>"]))
        hidden = nested.format(SECRET)
        inside += f"<{draw(st.sampled_from(['div', 'span']))} {draw(HIDING)}>{hidden}"
        inside += "</span></div>" if draw(st.booleans()) else "</div></span>"
    return f"<{tag}>{inside}</{tag}>"


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(trees())
def test_hidden_text_never_comes_back(tree: str) -> None:
    head = "<style>.hid{display:none}</style>"
    # What the parser moves out of a hidden element is not hidden, neither here nor in a browser.
    html = page("Tides", f"<p>{PARAGRAPH * 2}</p>{tree}<p>{PARAGRAPH}</p>", head)
    found = extract(html.encode(), "text/html; charset=utf-8", "https://site.example/", False)
    assert isinstance(found, PageText)
    assert SECRET not in found.text


@pytest.mark.parametrize("step", [1, 7])
def test_no_cut_of_a_real_file_raises(step: int) -> None:
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        file.writestr("word/document.xml", "<x/>")
    for data in (
        pdf([paragraph(["Some words."])]),
        archive.getvalue(),
        stored("api_reference").encode(),
    ):
        for end in range(0, len(data), max(1, len(data) // (20 * step))):
            assert isinstance(extract(data[:end], "", "", True), PageText | Failure)
