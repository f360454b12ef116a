"""What a hostile model may answer, as strategies: any call, any publication, any text."""

import json
from typing import Any

from hypothesis import strategies as st

from lazyboy_jupyter.core.messages import ToolCall
from lazyboy_jupyter.errors import HOPELESS, RETRIED, ModelError
from tests.engine.hostile_world import Line, page_text, page_url

PAGES = 8
INVENTED = "invented.example"
"""No search and no page ever names this host."""
MARKUP = "<img src=x onerror=alert(1)> [x](javascript:alert(1)) \x1b[31m \ud800\x00‮"

numbers = st.integers(0, PAGES - 1)
urls = st.one_of(
    numbers.map(page_url),
    numbers.map(lambda n: f"HTTPS://A.example:443/./{n}#frag"),
    st.sampled_from(
        [
            f"https://{INVENTED}/report", f"http://{INVENTED}/", "javascript:alert(1)",
            "file:///etc/passwd", "data:text/html,x", "http://[::1", "http://a.example:99999/",
            "S1", "", " ", "https://user:pw@a.example/1", "pydoc:json", "\ud800", "x" * 5_000,
        ]
    ),
)  # fmt: skip
gaps = st.sampled_from([None, 0, 1, 2, -1, 10**30, "0", "gap 1", True, [0], 0.5])
sources = st.sampled_from(["S1", "s2", "[S3]", "S4", "S99", "S0", "", "O1"]) | urls
quotes = st.one_of(
    st.none(),
    numbers.map(lambda n: page_text(n)[:30]),
    st.sampled_from(["gates cost 9 million", "", MARKUP, "x" * 3_000, 7]),
)
prose = st.sampled_from(
    [
        "The gates cost 3 million euros.", "Torarna kostar 3 miljoner.", MARKUP, "", " ", "[9]",
        f"See https://{INVENTED}/report.", f"参见https://{INVENTED}/报告", f"(HTTP://{INVENTED})",
        f"seehttps://{INVENTED}/x", f"<https://{INVENTED}>", f"[x](https://{INVENTED}/a)",
        "See https://a.example/1, https://named.example/.", "https://...", "[insert source]",
        "x" * 4_001, 5, None, ["a", "b"],
    ]
)  # fmt: skip
citations = st.lists(
    st.fixed_dictionaries({"source": sources}, optional={"quote": quotes}), max_size=3
) | st.sampled_from(["S1", ["S1", "S2"], {"source": "S1"}, None, 3])
claims: st.SearchStrategy[Any] = st.lists(
    st.fixed_dictionaries({"text": prose}, optional={"citations": citations}), max_size=3
) | st.sampled_from([None, "a claim", {"text": "one"}, [[[]]], ["a", "b"]])
declared: st.SearchStrategy[Any] = st.lists(
    st.fixed_dictionaries({"question": prose}, optional={"why": prose}), max_size=4
) | st.sampled_from([None, "Which?", ["Which?", "Why?"], [{}]])
fair_gaps = st.lists(st.just({"question": "Which gate?", "why": "It is not said."}), max_size=3)
fair_claims = st.lists(
    st.fixed_dictionaries(
        {
            "text": st.just("The gates cost 3 million euros."),
            "citations": st.lists(
                st.fixed_dictionaries({"source": st.sampled_from(["S1", "S2"])}), max_size=2
            ),
        }
    ),
    max_size=2,
)
guides = st.one_of(
    st.fixed_dictionaries({"summary": st.just("A summary."), "findings": fair_claims,
                           "gaps": fair_gaps}),
    st.fixed_dictionaries(
        {"summary": prose},
        optional={"steps": claims, "findings": claims, "unknowns": st.lists(prose, max_size=3),
                  "gaps": declared, "additions": claims, "shape": st.just(1)},
    ),
    st.fixed_dictionaries({"additions": fair_claims}, optional={"unknowns": st.just(["What?"])}),
    st.fixed_dictionaries({}, optional={"additions": claims, "unknowns": prose}),
)  # fmt: skip
outputs = st.fixed_dictionaries(
    {"output_id": st.sampled_from(["O1", "O2", "O1-2", "id-00007", "../../etc/passwd", 1, None])},
    optional={
        "offset": st.sampled_from([0, 5, -1, 10**30, "7", 1.5]),
        "limit": st.sampled_from([1, 10**30, 0, "x"]),
    },
)
queries = st.sampled_from(
    ["gates", "gates  ", "gates\ncost", "dredging", "ZÜRICH", MARKUP, "q" * 50_000, "", 3, ["a"]]
)
_ARGUMENTS: dict[str, st.SearchStrategy[dict[str, Any]]] = {
    "web_search": st.fixed_dictionaries({"query": queries}, optional={"gap": gaps}),
    "open_page": st.fixed_dictionaries({"url": urls}, optional={"gap": gaps}),
    "browser_open": st.fixed_dictionaries({"url": urls}, optional={"gap": gaps}),
    "browser_snapshot": st.just({}),
    "read_tool_output": outputs,
    "report_progress": st.fixed_dictionaries({"text": prose}),
    "publish_research": guides,
    # Of standard tasks: no research is ever offered them.
    "delegate_task": st.fixed_dictionaries({"agent": prose, "instruction": prose}),
    "spawn_agent": st.fixed_dictionaries({"name": prose, "role": prose, "instruction": prose}),
    "task_status": st.fixed_dictionaries({}, optional={"task": prose}),
    "ask_user": st.fixed_dictionaries({"question": prose}),
}
odd_arguments = st.sampled_from(
    [
        "", "{", "null", "[]", '{"query": "ga', "{'query': 'gates'}", '{"url": "\\u12"}', "{}{}",
        '{"a": ' * 500, "[" * 100_000, "NaN", '{"query": "gates"} and more', MARKUP,
        '{"summary": "Cut', {}, {"arguments": {"query": "gates"}}, {"query": {"query": "x"}},
    ]
)  # fmt: skip
odd_names = st.sampled_from(
    ["shell", "", "functions.web_search", "web_search<|channel|>", "x" * 500, "\ud800", "None"]
)


