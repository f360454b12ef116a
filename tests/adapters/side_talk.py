"""A history as the engine would write it, for the tests of side questions."""

from collections.abc import Mapping
from typing import Any

from lazyboy_jupyter.adapters.models.extractive_side import answer
from lazyboy_jupyter.core.messages import Message, ToolCall, ToolResult, opening, reply, results

QUESTION = "How much did harbour gates reduce flood losses in Hamburg?"
GATES = (
    "# Harbour gates\n\nHarbour gates reduced flood losses in Hamburg by 17 percent.\n\n"
    "The gates close when the water stands 4 metres above normal.\n\n"
    "Swans live in the harbour too. Each swan is counted in spring."
)
DYKES = (
    "# Dykes\n\nDykes cost the city 9,000 euros a metre.\n\nSheep keep the grass on dykes short."
)


class Talk:
    """Messages as the engine would write them."""

    def __init__(self, question: str = QUESTION) -> None:
        self.messages: list[Message] = [opening("system", question)]
        self._count = 0

    def answer(self, tool: str, args: Mapping[str, Any], content: Mapping[str, Any]) -> None:
        self._count += 1
        call_id = f"c{self._count}"
        self.messages += [
            reply("", [ToolCall(call_id, tool, args)]),
            results([ToolResult(call_id, tool, content)]),
        ]

    def searched(self, query: str, *listed: tuple[str, str, str]) -> None:
        found = [
            {"source": source, "url": f"https://a/{source}", "title": title, "snippet": snippet}
            for source, title, snippet in listed
        ]
        self.answer("web_search", {"query": query}, {"query": query, "results": found})

    def opened(self, source: str, title: str, text: str, **more: Any) -> None:
        url = f"https://a/{source}"
        content = {"source": source, "url": url, "title": title, "text": text,
                   "characters": len(text), "output_id": f"O-{source}", **more}  # fmt: skip
        self.answer("open_page", {"url": url}, content)

    def failed(self, source: str, detail: str) -> None:
        url = f"https://a/{source}"
        content = {"source": source, "url": url, "error": "blocked", "detail": detail}
        self.answer("open_page", {"url": url}, content)

    def said(self, question: str) -> str:
        return answer(self.messages, question)
