"""The history of a conversation: in order, paired, and growing at its end only."""

from itertools import accumulate

from hypothesis import given
from hypothesis import strategies as st

from lazyboy_jupyter.core.conversation import (
    Part,
    Reported,
    Turn,
    closed,
    opening_of,
    parts_of,
    to_summarise,
)
from lazyboy_jupyter.core.messages import (
    Message,
    ToolCall,
    ToolResult,
    calls_of,
    reply,
    results,
    results_of,
    user_note,
)
from lazyboy_jupyter.core.reports import Report, report_messages

CALLS = [ToolCall("a", "task_status", {}), ToolCall("b", "ask_user", {"question": "?"})]


def turn(number: int, began_us: int) -> Turn:
    said = (user_note(f"Question {number}"), reply(f"Answer {number}", ()))
    return Turn(f"t-{number:03d}", began_us, said)


def reported(number: int, at_us: int) -> Reported:
    task_id = f"0190-{number:08d}"
    return Reported(at_us, Report(task_id, "Ann", "Q?", "completed", result=f"Result {number}"))


def messages(parts: list[Part]) -> list[Message]:
    return [message for part in parts for message in part.messages]


@given(st.lists(st.tuples(st.booleans(), st.integers(1, 5)), max_size=25))
def test_a_history_grows_at_its_end_only(steps: list[tuple[bool, int]]) -> None:
    turns: list[Turn] = []
    reports: list[Reported] = []
    before: list[Message] = []
    times = accumulate(step for _, step in steps)
    for number, ((is_turn, _), now) in enumerate(zip(steps, times, strict=True)):
        if is_turn:
            turns.append(turn(number, now))
        else:
            reports.append(reported(number, now))
        history = messages(parts_of(turns, reports))
        assert history[: len(before)] == before
        before = history
    assert len(before) == 2 * len(turns) + 3 * len(reports)


def test_a_report_stands_behind_the_turn_in_which_it_came() -> None:
    parts = parts_of([turn(1, 100), turn(2, 200)], [reported(8, 150), reported(7, 50)])
    assert [part.upto for part in parts] == ["", "t-001", "t-002"]
    assert "Result 7" in str(parts[0])
    assert "Result 8" in str(parts[1])


def test_a_call_that_was_cut_off_is_closed() -> None:
    whole = [reply("", CALLS), results([ToolResult("a", "x", {}), ToolResult("b", "y", {})])]
    assert closed(whole) == tuple(whole)
    cut = closed([user_note("Q"), reply("Wait.", CALLS)])
    assert [one.call_id for one in results_of(cut[-1])] == ["a", "b"]
    assert all(one.content["error"] == "interrupted" for one in results_of(cut[-1]))
    followed = closed([reply("", CALLS[:1]), user_note("Q")])
    assert [one["kind"] for one in followed] == ["response", "request", "request"]


def test_no_id_is_longer_than_providers_take() -> None:
    _, asked, told = report_messages(reported(1, 0).report)
    (call,), (result,) = list(calls_of(asked)), list(results_of(told))
    assert call.call_id == result.call_id
    assert len(call.call_id) <= 40


@given(st.lists(st.integers(1, 300), max_size=12), st.integers(50, 1_000))
def test_what_is_kept_is_within_half_and_the_newest_always_stays(
    sizes: list[int], limit: int
) -> None:
    parts = [Part(str(n), n, (user_note("x" * size),)) for n, size in enumerate(sizes)]
    count = to_summarise(parts, limit)
    if sum(part.size for part in parts) <= limit:
        assert count == 0
    else:
        kept = parts[count:]
        assert kept
        assert sum(part.size for part in kept) <= max(limit // 2, kept[-1].size)


def test_the_opening_says_what_was_before() -> None:
    assert "begins" in str(opening_of("You coordinate.", ""))
    summary = str(opening_of("You coordinate.", "They spoke of gates."))
    assert "They spoke of gates." in summary
    assert "begins" not in summary
