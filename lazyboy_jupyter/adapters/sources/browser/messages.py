"""Owns what the kernel and the browser's process say to each other."""

from dataclasses import dataclass
from typing import Literal

from ....errors import SourceError, SourceErrorKind
from .limits import Limits
from .shown import BrowserPage

Action = Literal["open", "snapshot", "release"]


@dataclass(frozen=True, slots=True)
class Start:
    """The first message: which browser, and what it may reach."""

    executable: str
    allow_hosts: tuple[str, ...]
    limits: Limits


@dataclass(frozen=True, slots=True)
class Ask:
    """Open `url` for an owner, read the page it has open, or close everything it has."""

    number: int
    action: Action
    owner: str
    url: str = ""


@dataclass(frozen=True, slots=True)
class Cancel:
    """Nobody waits for the answer to `number` any more. It gets none."""

    number: int


Request = Start | Ask | Cancel


@dataclass(frozen=True, slots=True)
class Failed:
    """A `SourceError`, to be raised where it is waited for."""

    kind: SourceErrorKind
    sentence: str
    hint: str

    @classmethod
    def of(cls, error: SourceError) -> "Failed":
        """Return the message for an error."""
        return cls(error.kind, error.sentence, error.hint)

    def error(self) -> SourceError:
        """Return the error."""
        return SourceError(self.kind, self.sentence, self.hint)


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a request. `outcome`: None for what has no result."""

    number: int
    outcome: BrowserPage | Failed | None
