"""Owns the libraries' model objects and their connections. Only in the models' process.

They are made once for each model, address and key, and share one pool of connections; nothing in
them tries a request again, since the engine does.
"""

import asyncio
import gc
import hashlib
import importlib
import ssl
from collections import OrderedDict
from typing import TYPE_CHECKING

from .reference import Family, Provider, Reference

if TYPE_CHECKING:
    import httpx2
    from pydantic_ai.models import Model

_MOST = 32
_CONNECT_SECONDS = 30.0
_SILENT_SECONDS = 600.0
_CONNECTIONS = 1000
_IDLE_CONNECTIONS = 100
_IDLE_SECONDS = 60.0
# No text has these: what is reasoning in a text is for `thoughts` to tell, in any pieces it comes.
_NO_TAGS = ("<\x00>", "</\x00>")
_NO_KEY = "none"
_MODULES: dict[Family, tuple[str, ...]] = {
    "openai-responses": ("models.openai", "providers.openai"),
    "openai-chat": ("models.openai", "providers.openai", "providers.openai_compatible"),
    "ollama": ("models.ollama", "providers.ollama"),
    "anthropic": ("models.anthropic", "providers.anthropic"),
    "google": ("models.google", "providers.google"),
}


class Clients:
    """Makes models and keeps those used last."""

    def __init__(self) -> None:
        self._models: OrderedDict[tuple[str, str, str], Model] = OrderedDict()
        self._http: httpx2.AsyncClient | None = None
        self._loading = asyncio.Lock()
        self._loaded: set[Family] = set()

    async def load(self, provider: Provider) -> None:
        """Import what requests to `provider` need. Raises ImportError. Streams go on meanwhile."""
        family = provider.family
        async with self._loading:
            if family not in self._loaded:
                await asyncio.to_thread(_import, family)
                self._loaded.add(family)

    async def model(self, reference: Reference, key: str) -> "Model":
        """Return the model. Raises ImportError when its library is not installed."""
        await self.load(reference.provider)
        digest = hashlib.sha256(key.encode()).hexdigest()
        wanted = (reference.text, reference.base_url, digest)
        model = self._models.get(wanted)
        if model is None:
            if self._http is None:
                self._http = _http_client()
            model = self._models[wanted] = _build(reference, key or _NO_KEY, self._http)
            if len(self._models) > _MOST:
                self._models.popitem(last=False)  # whoever uses it still has it
        self._models.move_to_end(wanted)
        return model


def _import(family: Family) -> None:
    importlib.import_module("pydantic_ai.direct")
    for name in _MODULES[family]:
        importlib.import_module(f"pydantic_ai.{name}")
    gc.collect()
    gc.freeze()  # what was imported stays: no collection need look at it again


def _http_client() -> "httpx2.AsyncClient":
    import httpx2
    import truststore

    return httpx2.AsyncClient(
        verify=truststore.SSLContext(ssl.PROTOCOL_TLS_CLIENT),
        timeout=httpx2.Timeout(_SILENT_SECONDS, connect=_CONNECT_SECONDS),
        limits=httpx2.Limits(
            max_connections=_CONNECTIONS,
            max_keepalive_connections=_IDLE_CONNECTIONS,
            keepalive_expiry=_IDLE_SECONDS,
        ),
        follow_redirects=False,  # a key goes to the address it is meant for, and no further
    )


def _build(reference: Reference, key: str, http: "httpx2.AsyncClient") -> "Model":
    match reference.provider.family:
        case "anthropic":
            return _anthropic(reference, key, http)
        case "google":
            return _google(reference, key, http)
        case "openai-responses" | "openai-chat" | "ollama":
            return _openai(reference, key, http)


def _anthropic(reference: Reference, key: str, http: "httpx2.AsyncClient") -> "Model":
    from anthropic import AsyncAnthropic
    from pydantic_ai.models.anthropic import AnthropicModel
    from pydantic_ai.providers.anthropic import AnthropicProvider

    client = AsyncAnthropic(
        api_key=key, base_url=reference.base_url, http_client=http, max_retries=0
    )
    return AnthropicModel(reference.model, provider=AnthropicProvider(anthropic_client=client))


def _google(reference: Reference, key: str, http: "httpx2.AsyncClient") -> "Model":
    from pydantic_ai.models.google import GoogleModel
    from pydantic_ai.providers.google import GoogleProvider

    provider = GoogleProvider(api_key=key, base_url=reference.base_url, http_client=http)
    return GoogleModel(reference.model, provider=provider)


def _openai(reference: Reference, key: str, http: "httpx2.AsyncClient") -> "Model":
    from openai import AsyncOpenAI
    from pydantic_ai.models.ollama import OllamaModel
    from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
    from pydantic_ai.profiles import merge_profile
    from pydantic_ai.profiles.openai import OpenAIModelProfile
    from pydantic_ai.providers.ollama import OllamaProvider
    from pydantic_ai.providers.openai import OpenAIProvider
    from pydantic_ai.providers.openai_compatible import OpenAICompatibleProvider

    name, model = reference.provider.name, reference.model
    client = AsyncOpenAI(api_key=key, base_url=reference.base_url, http_client=http, max_retries=0)
    if name == "openai":
        return OpenAIResponsesModel(model, provider=OpenAIProvider(openai_client=client))
    told = OpenAIModelProfile(thinking_tags=_NO_TAGS)
    if name == "openai-chat":
        own = OpenAIProvider.model_profile(model)
        return OpenAIChatModel(
            model,
            provider=OpenAIProvider(openai_client=client),
            profile=merge_profile(own, told),
        )
    # Other servers know the older field, and not all of them ignore "strict".
    told["openai_chat_supports_max_completion_tokens"] = False
    told["openai_supports_strict_tool_definition"] = False
    if name == "ollama":
        ollama = OllamaProvider(openai_client=client)
        base = OllamaModel(model, provider=ollama).profile
        return OllamaModel(model, provider=ollama, profile=merge_profile(base, told))
    compatible = OpenAICompatibleProvider(name, openai_client=client)
    if name == "xai":
        from pydantic_ai.profiles.grok import grok_model_profile

        told = OpenAIModelProfile(**{**(grok_model_profile(model) or {}), **told})
    return OpenAIChatModel(
        model, provider=compatible, profile=merge_profile(compatible.model_profile(model), told)
    )
