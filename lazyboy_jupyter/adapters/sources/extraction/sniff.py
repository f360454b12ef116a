"""Owns telling what bytes are, by the bytes alone where they say so; opens and runs nothing.

A server's word is asked last: PDFs come as octet streams, web pages at addresses that end in
`.pdf`, and anything at all as `text/html` (FIELD_CASES P3, P4, P6).
"""

from __future__ import annotations

import io
import json
import re
import zipfile
from dataclasses import dataclass

_READ = 4_096
_PDF_WITHIN = 1_024
_FEWEST = 16


@dataclass(frozen=True, slots=True)
class Kind:
    """What bytes are. `readable` kinds are "html", "pdf", "feed", "xml", "json", "csv",
    "markdown" and "text"; for all others `name` says what they are, with its article."""

    readable: str
    name: str = ""


def _other(name: str) -> Kind:
    return Kind("", name)


_SIGNATURES: tuple[tuple[int, bytes, str], ...] = (
    (0, b"\x89PNG\r\n\x1a\n", "a PNG image"),
    (0, b"\xff\xd8\xff", "a JPEG image"),
    (0, b"GIF87a", "a GIF image"),
    (0, b"GIF89a", "a GIF image"),
    (8, b"WEBP", "a WebP image"),
    (0, b"II*\x00", "a TIFF image"),
    (0, b"MM\x00*", "a TIFF image"),
    (0, b"\x00\x00\x01\x00", "an icon"),
    (4, b"ftypavif", "an AVIF image"),
    (4, b"ftypheic", "a HEIC image"),
    (4, b"ftypM4A", "an audio file (M4A)"),
    (4, b"ftyp", "a video (MP4)"),
    (0, b"ID3\x02", "an audio file (MP3)"),
    (0, b"ID3\x03", "an audio file (MP3)"),
    (0, b"ID3\x04", "an audio file (MP3)"),
    (0, b"\xff\xfb", "an audio file (MP3)"),
    (0, b"\xff\xf3", "an audio file (MP3)"),
    (0, b"\xff\xf1", "an audio file (AAC)"),
    (0, b"OggS\x00", "an audio or video file (Ogg)"),
    (0, b"fLaC\x00", "an audio file (FLAC)"),
    (8, b"WAVE", "an audio file (WAV)"),
    (8, b"AVI ", "a video (AVI)"),
    (0, b"\x1aE\xdf\xa3", "a video (Matroska or WebM)"),
    (0, b"FLV\x01", "a video (Flash)"),
    (0, b"\x00\x00\x01\xba", "a video (MPEG)"),
    (0, b"\x1f\x8b", "a gzip archive"),
    (4, b"1AY&SY", "a bzip2 archive"),
    (0, b"\xfd7zXZ\x00", "an xz archive"),
    (0, b"7z\xbc\xaf'\x1c", "a 7z archive"),
    (0, b"\x28\xb5\x2f\xfd", "a zstd archive"),
    (0, b"Rar!\x1a\x07", "a RAR archive"),
    (257, b"ustar\x00", "a tar archive"),
    (0, b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office document (doc, xls or ppt)"),
    (0, b"{\\rtf", "an RTF document"),
    (0, b"%!PS", "a PostScript document"),
    (0, b"AT&TFORM", "a DjVu document"),
    (60, b"BOOKMOBI", "a Mobipocket book"),
    (0, b"\x7fELF", "a program (ELF)"),
    (0, b"MZ\x90", "a Windows program"),
    (0, b"\xcf\xfa\xed\xfe", "a macOS program"),
    (0, b"\xca\xfe\xba\xbe", "a Java class or macOS program"),
    (0, b"\x00asm", "a WebAssembly module"),
    (0, b"SQLite format 3\x00", "a SQLite database"),
    (0, b"PAR1\x15", "a Parquet file"),
    (0, b"\x89HDF\r\n\x1a\n", "an HDF5 file"),
    (0, b"\x93NUMPY", "a NumPy array"),
    (0, b"wOFF\x00", "a font"),
    (0, b"wOF2\x00", "a font"),
    (0, b"OTTO\x00", "a font"),
    (0, b"\x00\x01\x00\x00\x00", "a font"),
    (0, b"!<arch>\n", "a Unix archive or Debian package"),
    (0, b"\xed\xab\xee\xdb", "an RPM package"),
)
_CONTROL_BYTES = bytes([*range(9), *range(14, 27), *range(28, 32), 127])
_ZIP_MEMBER = re.compile(rb"PK\x03\x04.{26}(?=([ -~]{1,80}))", re.DOTALL)
_RIFF_ONLY = frozenset((b"WEBP", b"WAVE", b"AVI "))
_OFFICE = (
    ("word/", "a Word document (docx)"),
    ("xl/", "an Excel workbook (xlsx)"),
    ("ppt/", "a PowerPoint presentation (pptx)"),
    ("META-INF/MANIFEST.MF", "a Java archive (jar)"),
    ("AndroidManifest.xml", "an Android package (apk)"),
)
_ZIP_MIMES = (
    (b"application/epub+zip", "an EPUB book"),
    (b"application/vnd.oasis.opendocument.text", "an OpenDocument text (odt)"),
    (b"application/vnd.oasis.opendocument.spreadsheet", "an OpenDocument spreadsheet (ods)"),
    (b"application/vnd.oasis.opendocument.presentation", "an OpenDocument presentation (odp)"),
)
_LEADING = re.compile(r"(?:\s+|<!--.*?(?:-->|\Z)|<\?xml[^>]{0,300}\?>)+", re.DOTALL)
_HTML = re.compile(
    r"<(?:!doctype\s+html|html|head|body|title|meta|link|script|style|div|span|p|a|h[1-6]|table"
    r"|ul|ol|form|iframe|br|b|i|center|font|main|article|section|nav|header|pre|img|noscript"
    r"|frameset|base|input|button|blockquote)(?=[\s>/])",
    re.IGNORECASE,
)
_FEED = re.compile(r"<(?:rss|feed|rdf:RDF|channel)\b[^>]*>", re.IGNORECASE)
_MARKUP = re.compile(r"<(?:[A-Za-z_][\w:.-]*(?=[\s>/])|!DOCTYPE|\?)")
_MARKDOWN_SIGNS = re.compile(r"^(?:#{1,6} \S|```|\s{0,3}[-*] \S.*\n\s{0,3}[-*] \S)", re.MULTILINE)


def kind_by_signature(data: bytes) -> Kind | None:
    """Return what the first bytes prove, or None when they may be text."""
    head = data[:_READ]
    if _is_pdf(data, head):
        return Kind("pdf")
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        return _other(_zip_name(data))
    for offset, mark, name in _SIGNATURES:
        if mark.startswith(b"ftyp") and head[:1] != b"\x00":
            continue
        if head.startswith(mark, offset) and (mark not in _RIFF_ONLY or head.startswith(b"RIFF")):
            return _other(name)
    return None


def _is_pdf(data: bytes, head: bytes) -> bool:
    """A PDF may begin with some other bytes; a text about PDFs is none."""
    found = re.search(rb"%PDF-\d\.\d", head[:_PDF_WITHIN])
    if found is None:
        return False
    return found.start() == 0 or re.search(rb"\d obj\b", data[:50_000]) is not None


def is_binary(data: bytes) -> bool:
    """Whether the bytes hold more control characters than any text does, UTF-16 and 32 apart."""
    sample = data[: _READ * 4]
    if len(sample) < _FEWEST:
        return False
    if sample.startswith((b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")) or _looks_wide(sample):
        return False
    return len(sample.translate(None, _CONTROL_BYTES)) < 0.95 * len(sample)


def _looks_wide(sample: bytes) -> bool:
    """Whether every other byte is NUL, as in UTF-16 of Latin script."""
    counts = sample[::2].count(0), sample[1::2].count(0)
    return 3 * max(counts) > len(sample) and 10 * min(counts) < max(counts)


def _zip_name(data: bytes) -> str:
    head = data[:400]
    for mime, name in _ZIP_MIMES:
        if mime in head:
            return name
    names = _zip_members(data)
    for prefix, name in _OFFICE:
        if any(member.startswith(prefix) for member in names):
            return name
    return "a ZIP archive"


def _zip_members(data: bytes) -> list[str]:
    """The names in an archive; those of its first files, when its end was cut off."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return archive.namelist()[:2_000]
    except (zipfile.BadZipFile, ValueError, OSError, EOFError, NotImplementedError):
        found = _ZIP_MEMBER.findall(data[:2_000_000])
        return [name.decode("ascii") for name in found]


def kind_of_text(text: str, content_type: str) -> Kind:
    """Return which kind of text this is, by its beginning; the header decides what that leaves
    open. Bytes that were no text are told by the characters they became."""
    if is_garbage(text):
        return _other(_named_type(content_type))
    leading = _LEADING.match(text[:200_000])
    head = text[leading.end() if leading else 0 :][:_READ]
    media = content_type.partition(";")[0].strip().lower()
    if _FEED.match(head) and "<html" not in head[:_READ].lower():
        return Kind("feed")
    if _HTML.match(head):
        return Kind("html")
    if head.startswith(("{", "[")) and _looks_like_json(head, text):
        return Kind("json")
    if _MARKUP.match(head):
        if "html" in media or "<html" in head[:_READ].lower():
            return Kind("html")
        return Kind("xml" if text.lstrip().startswith("<?xml") or "xml" in media else "html")
    return _kind_by_header(media, head)


def _kind_by_header(media: str, head: str) -> Kind:
    if media in ("text/html", "application/xhtml+xml"):
        return Kind("html")
    if media in ("text/markdown", "text/x-markdown"):
        return Kind("markdown")
    if media in ("text/csv", "text/tab-separated-values"):
        return Kind("csv")
    if len(_MARKDOWN_SIGNS.findall(head)) >= 2:
        return Kind("markdown")
    return Kind("text")


def _looks_like_json(head: str, text: str) -> bool:
    if len(text) < 1_000_000:
        try:
            json.loads(text)
        except (ValueError, RecursionError):
            pass
        else:
            return True
    return (
        re.match(r"[\[{]\s*(?:[\[{]\s*)*(?:\"(?:[^\"\\]|\\.)*\"\s*[:,\]]|-?\d|\]|\})", head)
        is not None
    )


def is_garbage(text: str) -> bool:
    """Whether the text is what becomes of bytes that are none: controls, or no characters."""
    sample = text[: _READ * 4]
    if len(sample) < _FEWEST:
        return False
    return len(_WRONG.findall(sample)) * 20 > len(sample)


_WRONG = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f\ufffd]")


def _named_type(content_type: str) -> str:
    media = content_type.partition(";")[0].strip().lower()
    if not media or media.startswith("text/") or media == "application/octet-stream":
        return "binary data"
    return f"binary data ({media[:80]})"
