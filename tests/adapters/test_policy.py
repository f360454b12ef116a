from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lazyboy_jupyter.adapters.models.extractive_policy import compose, compose_additions
from lazyboy_jupyter.adapters.models.material import (
    Draft,
    Gap,
    Listed,
    Material,
    Quote,
    ReadPage,
    SearchOutcome,
)
from lazyboy_jupyter.adapters.models.page_choice import (
    choose_pages,
    first_query,
    follow_up_query,
    gap_query,
)

LIST = (
    Listed(
        "S1", "u1", "Dear Brother (song)", '"Dear Brother" is a duet by Hank and Audrey Williams.'
    ),
    Listed("S2", "u2", "Audrey Williams", "Audrey Williams was an American musician."),
    Listed("S3", "u3", "Brotherhood", "A brotherhood is a group."),
)
PAGES = (
    ReadPage(
        "S1",
        "u1",
        "Dear Brother (song)",
        '# Dear Brother (song)\n\n"Dear Brother" is a duet by Hank Williams and Audrey Williams. '
        "It was released by MGM Records in 1950.",
    ),
    ReadPage(
        "S2",
        "u2",
        "Audrey Williams",
        "# Audrey Williams\n\nAudrey Williams was an American musician. She was born in 1923.",
    ),
)
QUESTION = 'When was "Dear Brother" by Audrey Williams released?'
MATERIAL = Material(QUESTION, (SearchOutcome("q", LIST),), PAGES, frozenset({"u1", "u2"}))


def quotes(draft: Draft) -> list[Quote]:
    return [quote for claim in (*draft.steps, *draft.findings) for quote in claim.quotes]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("How does the with statement work?", "with statement work"),
        ("What does functools.lru_cache do?", "functools.lru_cache"),
        ('Who wrote "Death of Samantha"?', 'wrote "Death of Samantha"'),
        ("Who starred in Welcome to the Show?", "starred Welcome to the Show"),
        ("How do I ignore an error without writing try and except?", "ignore error"),
        ("???", "???"),
    ],
)
def test_first_query(question: str, expected: Any) -> None:
    assert first_query(question) == expected


def test_pages_named_in_the_question_come_first_and_only_seen_ones() -> None:
    fresh = replace(MATERIAL, pages=(), tried_urls=frozenset())
    assert choose_pages(fresh, 2) == ("u1", "u2")
    assert choose_pages(MATERIAL, 5) == ("u3",)
    assert choose_pages(fresh, 0) == ()


def test_a_follow_up_names_what_the_pages_mention() -> None:
    query = follow_up_query(MATERIAL)
    assert query is not None
    assert "MGM Records" in query
    again = replace(MATERIAL, searches=(*MATERIAL.searches, SearchOutcome(query, ())))
    assert follow_up_query(again) is None


def test_compose_quotes_verbatim_and_answers() -> None:
    draft = compose(MATERIAL, 2)
    texts = {page.source: " ".join(page.text.split()) for page in PAGES}
    assert any("1950" in quote.text for quote in quotes(draft))
    assert all(quote.text in texts[quote.source] for quote in quotes(draft))
    assert draft.unknowns == ()
    assert draft.gaps == ()
    assert draft.summary


@pytest.mark.parametrize(
    "question",
    [
        "What is the population of Brazil?",
        "What does music.SortedDict.peekitem return?",
        "How do I scale a deployment in Kubernetes?",
        "What is the retries argument of musician?",
    ],
)
def test_what_is_not_there_is_unknown_without_noise(question: str) -> None:
    draft = compose(replace(MATERIAL, question=question), 2)
    assert quotes(draft) == []
    assert draft.unknowns
    assert draft.summary.startswith("Nothing in the sources read answers")
    assert len(draft.gaps) <= 2
    assert compose(replace(MATERIAL, question=question), 0).gaps == ()


def test_without_pages() -> None:
    draft = compose(Material("Who?", (), (), frozenset()), 2)
    assert (draft.steps, draft.findings) == ((), ())
    assert draft.unknowns
    assert follow_up_query(Material("", (), (), frozenset())) is None


def test_additions_repeat_nothing() -> None:
    gap = Gap("Who is Audrey Williams?", "why")
    first = compose_additions(MATERIAL, (gap,), [])
    assert first.additions
    used = [claim.quotes[0].text for claim in first.additions]
    assert not set(used) & {
        c.quotes[0].text for c in compose_additions(MATERIAL, (gap,), used).additions
    }
    missing = compose_additions(MATERIAL, (Gap("What is Zyxgorp?", "why"),), [])
    assert missing.additions == ()
    assert len(missing.unknowns) == 1
    assert gap_query("What is Zyxgorp?", MATERIAL).startswith("Zyxgorp")


@settings(deadline=None, max_examples=50)
@given(st.text(max_size=120), st.text(max_size=600), st.text(max_size=60))
def test_any_material_is_survived_and_quoted_verbatim(question: str, text: str, title: str) -> None:
    page = ReadPage("S1", "u1", title, text + "\n\n" + question)
    listed = Listed("S1", "u1", title, text[:300])
    material = Material(question, (SearchOutcome(question, (listed,)),), (page,), frozenset({"u1"}))
    first_query(question)
    choose_pages(material, 3)
    follow_up_query(material)
    draft = compose(material, 2)
    assert draft == compose(material, 2)
    for quote in quotes(draft):
        assert quote.text in " ".join(page.text.split())
        assert len(quote.text) <= 300
