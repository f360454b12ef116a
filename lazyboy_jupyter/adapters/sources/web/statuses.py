"""Owns the words for an answer that is no page: one sentence and the next step for each status."""

from http import HTTPStatus

from ....errors import SourceError

_TRY_LATER = "Try again later, or read another source."


def status_failure(status: int, host: str, retry_after: str = "") -> SourceError:
    """Return what a person reads for an answer that is no page (FIELD_CASES P13)."""
    match status:
        case 401 | 407:
            sentence, hint = f"{host} asks for a login ({status}).", "Use a source that is open."
            return SourceError("blocked", sentence, hint)
        case 403:
            return SourceError("blocked", f"{host} refuses to show this page (403).", _TRY_LATER)
        case 404:
            sentence = f"There is no such page at {host} (404)."
            return SourceError("http_status", sentence, "Check the address.")
        case 410:
            sentence = f"The page was removed from {host} (410)."
            return SourceError("http_status", sentence, "Search for another source.")
        case 429:
            wait = f" It asks to wait {retry_after} s." if retry_after.isdigit() else ""
            sentence = f"{host} has had too many requests (429).{wait}"
            return SourceError("rate_limited", sentence, _TRY_LATER)
        case _ if status >= 500:
            sentence = f"{host} has a fault of its own ({status}{_phrase(status)})."
            return SourceError("http_status", sentence, _TRY_LATER)
        case _:
            sentence = f"{host} answered {status}{_phrase(status)} instead of a page."
            return SourceError("http_status", sentence, "Check the address.")


def _phrase(status: int) -> str:
    try:
        return f" {HTTPStatus(status).phrase}"
    except ValueError:
        return ""
