"""Owns telling a model's reasoning from its text where it wrote both as text (FIELD_CASES M7)."""

import re

_NAMES = "think|thinking"
# A tag in quotes or in code is one that the text speaks of.
_TAG = re.compile(rf"(?<![`'\"“])<(/?)(?:{_NAMES})>", re.IGNORECASE)
_LONGEST = len("</thinking>")
_BEGINNINGS = tuple(
    tag[:end]
    for name in _NAMES.split("|")
    for tag in (f"<{name}>", f"</{name}>")
    for end in range(1, len(tag))
)


class ThoughtFilter:
    """Lets through what is text of a reply that arrives in pieces."""

    def __init__(self) -> None:
        self._held = ""
        self._depth = 0
        self._before = ""

    def feed(self, piece: str) -> str:
        """Return what of the text so far can be shown now."""
        self._held += piece
        return self._passed(is_last=False)

    def end(self) -> str:
        """Return what was held back, when nothing more comes."""
        return self._passed(is_last=True)

    def _passed(self, *, is_last: bool) -> str:
        # The character before stays in sight: a tag behind a quotation mark is none.
        text = self._before + self._held
        start = len(self._before)
        shown: list[str] = []
        for tag in _TAG.finditer(text):
            if tag.start() < len(self._before):
                continue
            if not self._depth:
                shown.append(text[start : tag.start()])
            self._depth = 0 if tag[1] else 1
            start = tag.end()
        end = len(text) if is_last else len(text) - _unfinished(text[start:])
        if not self._depth:
            shown.append(text[start:end])
        self._before, self._held = text[max(0, end - 1) : end], text[end:]
        return "".join(shown)


def without_thoughts(text: str) -> str:
    """Return a whole reply's text without the reasoning in it.

    Where only its end is marked, as when the opening mark stood in the request, what comes before
    is reasoning; where only its beginning is, what comes after.
    """
    first = _TAG.search(text)
    if first is None:
        return text
    if first[1]:
        text = text[first.end() :]
    filtered = ThoughtFilter()
    return (filtered.feed(text) + filtered.end()).strip()


def _unfinished(text: str) -> int:
    """Return how many characters at the end may be the beginning of a tag."""
    tail = text[-_LONGEST:].lower()
    at = tail.rfind("<")
    return len(tail) - at if at >= 0 and tail[at:] in _BEGINNINGS else 0
