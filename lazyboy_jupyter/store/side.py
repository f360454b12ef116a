"""Owns how snapshots and side questions become rows, and how they are read back.

Rows are only appended: a message once for each parent, a snapshot as what it adds to the stored one
before it, an answer as its pieces. So what is stored grows with what is new (DESIGN §9).
"""

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from ..core.side import Rest, Seen, SideQuestion
from ..core.snapshot import Frozen, Identity, Snapshot
from .database import Database
from .rows import Batch, at
from .schema import SIDE_MESSAGE, SIDE_QUESTION, SIDE_SNAPSHOT, SIDE_STEP
from .views import SIDE_UNENDED, side_steps


def add_snapshot(
    batch: Batch, snapshot: Snapshot, before: Snapshot | None, known: set[str]
) -> Batch:
    """Add a snapshot's rows, given the one of the same parent that was stored before it.

    `known`: the digests of what is stored of the parent already; what is added joins them.
    """
    shared = snapshot.shared_with(before)
    added = snapshot.messages[shared:]
    pending = (snapshot.pending,) if snapshot.pending is not None else ()
    for one in (snapshot.tools, *added, *pending):
        if one.digest not in known:
            known.add(one.digest)
            batch.add(SIDE_MESSAGE, parent=snapshot.parent, digest=one.digest, body=one.body)
    return batch.add(
        SIDE_SNAPSHOT,
        parent=snapshot.parent,
        run_id=snapshot.run_id,
        version=snapshot.version,
        boundary=snapshot.boundary,
        taken_at=at(snapshot.taken_us),
        request_no=snapshot.request_no,
        model=snapshot.identity.model,
        identity=snapshot.identity.digest,
        tools=snapshot.tools.digest,
        max_tokens=snapshot.max_tokens,
        follows=before.version if shared and before is not None else None,
        shared=shared,
        added=json.dumps([one.digest for one in added]),
        pending=snapshot.pending.digest if snapshot.pending is not None else None,
    )


def load_snapshot(database: Database, parent: str) -> Snapshot | None:
    """Return the newest snapshot that is stored whole of a parent, None when none is.

    One that follows a version whose commit failed is not whole; those before it are.
    """
    rows = database.rows(
        """SELECT *, epoch_us(taken_at) AS taken_us FROM data.side_snapshot
           WHERE parent = ? ORDER BY run_id, version""",
        [parent],
    )
    if not rows:
        return None
    bodies = {
        row["digest"]: Frozen(row["body"])
        for row in database.rows(
            "SELECT digest, body FROM data.side_message WHERE parent = ?", [parent]
        )
    }
    row, digests = _newest_whole(rows)
    if row is None:
        return None
    return Snapshot(
        parent,
        row["run_id"],
        row["version"],
        row["boundary"],
        row["taken_us"],
        row["request_no"],
        Identity(row["model"], row["identity"]),
        bodies[row["tools"]],
        tuple(bodies[digest] for digest in digests),
        bodies[row["pending"]] if row["pending"] is not None else None,
        row["max_tokens"],
    )


def newest_seen(database: Database, parent: str) -> Seen | None:
    """Return which snapshot of a parent was stored last, None when none was."""
    rows = database.rows(
        """SELECT run_id, version, boundary, epoch_us(taken_at) AS taken_us, request_no
           FROM data.side_snapshot WHERE parent = ? ORDER BY run_id DESC, version DESC LIMIT 1""",
        [parent],
    )
    return Seen(**rows[0]) if rows else None


def _newest_whole(rows: Sequence[dict[str, Any]]) -> tuple[dict[str, Any] | None, list[str]]:
    """Return the newest row whose chain of followed versions is there, and its messages' digests.
    `rows`: oldest first."""
    newest: dict[str, Any] | None = None
    whole: dict[tuple[str, int], list[str]] = {}
    digests: list[str] = []
    for row in rows:
        follows = row["follows"]
        before = [] if follows is None else whole.get((row["run_id"], follows))
        if before is not None:
            newest, digests = row, [*before[: row["shared"]], *json.loads(row["added"])]
            whole[row["run_id"], row["version"]] = digests
    return newest, digests


def owner_of(database: Database, parent: str) -> tuple[str, str]:
    """Return the agent's and the conversation's id of a parent."""
    rows = database.rows(
        """SELECT agent_id, conversation_id FROM data.task WHERE task_id = ?
           UNION ALL
           SELECT agent_id, conversation_id FROM data.agent
           WHERE conversation_id = ? AND name = 'coordinator'""",
        [parent, parent],
    )
    return (rows[0]["agent_id"], rows[0]["conversation_id"]) if rows else ("", parent)


