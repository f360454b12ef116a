"""Owns tasks as the store has them: finding one, and showing it as it was. Reads only."""

import json
from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter

from ..core.guide import Guide, Source, guide_of
from ..core.publication import Publication
from ..core.research import InvalidTransition, ResearchState
from ..core.view import RunView, view_of
from ..errors import UnknownTaskError
from ..store.database import Database
from ..store.events import state_of
from .evidence import search_problems
from .rounds import Tokens

_SHORTEST = 4
UNREADABLE = (UnknownTaskError, InvalidTransition, ValueError)
"""What `load_task` raises for a task that was deleted, or whose log is damaged."""
_PUBLICATION = TypeAdapter(Publication)


@dataclass(frozen=True, slots=True)
class StoredTask:
    """A task as it stands in the store."""

    task_id: str
    state: ResearchState
    publications: tuple[Publication, ...]
    sources: tuple[Source, ...]
    tokens: Tokens
    problems: tuple[str, ...]
    search: str
    agent_id: str

    @property
    def guide(self) -> Guide | None:
        """The guide as published."""
        return guide_of(self.state.question, self.publications, self.sources)

    def guide_with(self, count: int) -> Guide | None:
        """Return the guide as it was with its first publications."""
        return guide_of(self.state.question, self.publications[:count], self.sources)

    def view(self, now_us: int) -> RunView:
        """Return what the task looks like; it moves no more."""
        return view_of(
            self.task_id,
            self.state,
            now_us,
            sources=self.sources,
            running=(),
            guide=self.guide,
            problems=self.problems,
            search=self.search,
        )


def find_task(database: Database, reference: str) -> str:
    """Return the id of the task that `reference` names: its name, or a part of its id.

    Of several tasks with one name it is the newest; the last characters of an id are enough when
    they name one task. Raises `UnknownTaskError`.
    """
    wanted = reference.strip().lower()
    if not wanted:
        raise UnknownTaskError("There is no task without an id.", "%lazyboy list shows them.")
    named = database.rows(
        "SELECT task_id FROM data.task WHERE lower(name) = ? ORDER BY created_at DESC LIMIT 1",
        [wanted],
    )
    rows = named or database.rows(
        """SELECT task_id FROM data.task
           WHERE length(?) >= ? AND (ends_with(task_id, ?) OR starts_with(task_id, ?))""",
        [wanted, _SHORTEST, wanted, wanted],
    )
    if not rows:
        raise UnknownTaskError(
            f"There is no task {reference[:80]!r} here.",
            f"Give {_SHORTEST} characters of its id or more: %lazyboy list.",
        )
    if len(rows) > 1:
        raise UnknownTaskError(
            f"{reference[:80]!r} names {len(rows)} tasks.", "Give more of the id: %lazyboy list."
        )
    return str(rows[0]["task_id"])


def newest_task(database: Database) -> str | None:
    """Return the id of the task that was asked last and is not archived, or None."""
    newest = database.rows(
        """SELECT max(task_id) AS task_id FROM data.task
           WHERE task_id NOT IN (SELECT task_id FROM data.retirement)
             AND task_id NOT IN (SELECT task_id FROM data.turn_message)"""
    )[0]["task_id"]
    return None if newest is None else str(newest)


def load_task(database: Database, task_id: str) -> StoredTask:
    """Return a stored task whole. Raises `UnknownTaskError` when it is not there any more."""
    state = state_of(database, task_id)
    if state.phase == "new":
        raise UnknownTaskError("That task is not in the store.", "%lazyboy list shows what is.")
    tokens = database.rows(
        """SELECT sum(input_tokens)::BIGINT AS i, sum(output_tokens)::BIGINT AS o
           FROM data.round WHERE task_id = ?""",
        [task_id],
    )[0]
    return StoredTask(
        task_id,
        state,
        publications_of(database, task_id),
        sources_of(database, task_id),
        Tokens(tokens["i"], tokens["o"]),
        _problems(database, task_id),
        *_who(database, task_id),
    )


def publications_of(database: Database, task_id: str) -> tuple[Publication, ...]:
    """Return a task's publications, in their order."""
    rows = database.rows(
        "SELECT body, gaps FROM data.publication WHERE task_id = ? ORDER BY number", [task_id]
    )
    return tuple(
        _PUBLICATION.validate_python({**json.loads(row["body"]), "gaps": json.loads(row["gaps"])})
        for row in rows
    )


