"""Owns the tables: their columns and what each row is. Append-only, but for a person's deletion.

Tables live in the schema `data`; people query the views of `views.py`, which carry the public
names. No secondary index and no foreign key: both cost every insert, and DuckDB's zone maps
already find one task among millions of rows (DESIGN §15).
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """A table of the schema `data`: column name to DuckDB type, in order."""

    name: str
    columns: dict[str, str]

    @property
    def create(self) -> str:
        """The statement that creates it."""
        columns = ", ".join(f'"{name}" {kind}' for name, kind in self.columns.items())
        return f"CREATE TABLE IF NOT EXISTS data.{self.name} ({columns})"

    @property
    def insert(self) -> str:
        """The statement that inserts rows, given as one list a column.

        One parameter a column, whatever the number of rows: measured at 0.5 to 1.7 times the
        Appender's rate for 10,000 rows and 2 to 4 times for the batches of 1 to 100 that a busy
        engine makes, with no dependency on Arrow. The lists' types are DuckDB's to see: to name
        them would cost a fifth of a small insert.
        """
        names = ", ".join(f'"{name}"' for name in self.columns)
        lists = ", ".join("unnest(?)" for _ in self.columns)
        return f"INSERT INTO data.{self.name} ({names}) SELECT {lists}"


_TASK = {"task_id": "VARCHAR"}

CONVERSATION = Table(
    "conversation",
    {"conversation_id": "VARCHAR", "notebook": "VARCHAR", "created_at": "TIMESTAMPTZ"},
)
# Agents with a name: the coordinator, and those that it, or another agent, has made.
AGENT = Table(
    "agent",
    {
        "agent_id": "VARCHAR",
        "conversation_id": "VARCHAR",
        "name": "VARCHAR",
        "role": "VARCHAR",
        "created_at": "TIMESTAMPTZ",
    },
)
# What a turn of the conversation has said, in the form that models get; `seq` counts from 1.
TURN_MESSAGE = Table(
    "turn_message",
    {**_TASK, "conversation_id": "VARCHAR", "seq": "BIGINT", "body": "VARCHAR"},
)
# What stands for all turns and reports up to a turn, where the history became long.
HISTORY_SUMMARY = Table(
    "history_summary",
    {
        **_TASK,
        "conversation_id": "VARCHAR",
        "upto": "VARCHAR",
        "until_us": "BIGINT",
        "summary": "VARCHAR",
    },
)
TASK = Table(
    "task",
    {
        **_TASK,
        "conversation_id": "VARCHAR",
        "agent_id": "VARCHAR",
        "parent_task_id": "VARCHAR",
        "task_type": "VARCHAR",
        "name": "VARCHAR",
        "question": "VARCHAR",
        "model": "VARCHAR",
        "search": "VARCHAR",
        "budget": "JSON",
        "created_at": "TIMESTAMPTZ",
        "resumed_from": "VARCHAR",
    },
)
EVENT = Table(
    "event",
    {
        "event_id": "VARCHAR",
        **_TASK,
        "seq": "BIGINT",
        "ts": "TIMESTAMPTZ",
        "kind": "VARCHAR",
        "phase": "VARCHAR",
        "data": "JSON",
    },
)
ROUND = Table(
    "round",
    {
        **_TASK,
        "round_id": "VARCHAR",
        "request_no": "INTEGER",
        "phase": "VARCHAR",
        "prompt_version": "VARCHAR",
        "model": "VARCHAR",
        "input_tokens": "BIGINT",
        "output_tokens": "BIGINT",
        "cached_tokens": "BIGINT",
        "outcome": "VARCHAR",
        "started_at": "TIMESTAMPTZ",
    },
)
SOURCE = Table(
    "source",
    {
        **_TASK,
        "source_id": "VARCHAR",
        "seq": "BIGINT",
        "url": "VARCHAR",
        "final_url": "VARCHAR",
        "title": "VARCHAR",
        "via": "VARCHAR",
        "state": "VARCHAR",
        "listed": "BOOLEAN",
        "error": "VARCHAR",
        "error_detail": "VARCHAR",
        "characters": "BIGINT",
        "output_id": "VARCHAR",
        "gap": "INTEGER",
        "request_no": "INTEGER",
        "call_id": "VARCHAR",
        "started_at": "TIMESTAMPTZ",
        "elapsed_ms": "DOUBLE",
    },
)
EVIDENCE = Table(
    "evidence",
    {
        **_TASK,
        "call_id": "VARCHAR",
        "kind": "VARCHAR",
        "key": "VARCHAR",
        "error": "VARCHAR",
        "result": "JSON",
        "saved_at": "TIMESTAMPTZ",
    },
)
OUTPUT = Table(
    "output",
    {
        **_TASK,
        "output_id": "VARCHAR",
        "call_id": "VARCHAR",
        "text": "VARCHAR",
        "saved_at": "TIMESTAMPTZ",
    },
)
PUBLICATION = Table(
    "publication",
    {
        **_TASK,
        "number": "INTEGER",
        "published_at": "TIMESTAMPTZ",
        "summary": "VARCHAR",
        "body": "JSON",
        "gaps": "JSON",
    },
)
CITATION = Table(
    "citation",
    {
        **_TASK,
        "publication": "INTEGER",
        "claim_no": "INTEGER",
        "claim": "VARCHAR",
        "source_id": "VARCHAR",
        "url": "VARCHAR",
        "quote": "VARCHAR",
        "offset": "BIGINT",
        "state": "VARCHAR",
        "output_id": "VARCHAR",
    },
)
TIMING = Table(
    "timing",
    {
        "ts": "TIMESTAMPTZ",
        "conversation_id": "VARCHAR",
        **_TASK,
        "agent_id": "VARCHAR",
        "round_id": "VARCHAR",
        "request_no": "INTEGER",
        "call_id": "VARCHAR",
        "stage": "VARCHAR",
        "elapsed_ms": "DOUBLE",
        "outcome": "VARCHAR",
    },
)
# A task that a person has put away: `%lazyboy archive`.
RETIREMENT = Table("retirement", {**_TASK, "retired_at": "TIMESTAMPTZ"})
# A side question's parent is a task or a conversation, so these have no task_id.
_PARENT = {"parent": "VARCHAR"}
# The body is JSON text that the store need not understand: a number it does not know ends no run.
SIDE_MESSAGE = Table("side_message", {**_PARENT, "digest": "VARCHAR", "body": "VARCHAR"})
SIDE_SNAPSHOT = Table(
    "side_snapshot",
    {
        **_PARENT,
        "run_id": "VARCHAR",
        "version": "BIGINT",
        "boundary": "VARCHAR",
        "taken_at": "TIMESTAMPTZ",
        "request_no": "INTEGER",
        "model": "VARCHAR",
        "identity": "VARCHAR",
        "tools": "VARCHAR",
        "max_tokens": "BIGINT",
        # Its messages are those of the version that it follows, up to `shared`, then `added`.
        "follows": "BIGINT",
        "shared": "BIGINT",
        "added": "JSON",
        "pending": "VARCHAR",
    },
)
SIDE_QUESTION = Table(
    "side_question",
    {
        **_PARENT,
        "request_id": "VARCHAR",
        "ordinal": "BIGINT",
        "client_request_id": "VARCHAR",
        "question": "VARCHAR",
        "model": "VARCHAR",
        "run_id": "VARCHAR",
        "version": "BIGINT",
        "boundary": "VARCHAR",
        "taken_at": "TIMESTAMPTZ",
        "request_no": "INTEGER",
        "asked_at": "TIMESTAMPTZ",
    },
)
SIDE_STEP = Table(
    "side_step",
    {
        **_PARENT,
        "request_id": "VARCHAR",
        "sequence": "BIGINT",
        "ts": "TIMESTAMPTZ",
        "status": "VARCHAR",
        # More of the answer, or, in the step that ends it, the whole.
        "piece": "VARCHAR",
        "tool": "VARCHAR",
        "problem": "VARCHAR",
        "input_tokens": "BIGINT",
        "output_tokens": "BIGINT",
        "rests_on": "JSON",
        "first_text_at": "TIMESTAMPTZ",
        "promoted_at": "TIMESTAMPTZ",
    },
)

TABLES: tuple[Table, ...] = (
    CONVERSATION,
    TASK,
    EVENT,
    ROUND,
    SOURCE,
    EVIDENCE,
    OUTPUT,
    PUBLICATION,
    CITATION,
    TIMING,
    RETIREMENT,
    AGENT,
    TURN_MESSAGE,
    HISTORY_SUMMARY,
)
SIDE_TABLES: tuple[Table, ...] = (SIDE_MESSAGE, SIDE_SNAPSHOT, SIDE_QUESTION, SIDE_STEP)
TASK_TABLES: tuple[Table, ...] = tuple(table for table in TABLES if "task_id" in table.columns)
"""The tables that hold a task's rows: what deleting the task empties."""
CONVERSATION_TABLES: tuple[Table, ...] = (AGENT, TURN_MESSAGE, HISTORY_SUMMARY)
"""The tables of what a conversation has beside its tasks."""
