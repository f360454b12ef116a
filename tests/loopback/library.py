"""The client library that talks to the scripted endpoints: its reading of a reply is the truth."""

import ssl
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import httpx2
from google.genai import Client
from google.genai.types import HttpOptions, HttpRetryOptions
from pydantic_ai.direct import model_request, model_request_stream
from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.google import GoogleModel
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.google import GoogleProvider
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.settings import ModelSettings

from tests.loopback.models import FormatName, ModelEndpoint

KEY = "sk-secret-1234"
QUESTION: Sequence[ModelMessage] = (ModelRequest.user_text_prompt("How high is the dam?"),)
_NAMES = {"openai": "gpt-5", "anthropic": "claude-opus-5-tested", "gemini": "gemini-2.5-pro"}
_NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""Given to each client, which would else read the machine's certificates for 0.1 s or more."""


@asynccontextmanager
async def library_model(
    format_name: FormatName, endpoint: ModelEndpoint, read_seconds: float = 30
) -> AsyncIterator[Model]:
    """The library's model of a format, which leads to the endpoint and never tries twice."""
    name, base = _NAMES[format_name.partition("-")[0]], endpoint.base_url(format_name)
    timeout = httpx2.Timeout(30, read=read_seconds)
    async with httpx2.AsyncClient(timeout=timeout, trust_env=False, verify=_NO_TLS) as http:
        match format_name:
            case "openai-chat" | "openai-responses":
                kind = OpenAIChatModel if format_name == "openai-chat" else OpenAIResponsesModel
                yield kind(name, provider=OpenAIProvider(base, KEY, http_client=http))
            case "anthropic":
                provider = AnthropicProvider(api_key=KEY, base_url=base, http_client=http)
                yield AnthropicModel(name, provider=provider)
            case "gemini":
                options = HttpOptions(
                    base_url=base,
                    timeout=round(read_seconds * 1000),  # it has none of its own otherwise
                    httpx_async_client=http,
                    client_args={"verify": _NO_TLS},
                    async_client_args={"verify": _NO_TLS},
                    retry_options=HttpRetryOptions(attempts=1),
                )
                client = Client(api_key=KEY, http_options=options, vertexai=False)
                yield GoogleModel(name, provider=GoogleProvider(client=client))


async def answer(
    model: Model,
    *,
    stream: bool,
    messages: Sequence[ModelMessage] = QUESTION,
    settings: ModelSettings | None = None,
    parameters: ModelRequestParameters | None = None,
) -> ModelResponse:
    """The library's reading of one reply."""
    settings = {"max_retries": 0, **(settings or {})}
    if not stream:
        return await model_request(
            model, messages, model_settings=settings, model_request_parameters=parameters
        )
    async with model_request_stream(
        model, messages, model_settings=settings, model_request_parameters=parameters
    ) as events:
        async for _ in events:
            pass
        return events.get()
