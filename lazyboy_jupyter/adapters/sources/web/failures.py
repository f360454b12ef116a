"""Owns the words for what goes wrong on the network: one sentence and the next step for each."""

import ssl
from collections.abc import Iterator
from http import HTTPStatus

import httpcore

from ....errors import SourceError

_TRY_LATER = "Try again later, or read another source."


def network_failure(error: Exception, host: str) -> SourceError:
    """Return what a person reads for an error of httpcore while speaking with `host`."""
    for cause in _causes(error):
        if isinstance(cause, SourceError):
            return cause
        if isinstance(cause, ssl.SSLCertVerificationError):
            return SourceError(
                "tls",
                f"The certificate of {host} is not valid: {cause.verify_message.rstrip('.')}.",
                "Certificates are always checked; use another source.",
            )
        if isinstance(cause, ssl.SSLError):
            return SourceError("tls", f"No secure connection to {host} could be made.", _TRY_LATER)
    if isinstance(error, httpcore.TimeoutException):
        return SourceError("timeout", f"{host} did not answer in time.", _TRY_LATER)
    if isinstance(error, httpcore.ConnectError):
        return SourceError("connection", f"{host} could not be reached.", _TRY_LATER)
    if isinstance(error, httpcore.ProtocolError):
        return SourceError("connection", f"{host} broke off, or does not speak HTTP.", _TRY_LATER)
    return SourceError("connection", f"The connection to {host} was lost.", _TRY_LATER)


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


def _causes(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        yield current
        current = current.__cause__ or current.__context__
