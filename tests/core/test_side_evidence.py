"""What an answer rests on: the sources it names or quotes, and no other."""

from typing import Any

import pytest
from hypothesis import given

from lazyboy_jupyter.core.messages import Message, ToolCall, ToolResult, opening, reply, results
from lazyboy_jupyter.core.side_evidence import rests_of, sources_of
from tests.core.histories import histories, texts

A, B = "https://a.example/gates", "https://b.example/"
TEXT = "Each closing costs about 1.2 million euros. The gates last 40 years."


def history(*contents: Any) -> list[Message]:
    """One call with its result for each content."""
    messages = [opening("s", "q")]
    for number, content in enumerate(contents):
        messages.append(reply("", [ToolCall(f"c{number}", "t", {})]))
        messages.append(results([ToolResult(f"c{number}", "t", content)]))
    return messages


LISTED = {"results": [{"source": "S1", "url": A, "title": "Gates"},
                      {"source": "S2", "url": B, "title": "Other"}]}  # fmt: skip
READ = {"source": "S1", "url": A, "title": "Gates", "text": TEXT}
HINGES = "Hinges are greased twice a year."
MORE = {"source": "S1", "url": A, "offset": 6_000, "text": HINGES}
MESSAGES = history(LISTED, READ, MORE)


def test_sources_have_what_was_delivered_of_them() -> None:
    found = sources_of(MESSAGES)
    assert list(found) == ["S1", "S2"]
    assert (found["S1"].title, found["S1"].url) == ("Gates", A)
    assert found["S1"].texts == [(0, TEXT, 5), (6_000, HINGES, 7)]
    assert (found["S1"].message, found["S2"].message) == (7, 3)


@pytest.mark.parametrize(
    ("answer", "named"),
    [
        ("It costs a lot (S1).", ["S1"]),
        ("It costs a lot [S1, S2].", ["S1", "S2"]),
        (f"See {B}.", ["S2"]),
        (f"See {A}.", ["S1"]),
        (f"See {A}/more and {A}-else.", []),
        ("S10 says so, XS1 too, and https://x.example/S1.", []),
        ("Nothing is known.", []),
        ("", []),
    ],
)
def test_what_is_named(answer: str, named: list[str]) -> None:
    assert [rest.source for rest in rests_of(answer, MESSAGES)] == named


@pytest.mark.parametrize("marks", ["“{}”", '"{}"', "«{}»", "„{}“", "„{}”"])
def test_a_quote_rests_on_the_text_it_stands_in(marks: str) -> None:
    answer = f"It says {marks.format('about 1.2 million euros')} (S1)."
    (rest,) = rests_of(answer, MESSAGES)
    assert (rest.source, rest.message, rest.quote) == ("S1", 5, "about 1.2 million euros")
    assert rest.offset == TEXT.index("about")


def test_an_offset_counts_in_the_whole_source() -> None:
    (rest,) = rests_of("It says “greased twice a year”.", MESSAGES)
    assert (rest.message, rest.offset) == (7, 6_000 + HINGES.index("greased"))


def test_an_invented_quote_rests_on_nothing() -> None:
    assert rests_of("It says “the gates last 90 years”.", MESSAGES) == ()
    (rest,) = rests_of("S1 says “the gates last 90 years”.", MESSAGES)
    assert (rest.quote, rest.offset) == (None, None)


def test_the_same_quote_counts_once() -> None:
    answer = "“about 1.2 million euros”, I say “about 1.2 million euros”"
    assert len(rests_of(answer, MESSAGES)) == 1


@given(histories(), texts)
def test_any_history_and_answer_can_be_asked(messages: list[Message], answer: str) -> None:
    known = set(sources_of(messages))
    told = rests_of(f"{answer} S1 “{answer}”", messages)
    assert {rest.source for rest in told} <= known
    assert all(1 <= rest.message <= len(messages) for rest in told)
    assert ("S1" in known) == ("S1" in {rest.source for rest in told})
