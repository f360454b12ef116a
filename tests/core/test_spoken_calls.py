"""Field case M4: calls that were printed as text, by family of models; and texts that are none."""

import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lazyboy_jupyter.core.spoken_calls import spoken_calls

OFFERED = ("web_search", "open_page", "browser_open", "browser_snapshot", "read_tool_output",
           "report_progress", "publish_research")  # fmt: skip
SEARCH = [("web_search", {"query": "x y"})]
BOTH = [*SEARCH, ("open_page", {"url": "https://a/"})]
GUIDE = {"summary": "s", "findings": [{"text": "f", "citations": [{"source": "S1"}]}]}
JSON = '{"name": "web_search", "arguments": {"query": "x y"}}'
OPEN = '{"name": "open_page", "parameters": {"url": "https://a/"}}'
PUBLISH = '{"summary": "s", "findings": [{"text": "f", "citations": [{"source": "S1"}]}]}'

CALLS: list[tuple[str, list[tuple[str, Any]], str]] = [
    # Hermes, Qwen
    (f"<tool_call>\n{JSON}\n</tool_call>", SEARCH, ""),
    (f"I look.\n<tool_call>{JSON}</tool_call>\n<tool_call>{OPEN}</tool_call>", BOTH, "I look."),
    (f"<tool_call>\n{JSON}\n{OPEN}\n</tool_call>", BOTH, ""),
    (f"I would have to look further.\n<tool_call>{JSON}</tool_call>", SEARCH,
     "I would have to look further."),
    (f"I would look up more:\n\n{JSON}", SEARCH, "I would look up more:"),
    (f"<tool_call>\n```json\n{JSON}\n```\n</tool_call>", SEARCH, ""),
    (f"<tool_call>{JSON}", SEARCH, ""),
    ("<tool_call>{'name': 'web_search', 'arguments': {'query': 'x y'}}</tool_call>", SEARCH, ""),
    (f"<tools>x</tools> Sure.\n<function_call>{JSON}</function_call>", SEARCH,
     "<tools>x</tools> Sure."),
    ('<function=web_search>{"query": "x y"}</function>', SEARCH, ""),
    ("<tool_call>\n<function=web_search>\n<parameter=query>\nx y\n</parameter>\n</function>\n"
     "</tool_call>", SEARCH, ""),
    # GLM
    ("<tool_call>web_search\n<arg_key>query</arg_key>\n<arg_value>x y</arg_value>\n</tool_call>",
     SEARCH, ""),
    # Mistral
    (f"[TOOL_CALLS][{JSON}, {OPEN}]", BOTH, ""),
    ('[TOOL_CALLS]web_search[ARGS]{"query": "x y"}', SEARCH, ""),
    ('[TOOL_CALLS]web_search{"query": "x y"}', SEARCH, ""),
    # Llama
    (f"<|python_tag|>{JSON}", SEARCH, ""),
    ('<|python_tag|>web_search.call(query="x y")', SEARCH, ""),
    ('{"name": "web_search", "parameters": {"query": "x y"}}', SEARCH, ""),
    (f"{JSON}; {OPEN}", BOTH, ""),
    ('[web_search(query="x y"), open_page(url="https://a/")]', BOTH, ""),
    # Claude-style elements
    ('<function_calls>\n<invoke name="web_search">\n<parameter name="query">x y</parameter>\n'
     "</invoke>\n</function_calls>", SEARCH, ""),
    ('<tool_use>{"name": "web_search", "input": {"query": "x y"}}</tool_use>', SEARCH, ""),
    ("<web_search>\n<query>x y</query>\n</web_search>", SEARCH, ""),
    # DeepSeek, Kimi
    ("<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>web_search\n```json\n"
     '{"query": "x y"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>', SEARCH, ""),
    ("<|tool_calls_section_begin|><|tool_call_begin|>functions.web_search:0"
     '<|tool_call_argument_begin|>{"query": "x y"}<|tool_call_end|><|tool_calls_section_end|>',
     SEARCH, ""),
    # Harmony
    ("<|start|>assistant<|channel|>commentary to=functions.web_search <|constrain|>json<|message|>"
     '{"query": "x y"}<|call|>', SEARCH, ""),
    # ReAct
    ('Action: web_search\nAction Input: {"query": "x y"}\nObservation: made up', SEARCH, ""),
    ("Action: web_search\nAction Input: x y", [("web_search", "x y")], ""),
    # Fences
    (f"I will search:\n```json\n{JSON}\n```\nThen I read.", SEARCH,
     "I will search:\n\nThen I read."),
    (f"```tool_call\n{JSON}\n{OPEN}\n```", BOTH, ""),
    ('```json\n{"tool": "web_search", "args": {"query": "x y"}}\n```', SEARCH, ""),
    ('```json\n{"tool": "web_search", "query": "x y"}\n```', SEARCH, ""),
    ('```\n{"function": {"name": "web_search", "arguments": "{\\"query\\": \\"x y\\"}"}}\n```',
     SEARCH, ""),
    ('```json\n{"tool_calls": [{"type": "function", "function": {"name": "web_search", '
     '"arguments": {"query": "x y"}}}]}\n```', SEARCH, ""),
    ('```json\n{"web_search": {"query": "x y"}}\n```', SEARCH, ""),
    ('```tool_code\nprint(default_api.web_search(query="x y"))\n```', SEARCH, ""),
    ('```python\nresults = web_search("x y")\n```', SEARCH, ""),
    (f"The guide in JSON format:\n```json\n{PUBLISH}\n```\nDone.", [("publish_research", GUIDE)],
     "The guide in JSON format:\n\nDone."),
    # Lines of their own
    ('web_search("x y")', SEARCH, ""),
    ("I search now.\n\nweb_search(query='x y')\n\nand wait.", SEARCH,
     "I search now.\n\n\n\nand wait."),
    ('web_search("x y", gap=0)\nopen_page("https://a/")',
     [("web_search", {"query": "x y", "gap": 0}), BOTH[1]], ""),
    ("browser_snapshot()", [("browser_snapshot", {})], ""),
    ("`web_search(\"x y\")`", SEARCH, ""),
    (f"Let me see.\n{JSON}", SEARCH, "Let me see."),
    (PUBLISH, [("publish_research", GUIDE)], ""),
]  # fmt: skip


