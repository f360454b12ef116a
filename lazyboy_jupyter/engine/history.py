"""Owns reading a conversation's history for its next turn, and keeping it within bounds.

Publications come from where they are stored, at whatever moment they came; so they are in the next
turn and after a restart without anybody's doing. A task that is deleted is told of no more; what a
turn has said of it, or been told of it by its tools, stays until that turn is deleted too.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from ..core.conversation import Part, Reported, Turn, opening_of, parts_of, to_summarise
from ..core.messages import Message
from ..core.prompts import COORDINATOR
from ..core.reports import Report
from ..core.side_context import as_text
from ..errors import ModelError
from ..ports import Clock, Model, Usage
from ..store.conversation import FAILED, published_in, summary_of, turns_of
from ..store.database import Database
from ..threads import off_loop
from .agents import Agents
from .side.summaries import Summaries
from .stored import UNREADABLE, StoredTask, load_task

ROOM = 400_000
"""Characters of history for a model that does not say how much it takes."""
_SHARE = 2
"""A history takes up to one part in so many of a model's room; the rest is for the turn."""
_REQUEST = 120_000
_GROWN = 1.25
"""A history whose summary failed has to have grown by so much before it is tried again."""

Keep = Callable[[str, int, str], Awaitable[None]]
"""Stores a summary: the turn and the time up to which it is, and its text."""


@dataclass(frozen=True, slots=True)
class History:
    """The history of one conversation."""

    database: Database
    conversation_id: str
    agents: Agents
    clock: Clock
    _summaries: Summaries
    """What is summarised of a long history stays, also when a later part of it fails."""
    _failed: dict[int, int] = field(default_factory=dict)
    """The size of a history whose summary failed, by the room that it had to fit in."""
    _reports: dict[tuple[str, int], Report] = field(default_factory=dict)
    """What was reported before: a publication never changes, and reading one costs as a task."""

    async def before(
        self, turn_id: str, began_us: int, model: Model, keep: Keep, room: int
    ) -> list[Message]:
        """Return what the model is told before a turn's own words, within half of `room`
        characters. A history that has become longer is summarised by the model once, and the
        summary kept; where that fails, its oldest parts are left out."""
        loaded = await off_loop(partial(self._loaded, turn_id, began_us))
        summary, parts = loaded
        count = to_summarise(parts, room // _SHARE)
        size = sum(part.size for part in parts)
        if count and size < self._failed.get(room, 0) * _GROWN:
            parts = parts[count:]  # it failed just now, and would cost as much again
        elif count and model.takes_notes:  # one that only ranks and quotes has room for all
            old, parts = parts[:count], parts[count:]
            try:
                summary = await self._summarised(summary, old, model)
                await keep(old[-1].upto, old[-1].until_us, summary)
            except ModelError:
                self._failed[room] = size
                # What is left out is in the store, and task_status tells of every task
        return [
            opening_of(COORDINATOR, summary),
            *(message for part in parts for message in part.messages),
        ]

    async def _summarised(self, before: str, parts: Sequence[Part], model: Model) -> str:
        text = await off_loop(lambda: as_text([m for part in parts for m in part.messages]))
        told = f"{before}\n\n{text}" if before else text

        def timed(began_us: int, outcome: str, usage: Usage) -> None:
            """It is no round of the turn."""

        key = (self.conversation_id,)
        return await self._summaries.of(key, told, model, _REQUEST, timed)

    def _loaded(self, turn_id: str, began_us: int) -> tuple[str, list[Part]]:
        """Reads the store: not on the loop."""
        upto, since, summary = summary_of(self.database, self.conversation_id)
        stored = turns_of(self.database, self.conversation_id, turn_id, upto)
        turns = [Turn(*one) for one in stored]
        coordinator = self.agents.coordinator
        published = published_in(
            self.database,
            self.conversation_id,
            coordinator.agent_id if coordinator is not None else "",
            since,
        )
        reported = []
        for task_id, agent_id, number, at_us in published:
            if at_us >= began_us:
                continue  # it is for the turn after this one
            key = (task_id, number)
            if key not in self._reports:
                try:
                    task = load_task(self.database, task_id)
                except UNREADABLE:
                    continue  # deleted just now, or damaged: it costs no turn
                self._reports[key] = _report(task, self.agents.name_of(agent_id), number)
            reported.append(Reported(at_us, self._reports[key]))
        return summary, parts_of(turns, reported)


def _report(task: StoredTask, agent: str, number: int) -> Report:
    """A task as it stood with a publication, or with its result."""
    report = Report(task.task_id, agent, task.state.question, "completed")
    if number == FAILED:
        return replace(report, status="failed", error=task.state.error_detail)
    if number < 0:
        return replace(report, result=task.state.result, rests_on=task.state.rests_on)
    guide = task.guide_with(number + 1)
    return replace(report, guide=guide, additions_only=number > 0)
