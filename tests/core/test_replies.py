"""What a reply is taken to say: native calls first, then printed ones; reasoning holds none."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lazyboy_jupyter.core.messages import ToolCall
from lazyboy_jupyter.core.publication import GuideArgs
from lazyboy_jupyter.core.replies import understood
from lazyboy_jupyter.core.tools import SearchArgs, ToolCallError, parse_call

OFFERED = ("web_search", "open_page", "read_tool_output", "report_progress", "publish_research")
PRINTED = '<tool_call>{"name": "web_search", "arguments": {"query": "x"}}</tool_call>'


def read(text: str, *calls: ToolCall) -> tuple[str, tuple[ToolCall, ...]]:
    return understood(text, calls, OFFERED, supplement=False)


def test_a_printed_call_counts_where_none_was_made() -> None:
    text, calls = read(f"I look.\n{PRINTED}<|im_end|>")
    assert text == "I look."
    assert calls == (ToolCall("", "web_search", {"query": "x"}),)


def test_a_printed_call_beside_a_made_one_is_only_text() -> None:
    made = ToolCall("a", "open_page", {"url": "u"})
    assert read(PRINTED, made) == (PRINTED, (made,))


@pytest.mark.parametrize(
    "text",
    [
        f"<think>I could do {PRINTED}</think>I do not know.",
        f"{PRINTED}\n</think>\nI do not know.",
        f"<|channel|>analysis<|message|>{PRINTED}<|end|><|start|>assistant<|channel|>final"
        "<|message|>I do not know.<|return|>",
    ],
)
def test_a_call_in_reasoning_is_none(text: str) -> None:
    assert read(text) == ("I do not know.", ())


def test_a_call_after_reasoning_is_one() -> None:
    text, calls = read(f"<think>Look.</think>\n{PRINTED}")
    assert (text, [call.tool for call in calls]) == ("", ["web_search"])


@pytest.mark.parametrize(
    "name", ["functions.web_search", "default_api.web_search", "web_search<|channel|>commentary"]
)
def test_a_name_with_a_name_space_is_the_tool(name: str) -> None:
    (call,) = read("", ToolCall("a", name, {"query": "x"}))[1]
    assert call == ToolCall("a", "web_search", {"query": "x"})


@pytest.mark.parametrize("name", ["shell", "browser_open", "", "search.web"])
def test_another_name_stays_to_be_refused(name: str) -> None:
    made = ToolCall("a", name, {"query": "x"})
    assert read("", made) == ("", (made,))


def test_arguments_that_can_be_read_become_an_object() -> None:
    args = ["{'query': 'x'}", '{"query": "x"} done', '"{\\"query\\": \\"x\\"}"']
    calls = read("", *(ToolCall("a", "web_search", text) for text in args))[1]
    assert [call.args for call in calls] == [{"query": "x"}] * 3


@pytest.mark.parametrize("args", ['{"summary": "x', "not json", "[1]"])
def test_arguments_that_cannot_stay_as_they_are(args: str) -> None:
    made = ToolCall("a", "publish_research", args)
    assert read("", made)[1] == (made,)


@pytest.mark.parametrize(
    ("tool", "args", "field", "value"),
    [
        ("web_search", "how to plan", "query", "how to plan"),
        ("web_search", '"how to plan"', "query", "how to plan"),
        ("web_search", '"how to" plan', "query", '"how to" plan'),
        ("web_search", '{"query": "how to pl', "query", "how to pl"),
        ("web_search", '{"query": ["x"], "gap": "0"}', "gap", 0),
        ("web_search", '{"query": ["x"], "gap": "null"}', "query", "x"),
        ("web_search", {"query": "x", "gap": ""}, "gap", None),
        ("web_search", {"arguments": {"query": "x"}}, "query", "x"),
        ("web_search", {"name": "web_search", "parameters": '{"query": "x"}'}, "query", "x"),
        ("web_search", {"web_search": {"query": "x"}}, "query", "x"),
        ("open_page", "https://a/#b", "url", "https://a/#b"),
        ("open_page", '{"url": "https://a/"', "url", "https://a/"),
        ("browser_snapshot", "", None, None),
        ("read_tool_output", {"output_id": "o", "offset": "6000"}, "offset", 6000),
        ("report_progress", "I look.", "text", "I look."),
    ],
)
def test_shapes_of_arguments_that_are_taken(
    tool: str, args: Any, field: str | None, value: Any
) -> None:
    parsed = parse_call(ToolCall("a", tool, args), supplement=False)
    assert field is None or getattr(parsed, field) == value


@pytest.mark.parametrize(
    ("tool", "args", "said"),
    [
        ("publish_research", '{"summary": "x"', "cut off.*shorter"),
        ("publish_research", "A guide in prose.", "not valid JSON.*one JSON object"),
        ("open_page", '{"url": "https://a/b', "address was cut off"),
        ("open_page", '"https://a/b', "address was cut off"),
        ("web_search", "null", "not valid JSON"),
        ("web_search", "[1]", "not valid JSON"),
        ("web_search", {"query": ["x", "y"]}, "query"),
        ("web_search", {"arguments": "x"}, "query"),
        ("web_search", '{"query": "a"}{"query": "b"}', "one call for each"),
        ("shell", "{}", "no tool 'shell'"),
    ],
)
def test_arguments_that_are_refused_in_a_sentence(tool: str, args: Any, said: str) -> None:
    with pytest.raises(ToolCallError, match=said):
        parse_call(ToolCall("a", tool, args), supplement=False)


def test_a_printed_publication_that_was_cut_is_refused() -> None:
    (call,) = read('```json\n{"summary": "s", "findings": [{"text": "f')[1]
    with pytest.raises(ToolCallError, match="cut off"):
        parse_call(call, supplement=False)


def test_a_printed_search_that_was_cut_is_made() -> None:
    (call,) = read('{"name": "web_search", "arguments": {"query": "gates of')[1]
    args = parse_call(call, supplement=False)
    assert isinstance(args, SearchArgs)
    assert args.query == "gates of"


def test_what_cannot_be_written_is_no_part_of_arguments() -> None:
    args = parse_call(
        ToolCall("a", "publish_research", '{"summary": "a\\ud800b\\u0000"}'), supplement=False
    )
    assert isinstance(args, GuideArgs)
    assert args.summary == "a\ufffdb\ufffd"


@given(st.text(), st.lists(st.tuples(st.sampled_from([*OFFERED, "shell"]), st.text()), max_size=3))
def test_any_reply_is_read_and_keeps_its_calls(text: str, made: list[tuple[str, str]]) -> None:
    calls = [ToolCall(str(number), *call) for number, call in enumerate(made)]
    _, kept = understood(text, calls, OFFERED, supplement=False)
    if calls:
        assert [(call.call_id, call.tool) for call in kept] == [(c.call_id, c.tool) for c in calls]
