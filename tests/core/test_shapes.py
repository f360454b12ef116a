"""The shapes in which models send publications, and those that stay refused."""

from typing import Any

import pytest
from pydantic import ValidationError

from lazyboy_jupyter.core.publication import GuideArgs, SupplementArgs
from lazyboy_jupyter.core.tools import tool_specs

CITED = [{"source": "S1", "quote": None}]


@pytest.mark.parametrize(
    ("given", "shaped"),
    [
        (["f"], [{"text": "f", "citations": []}]),
        ({"text": "f"}, [{"text": "f", "citations": []}]),
        (None, []),
        ("", []),
        ('[{"text": "f", "citations": ["S1"]}]', [{"text": "f", "citations": CITED}]),
        ([{"text": "f", "citations": None}], [{"text": "f", "citations": []}]),
        ([{"text": "f", "citations": "S1"}], [{"text": "f", "citations": CITED}]),
        ([{"text": "f", "citations": "[S1]"}], [{"text": "f", "citations": CITED}]),
        ([{"text": "f", "citations": ["S1"]}], [{"text": "f", "citations": CITED}]),
        ([{"text": "f", "citations": {"source": "S1"}}], [{"text": "f", "citations": CITED}]),
        ([{"text": "f", "citations": [{"id": "S1", "quote": None}]}],
         [{"text": "f", "citations": CITED}]),
        ([{"text": "f", "sources": ["S1"]}], [{"text": "f", "citations": CITED}]),
        ([{"finding": "f", "source": "S1"}], [{"text": "f", "citations": CITED}]),
        ([{"text": "f", "source": "S1", "quote": "q"}],
         [{"text": "f", "citations": [{"source": "S1", "quote": "q"}]}]),
        ([{"text": "f", "citations": ["S1, S2 and S3"]}],
         [{"text": "f", "citations": [{"source": f"S{n}", "quote": None} for n in (1, 2, 3)]}]),
        ([{"text": "f", "citations": ["https://a/S1"]}],
         [{"text": "f", "citations": [{"source": "https://a/S1", "quote": None}]}]),
        ([{"text": "f", "citations": [{"source": "S1", "quote": ["q"]}]}],
         [{"text": "f", "citations": [{"source": "S1", "quote": "q"}]}]),
        ([{"text": "<think>Hmm.</think>f"}], [{"text": "f", "citations": []}]),
    ],
)  # fmt: skip
def test_claims_in_other_shapes(given: Any, shaped: Any) -> None:
    for field in ("steps", "findings"):
        args = GuideArgs.model_validate({"summary": "s", field: given})
        assert args.model_dump()[field] == shaped


@pytest.mark.parametrize(
    "given",
    [
        "A text that is no list.",
        [1],
        [{"text": "f", "citations": [1]}],
        [{"text": "f", "citations": [{"quote": "q"}]}],
        [{"text": "f", "citations": 1}],
        [{"claim": "f", "content": "g"}],  # which of them?
        [{"text": "<think>It never ends"}],
        '[{"text": "cut',
        {"a": 1},
        [[]],
    ],
)
def test_claims_in_shapes_that_are_refused(given: Any) -> None:
    with pytest.raises(ValidationError):
        GuideArgs.model_validate({"summary": "s", "findings": given})


@pytest.mark.parametrize(
    ("given", "shaped"),
    [
        (["q"], [{"question": "q", "why": ""}]),
        ("q", [{"question": "q", "why": ""}]),
        ([{"question": "q", "why": None}], [{"question": "q", "why": ""}]),
        ([{"gap": "q", "reason": "r"}], [{"question": "q", "why": "r"}]),
        ([{"question": "q"}], [{"question": "q", "why": ""}]),
        (None, []),
    ],
)
def test_gaps_in_other_shapes(given: Any, shaped: Any) -> None:
    args = GuideArgs.model_validate({"summary": ["s"], "gaps": given})
    assert args.model_dump()["gaps"] == shaped
    assert args.summary == "s"


def test_a_gap_without_its_question_is_refused() -> None:
    with pytest.raises(ValidationError, match="question"):
        GuideArgs.model_validate({"summary": "s", "gaps": [{"why": "w"}]})


@pytest.mark.parametrize(
    ("given", "shaped"),
    [("u", ["u"]), (None, []), ([{"text": "u"}], ["u"]), ('["u"]', ["u"]), ("None", [])],
)
def test_unknowns_in_other_shapes(given: Any, shaped: list[str]) -> None:
    assert GuideArgs.model_validate({"summary": "s", "unknowns": given}).unknowns == shaped


@pytest.mark.parametrize(
    ("given", "texts"),
    [
        ({"findings": ["f"]}, ["f"]),
        ({"steps": ["a"], "findings": [{"text": "b"}]}, ["a", "b"]),
        ({"additions": ["a"], "findings": ["b"]}, ["a"]),
        ({"unknowns": ["u"]}, []),
    ],
)
def test_a_supplement_that_names_its_additions_as_the_guide_did(
    given: Any, texts: list[str]
) -> None:
    assert [claim.text for claim in SupplementArgs.model_validate(given).additions] == texts


def test_models_are_shown_the_declared_shape_only() -> None:
    (spec,) = tool_specs(("publish_research",), supplement=False)
    properties = spec.parameters["properties"]
    assert properties["findings"]["items"] == {"$ref": "#/$defs/ClaimArgs"}
    assert properties["findings"]["type"] == "array"
    assert properties["unknowns"]["items"]["type"] == "string"
    assert set(spec.parameters["$defs"]["ClaimArgs"]["properties"]) == {"text", "citations"}
    assert set(spec.parameters["$defs"]["CitationArgs"]["properties"]) == {"source", "quote"}
