import pytest
from hypothesis import given
from hypothesis import strategies as st

from lazyboy_jupyter.adapters.sources.search.query import cut_at_word, fitted


@pytest.mark.parametrize(
    ("query", "sent"),
    [
        ("  two \n words\t", "two words"),
        ('"exact phrase" (a OR b) [c] {d}', '"exact phrase" (a OR b) [c] {d}'),
        ("x" * 600, "x" * 400),
        ("word " * 100, ("word " * 50).strip()),
        ("ab " + "x" * 600, "ab"),
        ("caf\u00e9 \ud800 \x00 \u202eabc", "caf\u00e9 abc"),
        ("\n \t", ""),
    ],
)
def test_a_query_is_folded_and_cut_between_words(query: str, sent: str) -> None:
    """FIELD_CASES S2."""
    assert fitted(query, 400, 50) == sent


def test_five_hundred_characters_keep_their_whole_words() -> None:
    query = " ".join(f"word{number:03}" for number in range(63))
    sent = fitted(query, 400)
    assert len(query) > 500
    assert 390 < len(sent) <= 400
    assert query.startswith(sent + " ")


@given(st.text(), st.integers(1, 50), st.integers(1, 9))
def test_any_text_becomes_a_query_that_can_be_sent(text: str, characters: int, words: int) -> None:
    sent = fitted(text, characters, words)
    sent.encode("utf-8")
    assert len(sent) <= characters
    assert len(sent.split()) <= words
    assert sent == " ".join(sent.split())


@given(st.text(), st.integers(1, 50))
def test_a_cut_is_the_beginning(text: str, limit: int) -> None:
    cut = cut_at_word(text, limit)
    assert text.startswith(cut)
    assert len(cut) <= limit
    assert bool(cut) == bool(text)
