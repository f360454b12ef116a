"""Owns the words for what goes wrong in the browser: one sentence and the next step for each."""

from ....errors import SourceError

_TRY_LATER = "Try again later, or read another source."
_OTHER = "Use another source."
# What stands in the line of a browser's log that says why it does not start.
_TELLING = ("error while loading", "No usable sandbox", "FATAL", "too long")
_CERTIFICATES = {
    "ERR_CERT_DATE_INVALID": "it has ended, or is not valid yet",
    "ERR_CERT_COMMON_NAME_INVALID": "it belongs to another name",
    "ERR_CERT_AUTHORITY_INVALID": "nobody this machine trusts has signed it",
    "ERR_CERT_REVOKED": "it was revoked",
}


def browser_failure(message: str, host: str) -> SourceError:
    """Return what a person reads for an error that the browser gave while loading from `host`."""
    code = _code(message)
    if code.startswith("ERR_CERT_"):
        why = _CERTIFICATES.get(code, "it does not pass the browser's checks")
        return SourceError(
            "tls",
            f"The certificate of {host} is not valid: {why}.",
            "Certificates are always checked; use another source.",
        )
    if code.startswith(("ERR_SSL_", "ERR_BAD_SSL_")):
        return SourceError("tls", f"No secure connection to {host} could be made.", _TRY_LATER)
    if not code and "closed" in message:
        return stopped()
    match code:
        case "ERR_TOO_MANY_REDIRECTS":
            return circle(host)
        case "ERR_TIMED_OUT" | "ERR_CONNECTION_TIMED_OUT":
            return too_slow(host)
        case (
            "ERR_INVALID_REDIRECT"
            | "ERR_UNSAFE_REDIRECT"
            | "ERR_UNSAFE_PORT"
            | ("ERR_UNKNOWN_URL_SCHEME" | "ERR_DISALLOWED_URL_SCHEME" | "ERR_BLOCKED_BY_CLIENT")
        ):
            return SourceError("refused", f"{host} leads to an address that is not read.", _OTHER)
        case "ERR_BLOCKED_BY_RESPONSE" | "ERR_INVALID_RESPONSE" | "ERR_INVALID_HTTP_RESPONSE":
            return SourceError("unreadable", f"The browser cannot show what {host} sent.", _OTHER)
    return SourceError("connection", f"{host} could not be reached, or broke off.", _TRY_LATER)


def circle(host: str) -> SourceError:
    """A page that sends the browser on and on."""
    return SourceError(
        "http_status", f"{host} redirects in a circle: it was followed many times.", _OTHER
    )


def too_slow(host: str) -> SourceError:
    """A page that was not there in time."""
    return SourceError("timeout", f"{host} did not show a page in time.", _TRY_LATER)


def too_busy(host: str) -> SourceError:
    """A page that can never be read, because its scripts never pause."""
    return SourceError("timeout", f"The page of {host} is too busy to be read.", _OTHER)


def too_large(host: str, limit: int) -> SourceError:
    """A page that was over the limit before it was complete."""
    return SourceError(
        "too_large", f"The page of {host} is larger than {limit // 1_000_000} MB.", _OTHER
    )


def no_page(host: str, content_type: str) -> SourceError:
    """A file that a browser would save, or show with another program."""
    named = content_type.partition(";")[0].strip()[:60] or "a file"
    return SourceError(
        "unsupported_type",
        f"{host} sent {named}, which is no web page.",
        "Read it with open_page.",
    )


def stopped() -> SourceError:
    """The browser, or the process around it, has died."""
    return SourceError(
        "unreadable",
        "The browser stopped while it was reading.",
        "It starts anew for the next page; to read this one, ask the question again as a new task.",
    )


def not_started(message: str) -> SourceError:
    """The browser is there, but does not start."""
    lines = [line.strip() for line in message.splitlines() if line.strip()]
    telling = [line for line in lines if any(sign in line for sign in _TELLING)]
    reason = (telling or lines or ["no reason was given"])[0].rpartition("[err]")[2].strip()
    return SourceError(
        "not_configured",
        f"The browser could not be started: {reason[:300]}",
        "Start it once by hand to see what it lacks, or name another in LAZYBOY_CHROMIUM.",
    )


def crashed(host: str) -> SourceError:
    """The page's own process has died: out of memory, mostly."""
    return SourceError("unreadable", f"The page of {host} crashed the browser's tab.", _OTHER)


def nothing_open() -> SourceError:
    """A snapshot was asked for, and there is no page."""
    return SourceError("not_found", "No page is open in the browser.", "Open one: browser_open.")


def released() -> SourceError:
    """The owner was let go while its page was loading."""
    return SourceError("interrupted", "The page was closed while it was loading.")


def _code(message: str) -> str:
    start = message.find("net::ERR_")
    if start < 0:
        return ""
    rest = message[start + len("net::") :]
    end = next(
        (at for at, c in enumerate(rest) if not (c.isupper() or c.isdigit() or c == "_")), None
    )
    return rest[:end]