def found(text: str, offered: tuple[str, ...] = OFFERED) -> list[tuple[str, Any]]:
    spoken = spoken_calls(text, offered, supplement=False)
    return [(call.tool, call.args) for call in spoken.calls]


@pytest.mark.parametrize(("text", "calls", "rest"), CALLS)
def test_a_printed_call_is_recovered(text: str, calls: list[Any], rest: str) -> None:
    spoken = spoken_calls(text, OFFERED, supplement=False)
    assert [(call.tool, call.args) for call in spoken.calls] == calls
    assert spoken.text == rest
    assert not any(call.cut for call in spoken.calls)


@pytest.mark.parametrize(
    "text",
    [
        "I would use web_search to find that.",
        'You could run web_search("x y") to find it.',
        'First web_search("x y"), then open_page on the results.',
        f"To call it you write {JSON} in your reply.",
        f"For example:\n```json\n{JSON}\n```",
        f"For example, a call looks like this:\n\n{JSON}",
        f"Do not write\n<tool_call>{JSON}</tool_call>",
        f"Write `<tool_call>{JSON}</tool_call>` there.",
        "The tag <web_search> is not closed.",
        "web_search (the tool) finds pages.",
        "web_search <query>",
        "web_search(query)",
        "open_page(https://a/)",
        "web_search(colour='red')",
        'x = other("web_search")',
        '```python\nimport web_search\nweb_search("x")\nprint("done")\n```',
        '```json\n{"name": "web_search", "description": "d", "parameters": '
        '{"type": "object", "properties": {"query": {"type": "string"}}}}\n```',
        '{"name": "shell", "arguments": {"command": "ls"}}',
        f'[{JSON}, {{"name": "shell", "arguments": {{}}}}]',
        '{"url": "https://a/"}',  # open_page or browser_open
        '{"query": "x", "colour": "red"}',
        "{}",
        "[]",
        "Action: shell\nAction Input: ls",
        "Action: web_search",
        "<tool_call>nothing</tool_call>",
        "<tool_call>{name}</tool_call>",
        "",
    ],
)
def test_what_only_looks_like_a_call_is_left_alone(text: str) -> None:
    spoken = spoken_calls(text, OFFERED, supplement=False)
    assert spoken.calls == ()
    assert spoken.text == text


