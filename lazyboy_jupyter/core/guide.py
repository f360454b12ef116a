"""Owns the guide as people get it: the publications of one task, with their sources and proofs."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from .publication import Claim, Gap, Publication, SourceState

SourceVia = Literal["search", "page", "browser"]


@dataclass(frozen=True, slots=True)
class Source:
    """A source of one task. `state`: `read` when its text was delivered to the model, `listed`
    when only a search result named it, `failed` when it could not be read.

    `characters`: length of its whole text. `elapsed_ms`: how long the read took, milliseconds.
    """

    source_id: str
    url: str
    title: str
    state: SourceState
    via: SourceVia
    error_kind: str = ""
    error_detail: str = ""
    final_url: str | None = None
    characters: int | None = None
    output_id: str | None = None
    gap: int | None = None
    elapsed_ms: float | None = None

    @property
    def error(self) -> str:
        """Why it could not be read: the kind of failure and a sentence; otherwise empty."""
        return ": ".join(part for part in (self.error_kind, self.error_detail) if part)


@dataclass(frozen=True, slots=True)
class Guide:
    """What the research found. `str(guide)` is plain text; `.markdown` and `.html` are the same.

    `sources` are those that were read or that a claim cites, in the order they were seen.
    """

    question: str
    summary: str
    steps: tuple[Claim, ...]
    findings: tuple[Claim, ...]
    additions: tuple[Claim, ...]
    sources: tuple[Source, ...]
    unknowns: tuple[str, ...]
    gaps: tuple[Gap, ...]

    @property
    def claims(self) -> tuple[Claim, ...]:
        """Steps, findings and additions, in reading order."""
        return self.steps + self.findings + self.additions

    @property
    def lead(self) -> Claim | None:
        """The claim that the summary repeats word for word: its proof is the summary's."""
        same = (claim for claim in self.claims if claim.text == self.summary)
        return next(same, None)

    @property
    def quotes(self) -> tuple[str, ...]:
        """The quotes proven to stand in their source, in reading order."""
        return tuple(
            citation.quote
            for claim in self.claims
            for citation in claim.citations
            if citation.quote is not None and citation.state in {"verbatim", "unverified"}
        )

    def __str__(self) -> str:
        from .render_text import guide_to_text

        return guide_to_text(self)

    @property
    def markdown(self) -> str:
        """The guide as Markdown; foreign text in it is escaped."""
        from .render_text import guide_to_markdown

        return guide_to_markdown(self)

    @property
    def html(self) -> str:
        """The guide as one HTML fragment; foreign text in it is escaped, nothing in it loads."""
        from .render_html import guide_to_html

        return guide_to_html(self)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"text/plain": str(self), "text/markdown": self.markdown, "text/html": self.html}


def guide_of(
    question: str, publications: Sequence[Publication], sources: Sequence[Source]
) -> Guide | None:
    """Return the guide that the publications make, or None when there is none yet.

    A supplement adds: what publication 0 said stays, the unknowns of both are kept.
    """
    if not publications:
        return None
    first = publications[0]
    additions = tuple(claim for later in publications[1:] for claim in later.additions)
    unknowns = tuple(dict.fromkeys(u for p in publications for u in p.unknowns))
    cited = {
        citation.source
        for publication in publications
        for claim in publication.claims
        for citation in claim.citations
    }
    shown = tuple(s for s in sources if s.state == "read" or s.source_id in cited)
    return Guide(
        question, first.summary, first.steps, first.findings, additions, shown, unknowns, first.gaps
    )
