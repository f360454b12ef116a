"""Owns the folded form of a text, in which quotes are looked up, and the way back; finds nothing.

Folded are: NFKC (which undoes ligatures and full-width forms), white space runs to one space, every
kind of quotation mark and dash to one, soft hyphens and zero-width characters dropped (DESIGN §4
"Observed and read"). Pages are Markdown: the targets of links and the marks of code and emphasis
are no part of what a page says, and whoever quotes it leaves them out.
"""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

_FIRST_PART = 4_000
"""Characters that are folded at first; each further time as many as there are already."""

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
class FoldedPart:
    """A text's beginning in folded form, which knows the way back to the original's offsets.

    Lines are folded one by one, as a whole and so at C speed; only a line where a quote was found
    is ever walked character by character. `starts[i]` is where line i begins in `text`,
    `offsets[i]` where it begins in the original, `lines[i]` the original line. `end`: how far it
    goes in the original. `is_whole`: nothing comes after it.
    """

    text: str = ""
    starts: tuple[int, ...] = ()
    offsets: tuple[int, ...] = ()
    lines: tuple[str, ...] = ()
    end: int = 0
    is_whole: bool = False

    def span(self, position: int) -> tuple[int, int]:
        """Return where the folded character's original begins and ends, its marks included."""
        number = max(bisect_right(self.starts, position) - 1, 0)
        start, end = _span_in_line(self.lines[number], position - self.starts[number])
        return self.offsets[number] + start, self.offsets[number] + end


class FoldedText:
    """A text that is folded from its beginning, as far as someone looks: what is quoted of a page
    stands mostly in what was delivered first. Offsets count Unicode characters.

    Safe to use from any thread: `part` is replaced by a longer one and never changed, and whoever
    comes second does the same work.
    """

    __slots__ = ("_original", "part")

    def __init__(self, original: str) -> None:
        self._original = original
        self.part = FoldedPart()

    @property
    def whole(self) -> FoldedPart:
        """The part that is all of it."""
        part = self.part
        while not part.is_whole:
            part = self.after(part)
        return part

    @property
    def text(self) -> str:
        """All of it, folded."""
        return self.whole.text

    def after(self, part: FoldedPart) -> FoldedPart:
        """Return a longer part than `part`, which is not the whole."""
        if self.part.end <= part.end and not self.part.is_whole:
            self.part = _longer(part, self._original)
        return self.part


def _longer(part: FoldedPart, original: str) -> FoldedPart:
    """Return the part with as much again behind it, in whole lines."""
    enough = part.end + max(part.end, _FIRST_PART)
    folded = [part.text] if part.text else []
    starts: list[int] = []
    offsets: list[int] = []
    lines: list[str] = []
    length = len(part.text) + 1 if part.text else 0
    is_whole, end = True, part.end
    for start, end in _lines(original, part.end):
        if line := _fold(original[start:end]):
            starts.append(length)
            offsets.append(start)
            lines.append(original[start:end])
            folded.append(line)
            length += len(line) + 1
        if end >= enough:
            is_whole = False
            break
    return FoldedPart(
        " ".join(folded),
        (*part.starts, *starts),
        (*part.offsets, *offsets),
        (*part.lines, *lines),
        end,
        is_whole,
    )


# A line, in pieces that end at white space, so that none is long to walk; a soft hyphen at a
# line's end joins it to the next.
_LINE = re.compile(r"\S(?:[^\n]{0,1000}(?=\s|$)|[^\n]*)")
_LINE_WITH_SOFT_HYPHENS = re.compile(
    r"\S(?:(?:[^\n]|(?<=\u00ad)\n){0,1000}(?=\s|$)(?<!\u00ad)|(?:[^\n]|(?<=\u00ad)\n)*)"
)
_SOFT_BREAK = re.compile(r"\u00ad[ \t]*\n\s*")


def _lines(text: str, place: int) -> Iterator[tuple[int, int]]:
    """Yield the pieces of a text that are folded one by one, from `place`, where one of them ended;
    none ends inside a link."""
    links = _A_LINK.finditer(text, place) if "](" in text else iter(())
    link = next(links, None)
    pending: int | None = None
    line = _LINE_WITH_SOFT_HYPHENS if "\u00ad" in text else _LINE
    for match in line.finditer(text, place):
        start, end = match.span()
        if pending is not None:
            start = pending
        while link is not None and link.end() <= end:
            link = next(links, None)
        if link is not None and link.start() < end:
            pending = start
            continue
        pending = None
        yield start, end
    if pending is not None:
        yield pending, end


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
        end = _end_of_character(line, start)
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


def _end_of_character(line: str, start: int) -> int:
    """A base and its marks fold together, also where what is dropped stands between them."""
    end = ahead = start + 1
    while ahead < len(line):
        if broken := _SOFT_BREAK.match(line, ahead):
            ahead = broken.end()
            continue
        if _extends(line[ahead]):
            end = ahead + 1
        elif line[ahead] not in _DROPPED:
            break
        ahead += 1
    return end


def _extends(char: str) -> bool:
    """Marks, and the vowels and finals of Hangul in parts: they compose with what is before."""
    return unicodedata.category(char)[0] == "M" or "\u1160" <= char <= "\u11ff"
