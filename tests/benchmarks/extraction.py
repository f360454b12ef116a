"""How much of an article, and how little else, the text has that a model is given of its page.

The data's own score (see its README): multisets of four words in a row, precision and recall
averaged over the pages, F1 of the two averages. Links count as their words.
"""

import gzip
import json
import re
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import trafilatura

from lazyboy_jupyter.adapters.sources.extraction.job import extract
from lazyboy_jupyter.adapters.sources.extraction.page import PageText
from tests.questions import SHARED

FOLDER = SHARED / "article-extraction"
_WORD = re.compile(r"\w+")
_TARGET = re.compile(r"\]\([^)\s]*\)")
_ROUNDS = 3


@dataclass(frozen=True, slots=True)
class Score:
    """One page's score; `seconds`: of processor time, the least of several runs."""

    precision: float
    recall: float
    seconds: float


def report() -> Iterator[str]:
    truths: dict[str, dict[str, str]] = json.loads((FOLDER / "ground-truth.json").read_text())
    scores: dict[str, list[Score]] = {name: [] for name in EXTRACTORS}
    for name, truth in truths.items():
        data = gzip.decompress((FOLDER / "html" / f"{name}.html.gz").read_bytes())
        for extractor, function in EXTRACTORS.items():
            text, seconds = _timed(function, data, truth["url"])
            precision, recall = _compare(truth["articleBody"], text)
            scores[extractor].append(Score(precision, recall, seconds))
    for extractor, found in scores.items():
        halves = ", ".join(f"{_f1(found[half::2]):.3f}" for half in (0, 1))
        yield (
            f"{extractor}: F1 {_f1(found):.3f} (halves: {halves}), "
            f"precision {statistics.mean(one.precision for one in found):.3f}, "
            f"recall {statistics.mean(one.recall for one in found):.3f}, "
            f"{1000 * statistics.mean(one.seconds for one in found):.1f} ms of CPU a page"
        )
    ours, other = (sum(one.seconds for one in found) for found in scores.values())
    yield f"CPU, ours over trafilatura's fast mode in the same run: {ours / other:.2f}"


def _ours(data: bytes, url: str) -> str:
    """From the bytes as they come to the text as the model gets it, links as their words."""
    found = extract(data, "text/html; charset=utf-8", url, False)
    return _TARGET.sub("]", found.text) if isinstance(found, PageText) else ""


def _trafilatura(data: bytes, _url: str) -> str:
    return trafilatura.extract(data.decode("utf-8", "replace"), fast=True) or ""


EXTRACTORS: dict[str, Callable[[bytes, str], str]] = {
    "ours": _ours,
    "trafilatura.extract(html, fast=True)": _trafilatura,
}


def _timed(function: Callable[[bytes, str], str], data: bytes, url: str) -> tuple[str, float]:
    text, best = "", float("inf")
    for _ in range(_ROUNDS):
        began = time.process_time()
        text = function(data, url)
        best = min(best, time.process_time() - began)
    return text, best


def _compare(truth: str, text: str) -> tuple[float, float]:
    wanted, found = _shingles(truth), _shingles(text)
    common = (wanted & found).total()
    precision = common / found.total() if found else 0.0
    return precision, common / wanted.total() if wanted else 1.0


def _shingles(text: str) -> Counter[tuple[str, ...]]:
    words = _WORD.findall(text)
    return Counter(
        tuple(words[at : at + 4]) for at in range(max(len(words) - 3, min(1, len(words))))
    )


def _f1(scores: list[Score]) -> float:
    precision = statistics.mean(one.precision for one in scores)
    recall = statistics.mean(one.recall for one in scores)
    return 2 * precision * recall / (precision + recall)
