"""Of a comparison both sides lead, and where the scores fall off the guide ends."""

import pytest

from lazyboy_jupyter.adapters.models.material import Listed, Material, ReadPage, SearchOutcome
from lazyboy_jupyter.adapters.models.passages import page_passages
from lazyboy_jupyter.adapters.models.question import read_question
from lazyboy_jupyter.adapters.models.quote_choice import best_candidates

SHAPES = """# shapes

## shapes.Row(items)
A row can be changed after it was made.

Rows grow at their end, and a row is the row that row users know.

## shapes.Knot(items)
A knot cannot be changed after it was made.

## shapes.join(one, other)
See also the other module.

## shapes.paint(colour)
Colours are mixed beforehand by the painter.
"""


def texts(question: str) -> list[str]:
    page = ReadPage("S1", "doc:shapes", "shapes", SHAPES)
    listed = (Listed("S1", "doc:shapes", "shapes", "", 1.0),)
    material = Material(question, (SearchOutcome("q", listed),), (page,), frozenset())
    asked = read_question(question)
    passages = page_passages(material.pages, asked.labels)
    chosen = best_candidates(material, asked, passages, 8)
    return [SHAPES[one.start : one.end] for one in chosen]


@pytest.mark.parametrize(
    "question",
    [
        "What is the difference between a row and a knot?",
        "How does a row differ from a knot?",
        "row vs. knot",
    ],
)
def test_what_each_side_is_comes_first_and_only_they_are_quoted(question: str) -> None:
    found = texts(question)
    assert found[0].startswith("A row can be changed")
    assert found[1].startswith("A knot cannot")
    assert not any("painter" in text for text in found)


@pytest.mark.parametrize(
    "question", ["How do I make a row?", "What is the difference between it and that?", ""]
)
def test_no_sides(question: str) -> None:
    assert read_question(question).sides == ()


def test_a_quote_that_only_points_elsewhere_is_left_out() -> None:
    assert not any(text.startswith("See also") for text in texts("What does shapes.join do?"))
