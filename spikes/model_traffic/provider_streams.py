"""The provider work of one streamed model request, the same code on the kernel's loop and in the child.

It measures nothing itself; it is the load. ``pydantic_ai.direct.model_request_stream`` with the OpenAI chat
model; text deltas go to a callback, the final reply is returned as plain data in the library's JSON form.
``history`` needs no import of the library: the kernel holds messages as plain data.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

TextSink = Callable[[str], None]

TOOLS = (
    "web_search",
    "open_page",
    "browser_open",
    "read_tool_output",
    "report_progress",
    "publish_research",
)
_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "url": {"type": "string", "description": "The address."},
        "offset": {"type": "integer", "minimum": 0, "default": 0},
        "items": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {"text": {"type": "string"}, "quote": {"type": "string"}},
                "required": ["text"],
            },
        },
    },
    "required": ["url"],
}


def history(number: int) -> list[dict[str, Any]]:
    """A task's messages in mid-research: question, two tool calls, two results of 6,000 characters."""
    page = f"Result {number}. " + "Sources say that measured figures beat guesses. " * 125
    calls = [
        {
            "part_kind": "tool-call",
            "tool_name": "open_page",
            "args": '{"url": "https://example.org/"}',
            "tool_call_id": c,
        }
        for c in ("a", "b")
    ]
    returns = [
        {
            "part_kind": "tool-return",
            "tool_name": "open_page",
            "content": page[:6000],
            "tool_call_id": c,
        }
        for c in ("a", "b")
    ]
    return [
        {
            "kind": "request",
            "parts": [{"part_kind": "user-prompt", "content": f"Question {number}: what holds?"}],
            "instructions": "You research. Cite what you read. " * 40,
        },
        {"kind": "response", "parts": calls, "model_name": "bench"},
        {
            "kind": "request",
            "parts": returns,
            "instructions": "You research. Cite what you read. " * 40,
        },
    ]


class Streams:
    """Streams requests through one shared provider. Make it on the loop that uses it."""

    def __init__(self, base_url: str) -> None:
        import httpx2  # the import is a measured cost
        from pydantic_ai.direct import model_request_stream
        from pydantic_ai.messages import ModelMessagesTypeAdapter
        from pydantic_ai.models import ModelRequestParameters
        from pydantic_ai.models.openai import OpenAIChatModel
        from pydantic_ai.providers.openai import OpenAIProvider
        from pydantic_ai.tools import ToolDefinition

        transport = httpx2.AsyncHTTPTransport(
            verify=not base_url.startswith("https://127."),
            limits=httpx2.Limits(max_connections=1000, max_keepalive_connections=200),
        )
        client = httpx2.AsyncClient(transport=transport, timeout=httpx2.Timeout(60))
        self._model = OpenAIChatModel(
            "bench", provider=OpenAIProvider(base_url=base_url, api_key="none", http_client=client)
        )
        self._adapter = ModelMessagesTypeAdapter
        self._request = model_request_stream
        self._parameters = ModelRequestParameters(
            function_tools=[
                ToolDefinition(
                    name=name, description=f"Tool {name}.", parameters_json_schema=_SCHEMA
                )
                for name in TOOLS
            ]
        )

    def build(self, messages: list[dict[str, Any]]) -> Any:
        """Message objects from plain data."""
        return self._adapter.validate_python(messages)

    async def run(self, messages: Any, on_text: TextSink) -> Any:
        """Stream one request; ``messages`` as plain data or built ahead."""
        if isinstance(messages[0], dict):
            messages = self.build(messages)
        async with self._request(
            self._model, messages, model_request_parameters=self._parameters
        ) as stream:
            async for event in stream:
                if event.event_kind == "part_delta":
                    text = getattr(event.delta, "content_delta", None)
                    if text:
                        on_text(text)
            return self._adapter.dump_python([stream.get()], mode="json")[0]
