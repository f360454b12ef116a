"""Owns asking a SearXNG of the person's own, which may live on a private address.

Its client is another than the pages' one, and may connect to that host and port alone.
"""

import base64
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlencode, urlsplit

from ....core.sanitise import visible
from ....errors import SourceError, UsageError
from ....ports import SearchResult
from .failures import OTHERS, Provider, unreadable
from .pace import Pace
from .results import cleaned, hits_of
from .service import Credential, Service

if TYPE_CHECKING:
    from ..web.client import Fetched, WebClient

SETTING = "SEARXNG_URL"
SEARXNG = Provider("SearXNG", characters=500)
_ALLOW_JSON = "Allow JSON in its settings.yml — search: formats: [html, json] — and start it again."
_ENGINES_TOLD = 5
_HOST = re.compile(r"[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\]")


@dataclass(frozen=True, slots=True)
class Instance:
    """Where a SearXNG is. `host`: with its port; `login`: of an Authorization header."""

    base: str
    host: str
    login: str = ""

    @classmethod
    def parse(cls, text: str) -> "Instance | None":
        """Return the instance at an address, None for what is no address of one.

        A name and a password in the address become a login; they are no part of `base`.
        """
        address = text.strip()
        try:
            parts = urlsplit(address if "://" in address else f"http://{address}")
            port = parts.port or (443 if parts.scheme == "https" else 80)
        except ValueError:
            return None
        user, _, place = parts.netloc.rpartition("@")
        host = place.removesuffix(f":{parts.port}") if parts.port else place.rstrip(":")
        if parts.scheme not in {"http", "https"} or "\\" in user or not _HOST.fullmatch(host):
            return None
        path = parts.path.rstrip("/").removesuffix("/search")
        login = f"Basic {base64.b64encode(unquote(user).encode()).decode()}" if user else ""
        return cls(f"{parts.scheme}://{host}:{port}{path}", f"{host}:{port}", login)


class SearxngSearcher:
    """Searches through one SearXNG.

    `address`: where it is; without one, `SEARXNG_URL` is read for each search. Raises `UsageError`
    for what is no address.
    """

    def __init__(
        self,
        client: "Callable[[frozenset[str]], WebClient]",
        pace: Pace,
        credential: Credential,
        address: str | None = None,
    ) -> None:
        self.name = "searxng" if address is None else f"searxng:{address}"
        self._client = client
        self._pace = pace
        self._credential = credential
        self._fixed = None if address is None else _named(address)

    async def search(self, query: str, limit: int) -> Sequence[SearchResult]:
        """Return at most `limit` pages, best first. Raises `SourceError`."""
        instance = self._fixed or _configured(self._credential)
        service = Service(
            SEARXNG, lambda: self._client(frozenset({instance.host})), self._pace, explain=_explain
        )
        parameters = {"q": service.query(query), "format": "json"}
        answer = await service.ask(
            f"{instance.base}/search?{urlencode(parameters)}",
            # Its robot check wants to see text/html among what is accepted.
            headers={
                "Accept": "application/json, text/html;q=0.5",
                **({"Authorization": instance.login} if instance.login else {}),
            },
        )
        hits = hits_of(answer.get("results"), "content")
        if hits is None:
            raise unreadable(SEARXNG)
        told = not instance.login  # a reason is the answer's own text, which may hold a password
        if not hits and (silent := _silent(answer.get("unresponsive_engines"), reasons=told)):
            sentence = f"SearXNG found nothing: its engines did not answer ({silent})."
            raise SourceError("blocked", sentence, f"See its engines' settings. {OTHERS}")
        return cleaned(hits, limit)


def _named(address: str) -> Instance:
    instance = Instance.parse(address)
    if instance is None:
        raise UsageError(
            "searxng: needs the address of a SearXNG.", "Write -s searxng:http://localhost:8080."
        )
    if instance.login:  # a source's name is stored and shown
        raise UsageError(
            "searxng: takes no password in a source's name.", f"Put the address into {SETTING}."
        )
    return instance


def _configured(credential: Credential) -> Instance:
    address = (credential(SETTING) or "").strip()
    instance = Instance.parse(address) if address else None
    if instance is not None:
        return instance
    problem = "is no address" if address else "is not set"
    raise SourceError(
        "not_configured",
        f"SearXNG needs an address, and {SETTING} {problem}.",
        f"Set {SETTING} to your own, such as http://localhost:8080, or write it as the source: "
        "-s searxng:http://localhost:8080. How to run one: https://docs.searxng.org.",
    )


def _explain(answer: "Fetched") -> SourceError | None:
    match answer.status:
        case 401 | 407:
            hint = f"Put them into its address: {SETTING}=https://name:password@host."
            return SourceError(
                "not_configured", f"SearXNG asks for a name and a password ({answer.status}).", hint
            )
        case 403:
            return SourceError("not_configured", "SearXNG does not give JSON (403).", _ALLOW_JSON)
        case 404 | 405:
            sentence = f"SearXNG is not at this address ({answer.status})."
            return SourceError("not_found", sentence, f"Check {SETTING}: it is the start page's.")
        case status if 300 <= status < 400:
            sentence = f"SearXNG sends the search to another address ({status})."
            return SourceError("http_status", sentence, "Give that address instead, https or not.")
    return None


def _silent(engines: Any, *, reasons: bool) -> str:
    """Return which engines did not answer; `engines`: pairs of a name and a reason."""
    if not isinstance(engines, list):
        return ""
    pairs = [one for one in engines if isinstance(one, list) and len(one) == 2]
    told = [
        visible(str(name), 40) + (f": {visible(str(why), 60)}" if reasons else "")
        for name, why in pairs
    ]
    return ", ".join(told[:_ENGINES_TOLD])
