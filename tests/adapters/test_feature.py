"""Which feature of which thing is asked about, and whether what was read mentions it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lazyboy_jupyter.adapters.models.extractive_policy import compose
from lazyboy_jupyter.adapters.models.feature import asked_features
from lazyboy_jupyter.adapters.models.feature_search import Missing, missing_feature
from lazyboy_jupyter.adapters.models.material import Listed, Material, ReadPage, SearchOutcome
from lazyboy_jupyter.adapters.models.passages import page_passages

TOOLS = """# tools — Things to work with

Things to work with.

## tools.cut(text, width=70, *, max_parts=None, sep=' ')
Cut a text into pieces of at most width characters, split at the separator.

If max_parts is given, at most so many pieces are returned.

## tools.glue(parts, **options)
Glue parts together. The options are the same as for Press.

## tools.wait(seconds, strict=False)
Wait for some seconds; a negative number is an exception if strict is true.
"""
PRESS = """# tools.Press(force=1)
Presses things. A press is quiet.

## tools.Press.start(timeout=None)
Begin to press; give up after timeout seconds.
"""
LOOP = """The "for" statement
*******************

The "for" statement goes through the items of an iterable. The suite of the "else" clause is
executed when the items are exhausted.
"""
PAGES = (
    ReadPage("S1", "doc:tools", "tools — Things to work with", TOOLS),
    ReadPage("S2", "doc:tools.Press", "tools.Press — Presses things", PRESS),
    ReadPage("S3", "doc:for", "The for statement", LOOP),
)


def missing(question: str) -> Missing | None:
    listed = tuple(Listed(p.source, p.url, p.title, p.text[:200], 1.0) for p in PAGES)
    material = Material(question, (SearchOutcome("q", listed),), PAGES, frozenset())
    return missing_feature(asked_features(question), material, page_passages(PAGES, ()))


@pytest.mark.parametrize(
    ("question", "name", "owner"),
    [
        ("What does the retries argument of tools.cut do?", "retries", "tools.cut"),
        ("Which retries argument makes tools.cut try again?", "retries", "tools.cut"),
        ("tools.cut: how do I set the retries option so it tries again?", "retries", "tools.cut"),
        ("How do I turn on retries=3 in tools.cut", "retries", "tools.cut"),
        ("What is tools.cut's retries flag?", "retries", "tools.cut"),
        ("Does tools.cut support retries?", "retries", "tools.cut"),
        ("Does tools.cut have a retries mode?", "retries", "tools.cut"),
        ("Can tools.cut be used with a budget?", "budget", "tools.cut"),
        ("What does retries do in tools.cut?", "retries", "tools.cut"),
        ("Which password does tools.cut accept?", "password", "tools.cut"),
        ("Does the missing_last=True option of cut work?", "missing_last", "cut"),
        ("Does the for loop have a parallel clause?", "parallel", "for loop"),
        ("What is `retries` (tools.cut)?", "retries", "tools.cut"),
    ],
)
def test_the_shapes_of_a_question_about_a_feature(question: str, name: str, owner: str) -> None:
    first = asked_features(question)[0]
    assert (first.name, first.owners[0]) == (name, owner)
    if owner != "cut":  # of plain words only the whole name of a symbol is known
        assert missing(question) == Missing(name, owner)


@pytest.mark.parametrize(
    "question",
    [
        "What does tools.cut do?",
        "How do I cut a text into pieces?",
        "What is the difference between tools.cut and tools.glue?",
        "Which flag of tools.cut limits the pieces?",
        "What does the optional keyword argument of tools.cut do?",
        "How do I use the first argument of tools.cut?",
        "In which year was the Suez canal opened, and which two seas does it connect?",
        "",
    ],
)
def test_other_questions_ask_about_no_feature(question: str) -> None:
    assert asked_features(question) == ()


@pytest.mark.parametrize(
    "question",
    [
        "What does the width argument of tools.cut do?",
        "What does the widths argument of tools.cut do?",
        "What does the maxparts option of tools.cut do?",
        "What does the max-parts option of tools.cut do?",
        "What is the separator argument of tools.cut?",
        "What is the error mode of tools.wait?",  # the manual says "exception"
        "What does the force option of tools.glue do?",  # it hands its options on
        "Does tools.Press have a start method?",
        "Does tools.Press have a wait method?",  # a class may inherit what the page does not list
        "Does the for loop have an exhausted clause?",
        "What does the retries argument of other.thing do?",  # nothing read covers it
    ],
)
def test_what_is_mentioned_or_not_covered_is_not_missing(question: str) -> None:
    assert missing(question) is None


def test_a_word_elsewhere_on_the_page_does_not_make_it_a_feature() -> None:
    assert missing("What does the strict argument of tools.cut do?") == Missing(
        "strict", "tools.cut"
    )
    assert missing("What does the strict argument of tools.wait do?") is None


def test_the_guide_says_what_was_looked_for_once_and_quotes_nothing() -> None:
    question = "What does the retries argument of tools.cut do?"
    listed = tuple(Listed(p.source, p.url, p.title, p.text[:200], 1.0) for p in PAGES)
    material = Material(question, (SearchOutcome("q", listed),), PAGES, frozenset())
    draft = compose(material, 0)
    assert draft.findings == ()
    assert draft.unknowns == (
        "The documentation that was read on tools.cut does not mention retries.",
    )


@settings(deadline=None, max_examples=50)
@given(st.text(max_size=120))
def test_any_question_is_survived(text: str) -> None:
    assert asked_features(text) == asked_features(text)
    missing(f"What does the {text} argument of tools.cut do?")
