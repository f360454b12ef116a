"""Owns finding a quote in a page, and whether a claim's facts stand near it; it changes no text.

A quote counts as found when it stands in the page once both are folded (`folding.py`).
"""

import re
from dataclasses import dataclass

from .folding import FoldedText

NEAR = 300
"""How far from a quote, in characters, a claim's number, date or name may stand."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a quote stands in the original text: offset and length in Unicode characters."""

    offset: int
    length: int


def find_quote(page: FoldedText, quote: str) -> Place | None:
    """Return where `quote` first stands in `page` as whole words, or None.

    A quote that begins or ends inside a word of the page is not found: "17" in "1998-2017" would
    prove a claim that the page does not make.
    """
    needle = _unwrapped(FoldedText(quote).text)
    return _found(page, needle) or _found(page, _QUOTED_WORD.sub(r"\1", needle))


def _found(page: FoldedText, needle: str) -> Place | None:
    if not needle:
        return None
    part, start = page.part, 0
    while True:
        while (start := part.text.find(needle, start)) >= 0:
            end = start + len(needle)
            if _at_word_edge(part.text, start) and _at_word_edge(part.text, end):
                offset = part.span(start)[0]
                return Place(offset, part.span(end - 1)[1] - offset)
            start += 1
        if part.is_whole:
            return None
        # It may begin in this part and end in the next, which goes on with a space.
        start = max(0, len(part.text) - len(needle) + 1)
        part = page.after(part)


# Where a page marks a word as code, a model often writes quotation marks.
_QUOTED_WORD = re.compile(r"(?<!\w)['\"]([^\s'\"]+)['\"](?!\w)")


def _unwrapped(needle: str) -> str:
    """Drop the quotation marks and the ellipses that a model puts around a quote."""
    text = needle.strip()
    while len(text) > 1 and text[0] in "\"'" and text[-1] == text[0]:
        text = text[1:-1].strip()
    return text.removeprefix("...").removesuffix("...").strip()


def _at_word_edge(text: str, position: int) -> bool:
    if position <= 0 or position >= len(text):
        return True
    before, after = text[position - 1], text[position]
    if _in_spaceless_script(before) or _in_spaceless_script(after):
        return True
    return not (before.isalnum() and after.isalnum())


def _in_spaceless_script(char: str) -> bool:
    """Scripts that write no spaces (Han, kana, Thai, Lao, Khmer, Burmese): every edge will do."""
    return (
        "\u0e00" <= char <= "\u0eff"
        or "\u1000" <= char <= "\u109f"
        or ("\u1780" <= char <= "\u17ff" or "\u3040" <= char <= "\u9fff" or char >= "\U00020000")
    )


_NUMBER = re.compile(
    r"(?:(?<![\w.)\]])-(?=\d))?(?<!\d)(?:\d{1,3}(?:[, ]\d{3})+(?![\d])|\d+)(?:[.,]\d+)*"
)
_THOUSANDS = re.compile(r"-?\d{1,3}(?:[, ]\d{3})+(?:\.\d+)?")
_NUMBER_WORDS = {
    word: str(number)
    for number, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen twenty".split()
    )
} | {
    word: str(number)
    for number, word in zip(
        range(30, 100, 10), "thirty forty fifty sixty seventy eighty ninety".split(), strict=True
    )
}
_WORD = re.compile(r"[^\W\d_]+")
_TOKEN = re.compile(r"\w[\w'’.-]*\w|\w")
_SENTENCE_START = re.compile(r"(?:^|[.!?:;。！？…\n•]\s*|[-*]\s+)[\"'(“‘]*$")


def facts_missing(claim: str, evidence: str) -> tuple[str, ...]:
    """Return the numbers, dates and names of `claim` that do not stand in `evidence`.

    `evidence` is the text around the claim's quotes with the titles of their pages. Numbers are
    compared as written but for the marks of thousands ("1,200" is "1200", "seventeen" is "17",
    and "3.1" is not "3.10"); names without case, word by word.
    """
    claim, evidence = FoldedText(claim).text, FoldedText(evidence).text
    known_numbers = _numbers(evidence)
    missing = [number for number in _numbers(claim) if number not in known_numbers]
    known_words = {word.casefold() for word in _WORD.findall(evidence)}
    for name in _names(claim):
        words = [word.casefold() for word in _WORD.findall(name)]
        if not all(word in known_words or word.rstrip("s") in known_words for word in words):
            missing.append(name)
    return tuple(dict.fromkeys(missing))


def _numbers(text: str) -> dict[str, None]:
    """The numbers of `text` in one spelling, as ordered keys."""
    found: dict[str, None] = {}
    for match in _NUMBER.finditer(text):
        number = match.group()
        if _THOUSANDS.fullmatch(number):
            number = number.replace(",", "").replace(" ", "")
        found[number.replace(",", ".")] = None
    for word in _WORD.findall(text.casefold()):
        if word in _NUMBER_WORDS and word != "one":  # "one" is a pronoun more often than a number
            found[_NUMBER_WORDS[word]] = None
    return found


def _names(claim: str) -> list[str]:
    """Capitalised words of `claim` that a sentence's beginning does not explain.

    Scripts without case have none: nothing in them tells a name from another word.
    """
    return [
        match.group()
        for match in _TOKEN.finditer(claim)
        if match.group()[0].isupper() and not _SENTENCE_START.search(claim[: match.start()])
    ]
