"""Snapshots and side questions as rows: what is stored comes back, once each, and is deleted."""

import itertools
from dataclasses import replace
from pathlib import Path

import duckdb
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lazyboy_jupyter.core.messages import Message, ToolCall, opening, reply
from lazyboy_jupyter.core.side import ENDED, Rest, Seen, SideQuestion, SideStatus
from lazyboy_jupyter.core.snapshot import (
    Boundary,
    Copies,
    Identity,
    Snapshot,
    freeze,
    pending_results,
)
from lazyboy_jupyter.store.database import Database, open_database
from lazyboy_jupyter.store.rows import Batch
from lazyboy_jupyter.store.schema import SIDE_TABLES, TASK, TIMING
from lazyboy_jupyter.store.side import (
    add_question,
    add_snapshot,
    add_step,
    interrupt_side_questions,
    load_questions,
    load_snapshot,
    open_questions,
    owner_of,
)
from tests.core.histories import histories

T = 1_750_000_000_000_000
_PARENTS = itertools.count()
SEEN = Seen("task", 3, "reply", T, 2)


def snapshot_of(
    messages: list[Message],
    version: int,
    copies: Copies,
    *,
    parent: str = "task",
    boundary: Boundary = "request",
    max_tokens: int | None = None,
) -> Snapshot:
    return Snapshot(
        parent, parent, version, boundary, T + version, version, Identity("m", "digest"),
        freeze([["t", "d", {}]]), copies.of(messages), pending_results(messages), max_tokens,
    )  # fmt: skip


class Kept:
    """A parent's snapshots as they are stored one after the other."""

    def __init__(self, database: Database, parent: str = "task") -> None:
        self.database = database
        self.parent = parent
        self.copies = Copies()
        self.known: set[str] = set()
        self.before: Snapshot | None = None
        self.version = 0

    def add(self, messages: list[Message], *, lost: bool = False) -> Snapshot:
        self.version += 1
        taken = snapshot_of(messages, self.version, self.copies, parent=self.parent)
        rows = add_snapshot(Batch(), taken, self.before, self.known)
        self.before = taken
        if not lost:
            self.database.append(rows).result(10)
        return taken

    def bodies(self) -> int:
        sql = "SELECT count(*) AS n FROM data.side_message WHERE parent = ?"
        return int(self.database.rows(sql, [self.parent])[0]["n"])


def message(text: str) -> Message:
    return opening("s", text)


def asking(call_id: str) -> Message:
    return reply("", [ToolCall(call_id, "t", {})])


def test_a_snapshot_comes_back_as_it_grows_shrinks_and_gets_its_results(database: Database) -> None:
    kept = Kept(database)
    assert load_snapshot(database, "task") is None
    a, b, c, d = map(message, "abcd")
    answered = [a, b, asking("x"), c, d]
    for messages in (
        [a],
        [a, b],
        [a, b, asking("x")],
        answered,
        [a, message("B"), d],
        [a],
        answered,
    ):
        taken = kept.add(messages)
        assert load_snapshot(database, "task") == taken
    assert load_snapshot(database, "other") is None


def test_each_body_is_stored_once(database: Database) -> None:
    kept = Kept(database)
    messages = [message(f"{n}") for n in range(50)]
    for count in range(1, 51):
        kept.add(messages[:count])
    assert kept.bodies() == 51  # with the tools
    kept.add(messages[:10])
    kept.add(messages)
    kept.add([*messages, message("7")])  # an equal one
    assert kept.bodies() == 51
    row = database.rows("SELECT added FROM data.side_snapshot WHERE version = 50")[0]
    assert row["added"].count('"') == 2


