"""A model endpoint in the loopback world: a script of what it says, in the format of the asker."""

from collections.abc import Callable, Mapping

from tests.loopback.models.anthropic import Anthropic
from tests.loopback.models.asked import Asked, FormatName
from tests.loopback.models.gemini import Gemini
from tests.loopback.models.openai_chat import OpenAIChat
from tests.loopback.models.openai_responses import OpenAIResponses
from tests.loopback.models.said import Failed, Said
from tests.loopback.models.wire import Wire, failure_of, reply_of
from tests.loopback.replies import Reply
from tests.loopback.world import LoopbackWorld, Request

Line = Said | Failed | Reply | Callable[[Asked], Said | Failed | Reply]
"""What answers one request; a function sees the request first. A `Reply` goes out as it is."""

_WIRES: Mapping[FormatName, Wire] = {
    "openai-chat": OpenAIChat(),
    "openai-responses": OpenAIResponses(),
    "anthropic": Anthropic(),
    "gemini": Gemini(),
}
FORMATS: tuple[FormatName, ...] = tuple(_WIRES)


class ModelEndpoint:
    """Says the lines of the script in the order of the requests, the last one again and again.

    It speaks every format, told by the path. `asked` holds every request in order. `place` tells
    the endpoints of one world apart.
    """

    def __init__(self, world: LoopbackWorld, *script: Line, place: str = "model") -> None:
        self.asked: list[Asked] = []
        self.root = world.put(f"http://127.0.0.1:{world.port}/{place}/*", self._answer)[:-2]
        self._script = list(script)

    def base_url(self, format_name: FormatName) -> str:
        """The base address that a client of the format wants: OpenAI's ends with /v1."""
        return f"{self.root}/v1" if format_name.startswith("openai") else self.root

    def say(self, *script: Line) -> None:
        """Go on with these lines. Not while a request is on its way."""
        self._script = list(script)

    def _answer(self, request: Request) -> Reply:
        name = _format_of(request.path)
        if request.method != "POST" or name is None:
            return Reply(b'{"error": {"message": "Not found"}}', 404, "application/json")
        asked = _WIRES[name].asked(request, len(self.asked))
        self.asked.append(asked)
        line = self._script.pop(0) if len(self._script) > 1 else self._script[0]
        said = line if isinstance(line, Said | Failed | Reply) else line(asked)
        match said:
            case Reply():
                return said
            case Failed():
                return failure_of(_WIRES[name], said, asked)
            case Said():
                return reply_of(_WIRES[name], said, asked)


def _format_of(path: str) -> FormatName | None:
    for ending, name in _PATHS:
        if ending in path:
            return name
    return None


_PATHS: tuple[tuple[str, FormatName], ...] = (
    ("/v1/chat/completions", "openai-chat"),
    ("/v1/responses", "openai-responses"),
    ("/v1/messages", "anthropic"),
    (":generateContent", "gemini"),
    (":streamGenerateContent", "gemini"),
)