@pytest.mark.parametrize(("text", "calls", "_"), CALLS)
def test_only_offered_tools_are_recovered(text: str, calls: list[Any], _: str) -> None:
    assert found(text, ("read_tool_output", "report_progress")) == []


def test_arguments_without_a_name_are_the_one_tool_they_fit() -> None:
    assert found('{"url": "u"}', ("open_page", "publish_research")) == [("open_page", {"url": "u"})]
    added = '{"additions": [], "unknowns": ["u"]}'
    assert found(added) == []
    spoken = spoken_calls(added, OFFERED, supplement=True)
    assert [call.tool for call in spoken.calls] == ["publish_research"]


@pytest.mark.parametrize(
    "text",
    [
        '<tool_call>{"name": "web_search", "arguments": {"query": "x',
        "<function=web_search><parameter=query>x",
        '```json\n{"name": "web_search", "arguments": {"query": "x',
        '{"name": "web_search", "arguments": {"query": "x',
    ],
)
def test_a_call_that_the_end_cut_off_says_so(text: str) -> None:
    (call,) = spoken_calls(text, OFFERED, supplement=False).calls
    assert (call.tool, call.args, call.cut) == ("web_search", {"query": "x"}, True)


def test_a_cut_fence_does_not_take_in_what_follows_it() -> None:
    text = (
        f'```json\n{{"name": "web_search", "arguments": {{"query": "x"\n```\nSo.\n```\n{OPEN}\n```'
    )
    calls = spoken_calls(text, OFFERED, supplement=False).calls
    assert [(call.args, call.cut) for call in calls] == [
        ({"query": "x"}, True), ({"url": "https://a/"}, False)
    ]  # fmt: skip


PIECES = ["<tool_call>", "</tool_call>", JSON, '{"name":', '"web_search"', "[", "{", "}", "]", "\n",
          "```json\n", "\n```\n", "web_search(", '"x"', ")", "<function=web_search>", "Action: ",
          "web_search", "\nAction Input: ", "<parameter=query>", "</parameter>", "<web_search>",
          "<query>", "[TOOL_CALLS]", "to=functions.web_search<|message|>", " ", "a", "<arg_key>",
          '<invoke name="web_search">', "<|tool_call_begin|>web_search"]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=20).map("".join) | st.text())
def test_any_text_is_read(text: str) -> None:
    spoken = spoken_calls(text, OFFERED, supplement=False)
    assert {call.tool for call in spoken.calls} <= set(OFFERED)
    assert spoken.calls or spoken.text == text


@pytest.mark.parametrize(
    "piece",
    [*PIECES, '<tool_call>{"a":', "web_search(query='x\n", '{"a": "\n', "```\n{\n",
     "<web_search><query>", "[[\n", "\n- {", "<think>", "x = ", "<tool_call>\n\n", "``` ```\n"],
)  # fmt: skip
def test_the_work_grows_as_the_text_does(piece: str) -> None:
    def cost(size: int) -> float:
        text = piece * (size // len(piece))
        began = time.process_time()
        spoken_calls(text, OFFERED, supplement=False)
        return time.process_time() - began

    cost(500)
    # Ten times the text: quadratic work would be a hundred times as much.
    assert cost(50_000) < 40 * max(cost(5_000), 0.002)