def sources_of(database: Database, task_id: str) -> tuple[Source, ...]:
    """Return a task's sources, each as it was last, in the order of their ids."""
    rows = database.rows(
        """SELECT source_id, url, final_url, title, state, via, error AS error_kind, error_detail,
                  characters, output_id, gap, elapsed_ms
           FROM data.source WHERE task_id = ?
           QUALIFY row_number() OVER (PARTITION BY source_id ORDER BY seq DESC) = 1
           ORDER BY try_cast(substr(source_id, 2) AS INTEGER)""",
        [task_id],
    )
    return tuple(Source(**row) for row in rows)


def _who(database: Database, task_id: str) -> tuple[str, str]:
    """What it searched, and whose task it is."""
    rows = database.rows("SELECT search, agent_id FROM data.task WHERE task_id = ?", [task_id])
    return (rows[0]["search"] or "", rows[0]["agent_id"] or "") if rows else ("", "")


def output_text(database: Database, task_id: str, output_id: str) -> str | None:
    """Return an output of a task whole, or None."""
    rows = database.rows(
        "SELECT text FROM data.output WHERE task_id = ? AND output_id = ?", [task_id, output_id]
    )
    return str(rows[0]["text"]) if rows else None


def _problems(database: Database, task_id: str) -> tuple[str, ...]:
    rows = database.rows(
        """SELECT key, result FROM data.evidence
           WHERE task_id = ? AND kind = 'search' AND error <> '' ORDER BY saved_at""",
        [task_id],
    )
    return search_problems((row["key"], json.loads(row["result"])) for row in rows)


_NEWEST_FIRST = "ORDER BY created_at DESC, task_id DESC"


def is_turn(database: Database, task_id: str) -> bool:
    """Return whether a task is a turn of the conversation."""
    return bool(
        database.rows("SELECT 1 FROM data.turn_message WHERE task_id = ? LIMIT 1", [task_id])
    )


def list_tasks(database: Database, *, archived: bool = False) -> list[dict[str, Any]]:
    """Return the row of the view `tasks` of every task but turns of the conversation, newest first,
    with those put away or without."""
    where = "WHERE task_id NOT IN (SELECT task_id FROM data.turn_message)"
    if not archived:
        where += " AND task_id NOT IN (SELECT task_id FROM data.retirement)"
    return database.rows(f"SELECT * FROM tasks {where} {_NEWEST_FIRST}")


def list_all_tasks(database: Database) -> tuple[list[dict[str, Any]], list[str]]:
    """Return the rows of the view `tasks` over the archive too, newest first, with whether each is
    `own` and `archived`, and its `notebook`; and what was left out, a sentence each."""
    relation, left_out = database.relation_over_all(
        f"""SELECT t.*, t.task_id IN (SELECT task_id FROM data.task) AS own,
                   t.task_id IN (SELECT task_id FROM data.retirement) AS archived,
                   coalesce(c.notebook, '') AS notebook
            FROM tasks t LEFT JOIN conversations c USING (conversation_id)
            WHERE t.task_id NOT IN (SELECT task_id FROM rounds
                                    WHERE prompt_version LIKE 'coordinator%')
            {_NEWEST_FIRST}"""
    )
    names = relation.columns
    return [dict(zip(names, row, strict=True)) for row in relation.fetchall()], left_out


def tasks_of_conversation(database: Database, conversation_id: str) -> list[str]:
    """Return the ids of all tasks of a conversation, its turns among them, newest first."""
    rows = database.rows(
        f"SELECT task_id FROM data.task WHERE conversation_id = ? {_NEWEST_FIRST}",
        [conversation_id],
    )
    return [row["task_id"] for row in rows]


def conversation_tasks(database: Database, conversation_id: str, coordinator: str) -> list[str]:
    """Return the ids of a conversation's tasks that are none of its turns, newest first."""
    rows = database.rows(
        f"""SELECT task_id FROM data.task
            WHERE conversation_id = ? AND agent_id <> ? {_NEWEST_FIRST}""",
        [conversation_id, coordinator],
    )
    return [row["task_id"] for row in rows]


_EARLIER, _LONGEST_EARLIER = 5, 4_000


def results_of_agent(database: Database, agent_id: str) -> list[tuple[str, str]]:
    """Return what an agent's newest standard tasks were and what came of them, oldest first."""
    rows = database.rows(
        """SELECT t.question, json_extract_string(e.data, '$.text') AS result
           FROM data.task t JOIN data.event e ON e.task_id = t.task_id
           WHERE t.agent_id = ? AND e.kind = 'ResultDelivered'
           ORDER BY t.task_id DESC LIMIT ?""",
        [agent_id, _EARLIER],
    )
    return [
        (row["question"][:_LONGEST_EARLIER], row["result"][:_LONGEST_EARLIER])
        for row in reversed(rows)
    ]
