"""Reasoning written as text is told from text, in whatever pieces it comes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lazyboy_jupyter.adapters.models.providers.thoughts import ThoughtFilter, without_thoughts


def streamed(pieces: list[str]) -> str:
    one = ThoughtFilter()
    return "".join([*(one.feed(piece) for piece in pieces), one.end()])


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("Answer.", "Answer."),
        ("<think>Hm.</think>Answer.", "Answer."),
        ("<THINK>Hm.</Think>\nAnswer.", "Answer."),
        ("<thinking>Hm.</thinking>Answer.", "Answer."),
        ("One. <think>Hm.</think>Two. <think>Ha.</think>Three.", "One. Two. Three."),
        ("Hm.</think>Answer.", "Answer."),
        ("Answer. <think>Hm", "Answer."),
        ("<think>Hm", ""),
        ("In code, `<think>` begins it.", "In code, `<think>` begins it."),
        ("a < b and <thin ice", "a < b and <thin ice"),
        ("", ""),
    ],
)
def test_whole_texts(text: str, rest: str) -> None:
    assert without_thoughts(text) == rest


_PIECES = st.lists(st.sampled_from(["<think>", "</think>", "<", "th", "ink>", "a", "`", " ", "</"]))


@given(_PIECES)
def test_pieces_do_not_matter(pieces: list[str]) -> None:
    whole = "".join(pieces)
    assert streamed(pieces) == streamed([whole]) == streamed(list(whole))


def test_text_is_passed_on_as_soon_as_it_can_be() -> None:
    one = ThoughtFilter()
    assert one.feed("Hello <b") == "Hello <b"
    assert one.feed(" <th") == " "
    assert one.feed("e") == "<the"
    assert one.feed(" <think>x") == " "
    assert one.feed("y</think>z") == "z"
