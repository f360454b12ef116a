"""Owns the value that an extraction returns and the ceilings of its text; never reads a page."""

from dataclasses import dataclass

MAX_CHARACTERS = 2_000_000
"""The longest text of one page, in Unicode characters; more is cut, with a note."""
MAX_TITLE = 300


@dataclass(frozen=True, slots=True)
class PageText:
    """The readable text of a page or a file.

    `text` is Markdown, `kind` one of "html", "pdf", "text", "markdown", "json", "xml", "feed" and
    "csv". `charset` is the one that was used, for kinds that have one. `note` says in plain words
    what is missing from the text, or is empty. `moved_to`: where a page with hardly any text of its
    own sends its reader on to.
    """

    title: str
    text: str
    kind: str
    charset: str | None
    note: str = ""
    moved_to: str = ""


def clipped(text: str) -> tuple[str, str]:
    """Return `text` within the ceiling, and the note that says so when it was cut."""
    if len(text) <= MAX_CHARACTERS:
        return text, ""
    return text[:MAX_CHARACTERS], f"Only the first {MAX_CHARACTERS:,} characters are given."


def noted(*notes: str) -> str:
    """Return the notes that say something as one text."""
    return " ".join(note for note in notes if note)