def _written(tool: str, arguments: dict[str, Any], way: int) -> ToolCall:
    text = json.dumps(arguments)
    ways: list[Any] = [arguments, arguments, text, text[: len(text) // 2], f"```json\n{text}\n```"]
    return ToolCall("same-id", tool, ways[way], cut=way == 3)


def _calls_of(tool: str) -> st.SearchStrategy[ToolCall]:
    return st.builds(_written, st.just(tool), _ARGUMENTS[tool], st.integers(0, 4))


calls = st.one_of(
    st.sampled_from(list(_ARGUMENTS)).flatmap(_calls_of),
    st.builds(ToolCall, st.just("c"), st.sampled_from(list(_ARGUMENTS)) | odd_names, odd_arguments),
)
batches = st.lists(st.tuples(calls, st.sampled_from([1, 1, 1, 2, 12])), max_size=5).map(
    lambda drawn: tuple(call for call, times in drawn for _ in range(times))
)
printed = calls.map(
    lambda call: f"<tool_call>{json.dumps({'name': call.tool, 'arguments': call.args})}</tool_call>"
)
fenced = guides.map(lambda guide: f"Here:\n```json\n{json.dumps(guide)}\n```")
texts = st.one_of(
    st.sampled_from(
        [
            "", "End of document", "<think>hm</think>", "<think>never closed", MARKUP,
            "[{" * 15_000, "I will search.", f"See https://{INVENTED}/report",
        ]
    ),
    printed,
    fenced,
)  # fmt: skip
kinds = st.sampled_from(
    [*sorted(RETRIED - HOPELESS), "timeout", "overflow", "overflow", "rejected"]
)
errors = st.builds(
    lambda kind, wait: ModelError("It failed.", "Wait.", kind=kind, retry_after=wait),
    kinds,
    st.sampled_from([None, 0, 0.5, 7, 500]),
)
hopeless = st.sampled_from(sorted(HOPELESS)).map(
    lambda kind: Line(error=ModelError("It never works.", "Set it up.", kind=kind))
)
tokens = st.sampled_from([None, 0, 50, 10**6])
answering = st.builds(
    Line, texts, batches, st.none(), st.sampled_from([0, 0, 0, 3, 59, 90]), st.booleans(), tokens
)
calling = st.builds(Line, st.just(""), batches, tokens=tokens)
failing = st.builds(Line, error=errors, seconds=st.sampled_from([0, 2]), says=st.booleans())
silent = st.builds(Line, seconds=st.just(None), says=st.booleans())


def _fair(tool: str, **arguments: Any) -> ToolCall:
    return ToolCall("fair", tool, arguments)


opening = st.builds(
    lambda query, read, tool: Line(
        calls=(_fair("web_search", query=query), *(_fair(tool, url=page_url(n)) for n in read))
    ),
    st.sampled_from(["gates", "dredging", "what gates cost"]),
    st.lists(numbers, max_size=4),
    st.sampled_from(["open_page", "open_page", "browser_open"]),
)
following = st.builds(
    lambda query, read, gap: Line(
        calls=(
            _fair("web_search", query=query, gap=gap),
            *(_fair("open_page", url=page_url(n), gap=gap) for n in read),
        )
    ),
    st.sampled_from(["hinges", "dredging", "gates"]),
    st.lists(numbers, max_size=4),
    st.sampled_from([0, 1]),
)
publishing = guides.map(lambda guide: Line(calls=(_fair("publish_research", **guide),)))
gap_guide = st.just(
    Line(calls=(_fair("publish_research", summary="A summary.", gaps=[{"question": "Why?"}]),))
)
lines = st.one_of(
    calling, publishing, opening, following, gap_guide, answering, failing, silent, hopeless
)
scripts = st.one_of(
    st.lists(lines, min_size=1, max_size=8),
    st.builds(
        lambda first, between, gap, later, last: [first, *between, gap, *later, last],
        opening,
        st.lists(lines, max_size=2),
        gap_guide,
        st.lists(lines, max_size=4),
        publishing,
    ),
)
