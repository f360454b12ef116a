from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lazyboy_jupyter.adapters.ranking.words import fold, terms, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("caching caches", ["cach", "cach"]),
        ("functools.lru_cache", ["functools.lru_cache", "functool", "lru_cache"]),
        ("Müller naïve ﬁne ＡＢＣ", ["muller", "naiv", "fine", "abc"]),
        ("Mu\u0308ller", ["muller"]),
        ("150,000 3.14", ["150000", "3.14", "3", "14"]),
        ("L'Amour O'Neal's", ["l", "amour", "o", "neal"]),
        ("日本語", ["日本", "本語"]),
        ("exam\u00adple", ["exampl"]),
        ("finally final", ["finally", "final"]),
        ('"with" with', [".lit.with", "with"]),
        ("the with statement", ["the", ".lit.with", "statement"]),
        ("a == b", ["a", ".op.3d3d", "b"]),
        ("=====\n-----", []),
        ("हिन्दी", ["हिन्दी"]),
    ],
)
def test_terms(text: str, expected: Any) -> None:
    assert terms(text) == expected


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("TaskGroup", ("task", "group")),
        ("lru_cache", ("lru", "cach")),
        ("McRaney", ("mc", "raney")),
        ("plain", ()),
        ("HTTPServer", ("http", "server")),
        ("__enter__", ("enter",)),
    ],
)
def test_parts(word: str, parts: object) -> None:
    assert next(words(word)).parts == parts


@given(st.text(max_size=300))
def test_words_have_exact_offsets(text: str) -> None:
    for word in words(text):
        assert text[word.start : word.end] == word.text
        assert all(word.terms)


@given(st.text(max_size=100))
def test_fold_is_stable(text: str) -> None:
    assert fold(fold(text)) == fold(text) or not text.isascii()
