"""Owns finding a quote in a page, and whether a claim's facts stand near it; it changes no text.

A quote counts as found when it stands in the page once both are folded: NFKC (which undoes
ligatures and full-width forms), white space runs to one space, every kind of quotation mark and
dash to one, soft hyphens and zero-width characters dropped (DESIGN §4 "Observed and read"). Pages
are Markdown: the targets of links and the marks of code and emphasis are no part of what a page
says, and whoever quotes it leaves them out.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

NEAR = 300
"""How far from a quote, in characters, a claim's number, date or name may stand."""

_DROPPED = "\u00ad\u200b\u200c\u200d\u2060\ufeff"
_SINGLE = "‘’‚‛′‹›´"
_DOUBLE = "“”„‟″«»「」『』"
_DASHES = "‐‑‒–—―−﹘﹣－"
_FOLDS = {
    **dict.fromkeys(_DROPPED, ""),
    **dict.fromkeys(_SINGLE, "'"),
    **dict.fromkeys(_DOUBLE, '"'),
    **dict.fromkeys(_DASHES, "-"),
    # NFKC would make 106 of 10⁶.
    **{raised: f"^{digit}" for digit, raised in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")},
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
        start, end = _span_in_line(self.lines[number], position - self.starts[number])
        return self.offsets[number] + start, self.offsets[number] + end


# A line, in pieces that end at white space, so that none is long to walk; a soft hyphen at a
# line's end joins it to the next.
_LINE = re.compile(r"\S(?:[^\n]{0,1000}(?=\s|$)|[^\n]*)")
_LINE_WITH_SOFT_HYPHENS = re.compile(
    r"\S(?:(?:[^\n]|(?<=\u00ad)\n){0,1000}(?=\s|$)(?<!\u00ad)|(?:[^\n]|(?<=\u00ad)\n)*)"
)
_SOFT_BREAK = re.compile(r"\u00ad[ \t]*\n\s*")


def _lines(text: str) -> Iterator[tuple[int, int]]:
    """Yield the pieces of a text that are folded one by one; none ends inside a link."""
    links = [match.span() for match in _A_LINK.finditer(text)] if "](" in text else []
    at = 0
    pending: tuple[int, int] | None = None
    line = _LINE_WITH_SOFT_HYPHENS if "\u00ad" in text else _LINE
    for match in line.finditer(text):
        start, end = match.span()
        if pending is not None:
            start = pending[0]
        while at < len(links) and links[at][1] <= end:
            at += 1
        if at < len(links) and links[at][0] < end:
            pending = (start, end)
            continue
        pending = None
        yield start, end
    if pending is not None:
        yield pending


def fold_text(text: str) -> FoldedText:
    """Return `text` folded. Offsets count Unicode characters."""
    folded: list[str] = []
    starts: list[int] = []
    offsets: list[int] = []
    lines: list[str] = []
    length = 0
    for start, end in _lines(text):
        line = _fold(text[start:end])
        if not line:
            continue
        starts.append(length)
        offsets.append(start)
        lines.append(text[start:end])
        folded.append(line)
        length += len(line) + 1
    return FoldedText(" ".join(folded), tuple(starts), tuple(offsets), tuple(lines))


# A link's brackets and target, the marks of code and of strong emphasis, a bar's escape in a table.
# A target looks like an address, so that `callbacks[0](event)` is none; in code nothing is a mark.
_LINK = (
    r"\[(?P<label>[^\[\]]{0,500})\]"
    r"\((?=[^()\s]*[/#.:])(?:[^()\s]|\([^()\s]{0,200}\)){0,2000}\)"
)
_A_LINK = re.compile(_LINK)
_MARKUP = re.compile(
    rf"`(?P<code>[^`\n]{{0,500}})`|{_LINK}"
    r"|(?<![\w*])\*\*(?P<strong>[^\s*](?:[^*\n]{0,500}[^\s*])?)\*\*(?![\w*])|\\(?=\|)|`"
)
_MARKUP_BEGINS = re.compile(r"[`\[*\\]")
"""What each of its alternatives begins with: finding that first is ten times as fast."""


def _markup(line: str) -> list[tuple[int, int]]:
    """Return where the marks of Markdown stand in `line`, in order."""
    found: list[tuple[int, int]] = []
    place = 0
    while (begin := _MARKUP_BEGINS.search(line, place)) is not None:
        match = _MARKUP.match(line, begin.start())
        if match is None:
            place = begin.end()
            continue
        place = match.end()
        kind = match.lastgroup
        if kind is None:
            found.append(match.span())
            continue
        start, end = match.span(kind)
        found.append((match.start(), start))
        if kind != "code":
            found += [(start + a, start + b) for a, b in _markup(line[start:end])]
        found.append((end, match.end()))
    return found


def _pieces(line: str) -> list[tuple[str, int]]:
    """Return what `line` says without its marks, in pieces with their places.

    A mark between two letters or digits leaves a space: "1998[2](…)" says 1998, and not 19982.
    """
    pieces: list[tuple[str, int]] = []
    place = 0
    for start, end in _markup(line):
        if place < start:
            pieces.append((line[place:start], place))
        is_link = line[start] in "[]"
        if is_link and start > 0 and line[start - 1].isalnum() and line[end : end + 1].isalnum():
            pieces.append((" ", start))
        place = end
    if place < len(line):
        pieces.append((line[place:], place))
    return pieces


def _fold(line: str) -> str:
    line = "".join(piece for piece, _ in _pieces(line))
    if line.isascii():
        return " ".join(line.split())
    # Marks are mapped before NFKC too: it would take the acute accent U+00B4 apart.
    joined = _fold_marks(_SOFT_BREAK.sub("", line))
    return " ".join(_fold_marks(unicodedata.normalize("NFKC", joined)).split())


def _span_in_line(line: str, position: int) -> tuple[int, int]:
    """Where in `line` the character at `position` of its folded form comes from."""
    pieces = _pieces(line)
    origins = [start + at for piece, start in pieces for at in range(len(piece))]
    start, end = _span_without_markup("".join(piece for piece, _ in pieces), position)
    if start >= len(origins):
        return start, end
    return origins[start], origins[min(end, len(origins)) - 1] + 1


def _span_without_markup(line: str, position: int) -> tuple[int, int]:
    written, pending_space, start = 0, False, 0
    last = (0, 1)
    while start < len(line):
        if broken := _SOFT_BREAK.match(line, start):
            start = broken.end()
            continue
        end = start + 1
        while end < len(line) and _extends(line[end]):
            end += 1  # a base and its marks fold together
        for char in _fold_marks(unicodedata.normalize("NFKC", _fold_marks(line[start:end]))):
            if char.isspace():
                pending_space = written > 0
                continue
            written += 1 + pending_space
            pending_space = False
            last = (start, end)
            if written > position:
                return last
        start = end
    return last


def _extends(char: str) -> bool:
    """Marks, and the vowels and finals of Hangul in parts: they compose with what is before."""
    return unicodedata.category(char)[0] == "M" or "\u1160" <= char <= "\u11ff"


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
    return _found(page, needle) or _found(page, _QUOTED_WORD.sub(r"\1", needle))


def _found(page: FoldedText, needle: str) -> Place | None:
    haystack, start = page.text, 0
    if not needle:
        return None
    while (start := haystack.find(needle, start)) >= 0:
        end = start + len(needle)
        if _at_word_edge(haystack, start) and _at_word_edge(haystack, end):
            offset = page.origin(start)
            return Place(offset, page.span(end - 1)[1] - offset)
        start += 1
    return None


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
