"""Owns the jobs of extraction: bytes in, readable text or a named failure out; never raises.

Runs in a worker process. It trusts no header, no address and no byte: whatever a server sent,
what comes back is text that a person could have read there, or a sentence that says why not.
"""

from __future__ import annotations

from ..documents import Failure
from .characters import visible
from .charset import decode
from .classify import LONG, MOST_TEXT, Shown, Verdict, classify_text
from .html import HtmlPage, read_html
from .page import MAX_TITLE, PageText, clipped, noted
from .refresh import refresh_target
from .sniff import Kind, is_binary, kind_by_signature, kind_of_text
from .title import title_from_address

_HARDLY_ANY = 500
_CUT = "The page was cut off at the size limit."
_FAILURES: dict[Verdict, Failure] = {
    "challenge": Failure(
        "blocked",
        "The site asks visitors to prove that they are human, and shows no text before that.",
        "Read about it elsewhere.",
    ),
    "needs_browser": Failure(
        "needs_browser",
        "The page is empty until a browser runs its scripts.",
        "Read about it elsewhere.",
    ),
    "login": Failure(
        "blocked",
        "The page asks for a login and shows no text before that.",
        "Read about it elsewhere.",
    ),
    "not_found": Failure(
        "not_found", "The site says that this page does not exist.", "Search for its subject."
    ),
    "empty": Failure("unreadable", "The page holds no text.", "Read about it elsewhere."),
}


def extract(data: bytes, content_type: str, url: str, truncated: bool) -> PageText | Failure:  # noqa: FBT001
    """Return the readable text of a page or a file, or why there is none. Never raises.

    `content_type`: the header as it came, or empty. `url` resolves relative links and is the last
    title to try; it says nothing of the type. `truncated`: the bytes were cut off at a limit.
    """
    try:
        return _extract(data, content_type, url, truncated=truncated)
    except Exception as error:  # noqa: BLE001 - no page may take the worker's answer away
        sentence = f"The page could not be read ({type(error).__name__})."
        return Failure("unreadable", sentence, "Read about it elsewhere.")


def is_challenge(data: bytes, content_type: str) -> bool:
    """Return whether the body of an error is a challenge to prove to be human. Never raises."""
    try:
        if kind_by_signature(data) is not None or is_binary(data):
            return False
        text, _ = decode(data, content_type)
        page = read_html(text, "") if kind_of_text(text, content_type).readable == "html" else None
        shown = _shown(page, text) if page else Shown("", text[:MOST_TEXT], len(text))
        return classify_text(shown) == "challenge"
    except Exception:  # noqa: BLE001 - it only chooses between two names of one failure
        return False


def _extract(data: bytes, content_type: str, url: str, *, truncated: bool) -> PageText | Failure:
    kind = kind_by_signature(data)
    if kind is not None and kind.readable == "pdf":
        return _pdf(data, url, truncated=truncated)
    if kind is None and is_binary(data):
        kind = kind_of_text("\x00" * 100, content_type)
    if kind is None:
        text, charset = decode(data, content_type)
        kind = kind_of_text(text, content_type)
    if not kind.readable:
        return _unsupported(kind)
    if kind.readable == "html":
        return _html(text, charset, url, truncated=truncated)
    return _text(kind.readable, text, charset, url, truncated=truncated)


def _unsupported(kind: Kind) -> Failure:
    sentence = f"This is {kind.name}, which cannot be read as text."
    return Failure("unsupported_type", sentence, "Look for an HTML page, a PDF or a text file.")


def _pdf(data: bytes, url: str, *, truncated: bool) -> PageText | Failure:
    from .pdf import pdf_to_text  # web pages, nearly all there is to read, do without it

    found = pdf_to_text(data, truncated=truncated)
    if isinstance(found, Failure):
        return found
    text, cut = clipped(found.text)
    return PageText(
        found.title or title_from_address(url), text, "pdf", None, noted(found.note, cut)
    )


def _html(text: str, charset: str, url: str, *, truncated: bool) -> PageText | Failure:
    page = read_html(text, url)
    if (page is None or page.letters < _HARDLY_ANY) and (target := refresh_target(text, url)):
        return PageText(page.title if page else "", "", "html", charset, moved_to=target)
    verdict: Verdict = classify_text(_shown(page, text)) if page else "empty"
    if verdict in ("needs_browser", "empty"):
        without = read_html(text, url, scripted=False)
        if without is not None and classify_text(_shown(without, text)) == "article":
            page, verdict = without, "article"
    if page is None or verdict != "article":
        return _FAILURES[verdict]
    body, cut = clipped(page.text)
    title = page.title or title_from_address(url)
    return PageText(title, body, "html", charset, noted(_CUT if truncated else "", cut))


def _shown(page: HtmlPage, markup: str) -> Shown:
    """What the classifier looks at; more than that is an article anyway, or hostile."""
    if page.letters >= LONG:
        return Shown(page.title, "", page.letters)
    return Shown(page.title, page.everything[:MOST_TEXT], page.letters, markup[:2_000_000])


def _text(kind: str, text: str, charset: str, url: str, *, truncated: bool) -> PageText | Failure:
    title, body = _title_and_text(kind, text, url)
    body, cut = clipped(body)
    if not body.strip():
        return Failure("unreadable", "The file holds no text.", "Read about it elsewhere.")
    title = " ".join(visible(title).split())[:MAX_TITLE] or title_from_address(url)
    return PageText(title, body, kind, charset, noted(_CUT if truncated else "", cut))


def _title_and_text(kind: str, text: str, url: str) -> tuple[str, str]:
    from . import feeds, plain

    match kind:
        case "feed":
            title, body = feeds.feed_to_text(text, url)
            return title, visible(body)
        case "xml":
            title, body = feeds.xml_to_text(text)
            return title, visible(body)
        case "json":
            return plain.json_to_text(text)
        case "csv":
            return plain.csv_to_text(text)
        case "markdown":
            return plain.markdown_to_text(text)
    return plain.plain_to_text(text)