def parent_of(database: Database, request_id: str) -> str | None:
    """Return whose side question it is, or None."""
    rows = database.rows("SELECT parent FROM data.side_question WHERE request_id = ?", [request_id])
    return str(rows[0]["parent"]) if rows else None


def is_retired(database: Database, parent: str) -> bool:
    """Return whether a task was put away: its agent is asked nothing any more."""
    return bool(database.rows("SELECT 1 FROM data.retirement WHERE task_id = ?", [parent]))


def add_question(batch: Batch, side: SideQuestion) -> Batch:
    """Add a new side question's rows."""
    batch.add(
        SIDE_QUESTION,
        parent=side.parent,
        request_id=side.request_id,
        ordinal=side.ordinal,
        client_request_id=side.client_request_id,
        question=side.question,
        model=side.model,
        run_id=side.seen.run_id,
        version=side.seen.version,
        boundary=side.seen.boundary,
        taken_at=at(side.seen.taken_us),
        request_no=side.seen.request_no,
        asked_at=at(side.asked_us),
    )
    return add_step(batch, side, "", side.asked_us)


def add_step(batch: Batch, side: SideQuestion, piece: str, now_us: int) -> Batch:
    """Add where a side question has got to. `piece`: what its answer has more than in the step
    stored before; of one that has ended, the whole answer is stored instead."""
    first, promoted = side.first_text_us, side.promoted_us
    return batch.add(
        SIDE_STEP,
        parent=side.parent,
        request_id=side.request_id,
        sequence=side.sequence,
        ts=at(side.ended_us or now_us),
        status=side.status,
        piece=side.answer if side.ended else piece,
        tool=side.tool or None,
        problem=side.problem or None,
        input_tokens=side.input_tokens,
        output_tokens=side.output_tokens,
        rests_on=json.dumps([asdict(one) for one in side.rests_on]) if side.rests_on else None,
        first_text_at=at(first) if first is not None else None,
        promoted_at=at(promoted) if promoted is not None else None,
    )


def _loaded(which: str) -> str:
    return f"""
    WITH step AS ({side_steps(which)})
    SELECT q.* EXCLUDE (taken_at, asked_at), step.* EXCLUDE (request_id, first_text_at, ended_at,
           promoted_at),
           epoch_us(q.taken_at) AS taken_us, epoch_us(q.asked_at) AS asked_us,
           epoch_us(step.first_text_at) AS first_text_us, epoch_us(step.ended_at) AS ended_us,
           epoch_us(step.promoted_at) AS promoted_us
    FROM data.side_question q JOIN step USING (request_id)"""


def load_questions(database: Database, parent: str) -> list[SideQuestion]:
    """Return a parent's side questions as stored, in their order."""
    rows = database.rows(f"{_loaded('parent = ?')} ORDER BY q.ordinal", [parent])
    return [_question(row) for row in rows]


def open_questions(database: Database) -> list[SideQuestion]:
    """Return the side questions of every parent that have no end."""
    rows = database.rows(f"{_loaded(SIDE_UNENDED)} ORDER BY q.request_id")
    return [_question(row) for row in rows]


def interrupt_side_questions(database: Database, now_us: int) -> Sequence[SideQuestion]:
    """End what has no end as `interrupted`, its text kept; for the opening of a store."""
    ended = [one.end("interrupted", max(now_us, one.asked_us)) for one in open_questions(database)]
    batch = Batch()
    for one in ended:
        add_step(batch, one, "", now_us)
    if ended:
        database.append(batch).result()
    return ended


def _question(row: dict[str, Any]) -> SideQuestion:
    rests_on = json.loads(row["rests_on"]) if row["rests_on"] else []
    return SideQuestion(
        request_id=row["request_id"],
        parent=row["parent"],
        ordinal=row["ordinal"],
        client_request_id=row["client_request_id"],
        question=row["question"],
        model=row["model"],
        seen=Seen(
            row["run_id"], row["version"], row["boundary"], row["taken_us"], row["request_no"]
        ),
        asked_us=row["asked_us"],
        status=row["status"],
        sequence=row["sequence"],
        answer=row["answer"] or "",
        tool=row["tool"] or "",
        problem=row["problem"] or "",
        input_tokens=row["input_tokens"],
        output_tokens=row["output_tokens"],
        rests_on=tuple(Rest(**one) for one in rests_on),
        first_text_us=row["first_text_us"],
        ended_us=row["ended_us"],
        promoted_us=row["promoted_us"],
    )
