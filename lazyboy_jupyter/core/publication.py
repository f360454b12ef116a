"""Owns what a model may publish, and the proof of it (DESIGN §4); it looks nothing up itself.

A publication is accepted when every source it cites was observed in this task; each citation is
then stored with what was proven of it. One that cites anything else is refused with the list.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, Field, StringConstraints, model_validator

from . import shapes
from .folding import FoldedText
from .quotes import NEAR, Place, facts_missing, find_quote
from .urls import canonical_url, urls_in_text

SourceState = Literal["read", "listed", "failed"]
CitationState = Literal["verbatim", "not_found", "unverified", "unquoted"]

Line = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=4000),
    BeforeValidator(shapes.line),
]


class CitationArgs(BaseModel):
    """What a claim rests on."""

    source: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1)] = Field(
        description="The id of a source, such as S3."
    )
    quote: str | None = Field(
        default=None,
        max_length=2000,
        description="Words that stand in that source exactly so, at most 300 characters.",
    )


class ClaimArgs(BaseModel):
    """One statement, with what it rests on."""

    text: Line
    citations: Annotated[list[CitationArgs], BeforeValidator(shapes.citations)] = Field(
        default_factory=list, max_length=20
    )


_Claims = Annotated[list[ClaimArgs], BeforeValidator(shapes.claims)]
_Lines = Annotated[list[Line], BeforeValidator(shapes.lines)]


class GapArgs(BaseModel):
    """A material open question, to be followed up."""

    question: Line
    why: str = Field(default="", max_length=4000)


class GuideArgs(BaseModel):
    """Arguments of `publish_research` for publication 0."""

    summary: Line
    steps: _Claims = Field(default_factory=list, max_length=50)
    findings: _Claims = Field(default_factory=list, max_length=50)
    unknowns: _Lines = Field(default_factory=list, max_length=50)
    gaps: Annotated[list[GapArgs], BeforeValidator(shapes.gaps)] = Field(
        default_factory=list, max_length=20
    )


class SupplementArgs(BaseModel):
    """Arguments of `publish_research` for publication 1."""

    additions: _Claims = Field(default_factory=list, max_length=50)
    unknowns: _Lines = Field(default_factory=list, max_length=50)

    @model_validator(mode="before")
    @classmethod
    def _shaped(cls, value: Any) -> Any:
        return shapes.additions(value)


@dataclass(frozen=True, slots=True)
class Observed:
    """A source as the judge needs it. `listed`: a search result of this task named it."""

    source_id: str
    url: str
    title: str
    state: SourceState
    listed: bool

    @property
    def citable(self) -> bool:
        """A failed read alone proves nothing; a search result that named it is an observation."""
        return self.state != "failed" or self.listed


@dataclass(frozen=True, slots=True)
class Citation:
    """One claim's use of one source. `offset`: where the quote stands, in Unicode characters, in
    the text of `output_id`; a page that was read twice has two."""

    source: str
    quote: str | None
    offset: int | None
    state: CitationState
    output_id: str | None = None


@dataclass(frozen=True, slots=True)
class Claim:
    """A step, finding or addition, with its proven citations."""

    text: str
    citations: tuple[Citation, ...] = ()


@dataclass(frozen=True, slots=True)
class Gap:
    """A material open question that publication 0 declares."""

    question: str
    why: str


@dataclass(frozen=True, slots=True)
class Publication:
    """An accepted publication. Number 0 has all but `additions`, number 1 only those."""

    number: int
    summary: str = ""
    steps: tuple[Claim, ...] = ()
    findings: tuple[Claim, ...] = ()
    additions: tuple[Claim, ...] = ()
    unknowns: tuple[str, ...] = ()
    gaps: tuple[Gap, ...] = ()

    @property
    def claims(self) -> tuple[Claim, ...]:
        """All claims, in reading order."""
        return self.steps + self.findings + self.additions


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a publication was not accepted: one sentence a problem, for the model."""

    problems: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Delivered:
    """A text that was delivered to the model, as it is and for looking quotes up."""

    output_id: str
    text: str
    folded: FoldedText


@dataclass(frozen=True, slots=True)
class Ledger:
    """What was observed in this task before the reply that publishes.

    `sources` by id; `aliases`: canonical URL to id, redirects included; `texts_of(id)`: the texts
    of a page that was read, the newest first (none for any other).
    """

    sources: Mapping[str, Observed]
    aliases: Mapping[str, str]
    texts_of: Callable[[str], Sequence[Delivered]]
    question: str = ""

    def resolve(self, reference: str) -> Observed | None:
        """Return the citable source that an id or a URL names, or None."""
        found = self.sources.get(reference.strip().strip("[]()").upper())
        if found is None:
            found = self.sources.get(self.aliases.get(canonical_url(reference), ""))
        return found if found is not None and found.citable else None


