"""Owns the kernel's side of providers: the models, and the process that does their requests.

No provider's library is ever loaded here: parsing their streams on the engine's loop held the
kernel up (ARCHITECTURE "model traffic belongs in a child process").
"""

import asyncio
import hashlib
import os
from collections.abc import Callable
from dataclasses import dataclass

from ....core.side_context import SNAPSHOT_CHARACTERS
from ....errors import ModelError
from ....ports import ModelReply, ModelRequest, unheard
from ....threads import off_loop
from .messages import Warm
from .needs import missing_extra, missing_key, unusable_key
from .reference import PROVIDERS, Environment, Reference, parse
from .session import CLOSE_SECONDS, Session, stopped

Credential = Callable[[str], str | None]


class ProviderModels:
    """All models of providers for one engine. To be used on one loop, the engine's.

    `credential`: finds a key by a variable's name; it may block, and is asked for each request.
    """

    def __init__(self, credential: Credential, environment: Environment = os.environ.get) -> None:
        self._credential = credential
        self._environment = environment
        self._session: Session | None = None
        self._starting = asyncio.Lock()
        self._is_closed = False
        self._warming: set[asyncio.Task[None]] = set()

    def open(self, reference: str) -> "ProviderModel":
        """Return the model. Nothing is started. Raises `UsageError`: see `reference.parse`."""
        return ProviderModel(parse(reference, self._environment), self)

    def warm(self, reference: str) -> None:
        """Start the process and load what `reference` needs, without waiting for it. On the loop.

        Any name of a model may be given; what is no provider's needs nothing. A failure is met
        again by the first request.
        """
        provider = reference.partition(":")[0].strip().lower()
        task = asyncio.ensure_future(self._warm(provider))
        self._warming.add(task)
        task.add_done_callback(self._warming.discard)

    async def close(self) -> None:
        """End the process. Requests under way fail. Safe to call twice."""
        self._is_closed = True
        async with self._starting:
            session, self._session = self._session, None
            if session is not None:
                await session.close(CLOSE_SECONDS)

    async def _warm(self, provider: str) -> None:
        known = PROVIDERS.get(provider)
        if known is None or missing_extra(known) is not None:
            return
        try:
            session = await self.running()
        except (ModelError, OSError):
            return
        session.send(Warm(provider))

    async def running(self) -> Session:
        """Return a process that is alive. Raises `ModelError` after `close`."""
        async with self._starting:
            if self._is_closed:
                raise stopped()
            if self._session is None or self._session.is_over:
                if self._session is not None:
                    await self._session.close(CLOSE_SECONDS)
                self._session = await Session.start()
            return self._session

    async def key_of(self, reference: Reference) -> str:
        """Return the key to send with a request, "" where none is needed. Raises `ModelError`."""
        provider = reference.provider

        def look() -> tuple[str, str]:
            for name in provider.keys:
                key = (self._credential(name) or "").strip()
                if key:
                    return name, key
            return "", ""

        # A keyring may ask the person for its password; the loop must go on meanwhile.
        name, key = await off_loop(look)
        if not key and provider.needs_key:
            raise missing_key(provider)
        if not (key.isascii() and key.isprintable()):
            raise unusable_key(name, provider)
        return key


@dataclass(frozen=True, slots=True)
class ProviderModel:
    """The port `Model`, for one model of a provider."""

    reference: Reference
    models: ProviderModels
    room: int | None = SNAPSHOT_CHARACTERS
    takes_notes: bool = True

    @property
    def name(self) -> str:
        """The reference as it was written."""
        return self.reference.text

    @property
    def identity(self) -> str:
        """A digest of the model, its interface and its address."""
        one = self.reference
        what = "\n".join((one.provider.family, one.base_url, one.model))
        return hashlib.sha256(what.encode()).hexdigest()[:32]

    async def respond(
        self, request: ModelRequest, heard: Callable[[str], None] = unheard
    ) -> ModelReply:
        """Return the reply. Raises `ModelError`.

        The first request starts the process, and so does the first after its end. The time it may
        take is the caller's to limit; nothing is tried again here.
        """
        missing = missing_extra(self.reference.provider)
        if missing is not None:
            raise missing
        key = await self.models.key_of(self.reference)
        session = await self.models.running()
        return await session.ask(self.reference, request, key, heard)
