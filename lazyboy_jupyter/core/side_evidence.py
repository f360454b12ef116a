"""Owns what an answer rests on: the sources of the snapshot that it names or quotes. Pure.

Nothing is guessed: a source counts when the answer has its id or its address, or words in quotation
marks that stand in a text of it.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from .folding import FoldedText
from .messages import Message, results_of
from .quotes import find_quote
from .side import Rest

_ID = re.compile(r"(?<![\w/])S\d+\b")
_QUOTED = re.compile(
    r"“([^“”]{12,600})”|„([^„“”]{12,600})[“”]|\"([^\"\n]{12,600})\"|«([^«»]{12,600})»"
)
_LONGEST_TEXT = 2_000_000
_MOST_QUOTES = 50


@dataclass(slots=True)
class SnapshotSource:
    """A source as a snapshot has it. `message`: where its newest text was delivered, from 1.

    `texts`: what was delivered of it, as (offset, text, message).
    """

    source: str
    title: str = ""
    url: str = ""
    message: int = 0
    texts: list[tuple[int, str, int]] = field(default_factory=list)
    folded: dict[int, FoldedText] = field(default_factory=dict)

    def find(self, quote: str) -> tuple[int, int] | None:
        """Return where a quote stands in what was delivered, and the message that delivered it."""
        for number, (offset, text, message) in enumerate(self.texts):
            if number not in self.folded:  # several quotes are looked up in one page
                self.folded[number] = FoldedText(text[:_LONGEST_TEXT])
            if (place := find_quote(self.folded[number], quote)) is not None:
                return offset + place.offset, message
        return None


def sources_of(messages: Sequence[Message]) -> dict[str, SnapshotSource]:
    """Return the sources in the tool results of a history, by id, in the order first seen."""
    found: dict[str, SnapshotSource] = {}
    for number, message in enumerate(messages, 1):
        for content in _contents(message):
            one = found.setdefault(content["source"], SnapshotSource(content["source"]))
            one.title = str(content.get("title") or one.title)
            one.url = str(content.get("url") or one.url)
            text = content.get("text")
            if isinstance(text, str):
                offset = content.get("offset")
                one.texts.append((offset if isinstance(offset, int) else 0, text, number))
                one.message = number
            elif not one.texts:
                one.message = number
    return found


def _contents(message: Message) -> Iterator[Mapping[str, Any]]:
    """Yield whatever of a message's tool results names a source."""
    for result in results_of(message):
        whole: Any = result.content  # of another agent's tools: an image, or a text
        listed = whole.get("results") if isinstance(whole, Mapping) else None
        for content in (whole, *(listed if isinstance(listed, list) else ())):
            if isinstance(content, Mapping) and isinstance(content.get("source"), str):
                yield content


def rests_of(answer: str, messages: Sequence[Message]) -> tuple[Rest, ...]:
    """Return what `answer` rests on: each quote of it that stands in a source's text, then each
    source that it names and does not quote."""
    sources = sources_of(messages)
    quotes = islice(dict.fromkeys(_quotes(answer)), _MOST_QUOTES)
    quoted = [rest for quote in quotes if (rest := _standing(quote, sources))]
    known, ids = {rest.source for rest in quoted}, set(_ID.findall(answer))
    named = [
        Rest(one.source, one.title, one.url, one.message)
        for one in sources.values()
        if one.source not in known and (one.source in ids or _is_named(one, answer))
    ]
    return tuple(dict.fromkeys([*quoted, *named]))


def _quotes(answer: str) -> Iterator[str]:
    for match in _QUOTED.finditer(answer):
        yield next(group for group in match.groups() if group)


def _standing(quote: str, sources: Mapping[str, SnapshotSource]) -> Rest | None:
    for one in sources.values():
        if (found := one.find(quote)) is not None:
            offset, message = found
            return Rest(one.source, one.title, one.url, message, quote, offset)
    return None


def _is_named(one: SnapshotSource, answer: str) -> bool:
    """Whether the answer has its address, and not one that goes on after it."""
    return bool(one.url) and re.search(re.escape(one.url) + r"(?![\w/-])", answer) is not None
