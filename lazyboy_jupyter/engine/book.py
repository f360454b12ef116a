"""Owns what one task has seen: its sources, the texts of its pages, its outputs.

On the engine's thread, but for `sources`, which is replaced and never changed, so that any thread
may read it.
"""

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..core.folding import FoldedText
from ..core.guide import Source
from ..core.publication import Delivered, Ledger, Observed
from ..core.urls import canonical_url

Evidence = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Output:
    """A result stored whole; the model gets it in slices."""

    output_id: str
    source_id: str
    text: str
    folded: FoldedText = field(repr=False, compare=False)


class SourceBook:
    """The sources of one task, numbered S1, S2, … as they are first seen."""

    def __init__(self) -> None:
        self.sources: dict[str, Source] = {}
        self.evidence: dict[str, asyncio.Future[Evidence]] = {}
        self._aliases: dict[str, str] = {}
        self._same: dict[str, str] = {}
        self._numbered = 0
        self._listed: set[str] = set()
        self._outputs: dict[str, Output] = {}

    def id_of(self, url: str) -> str:
        """Return the source's id, a new one for an address not seen before."""
        canonical = canonical_url(url)
        if canonical not in self._aliases:
            self._numbered += 1
            self._aliases[canonical] = f"S{self._numbered}"
        return self._aliases[canonical]

    def put(self, source: Source) -> None:
        """Store the source's newest state. Two addresses that end at one page are one source."""
        self.sources = {**self.sources, source.source_id: source}
        if source.state != "read" or source.final_url is None:
            return
        end = canonical_url(source.final_url)
        this = self._page_of(source.source_id)
        other = self._page_of(self._aliases.setdefault(end, this))
        if other == this:
            return
        known = self.sources.get(other)
        if known is not None and known.state == "read":
            self._same[this] = other
        else:
            self._same[other] = this
            self._aliases[end] = this

    def restore(self, sources: Iterable[tuple[Source, bool]], outputs: Iterable[Output]) -> None:
        """Take in what another task has seen: its sources, each with whether a search listed it,
        and its outputs, under the ids that they had."""
        for source, listed in sources:
            self._aliases[canonical_url(source.url)] = source.source_id
            self._numbered = max(self._numbered, int(source.source_id.removeprefix("S")))
            if listed:
                self._listed.add(source.source_id)
            self.put(source)
        for output in outputs:
            self._outputs[output.output_id] = output

    def _page_of(self, source_id: str) -> str:
        """Return the id that stands for the page; only such ids are ever joined, so it ends."""
        while source_id in self._same:
            source_id = self._same[source_id]
        return source_id

    def list_result(self, url: str, title: str, gap: int | None) -> tuple[Source, bool]:
        """Note that a search named this address; return its source and whether it is new."""
        source_id = self.id_of(url)
        self._listed.add(source_id)
        known = self.sources.get(source_id)
        if known is not None:
            return known, False
        source = Source(source_id, url, title or url, "listed", "search", gap=gap)
        self.put(source)
        return source, True

    def listed(self, source_id: str) -> bool:
        """Whether a search result named the source."""
        return source_id in self._listed

    def keep_text(self, source_id: str, text: str) -> Output:
        """Keep a page's whole text, for quotes and for reading on; return its output.

        A source that is read again, such as in the browser, has several texts. All of them were
        delivered, so a quote is looked up in all.
        """
        earlier = sum(output.source_id == source_id for output in self._outputs.values())
        output_id = f"O{source_id[1:]}" + (f"-{earlier + 1}" if earlier else "")
        output = self._outputs[output_id] = Output(output_id, source_id, text, FoldedText(text))
        return output

    def output_of(self, source_id: str, text: str) -> Output | None:
        """Return the source's output that holds just this text, or None."""
        own = (output for output in self._outputs.values() if output.source_id == source_id)
        return next((output for output in own if output.text == text), None)

    def output(self, output_id: str) -> Output | None:
        """Return an output of this task, or None."""
        return self._outputs.get(output_id)

    def title_of(self, url: str) -> str:
        """Return the title under which a search listed the address, or an empty string."""
        source = self.sources.get(self._aliases.get(canonical_url(url), ""))
        return source.title if source is not None and source.title != source.url else ""

    def ledger(self, question: str) -> Ledger:
        """Return what was observed up to now, as the judge of publications needs it."""
        observed = {
            source.source_id: Observed(
                source.source_id,
                source.url,
                source.title,
                source.state,
                source.source_id in self._listed,
            )
            for source in self.sources.values()
        }
        for source_id in self._same:
            observed[source_id] = observed[self._page_of(source_id)]
        # As of now: a later page proves nothing in this ledger.
        delivered: dict[str, list[Delivered]] = {}
        for output in reversed(self._outputs.values()):
            one = Delivered(output.output_id, output.text, output.folded)
            delivered.setdefault(self._page_of(output.source_id), []).append(one)
        return Ledger(observed, dict(self._aliases), lambda page: delivered.get(page, ()), question)
