"""What a site answers, faults included."""

import gzip
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from tests.loopback.gate import Gate

Fault = Literal[
    "no_headers", "drip", "endless", "reset", "reset_midway", "silent", "cut", "garbage"
]


@dataclass(frozen=True)
class Reply:
    """One answer. `length`: a Content-Length that need not be true; `fault`: how it misbehaves.

    no_headers: never answers. drip: headers, then a byte now and then without end. endless: chunks
    without end. reset: the connection is reset before, reset_midway: after half of the body.
    silent: nothing after half of the body, cut: the connection is closed there. garbage: no HTTP.

    `pieces`: the body as chunks, each sent on its own; a gate among them is waited for. Of pieces
    all are sent before the connection is reset, silent or cut. `before`: a gate before the headers.
    """

    body: bytes = b""
    status: int = 200
    content_type: str = "text/html; charset=utf-8"
    headers: Mapping[str, str] = field(default_factory=dict)
    length: int | None = None
    fault: Fault | None = None
    pieces: Sequence[bytes | Gate] | None = None
    before: Gate | None = None


def page(title: str, *paragraphs: str) -> Reply:
    """An article."""
    text = "".join(f"<p>{paragraph}</p>" for paragraph in paragraphs)
    head = f"<html><head><title>{title}</title></head>"
    body = f"<body><article><h1>{title}</h1>{text}</article></body></html>"
    return Reply((head + body).encode())


def redirect(location: str, status: int = 302, **headers: str) -> Reply:
    """A redirect; `headers` such as set_cookie="a=b"."""
    named = {name.replace("_", "-").title(): value for name, value in headers.items()}
    return Reply(status=status, headers={"Location": location, **named})


def zipped(body: bytes, encoding: str = "gzip", **kept: str) -> Reply:
    """A compressed page."""
    return Reply(gzip.compress(body), headers={"Content-Encoding": encoding, **kept})


ARTICLE = (
    "The gates of the river barrier were closed four times last winter, more often than in any "
    "year before, the operator said on Monday.",
    "Each closing costs about 1.2 million euros, because ships must wait and the pumps of the "
    "polder behind it have to run day and night until the water falls again.",
    "Engineers had planned the barrier for one closing in ten years. They now expect one closing "
    "a year by 2040, and say that the hinges will not last as long as was hoped.",
)
"""Paragraphs of an article, long enough to be one for any extractor."""
