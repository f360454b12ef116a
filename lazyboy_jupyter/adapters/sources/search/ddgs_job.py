"""Owns what a worker does for `ddgs`: one search engine after the other, until one answers.

Runs only in workers. The library `ddgs` knows the engines' pages; which engine is asked, in which
order, and what its status means is decided here, since the library asks several at random, hides
their statuses, and says "No results found." also where it was shut out.
"""

import html
import time
from dataclasses import dataclass
from typing import Any, NamedTuple

from ....errors import SourceErrorKind
from ..documents import Failure
from .failures import OFFLINE
from .results import Hit

# In this order: neighbours have different indexes, and DuckDuckGo's twin, Yahoo, comes last.
# Wikipedia has a name of its own among the searchers, and is asked under that.
ENGINES = {
    "duckduckgo": "DuckDuckGo",
    "brave": "Brave",
    "mojeek": "Mojeek",
    "startpage": "Startpage",
    "yahoo": "Yahoo",
}
HINT = (
    "Wait some minutes, set BRAVE_API_KEY or TAVILY_API_KEY, or use -s wikipedia, -s pydoc, "
    "-s folder:PATH."
)
_ENGINE_SECONDS = 8.0
_LEAST_SECONDS = 1.5
_AUTHORITY = (
    "Where a proxy signs with an authority of its own, let SSL_CERT_FILE name its PEM file. "
    f"{OFFLINE}"
)
_SHUT_OUT: tuple[SourceErrorKind, ...] = ("rate_limited", "blocked")
_NETWORK = frozenset(("dns", "connection", "timeout", "tls"))
_CHECKS = (
    "anomaly-modal", "captcha", "cf-challenge", "challenge-platform", "unusual traffic",
    "are you a human", "not a robot", "pow-captcha", "automated queries",
)  # fmt: skip


class Refusal(NamedTuple):
    """Why an engine gave nothing: `what` is said of it."""

    kind: SourceErrorKind
    what: str


@dataclass
class _Found:
    """A result with the address as it stood; the library's own class decodes it a second time."""

    title: str = ""
    href: str = ""
    body: str = ""


class _Recorder:
    """Stands before an engine's HTTP client, and keeps the last answer's status and page."""

    def __init__(self, inner: Any) -> None:
        self.client = inner.client
        self.status = 0
        self.page = ""
        self._inner = inner

    def request(self, *args: Any, **kwargs: Any) -> Any:
        response = self._inner.request(*args, **kwargs)
        self.status, self.page = response.status_code, response.text
        return response


def search(
    query: str, seconds: float, proxy: str | None = None, authority: str | None = None
) -> tuple[str, list[Hit]] | Failure:
    """Return what the first engine that answers finds, with the address of its site.

    `seconds`: for all engines together; `proxy`: an address through which all go; `authority`: the
    path of a PEM file with the authorities to trust. An engine that answers with no result has
    answered.
    """
    try:
        from ddgs.engines import ENGINES as KNOWN
    except ImportError as error:
        sentence = f"ddgs cannot be loaded on this machine (no {error.name})."
        return Failure("not_configured", sentence, f"Install it again: pip install ddgs. {HINT}")
    refusals: dict[str, Refusal] = {}
    end = time.monotonic() + seconds
    for name, label in ENGINES.items():
        left = min(_ENGINE_SECONDS, end - time.monotonic())
        if left < _LEAST_SECONDS:
            break
        if name not in KNOWN["text"]:
            continue
        answer = _asked(KNOWN["text"][name], query, max(1, int(left)), proxy, authority)
        if not isinstance(answer, Refusal):
            return answer
        refusals[label] = answer
    return _failure(refusals)


def _asked(
    engine_class: Any, query: str, seconds: int, proxy: str | None, authority: str | None
) -> tuple[str, list[Hit]] | Refusal:
    from ddgs.exceptions import DDGSException, TimeoutException

    engine = type("Engine", (engine_class,), {"result_type": _Found})(
        proxy=proxy, timeout=seconds, verify=authority or True
    )
    engine.http_client = recorder = _Recorder(engine.http_client)
    found = None
    try:
        found = engine.search(query)
    except TimeoutException:
        return Refusal("timeout", "no answer in time")
    except DDGSException as error:
        return _unreached(error)
    except Exception:  # noqa: BLE001 - a page that the library cannot read costs one engine
        if recorder.status == 200:
            return Refusal("unreadable", "a page that cannot be read")
    if recorder.status != 200:
        return _shut_out(recorder.status)
    hits = [  # the library gives text; a hit is markup
        Hit(one.href, html.escape(one.title), html.escape(one.body))
        for one in found or ()
        if one.href
    ]
    return (engine.search_url, hits) if hits else _empty(engine.search_url, recorder.page.lower())


def _empty(site: str, page: str) -> tuple[str, list[Hit]] | Refusal:
    """Tell a page that found nothing from one that is none of its own."""
    if any(check in page for check in _CHECKS):
        return Refusal("blocked", "asks for a proof of being a person")
    if "<" not in page:
        return Refusal("unreadable", "a page that cannot be read")
    return site, []


def _unreached(error: Exception) -> Refusal:
    cause = type(error.__cause__).__name__
    reason = str(error).partition(" > ")[2]  # before it stands the address, with the query
    if cause.startswith("DNS"):
        return Refusal("dns", "no address was found")
    if "certificate" in reason.lower():
        return Refusal("tls", "a certificate that is not trusted here")
    return Refusal("connection", "no connection")


def _shut_out(status: int) -> Refusal:
    if status in {202, 429}:
        return Refusal("rate_limited", f"too many requests ({status})")
    if status in {401, 403}:
        return Refusal("blocked", f"refused ({status})")
    return Refusal("http_status", f"an answer without results ({status})")


def _failure(refusals: dict[str, Refusal]) -> Failure:
    kinds = [refusal.kind for refusal in refusals.values()]
    if not kinds:
        return Failure("timeout", "ddgs had no time left to ask a search engine.", HINT)
    told = _told(refusals)
    if set(kinds) == {"tls"}:
        return Failure("tls", f"ddgs reached no search engine: {told}.", _AUTHORITY)
    if _NETWORK.issuperset(kinds):
        return Failure(kinds[0], f"ddgs reached no search engine: {told}.", OFFLINE)
    kind: SourceErrorKind = next(
        (one for one in _SHUT_OUT if one in kinds),
        next(one for one in kinds if one not in _NETWORK),
    )
    return Failure(kind, f"ddgs got no answer: {told}.", HINT)


def _told(refusals: dict[str, Refusal]) -> str:
    """Return who refused and why, those with one reason together."""
    together: dict[str, list[str]] = {}
    for label, refusal in refusals.items():
        together.setdefault(refusal.what, []).append(label)
    return "; ".join(f"{', '.join(labels)}: {what}" for what, labels in together.items())
