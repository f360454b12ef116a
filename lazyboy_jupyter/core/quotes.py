"""Owns finding a quote in a page, and whether a claim's facts stand near it; it changes no text.

A quote counts as found when it stands in the page once both are folded: NFKC (which undoes
ligatures and full-width forms), white space runs to one space, every kind of quotation mark and
dash to one, soft hyphens and zero-width characters dropped (DESIGN §4 "Observed and read").
"""

import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass

NEAR = 300
"""How far from a quote, in characters, a claim's number, date or name may stand."""

_DROPPED = "\u00ad\u200b\u200c\u200d\u2060\ufeff"
_SINGLE = "‘’‚‛′‹›`´"
_DOUBLE = "“”„‟″«»「」『』"
_DASHES = "‐‑‒–—―−﹘﹣－"
_FOLDS = {
    **dict.fromkeys(_DROPPED, ""),
    **dict.fromkeys(_SINGLE, "'"),
    **dict.fromkeys(_DOUBLE, '"'),
    **dict.fromkeys(_DASHES, "-"),
}
_FOLDED = re.compile(f"[{re.escape(''.join(_FOLDS))}]")


def _fold_marks(text: str) -> str:
    return _FOLDED.sub(lambda match: _FOLDS[match.group()], text)


@dataclass(frozen=True, slots=True)
class FoldedText:
    """A text in folded form, which knows the way back to the original's offsets.

    Lines are folded one by one, as a whole and so at C speed; only a line where a quote was found
    is ever walked character by character. `starts[i]` is where line i begins in `text`,
    `offsets[i]` where it begins in the original, `lines[i]` the original line.
    """

    text: str
    starts: tuple[int, ...] = ()
    offsets: tuple[int, ...] = ()
    lines: tuple[str, ...] = ()

    def origin(self, position: int) -> int:
        """Return the original offset, in Unicode characters, of the folded character there."""
        return self.span(position)[0]

    def span(self, position: int) -> tuple[int, int]:
        """Return where the folded character's original begins and ends, its marks included."""
        number = max(bisect_right(self.starts, position) - 1, 0)
        line, offset = self.lines[number], self.offsets[number]
        origins = _line_origins(line)
        start = origins[min(position - self.starts[number], len(origins) - 1)]
        end = start + 1
        while end < len(line) and unicodedata.combining(line[end]):
            end += 1
        return offset + start, offset + end


_LINE = re.compile(r"\S[^\n]*")


def fold_text(text: str) -> FoldedText:
    """Return `text` folded. Offsets count Unicode characters."""
    folded: list[str] = []
    starts: list[int] = []
    offsets: list[int] = []
    lines: list[str] = []
    length = 0
    for match in _LINE.finditer(text):
        line = _fold(match.group())
        if not line:
            continue
        starts.append(length)
        offsets.append(match.start())
        lines.append(match.group())
        folded.append(line)
        length += len(line) + 1
    return FoldedText(" ".join(folded), tuple(starts), tuple(offsets), tuple(lines))


def _fold(line: str) -> str:
    if line.isascii():
        return " ".join(line.replace("`", "'").split())
    # Marks are mapped before NFKC too: it would take the acute accent U+00B4 apart.
    return " ".join(_fold_marks(unicodedata.normalize("NFKC", _fold_marks(line))).split())


def _line_origins(line: str) -> list[int]:
    """The offset in `line` of each character of its folded form."""
    origins: list[int] = []
    pending_space = False
    start = 0
    while start < len(line):
        end = start + 1
        while end < len(line) and unicodedata.combining(line[end]):
            end += 1  # a base and its marks fold together
        for char in _fold_marks(unicodedata.normalize("NFKC", _fold_marks(line[start:end]))):
            if char.isspace():
                pending_space = bool(origins)
                continue
            if pending_space:
                origins.append(start)
                pending_space = False
            origins.append(start)
        start = end
    return origins or [0]


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
    needle = _unwrapped(fold_text(quote).text)
    if not needle:
        return None
    haystack, start = page.text, 0
    while (start := haystack.find(needle, start)) >= 0:
        end = start + len(needle)
        if _at_word_edge(haystack, start) and _at_word_edge(haystack, end):
            offset = page.origin(start)
            return Place(offset, page.span(end - 1)[1] - offset)
        start += 1
    return None


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


_NUMBER = re.compile(r"(?<!\d)(?:\d{1,3}(?:[., ]\d{3})+(?!\d)|\d+)(?:[.,]\d+)?")
_NAME = re.compile(r"(?<![\w.])[^\W\d_a-z][\w'’.-]*\w(?:\s+[^\W\d_a-z][\w'’.-]*\w)*")
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
_SENTENCE_START = re.compile(r"(?:^|[.!?:;\n•]\s*|[-*]\s+)[\"'(“‘]*$")


def facts_missing(claim: str, evidence: str) -> tuple[str, ...]:
    """Return the numbers, dates and names of `claim` that do not stand in `evidence`.

    `evidence` is the text around the claim's quotes with the titles of their pages. Numbers are
    compared by value ("1,200" is "1200", "seventeen" is "17"); names without case, by word.
    """
    claim, evidence = fold_text(claim).text, fold_text(evidence).text
    known_numbers = _numbers(evidence)
    missing = [number for number in _numbers(claim) if number not in known_numbers]
    known_words = {word.casefold() for word in _WORD.findall(evidence)}
    for name in _names(claim):
        words = [word.casefold() for word in _WORD.findall(name)]
        if not all(word in known_words or word.rstrip("s") in known_words for word in words):
            missing.append(name)
    return tuple(dict.fromkeys(missing))


def _numbers(text: str) -> dict[str, None]:
    """The numbers of `text` by value, as ordered keys."""
    found: dict[str, None] = {}
    for match in _NUMBER.finditer(text):
        found[_number_value(match.group())] = None
    for word in _WORD.findall(text.casefold()):
        if word in _NUMBER_WORDS and word != "one":  # "one" is a pronoun more often than a number
            found[_NUMBER_WORDS[word]] = None
    return found


def _number_value(text: str) -> str:
    digits = text.replace(" ", "")
    digits = re.sub(r"[.,](?=\d{3}(?:\D|$))", "", digits).replace(",", ".")
    whole, _, fraction = digits.partition(".")
    fraction = fraction.rstrip("0")
    whole = whole.lstrip("0") or "0"
    return f"{whole}.{fraction}" if fraction else whole


def _names(claim: str) -> list[str]:
    """Capitalised words of `claim` that a sentence's beginning does not explain."""
    names = []
    for match in _NAME.finditer(claim):
        name = match.group()
        if _SENTENCE_START.search(claim[: match.start()]):
            name = name.partition(" ")[2]
            if not name or not name[0].isupper():
                continue
        names.append(name)
    return names
