"""What tests of providers share: one process for a module's tests, and a conversation to send."""

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from lazyboy_jupyter.adapters.models.providers.process import ProviderModels
from lazyboy_jupyter.core.left import BudgetLeft
from lazyboy_jupyter.core.messages import (
    Message,
    ToolCall,
    ToolResult,
    opening,
    reply,
    results,
)
from lazyboy_jupyter.core.tools import tool_specs
from lazyboy_jupyter.errors import ModelError
from lazyboy_jupyter.ports import ModelReply, ModelRequest, unheard
from tests.loopback.models import FormatName, Line, ModelEndpoint
from tests.loopback.world import LoopbackWorld

T = TypeVar("T")
KEY = "sk-proj-0123456789abcdefSECRET"
TOOLS = tool_specs(("web_search", "open_page"), supplement=False)
LEFT = BudgetLeft(
    "research", supplement=False, seconds=60, searches=2, pages=2, rounds=5, max_gaps=2
)
REFERENCES: dict[FormatName, str] = {
    "openai-chat": "openai-chat:gpt-4o",
    "openai-responses": "openai:gpt-5",
    "anthropic": "anthropic:claude-sonnet-4-5",
    "gemini": "google:gemini-2.5-pro",
}
VARIABLES: dict[FormatName, tuple[str, ...]] = {
    "openai-chat": ("OPENAI_BASE_URL", "XAI_BASE_URL", "OLLAMA_BASE_URL", "LAZYBOY_MODEL_URL"),
    "openai-responses": ("OPENAI_BASE_URL",),
    "anthropic": ("ANTHROPIC_BASE_URL",),
    "gemini": ("GOOGLE_GEMINI_BASE_URL",),
}


class Bench:
    """One `ProviderModels` and the loop it lives on, between the tests of a module."""

    def __init__(self) -> None:
        self.runner = asyncio.Runner()
        self.environment: dict[str, str] = {}
        self.key: str | None = KEY
        self.models = ProviderModels(lambda name: self.key, self.environment.get)

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return self.runner.run(work)

    def endpoint(self, web: LoopbackWorld, format_name: FormatName, *script: Line) -> ModelEndpoint:
        """An endpoint that the references lead to."""
        endpoint = ModelEndpoint(web, *script)
        for variable in VARIABLES[format_name]:
            self.environment[variable] = endpoint.base_url(format_name)
        return endpoint

    def ask(
        self,
        reference: str,
        request: ModelRequest | None = None,
        heard: Callable[[str], None] = unheard,
    ) -> ModelReply:
        return self.run(self.models.open(reference).respond(request or asking(), heard))

    def error(self, reference: str, request: ModelRequest | None = None) -> ModelError:
        try:
            said = self.ask(reference, request)
        except ModelError as error:
            return error
        raise AssertionError(f"It answered: {said}")

    def close(self) -> None:
        self.run(self.models.close())
        self.runner.close()


def history() -> list[Message]:
    """A question, a call, its result."""
    return [
        opening("Research.", "How high is the dam?"),
        reply("I search.", [ToolCall("call_before", "web_search", '{"query": "dam"}')]),
        results([ToolResult("call_before", "web_search", {"results": ["S1"]})]),
    ]


def asking(**fields: Any) -> ModelRequest:
    return ModelRequest(
        **{
            "messages": history(),
            "tools": TOOLS,
            "left": LEFT,
            "tail": "2 searches left.",
            **fields,
        }
    )