def test_the_results_of_a_pending_call_replace_it(database: Database) -> None:
    kept = Kept(database)
    waiting = kept.add([message("a"), asking("x")])
    assert waiting.pending is not None
    loaded = load_snapshot(database, "task")
    assert loaded is not None
    assert loaded.thawed()[-1]["parts"][0]["content"]["state"] == "pending"
    kept.add([message("a"), asking("x"), message("r")])
    loaded = load_snapshot(database, "task")
    assert loaded is not None
    assert loaded.pending is None
    assert "pending" not in str(loaded.thawed())


def test_a_version_that_was_lost_takes_none_that_follows_it_for_whole(database: Database) -> None:
    kept = Kept(database)
    a, b, c, d = map(message, "abcd")
    whole = kept.add([a])
    kept.add([a, b], lost=True)
    kept.add([a, b, c])
    assert load_snapshot(database, "task") == whole
    kept.before, kept.known = None, set()
    last = kept.add([a, b, c, d])
    assert load_snapshot(database, "task") == last


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(messages=histories(), cuts=st.lists(st.integers(0, 15), max_size=4))
def test_any_history_comes_back(
    database: Database, messages: list[Message], cuts: list[int]
) -> None:
    kept = Kept(database, f"parent {next(_PARENTS)}")
    for cut in [*cuts, len(messages)]:
        taken = kept.add(messages[:cut])
        loaded = load_snapshot(database, kept.parent)
        assert loaded == taken
        assert loaded is not None
        assert [one.digest for one in loaded.paired] == [one.digest for one in taken.paired]


def question(ordinal: int = 1, parent: str = "task", text: str = "Cost?") -> SideQuestion:
    return SideQuestion(
        f"{parent}-{ordinal}", parent, ordinal, f"client {ordinal}", text, "m", SEEN, T + ordinal
    )


def put(database: Database, *steps: tuple[SideQuestion, str]) -> None:
    """Store a question's steps, each with its piece; the first begins it."""
    batch = add_question(Batch(), steps[0][0])
    for side, piece in steps[1:]:
        add_step(batch, side, piece, T + 50 + side.sequence)
    database.append(batch).result(10)


@pytest.mark.parametrize("status", sorted(ENDED))
def test_questions_come_back_equal(database: Database, status: SideStatus) -> None:
    new = question()
    first = new.running().heard("Ga", T + 70)
    more = first.heard(
        "tes \ud83d".encode("utf-16", "surrogatepass").decode("utf-16", "replace"), 0
    )
    rests = [Rest("S1", "<b>", "https://a.example", 3, "quote", 7), Rest("S2", "", "", 5)]
    ended = more.end(status, T + 90, answer="Gates.", tool="t", problem="Why.", tokens=(7, None),
                     rests_on=rests)  # fmt: skip
    promoted = ended.promoted(T + 99)
    for known, step in (
        (new, None), (new.running(), ""), (first, "Ga"), (more, more.answer[2:]), (ended, ""),
        (promoted, ""),
    ):  # fmt: skip
        if step is None:
            database.append(add_question(Batch(), known)).result(10)
        else:
            database.append(add_step(Batch(), known, step, T + 80)).result(10)
        assert load_questions(database, "task") == [known]


def test_questions_are_in_their_order_and_their_parents(database: Database) -> None:
    for ordinal in (2, 1, 11):
        put(database, (question(ordinal), ""))
    put(database, (question(1, "other"), ""))
    assert [one.ordinal for one in load_questions(database, "task")] == [1, 2, 11]
    assert load_questions(database, "none") == []


def test_what_has_no_end_is_interrupted_with_its_text(database: Database) -> None:
    new = question(1)
    running = question(2).running()
    heard = running.heard("Ga", T + 70)
    put(database, (new, ""))
    put(database, (question(2), ""), (running, ""), (heard, "Ga"))
    done = question(3).end("stopped", T + 80)
    put(database, (question(3), ""), (done, ""))
    assert [one.ordinal for one in open_questions(database)] == [1, 2]
    ended = interrupt_side_questions(database, T + 200)
    assert [(one.status, one.answer) for one in ended] == [
        ("interrupted", ""),
        ("interrupted", "Ga"),
    ]
    assert load_questions(database, "task") == [*ended, done]
    assert interrupt_side_questions(database, T + 300) == []
    assert interrupt_side_questions(database, 0) == []


