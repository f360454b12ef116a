"""Owns snapshots of an agent's context: immutable, whole, with every call paired. Pure.

A snapshot is taken at a boundary (a request begins, a reply is complete, the run has ended) and is
never half a reply. Its messages are kept as JSON text, which nothing can change; each is made once,
when the message is new, so a snapshot of a long context costs what was added to it (DESIGN §9).
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from .messages import Message, ToolResult, calls_of, results
from .sanitise import storable

Boundary = Literal["request", "reply", "end"]
BOUNDARY_WORDS: Mapping[Boundary, str] = {
    "request": "as it asked its model",
    "reply": "after its last reply",
    "end": "at its end",
}
PENDING: Mapping[str, str] = {"state": "pending", "detail": "This call has no result yet."}


@dataclass(frozen=True)
class Frozen:
    """JSON data that cannot change. `digest` names it: equal data, equal digest."""

    body: str

    @cached_property
    def digest(self) -> str:
        """The first 128 bits of the body's SHA-256, in hexadecimal."""
        return hashlib.sha256(self.body.encode()).hexdigest()[:32]

    def thaw(self) -> Any:
        """Return the data as a copy of one's own."""
        return json.loads(self.body)


def freeze(data: object) -> Frozen:
    """Return a deep copy of JSON data that nobody can change, and that can be stored and sent."""
    return Frozen(storable(json.dumps(data, ensure_ascii=False, separators=(",", ":"))))


@dataclass(frozen=True, slots=True)
class Identity:
    """Which model an agent speaks to. `digest`: of model, protocol and address, of no secret."""

    model: str
    digest: str


@dataclass(frozen=True, slots=True)
class Snapshot:
    """An agent's context at a boundary. `(run_id, version)` orders the snapshots of a parent.

    `messages`: as the model had them, without what a request ends with. `pending`: the message that
    pairs calls which have no result yet; the next version has their results in its place.
    `tools`: the declarations of the main request. `request_no`: how many requests were made.
    """

    parent: str
    run_id: str
    version: int
    boundary: Boundary
    taken_us: int
    request_no: int
    identity: Identity
    tools: Frozen
    messages: tuple[Frozen, ...]
    pending: Frozen | None = None
    max_tokens: int | None = None

    @property
    def paired(self) -> tuple[Frozen, ...]:
        """The messages, with every call paired."""
        return self.messages if self.pending is None else (*self.messages, self.pending)

    def thawed(self) -> list[Message]:
        """Return the paired messages as copies of one's own."""
        return [one.thaw() for one in self.paired]

    def is_after(self, other: "Snapshot | None") -> bool:
        """Whether it is newer; run ids are made in order."""
        if other is None:
            return True
        return (self.run_id, self.version) > (other.run_id, other.version)

    def shared_with(self, other: "Snapshot | None") -> int:
        """Return how many messages from the beginning are those of an earlier snapshot."""
        if other is None or other.run_id != self.run_id:
            return 0
        shared = 0
        for own, before in zip(self.messages, other.messages, strict=False):
            if own is not before and own.body != before.body:
                break
            shared += 1
        return shared


class Copies:
    """The frozen messages of one history, which is appended to, or replaced by a shorter one.

    A message that was seen is known again by its identity: a history's messages are never changed
    in place. So a copy is made of what is new, and of nothing else.
    """

    def __init__(self) -> None:
        self._seen: list[Message] = []
        self._frozen: tuple[Frozen, ...] = ()

    def of(self, messages: Sequence[Message]) -> tuple[Frozen, ...]:
        """Return the history frozen."""
        same = 0
        for seen, message in zip(self._seen, messages, strict=False):
            if seen is not message:
                break
            same += 1
        if same < len(messages) or same < len(self._seen):
            self._frozen = (*self._frozen[:same], *map(freeze, messages[same:]))
            self._seen = list(messages)
        return self._frozen


def pending_results(messages: Sequence[Message]) -> Frozen | None:
    """Return the message that answers the newest reply's calls which have no result yet, None when
    all have one. Results come in one message after the reply, so a reply has all or none."""
    if not messages or messages[-1]["kind"] != "response":
        return None
    calls = list(calls_of(messages[-1]))
    if not calls:
        return None
    return freeze(results([ToolResult(call.call_id, call.tool, PENDING) for call in calls]))
