from collections import Counter

import pytest

from lazyboy_jupyter.adapters.ranking.bm25 import Bm25, bm25_over_counts


def bm25_over(passages: list[list[str]]) -> Bm25:
    return bm25_over_counts([Counter(passage) for passage in passages])


@pytest.mark.parametrize(
    ("query", "best"), [({"cat": 1.0}, 0), ({"dog": 1.0}, 1), ({"cat": 0.1, "bird": 1.0}, 2)]
)
def test_the_best_passage(query: dict[str, float], best: int) -> None:
    scores = bm25_over([["cat", "cat", "sat"], ["dog", "sat"], ["bird", "sat"]]).scores(query)
    assert scores.index(max(scores)) == best


def test_rare_terms_say_more_and_nothing_scores_nothing() -> None:
    index = bm25_over([["a", "b"], ["a", "c"]])
    assert index.idf("z") > index.idf("b") > index.idf("a") > 0
    assert index.scores({"z": 1.0}) == [0.0, 0.0]
    assert bm25_over([]).scores({"a": 1.0}) == []
