"""Owns one side question's life: its states, what each may follow, and what people see of it. Pure.

A side question is a value: every step gives the next one, with a higher `sequence`, and an end is
an end. Observers that hold the highest sequence agree (DESIGN §9).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from .snapshot import Boundary

LONGEST_QUESTION = 4_000
LONGEST_ANSWER = 30_000
"""Characters after which an answer is ended: nobody reads more, and each redraw writes it whole."""
AT_ONCE = 4
SECONDS = 120.0
SideStatus = Literal[
    "preparing",
    "running",
    "completed",
    "needs_tools",
    "stopped",
    "timed_out",
    "failed",
    "interrupted",
]
ENDED: frozenset[SideStatus] = frozenset(
    ("completed", "needs_tools", "stopped", "timed_out", "failed", "interrupted")
)
STATUS_WORDS: dict[SideStatus, str] = {
    "preparing": "preparing",
    "running": "answering",
    "completed": "answered",
    "needs_tools": "it would have to look further",
    "stopped": "stopped",
    "timed_out": "out of time",
    "failed": "failed",
    "interrupted": "interrupted",
}


class InvalidStep(Exception):  # noqa: N818 - named as what it is
    """The side question cannot take this step now."""


@dataclass(frozen=True, slots=True)
class Seen:
    """The snapshot that a side question was put to, as people are told of it."""

    run_id: str
    version: int
    boundary: Boundary
    taken_us: int
    request_no: int


@dataclass(frozen=True, slots=True)
class Rest:
    """What an answer rests on: a source of the snapshot, and the message that delivered it.

    `message`: its number in the snapshot, from 1; `quote` and `offset` where the answer is a
    passage of the source's text.
    """

    source: str
    title: str
    url: str
    message: int
    quote: str | None = None
    offset: int | None = None


@dataclass(frozen=True, slots=True)
class SideQuestion:
    """One question with its answer so far.

    `parent` is the id of a task or of a conversation; `ordinal` counts its questions from 1.
    `answer` is cumulative. `tool`: what the model tried to call, when it needs tools. `problem`: a
    sentence and the next step, when it went wrong. Tokens are None where nobody said.
    """

    request_id: str
    parent: str
    ordinal: int
    client_request_id: str
    question: str
    model: str
    seen: Seen
    asked_us: int
    status: SideStatus = "preparing"
    sequence: int = 1
    answer: str = ""
    tool: str = ""
    problem: str = ""
    input_tokens: int | None = None
    output_tokens: int | None = None
    rests_on: tuple[Rest, ...] = ()
    first_text_us: int | None = None
    ended_us: int | None = None
    promoted_us: int | None = None

    @property
    def ended(self) -> bool:
        """Whether nothing of it changes any more, but that it may be promoted."""
        return self.status in ENDED

    def running(self) -> "SideQuestion":
        """Return it with its request sent. Raises `InvalidStep`."""
        if self.status != "preparing":
            raise InvalidStep(f"a side question that is {self.status} is not sent")
        return replace(self, status="running", sequence=self.sequence + 1)

    def heard(self, text: str, now_us: int) -> "SideQuestion":
        """Return it with more of its answer. Raises `InvalidStep`."""
        if self.status != "running":
            raise InvalidStep(f"a side question that is {self.status} hears nothing")
        return replace(
            self,
            answer=self.answer + text,
            sequence=self.sequence + 1,
            first_text_us=now_us if self.first_text_us is None else self.first_text_us,
        )

    def end(
        self,
        status: SideStatus,
        now_us: int,
        *,
        answer: str | None = None,
        tool: str = "",
        problem: str = "",
        tokens: tuple[int | None, int | None] = (None, None),
        rests_on: Sequence[Rest] = (),
    ) -> "SideQuestion":
        """Return it ended; what it has of an answer stays. Raises `InvalidStep`."""
        if self.ended or status not in ENDED:
            raise InvalidStep(f"a side question that is {self.status} does not become {status}")
        return replace(
            self,
            status=status,
            sequence=self.sequence + 1,
            answer=self.answer if answer is None else answer,
            tool=tool,
            problem=problem,
            input_tokens=tokens[0],
            output_tokens=tokens[1],
            rests_on=tuple(rests_on),
            ended_us=now_us,
        )

    def promoted(self, now_us: int) -> "SideQuestion":
        """Return it as given to its agent. Once, and only when ended. Raises `InvalidStep`."""
        if not self.ended or self.promoted_us is not None:
            raise InvalidStep("a side question is given to its agent once, when it has ended")
        return replace(self, promoted_us=now_us, sequence=self.sequence + 1)