def test_an_end_is_never_before_its_beginning(database: Database) -> None:
    put(database, (question(1), ""))
    (ended,) = interrupt_side_questions(database, 0)
    assert ended.ended_us == ended.asked_us


def fill(database: Database, parent: str) -> None:
    Kept(database, parent).add([message("a"), asking("x")])
    put(database, (question(1, parent), ""), (question(1, parent).running(), ""))
    rows = Batch().add(TASK, task_id=parent, agent_id=f"agent of {parent}", conversation_id="c")
    database.append(rows.add(TIMING, task_id=parent, stage="side_question_response")).result(10)


def counts(database: Database, parent: str) -> list[int]:
    return [
        int(
            database.rows(
                f"SELECT count(*) AS n FROM data.{table.name} WHERE parent = ?", [parent]
            )[0]["n"]
        )
        for table in SIDE_TABLES
    ]


def test_deleting_a_task_deletes_its_side_rows_with_it(database: Database) -> None:
    fill(database, "one")
    fill(database, "two")
    assert owner_of(database, "one") == ("agent of one", "c")
    before = counts(database, "two")
    database.delete_task("one").result(10)
    assert counts(database, "one") == [0, 0, 0, 0]
    assert counts(database, "two") == before
    assert database.rows("SELECT DISTINCT task_id FROM timing") == [{"task_id": "two"}]
    assert load_snapshot(database, "one") is None
    assert owner_of(database, "one") == ("", "one")


def test_clearing_keeps_the_snapshots(database: Database) -> None:
    fill(database, "one")
    fill(database, "two")
    before = load_snapshot(database, "one")
    database.clear_side_questions("one").result(10)
    assert counts(database, "one")[2:] == [0, 0]
    assert load_snapshot(database, "one") == before
    assert load_questions(database, "one") == []
    assert len(load_questions(database, "two")) == 1


def test_the_view_tells_where_each_question_has_got_to(database: Database) -> None:
    heard = question().running().heard("Ga", T + 70)
    ended = replace(heard.heard("tes", T + 71), sequence=9).end("completed", T + 90, tokens=(7, 8))
    put(database, (question(), ""), (heard, "Ga"))
    row = database.rows("SELECT * FROM side_questions")[0]
    assert list(row) == [
        "request_id", "parent", "ordinal", "question", "answer", "status", "model", "snapshot_at",
        "input_tokens", "output_tokens", "asked_at", "ended_at",
    ]  # fmt: skip
    assert (row["answer"], row["status"], row["ended_at"]) == ("Ga", "running", None)
    database.append(add_step(Batch(), ended, "", 0)).result(10)
    row = database.rows("SELECT * FROM side_questions")[0]
    assert (row["answer"], row["status"], row["input_tokens"]) == ("Gates", "completed", 7)
    assert (row["ended_at"] - row["snapshot_at"]).microseconds == 90


def test_a_store_of_the_second_version_gets_side_questions(tmp_path: Path) -> None:
    path = tmp_path / "s.duckdb"
    open_database(path).close()
    with duckdb.connect(str(path)) as raw:
        raw.execute("DROP VIEW side_questions")
        for table in SIDE_TABLES:
            raw.execute(f"DROP TABLE data.{table.name}")
        raw.execute("INSERT INTO data.task (task_id, question) VALUES ('task', 'Q?')")
        raw.execute("DELETE FROM data.migration WHERE number > 2")
    database = open_database(path)
    fill(database, "new")
    assert [one.ordinal for one in load_questions(database, "new")] == [1]
    assert load_questions(database, "task") == []
    assert database.rows("SELECT question FROM tasks WHERE task_id = 'task'") == [
        {"question": "Q?"}
    ]
    database.close()
