"""Owns the words for what goes wrong on the network: one sentence and the next step for each."""

import ssl
from collections.abc import Iterator

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


def _causes(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        yield current
        current = current.__cause__ or current.__context__
