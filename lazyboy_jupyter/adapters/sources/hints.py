"""Owns more words to find a place by: a back-of-the-book index; it adds nothing to any text.

A manual names things in its own words, and people ask in theirs. An index maps theirs to places:

    functools.lru_cache: memoize remember results        a symbol, as headings show it
    topic/with: close automatically                      a page, by the path of its address
    topic/function "evaluated from left to right": ...   the passage with these words in a page

The words are searched along with the place, and never shown, quoted or read as its text.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

_ENTRY = re.compile(r'(?P<place>[^\s":]+)(?: "(?P<anchor>[^"]+)")?: (?P<words>.+)')


@dataclass(frozen=True, slots=True)
class Anchor:
    """A passage of a page by its own `phrase`, with the words that people use for it."""

    phrase: str
    words: str

    def find(self, text: str) -> int | None:
        """Return where the phrase stands in `text`, whatever its line breaks, or None."""
        pattern = r"\s+".join(map(re.escape, self.phrase.split()))
        found = re.search(pattern, text)
        return found.start() if found else None


@dataclass(frozen=True, slots=True)
class Hints:
    """Words by place, and anchors by page. Empty for a corpus that has no index."""

    of_place: Mapping[str, str] = field(default_factory=dict)
    of_page: Mapping[str, tuple[Anchor, ...]] = field(default_factory=dict)

    def on(self, url: str, text: str) -> "PageHints":
        """Return the hints of one page, with their places in its text."""
        path = url.partition(":")[2]
        found = [(anchor.find(text), anchor.words) for anchor in self.of_page.get(path, ())]
        return PageHints(
            self.of_place,
            self.of_place.get(path, ""),
            tuple((start, words) for start, words in found if start is not None),
        )


@dataclass(frozen=True, slots=True)
class PageHints:
    """The hints of one page. `anchored`: an offset in its text, and the words for what is there."""

    of_place: Mapping[str, str]
    of_whole: str
    anchored: tuple[tuple[int, str], ...]

    def under(self, heading: str) -> str:
        """Return the words for what stands under a heading."""
        return self.of_place.get(heading, "")

    def within(self, start: int, end: int) -> str:
        """Return the words for passages that begin in [start, end)."""
        return " ".join(words for offset, words in self.anchored if start <= offset < end)

    def shifted(self, start: int) -> "PageHints":
        """Return the hints as of a piece of the text that begins at `start`."""
        anchored = tuple((offset - start, words) for offset, words in self.anchored)
        return replace(self, anchored=anchored)


NO_HINTS = Hints()
NO_PAGE_HINTS = PageHints({}, "", ())


def parse_hints(lines: Iterable[str]) -> Hints:
    """Return an index from its lines; blank ones and those that begin with # are passed over.

    Raises ValueError, naming the line, for one that is not an entry.
    """
    of_place: dict[str, str] = {}
    of_page: dict[str, list[Anchor]] = defaultdict(list)
    for line in lines:
        if not line.strip() or line.startswith("#"):
            continue
        entry = _ENTRY.fullmatch(line.strip())
        if entry is None:
            raise ValueError(f"not an entry of an index: {line!r}")
        place, anchor, words = entry["place"], entry["anchor"], entry["words"]
        if anchor is not None:
            of_page[place].append(Anchor(anchor, words))
        else:
            of_place[place] = f"{of_place[place]} {words}" if place in of_place else words
    return Hints(of_place, {page: tuple(anchors) for page, anchors in of_page.items()})