def judge(
    args: GuideArgs | SupplementArgs, ledger: Ledger, *, max_gaps: int
) -> Publication | Refusal:
    """Return the publication with its proofs, or why it is refused. Pure.

    Gaps beyond `max_gaps` become unknowns: the open question is kept, only its follow-up is not.
    """
    problems = [*_unobserved(args, ledger), *_placeholders(args)]
    if problems:
        return Refusal(tuple(dict.fromkeys(problems)))
    if isinstance(args, SupplementArgs):
        return Publication(
            1, additions=_proven(args.additions, ledger), unknowns=tuple(args.unknowns)
        )
    gaps = tuple(Gap(gap.question, gap.why.strip()) for gap in args.gaps)
    unfollowed = tuple(gap.question for gap in gaps[max_gaps:])
    return Publication(
        0,
        summary=args.summary,
        steps=_proven(args.steps, ledger),
        findings=_proven(args.findings, ledger),
        unknowns=tuple(args.unknowns) + unfollowed,
        gaps=gaps[:max_gaps],
    )


def _claims_of(args: GuideArgs | SupplementArgs) -> list[ClaimArgs]:
    return args.steps + args.findings if isinstance(args, GuideArgs) else args.additions


def _texts_of(args: GuideArgs | SupplementArgs) -> Iterable[str]:
    for claim in _claims_of(args):
        yield claim.text
    yield from args.unknowns
    if isinstance(args, GuideArgs):
        yield args.summary
        for gap in args.gaps:
            yield gap.question
            yield gap.why


def _unobserved(args: GuideArgs | SupplementArgs, ledger: Ledger) -> Iterable[str]:
    """One problem for each citation, and each address in the text, that was not observed."""
    for claim in _claims_of(args):
        for citation in claim.citations:
            if ledger.resolve(citation.source) is None:
                yield f"{citation.source} was not observed in this task, so it cannot be cited."
    for text in _texts_of(args):
        for url in urls_in_text(text):
            if not _may_be_named(url, ledger):
                yield f"{url} was not observed in this task, so it cannot be named."


def _may_be_named(url: str, ledger: Ledger) -> bool:
    """Observed sources, the question's own addresses, and what stands in the text of a page."""
    asked = map(canonical_url, urls_in_text(ledger.question))
    if ledger.resolve(url) is not None or canonical_url(url) in asked:
        return True
    read = (source for source in ledger.sources.values() if source.state == "read")
    texts = (one.text for source in read for one in ledger.texts_of(source.source_id))
    return any(url in text and url in urls_in_text(text) for text in texts)


_PLACEHOLDER = re.compile(r"\bhttps?://\.\.\.|\[(?:insert|your|todo)\b[^\]]*\]", re.I)


def _placeholders(args: GuideArgs | SupplementArgs) -> Iterable[str]:
    for text in _texts_of(args):
        if match := _PLACEHOLDER.search(text):
            yield f"{match.group()!r} is a placeholder. Write what the sources say, or an unknown."


def _proven(claims: Sequence[ClaimArgs], ledger: Ledger) -> tuple[Claim, ...]:
    return tuple(_proven_claim(claim, ledger) for claim in claims)


def _proven_claim(claim: ClaimArgs, ledger: Ledger) -> Claim:
    """Look every quote up, then see whether the claim's facts stand near the quotes found."""
    citations: list[Citation] = []
    surroundings: list[str] = []
    for citation in claim.citations:
        source = ledger.resolve(citation.source)
        if source is None:  # `judge` has refused these
            continue
        quote = (citation.quote or "").strip() or None
        if quote is None:
            citations.append(Citation(source.source_id, None, None, "unquoted"))
            continue
        found = _found(ledger.texts_of(source.source_id), quote)
        if found is None:
            citations.append(Citation(source.source_id, quote, None, "not_found"))
            continue
        one, place = found
        cited = Citation(source.source_id, quote, place.offset, "verbatim", one.output_id)
        citations.append(cited)
        start = max(0, place.offset - NEAR)
        surroundings += [source.title, one.text[start : place.offset + place.length + NEAR]]
    if facts_missing(claim.text, "\n".join(surroundings)):
        citations = [
            replace(c, state="unverified") if c.state == "verbatim" else c for c in citations
        ]
    return Claim(claim.text, tuple(dict.fromkeys(citations)))


def _found(texts: Iterable[Delivered], quote: str) -> tuple[Delivered, Place] | None:
    """Return the first of the texts that has the quote, and where it stands there."""
    for one in texts:
        if (place := find_quote(one.folded, quote)) is not None:
            return one, place
    return None
