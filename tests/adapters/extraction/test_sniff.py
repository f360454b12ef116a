"""What bytes are, whatever their header and address say."""

import gzip
import io
import sqlite3
import zipfile

import pytest

from lazyboy_jupyter.adapters.sources.documents import Failure
from lazyboy_jupyter.adapters.sources.extraction.job import extract
from lazyboy_jupyter.adapters.sources.extraction.page import PageText
from lazyboy_jupyter.adapters.sources.extraction.sniff import kind_by_signature, kind_of_text
from tests.adapters.extraction.pages import PARAGRAPH, page


def archive(*names: str, first: bytes = b"") -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        if first:
            file.writestr("mimetype", first)
        for name in names:
            file.writestr(name, "<x/>")
    return out.getvalue()


def database() -> bytes:
    with sqlite3.connect(":memory:") as connection:
        connection.execute("CREATE TABLE t (a)")
        return connection.serialize()


UNREADABLE = {
    "Word document": archive("[Content_Types].xml", "word/document.xml"),
    "Excel workbook": archive("[Content_Types].xml", "xl/workbook.xml"),
    "PowerPoint": archive("ppt/presentation.xml"),
    "EPUB": archive("a", first=b"application/epub+zip"),
    "OpenDocument text": archive("a", first=b"application/vnd.oasis.opendocument.text"),
    "ZIP archive": archive("readme.txt"),
    "Word document (docx)": archive("[Content_Types].xml", "word/document.xml")[:-30],
    "PNG image": b"\x89PNG\r\n\x1a\n" + bytes(100),
    "JPEG image": b"\xff\xd8\xff\xe0" + bytes(100),
    "GIF image": b"GIF89a" + bytes(100),
    "WebP image": b"RIFF\x10\x00\x00\x00WEBPVP8 " + bytes(100),
    "audio file (MP3)": b"ID3\x03\x00" + bytes(100),
    "audio file (WAV)": b"RIFF\x10\x00\x00\x00WAVEfmt " + bytes(100),
    "video (MP4)": b"\x00\x00\x00\x18ftypmp42" + bytes(100),
    "video (Matroska or WebM)": b"\x1aE\xdf\xa3" + bytes(100),
    "gzip archive": gzip.compress(b"text " * 100),
    "program (ELF)": b"\x7fELF\x02\x01\x01" + bytes(100),
    "SQLite database": database(),
    "old Office document": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(100),
    "binary data": bytes(range(256)) * 40,
}


@pytest.mark.parametrize("name", UNREADABLE)
@pytest.mark.parametrize("header", ["text/html; charset=utf-8", "application/octet-stream", ""])
def test_what_is_no_text_is_named_and_its_bytes_stay_out(name: str, header: str) -> None:
    found = extract(UNREADABLE[name], header, "https://site.example/article.html", False)
    assert isinstance(found, Failure)
    assert found.kind == "unsupported_type"
    assert name in found.sentence
    assert found.sentence.isprintable()


@pytest.mark.parametrize(
    ("text", "header", "kind"),
    [
        ("<!DOCTYPE html><p>x", "", "html"),
        ("\ufeff  \n<!-- a <b> --><HTML><body>x", "application/pdf", "html"),
        ("<p>x</p>", "text/plain", "html"),
        ("<?xml version='1.0'?><!DOCTYPE html><html><body>x</body></html>", "text/xml", "html"),
        ("just words", "text/html", "html"),
        ("<?xml version='1.0'?><rss version='2.0'><channel/></rss>", "text/html", "feed"),
        ("<feed xmlns='http://www.w3.org/2005/Atom'></feed>", "", "feed"),
        ("<?xml version='1.0'?><catalog><book/></catalog>", "", "xml"),
        ('{"a": [1, 2]}', "text/html", "json"),
        ("[1, 2, 3]", "", "json"),
        ('{"a": 1}\n{"a": 2}\n', "", "json"),
        ("[Note] this is a text", "", "text"),
        ("{not json}", "", "text"),
        ("a,b\n1,2\n", "text/csv", "csv"),
        ("# Title\n\nWords.\n\n## Part\n\nWords.\n", "text/plain", "markdown"),
        ("plain words\nand more", "text/plain", "text"),
        ("a < b and <not a tag", "text/plain", "text"),
    ],
)
def test_the_kind_of_a_text(text: str, header: str, kind: str) -> None:
    assert kind_by_signature(text.encode()) is None
    assert kind_of_text(text.lstrip("\ufeff"), header).readable == kind


def test_html_at_a_pdf_address_is_read_as_html() -> None:
    data = page("Tides", f"<p>{PARAGRAPH * 3}</p>").encode()
    found = extract(data, "application/pdf", "https://site.example/paper.pdf", False)
    assert isinstance(found, PageText)
    assert found.kind == "html"
    assert "five hundred years" in found.text


def test_a_text_about_pdf_files_is_a_text() -> None:
    found = extract(b"A PDF begins with %PDF-1.7 and ends with %%EOF.", "text/plain", "", False)
    assert isinstance(found, PageText)
    assert found.kind == "text"


def test_an_unknown_binary_is_named_by_its_header() -> None:
    found = extract(bytes(range(256)) * 9, "application/x-thing; v=1", "", False)
    assert isinstance(found, Failure)
    assert "application/x-thing" in found.sentence
