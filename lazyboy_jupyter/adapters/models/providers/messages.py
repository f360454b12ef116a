"""Owns what the kernel and the models' process say to each other."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from ....errors import ModelError, ModelErrorKind
from ....ports import ModelReply, ModelRequest
from .reference import Reference


@dataclass(frozen=True, slots=True)
class Warm:
    """Load what a request to a provider of that name needs, before one comes."""

    provider: str


@dataclass(frozen=True, slots=True)
class Ask:
    """Send `request` to the model. `key`: "" where none is needed; it is in no other message."""

    number: int
    reference: Reference
    request: ModelRequest
    key: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True)
class Cancel:
    """Nobody waits for the answer to `number` any more. It gets none."""

    number: int


@dataclass(frozen=True, slots=True)
class Failed:
    """A `ModelError`, to be raised where it is waited for."""

    kind: ModelErrorKind
    sentence: str
    hint: str = ""
    retry_after: float | None = None

    def error(self) -> ModelError:
        """Return the error."""
        return ModelError(self.sentence, self.hint, kind=self.kind, retry_after=self.retry_after)


@dataclass(frozen=True, slots=True)
class Heard:
    """What arrived since the last time, by request; "" for what is no text."""

    pieces: Mapping[int, str]


@dataclass(frozen=True, slots=True)
class Answer:
    """The last word about a request."""

    number: int
    outcome: ModelReply | Failed
