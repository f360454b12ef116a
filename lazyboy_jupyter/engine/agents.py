"""Owns who the agents of a conversation are: their names, their roles, and which one coordinates.

An agent is known from its first task on, and after a restart. A question asked in a cell of its
own has an agent without a name.
"""

import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from ..core.sanitise import storable, visible
from ..ports import Ids
from ..store.database import Database
from ..store.rows import Batch, at
from ..store.schema import AGENT

COORDINATOR = "coordinator"
LONGEST_NAME = 60


@dataclass(frozen=True, slots=True)
class Agent:
    """A named participant. `role`: what it is for, in a sentence."""

    agent_id: str
    name: str
    role: str = ""


def is_coordinator(name: str) -> bool:
    """Whether a name is kept for the one that the person talks to."""
    return _key(name) == COORDINATOR


def _key(name: str) -> str:
    """Names that look the same are the same: what is invisible in one counts for nothing."""
    shown = unicodedata.normalize("NFKC", visible(name, LONGEST_NAME))
    return "".join(one for one in shown if unicodedata.category(one) != "Cf").casefold()


class Agents:
    """The agents of one conversation. Changed on the engine's thread; read from any."""

    def __init__(self, database: Database, conversation_id: str, ids: Ids) -> None:
        rows = database.rows(
            "SELECT agent_id, name, role FROM data.agent WHERE conversation_id = ? ORDER BY 1",
            [conversation_id],
        )
        self._agents = {_key(row["name"]): Agent(**row) for row in rows}
        self._conversation_id = conversation_id
        self._ids = ids

    def __iter__(self) -> Iterator[Agent]:
        return iter(list(self._agents.values()))

    def named(self, name: str) -> Agent | None:
        """Return the agent of that name, None when nobody has it."""
        return self._agents.get(_key(name))

    def name_of(self, agent_id: str) -> str:
        """Return an agent's name, empty for one that has none."""
        return next((one.name for one in self if one.agent_id == agent_id), "")

    @property
    def names(self) -> dict[str, str]:
        """The names by id, in the order in which they came."""
        return {one.agent_id: one.name for one in self}

    @property
    def coordinator(self) -> Agent | None:
        """The coordinator, None before the first turn."""
        return self.named(COORDINATOR)

    @contextmanager
    def joined(self, name: str, role: str, now_us: int) -> Iterator[tuple[Agent, Batch]]:
        """Give the agent of that name, a new one where there is none, with the rows to commit with
        its task. One whose first task cannot be committed is not there."""
        known = self.named(name)
        if known is not None:
            yield known, Batch()
            return
        agent, rows = self._add(name, role, now_us)
        try:
            yield agent, rows
        except BaseException:
            self._agents.pop(_key(name), None)
            raise

    def _add(self, name: str, role: str, now_us: int) -> tuple[Agent, Batch]:
        agent = Agent(self._ids.new(), visible(name, LONGEST_NAME), storable(role))
        self._agents[_key(name)] = agent
        row = Batch().add(
            AGENT,
            agent_id=agent.agent_id,
            conversation_id=self._conversation_id,
            name=agent.name,
            role=agent.role,
            created_at=at(now_us),
        )
        return agent, row

    def forget(self) -> None:
        """Let go of all of them: their conversation was deleted."""
        self._agents.clear()
