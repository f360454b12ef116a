from typing import Any

import pytest

from lazyboy_jupyter.core.folding import FoldedText
from lazyboy_jupyter.core.messages import ToolCall
from lazyboy_jupyter.core.publication import (
    Delivered,
    GuideArgs,
    Ledger,
    Observed,
    Publication,
    Refusal,
    judge,
)
from lazyboy_jupyter.core.tools import ToolCallError, parse_call, tool_specs

TEXTS = {"S1": ["Gates cut losses by 17 percent."], "S2": ["Dredging costs 40 percent."]}
LEDGER = Ledger(
    sources={
        "S1": Observed("S1", "https://a/", "Gates", "read", listed=True),
        "S2": Observed("S2", "https://b/", "Dredging", "read", listed=False),
        "S3": Observed("S3", "https://c/", "Listed only", "listed", listed=True),
        "S4": Observed("S4", "https://d/", "Failed, listed", "failed", listed=True),
        "S5": Observed("S5", "https://e/", "Failed", "failed", listed=False),
    },
    aliases={f"https://{host}/": f"S{n}" for n, host in enumerate("abcde", 1)},
    texts_of=lambda source_id: [
        Delivered("O", text, FoldedText(text)) for text in TEXTS.get(source_id, ())
    ],
)


def judged(*citations: tuple[str, str | None], text: str = "A claim.") -> Publication | Refusal:
    args = GuideArgs.model_validate(
        {
            "summary": "s",
            "findings": [
                {"text": text, "citations": [{"source": s, "quote": q} for s, q in citations]}
            ],
        }
    )
    return judge(args, LEDGER, max_gaps=2)


@pytest.mark.parametrize(
    ("source", "resolved"),
    [("S1", "S1"), ("s1", "S1"), ("[S2]", "S2"), ("HTTPS://A:443/#x", "S1"), ("S3", "S3"),
     ("S4", "S4")],
)  # fmt: skip
def test_a_source_is_named_by_id_or_address(source: str, resolved: str) -> None:
    publication = judged((source, None))
    assert isinstance(publication, Publication)
    assert publication.findings[0].citations[0].source == resolved


@pytest.mark.parametrize("source", ["S9", "https://f/", "a page", "S5", "https://e/", "1"])
def test_what_was_not_observed_or_only_failed_is_refused(source: str) -> None:
    refusal = judged((source, None))
    assert isinstance(refusal, Refusal)
    assert source in refusal.problems[0]


@pytest.mark.parametrize(
    ("citations", "text", "states"),
    [
        ([("S1", "cut losses")], "Losses fell.", ["verbatim"]),
        ([("S1", "raised losses")], "Losses rose.", ["not_found"]),
        ([("S3", "anything")], "Something.", ["not_found"]),
        ([("S1", None)], "Losses fell by 99 %.", ["unquoted"]),
        ([("S1", "  ")], "Losses fell.", ["unquoted"]),
        ([("S1", "cut losses")], "Losses fell by 18 %.", ["unverified"]),
        # A claim may draw its facts from several of its quotes together.
        ([("S1", "17 percent"), ("S2", "40 percent")], "17 and 40 %.", ["verbatim", "verbatim"]),
        ([("S1", "17 percent"), ("S2", "raised")], "17 and 40 %.", ["unverified", "not_found"]),
        ([("S1", "cut losses"), ("S1", "cut losses")], "Losses fell.", ["verbatim"]),
    ],
)
def test_states(citations: list[tuple[str, str | None]], text: str, states: list[str]) -> None:
    publication = judged(*citations, text=text)
    assert isinstance(publication, Publication)
    assert [c.state for c in publication.findings[0].citations] == states


@pytest.mark.parametrize(
    ("args", "problem"),
    [
        ("not json", "not valid JSON"),
        ('{"summary": "\\u12', "cut off"),
        ("[1]", "not valid JSON"),
        ("[" * 100_000, "not valid JSON"),
        ("{}", "summary"),
        ({"summary": "x", "findings": "y"}, "findings"),
        ({"summary": "x" * 5_000}, "summary"),
    ],
)
def test_arguments_that_do_not_fit_are_a_sentence_for_the_model(args: Any, problem: str) -> None:
    with pytest.raises(ToolCallError, match=problem):
        parse_call(ToolCall("c", "publish_research", args), supplement=False)


def test_schemas_say_what_is_checked() -> None:
    names = ("web_search", "open_page", "read_tool_output", "report_progress", "publish_research")
    first = {spec.name: spec for spec in tool_specs(names, supplement=False)}
    second = {spec.name: spec for spec in tool_specs(names, supplement=True)}
    assert set(first["publish_research"].parameters["properties"]) == {
        "summary", "steps", "findings", "unknowns", "gaps",
    }  # fmt: skip
    assert set(second["publish_research"].parameters["properties"]) == {"additions", "unknowns"}
    assert first["web_search"].parameters["required"] == ["query"]
    assert all(spec.description for spec in first.values())
