"""Owns what the kernel and the pages' process say to each other."""

from dataclasses import dataclass

from ....ports import Page
from ..documents import Failure


@dataclass(frozen=True, slots=True)
class Start:
    """The first message: what else than the public internet may be read."""

    allow_hosts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Read:
    """Read the page at `url`."""

    number: int
    url: str


@dataclass(frozen=True, slots=True)
class Cancel:
    """Nobody waits for the answer to `number` any more. It gets none."""

    number: int


Request = Start | Read | Cancel


@dataclass(frozen=True, slots=True)
class Answer:
    """The last word about a page."""

    number: int
    outcome: Page | Failure
