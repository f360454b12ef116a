"""Owns one question to a search service: its turn, its request, and an answer that is JSON.

Keys pass through as headers of one request. They are kept nowhere, and no error holds them.
"""

import json
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from ....errors import SourceError
from .failures import (
    Provider,
    bad_status,
    missing_key,
    unreachable,
    unreadable,
    web_page,
    wrong_key,
)
from .pace import Pace, retry_after
from .query import fitted

if TYPE_CHECKING:  # the client brings httpx with it, which is loaded by the first search
    from ..web.client import Fetched, WebClient

Credential = Callable[[str], str | None]
"""Gives the value of an environment variable, None where it is not set."""

_PATIENCE = 10.0
_MAX_BYTES = 2_000_000
_HEADER_TEXT = re.compile(r"[\x21-\x7e]+")


class Service:
    """Asks one search service. To be used on one loop, the engine's.

    `wait_of`: from an answer's headers and the time now, the seconds it asks to wait.
    `explain`: what a status means to this service alone, if anything.
    """

    def __init__(
        self,
        provider: Provider,
        client: "Callable[[], WebClient]",
        pace: Pace,
        wait_of: Callable[[Mapping[str, str], int], float | None] = retry_after,
        explain: "Callable[[Fetched], SourceError | None]" = lambda answer: None,
    ) -> None:
        self.provider = provider
        self._client = client
        self._pace = pace
        self._wait_of = wait_of
        self._explain = explain

    def query(self, text: str) -> str:
        """Return `text` as the service takes it. Raises `SourceError` where nothing is left."""
        query = fitted(text, self.provider.characters, self.provider.words)
        if not query:
            sentence = f"{self.provider.label} was asked for nothing: the query has no words."
            raise SourceError("refused", sentence, "Search for some words.")
        return query

    async def ask(
        self,
        url: str,
        *,
        method: str = "GET",
        headers: Mapping[str, str] | None = None,
        content: bytes = b"",
    ) -> dict[str, Any]:
        """Return the JSON object that answers a request.

        A request refused for coming too soon is sent once more, where the service asks for a
        wait of at most 10 s. Raises `SourceError`, its sentence beginning with the service's name.
        """
        answer = await self._send(url, method, headers or {}, content)
        if answer.status == 429:
            wait = self._wait(answer)
            if wait is not None and wait <= _PATIENCE:
                self._pace.hold(wait)
                answer = await self._send(url, method, headers or {}, content)
        if answer.status != 200:
            explained = self._explain(answer)
            raise explained or bad_status(self.provider, answer.status, self._wait(answer))
        value = None if answer.truncated else json_object(answer.body)
        if value is None:
            # Raised out here, where no decoder's exception with the body in it is its context.
            raise web_page(self.provider) if _is_page(answer) else unreadable(self.provider)
        return value

    def _wait(self, answer: "Fetched") -> float | None:
        return self._wait_of(answer.headers, self._pace.clock.now_us())

    async def _send(
        self, url: str, method: str, headers: Mapping[str, str], content: bytes
    ) -> "Fetched":
        await self._pace.turn()
        try:
            return await self._client().fetch(
                url,
                method=method,
                headers=headers,
                content=content,
                redirects=False,
                limit_of=lambda beginning: _MAX_BYTES,
            )
        except SourceError as error:
            failure = unreachable(self.provider, error)
        raise failure


def key_of(provider: Provider, credential: Credential) -> str:
    """Return the service's key. Raises `SourceError` ("not_configured") where there is none."""
    for name in provider.settings:
        key = (credential(name) or "").strip()
        if key and not _HEADER_TEXT.fullmatch(key):
            raise wrong_key(provider, f"{name} holds characters that no key has")
        if key:
            return key
    raise missing_key(provider)


def json_object(body: bytes) -> dict[str, Any] | None:
    """Return the JSON object in `body`, None for anything else."""
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _is_page(answer: "Fetched") -> bool:
    return "html" in answer.content_type.lower() or answer.body.lstrip()[:1] == b"<"
