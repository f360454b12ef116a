"""Owns how long and how much a page may take in the browser."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Limits:
    """Seconds, unless a name says otherwise.

    `begin`: until the page's first bytes. `parse`: from then until its document is complete.
    `settle`: from then until its text has stopped growing. `challenge`: how long a page that
    refuses, or says that it is checking the browser, may take to let it through. `whole`: all of
    it but the reading, so that what there is comes back within the 30 s of a source call.
    `look`: one look at what the page is doing. `read`: reading it. `quiet_ms`: how long the text
    must not have changed, in milliseconds. `page_bytes`: all that one page may load. `pages`: how
    many stay open; the one that was not used for longest is closed. `idle`: how long a browser
    without a page is kept.
    """

    begin: float = 16.0
    parse: float = 10.0
    settle: float = 8.0
    challenge: float = 6.0
    whole: float = 22.0
    look: float = 3.0
    read: float = 6.0
    quiet_ms: int = 500
    page_bytes: int = 50_000_000
    pages: int = 12
    idle: float = 120.0
