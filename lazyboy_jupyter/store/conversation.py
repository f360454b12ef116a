"""Owns how a conversation's turns are stored, and how its history is read back."""

import json

from pydantic import TypeAdapter

from ..core.messages import Message
from .database import Database
from .rows import Batch
from .schema import HISTORY_SUMMARY, TURN_MESSAGE


def add_turn_message(
    batch: Batch, task_id: str, conversation_id: str, seq: int, message: Message
) -> Batch:
    """Add a message of a turn. `seq` counts the turn's messages from 1."""
    body = json.dumps(message, ensure_ascii=False)
    return batch.add(
        TURN_MESSAGE, task_id=task_id, conversation_id=conversation_id, seq=seq, body=body
    )


def add_summary(
    batch: Batch, task_id: str, conversation_id: str, upto: str, until_us: int, summary: str
) -> Batch:
    """Add what stands for the history up to a turn, and for what was reported up to a time;
    `task_id`: the turn that had it made."""
    return batch.add(
        HISTORY_SUMMARY,
        task_id=task_id,
        conversation_id=conversation_id,
        upto=upto,
        until_us=until_us,
        summary=summary,
    )


def turns_of(
    database: Database, conversation_id: str, before: str, after: str
) -> list[tuple[str, int, tuple[Message, ...]]]:
    """Return the turns between two, each with the time of its beginning in microseconds and its
    messages, oldest first."""
    rows = database.rows(
        """SELECT m.task_id, epoch_us(t.created_at) AS us, list(m.body ORDER BY m.seq) AS bodies
           FROM data.turn_message m JOIN data.task t USING (task_id)
           WHERE m.conversation_id = ? AND m.task_id < ? AND m.task_id > ?
           GROUP BY ALL ORDER BY m.task_id""",
        [conversation_id, before, after],
    )
    return [(row["task_id"], row["us"], tuple(map(_message, row["bodies"]))) for row in rows]


FAILED = -2
_MESSAGE: TypeAdapter[Message] = TypeAdapter(dict)


def _message(body: str) -> Message:
    return _MESSAGE.validate_json(body)


def summary_of(database: Database, conversation_id: str) -> tuple[str, int, str]:
    """Return the newest summary: the turn and the time up to which it is, and its text; empty
    without one."""
    rows = database.rows(
        """SELECT upto, until_us, summary FROM data.history_summary
           WHERE conversation_id = ? ORDER BY task_id DESC LIMIT 1""",
        [conversation_id],
    )
    return (rows[0]["upto"], rows[0]["until_us"], rows[0]["summary"]) if rows else ("", 0, "")


def published_in(
    database: Database, conversation_id: str, coordinator: str, since_us: int
) -> list[tuple[str, str, int, int]]:
    """Return the publications and results of a conversation's tasks since a time, and what of them
    was given away and has failed, as (task, agent, publication or −1 or `FAILED`, microseconds),
    oldest first. A turn's own answer is none of them; of a task
    that another one went on with, that one's count."""
    rows = database.rows(
        """SELECT p.task_id, t.agent_id, p.number, epoch_us(p.published_at) AS us
           FROM data.publication p JOIN data.task t USING (task_id)
           WHERE t.conversation_id = ? AND t.agent_id <> ?
             AND NOT EXISTS (FROM data.task r WHERE r.resumed_from = t.task_id)
           UNION ALL
           SELECT e.task_id, t.agent_id, -1, epoch_us(e.ts)
           FROM data.event e JOIN data.task t USING (task_id)
           WHERE e.kind = 'ResultDelivered' AND t.conversation_id = ? AND t.agent_id <> ?
           UNION ALL
           SELECT e.task_id, t.agent_id, -2, epoch_us(e.ts)
           FROM data.event e JOIN data.task t USING (task_id)
           WHERE e.kind = 'TaskFailed' AND t.parent_task_id IS NOT NULL
             AND t.conversation_id = ? AND t.agent_id <> ?
           ORDER BY 4, 1""",
        [conversation_id, coordinator] * 3,
    )
    return [
        (row["task_id"], row["agent_id"], row["number"], row["us"])
        for row in rows
        if row["us"] >= since_us
    ]
