"""What a scripted model says, in no provider's format; each wire format writes it its own way."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Literal

from tests.loopback.gate import Gate

Finish = Literal["stop", "length", "content_filter"]
Ending = Literal["end", "reset", "silent", "cut", "unfinished", "malformed"]
FailureKind = Literal[
    "rate_limited", "overloaded", "server", "unauthorized", "not_found", "rejected", "overflow"
]
_ARGUMENT_PIECE = 8


@dataclass(frozen=True)
class Call:
    """A tool call. `arguments` go out verbatim, so they need not be JSON (Gemini has only JSON)."""

    name: str
    arguments: str = "{}"
    id: str = ""

    def pieces(self) -> list[str]:
        """The arguments as they are streamed."""
        starts = range(0, len(self.arguments), _ARGUMENT_PIECE)
        return [self.arguments[start : start + _ARGUMENT_PIECE] for start in starts] or [""]


@dataclass(frozen=True)
class Spent:
    """Tokens of a reply. `input` holds the cached ones too, `output` the reasoning."""

    input: int = 0
    output: int = 0
    cached: int = 0


@dataclass(frozen=True)
class Failed:
    """An error. In a script it is the whole answer; as an `ending` it comes within the stream.

    `status` and `message`: in place of what the provider's format has for that kind.
    """

    kind: FailureKind
    message: str = ""
    status: int = 0
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Said:
    """One reply: reasoning, then text, then calls.

    The arguments of parallel calls are interleaved where the format can do it, which is OpenAI's.
    `text` and `reasoning`: one piece or several; a gate among them holds back what follows (all of
    an answer that is not streamed). `before`: a gate before the headers. `usage`: none where the
    server tells none. `finish`: by default what fits. `ending`: what happens after the content, in
    place of a proper end: the connection is reset, silent or cut; the stream ends unfinished, with
    no finish reason; an event or the answer is malformed; an error comes. With nothing to say and
    such an ending only the headers are sent. Whole answers break off halfway.
    """

    text: str | Sequence[str | Gate] = ()
    calls: Sequence[Call] = ()
    reasoning: str | Sequence[str | Gate] = ()
    usage: Spent | None = Spent(10, 5)
    finish: Finish | None = None
    ending: Ending | Failed = "end"
    before: Gate | None = None

    @property
    def text_pieces(self) -> list[str | Gate]:
        """The pieces of the text, gates included."""
        return _pieces(self.text)

    @property
    def reasoning_pieces(self) -> list[str | Gate]:
        """The pieces of the reasoning, gates included."""
        return _pieces(self.reasoning)

    @property
    def whole_text(self) -> str:
        """The text."""
        return _joined(self.text_pieces)

    @property
    def whole_reasoning(self) -> str:
        """The reasoning."""
        return _joined(self.reasoning_pieces)

    @property
    def gates(self) -> list[Gate]:
        """Every gate within the content."""
        pieces = [*self.reasoning_pieces, *self.text_pieces]
        return [piece for piece in pieces if isinstance(piece, Gate)]

    @property
    def has_content(self) -> bool:
        """Whether there is anything to say."""
        return bool(self.reasoning_pieces or self.text_pieces or self.calls)

    def numbered(self, turn: int) -> list[Call]:
        """The calls, each with an id that no other turn uses."""
        return [
            call if call.id else Call(call.name, call.arguments, f"call_{turn}_{number}")
            for number, call in enumerate(self.calls)
        ]


def interleaved(calls: Sequence[Call]) -> Iterator[tuple[int, str]]:
    """The pieces of all arguments, one of each call in turn, with the place of the call."""
    for row in zip_longest(*(call.pieces() for call in calls)):
        yield from ((place, piece) for place, piece in enumerate(row) if piece is not None)


def _pieces(content: str | Sequence[str | Gate]) -> list[str | Gate]:
    if isinstance(content, str):
        return [content] if content else []
    return list(content)


def _joined(pieces: Sequence[str | Gate]) -> str:
    return "".join(piece for piece in pieces if isinstance(piece, str))
