"""Owns one answer: what its request holds, the request, and what came back. On the engine's thread.

It makes one streamed request and runs no tool. It writes nothing: whoever asked is told of each
piece, and what comes back says how it ended.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ...core.prompts import side_question, side_summary_note
from ...core.replies import understood
from ...core.sanitise import storable
from ...core.side import LONGEST_ANSWER, SideStatus
from ...core.side_context import (
    PAIRS_CHARACTERS,
    SUMMARY_CHARACTERS,
    Pair,
    as_text,
    fitted,
    parted,
    side_messages,
    size_of,
)
from ...core.snapshot import Snapshot
from ...errors import ModelError
from ...ports import Clock, Model, ModelReply, ModelRequest, Usage
from ...threads import off_loop
from ..asking import ask
from ..snapshots import tools_of
from .summaries import Key, Summaries, Timed

_SUMMARY = 4_000
"""Characters that are summarised at once however small the room."""
_REDUCED = 40_000
"""Characters that nearly every model has room for: what is left after an overflow."""


@dataclass(frozen=True, slots=True)
class Answer:
    """How a request ended: `text` is the whole answer; `tool` what it tried to call."""

    status: SideStatus
    text: str
    tool: str
    usage: Usage


@dataclass(frozen=True, slots=True)
class Answering:
    """Answers the questions put to one snapshot.

    `begun` is called when the request is sent, `heard` with each piece of text.
    """

    model: Model
    snapshot: Snapshot
    pairs: Sequence[Pair]
    summaries: Summaries
    clock: Clock
    begun: Callable[[], None]
    heard: Callable[[str], None]
    summarised: Timed

    async def answer(self, question: str) -> Answer:
        """Return the answer. Raises `ModelError`.

        A context that the model has no room for is sent once more, much smaller, unless a part of
        the reply had come already.
        """
        said = False

        def hear(text: str) -> None:
            nonlocal said
            said = True
            self.heard(text)

        request = await self._request(question, self.model.room)
        self.begun()
        try:
            reply = await ask(self.model, request, self.clock, hear)
        except ModelError as error:
            if error.kind != "overflow" or said:
                raise
            smaller = min(size_of(request.messages) // 2, _REDUCED)
            request = await self._request(question, smaller, reduced=True)
            reply = await ask(self.model, request, self.clock, hear)
        return await self._read(reply, request)

    async def _request(
        self, question: str, room: int | None, *, reduced: bool = False
    ) -> ModelRequest:
        pairs_room = PAIRS_CHARACTERS
        if reduced and room is not None:
            pairs_room = room // 4  # what is told again and the notes share the room with it
            room = room // 2
        limit = room
        # A context of megabytes takes a while to copy and to measure: the loop must not wait.
        context = await off_loop(lambda: fitted(self.snapshot.thawed(), limit))
        size = SUMMARY_CHARACTERS if room is None else min(SUMMARY_CHARACTERS, room + _SUMMARY)
        notes = []

        async def summarise(key: Key, text: str) -> None:
            key = (self.snapshot.parent, *key)
            notes.append(await self.summaries.of(key, text, self.model, size, self.summarised))

        if context.left_out:
            # Two rows of summaries: each grows, where one would begin anew with every question.
            key = (self.snapshot.run_id, "reduced" if reduced else "whole")
            await summarise(key, await off_loop(lambda: as_text(context.left_out)))
        older, recent = parted(self.pairs, pairs_room)
        if older and room is not None:
            await summarise((), _told(older))
        return ModelRequest(
            side_messages(context.messages, [side_summary_note(note) for note in notes], recent),
            tools_of(self.snapshot),
            None,
            tail=side_question(question),
            max_tokens=self.snapshot.max_tokens,
            aside=question,
        )

    async def _read(self, reply: ModelReply, request: ModelRequest) -> Answer:
        """A reply that calls a tool, or prints a call, needs tools; its text is kept."""
        offered = [tool.name for tool in request.tools]
        said = storable(reply.text)[:LONGEST_ANSWER]
        text, calls = await off_loop(
            lambda: understood(said, reply.calls, offered, supplement=False)
        )
        if calls:
            return Answer("needs_tools", text, storable(calls[0].tool)[:80], reply.usage)
        if not text:
            raise ModelError("The model's answer was empty.", "Ask again.", kind="unreadable")
        return Answer("completed", text, "", reply.usage)


def _told(pairs: Sequence[Pair]) -> str:
    return "\n".join(f"Asked: {pair.question}\nAnswered: {pair.answer}" for pair in pairs)
