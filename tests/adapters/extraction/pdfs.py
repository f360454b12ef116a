"""A writer of small PDFs: pages of lines, each at its place, in one of three fonts."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Words:
    """Words at a place, in points from the lower left corner."""

    text: str
    x: float = 72.0
    y: float = 700.0
    size: float = 11.0
    font: str = "F1"


def paragraph(
    lines: Iterable[str], y: float = 700.0, x: float = 72.0, size: float = 11.0
) -> list[Words]:
    return [Words(line, x, y - 1.2 * size * n, size) for n, line in enumerate(lines)]


def pdf(pages: Sequence[Sequence[Words]], *, title: str = "", extra: bytes = b"") -> bytes:
    """Return a PDF. `extra` goes into the trailer, such as `/Encrypt 99 0 R`."""
    fonts = b"<< /F1 4 0 R /F2 5 0 R >>"
    count = len(pages)
    first_page = 6
    kids = b" ".join(b"%d 0 R" % (first_page + 2 * n) for n in range(count))
    objects = {
        1: b"<< /Type /Catalog /Pages 2 0 R >>",
        2: b"<< /Type /Pages /Kids [%s] /Count %d >>" % (kids, count),
        3: b"<< /Title (%s) >>" % title.encode("latin-1"),
        4: b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        5: b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold >>",
    }
    for number, words in enumerate(pages):
        stream = zlib.compress(b"\n".join(map(_drawn, words)))
        objects[first_page + 2 * number] = (
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /Font %s >> "
            b"/Contents %d 0 R >>" % (fonts, first_page + 2 * number + 1)
        )
        objects[first_page + 2 * number + 1] = (
            b"<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream" % (len(stream), stream)
        )
    return _file(objects, extra)


def _drawn(words: Words) -> bytes:
    text = words.text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
    place = f"BT /{words.font} {words.size} Tf {words.x} {words.y} Td ({text}) Tj ET"
    return place.encode("cp1252")


def _file(objects: dict[int, bytes], extra: bytes) -> bytes:
    out = bytearray(b"%PDF-1.7\n")
    places: dict[int, int] = {}
    for number, body in sorted(objects.items()):
        places[number] = len(out)
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % places[number] for number in sorted(places))
    out += b"trailer\n<< /Size %d /Root 1 0 R /Info 3 0 R %s >>\n" % (len(objects) + 1, extra)
    out += b"startxref\n%d\n%%%%EOF\n" % start
    return bytes(out)
