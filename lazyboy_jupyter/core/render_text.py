"""Owns runs and guides as plain text and as Markdown; all foreign text goes through `sanitise`."""

import re
from collections.abc import Callable, Iterator, Sequence

from .guide import Guide, Source
from .publication import Citation, Claim
from .render_answer import answer_to_markdown, answer_to_text
from .sanitise import link_markdown, to_markdown, visible
from .urls import host_of
from .view import RunView

MARKS = {
    "verbatim": "quote found",
    "not_found": "quote not found",
    "unverified": "unverified",
    "unquoted": "no quote",
}
NO_SOURCE = "no source"
"""The mark of a claim that cites nothing: the model says it, and no page."""


def mark_of(citation: Citation, source: Source | None) -> str:
    """Return what is to be said of a citation beside its source, in words; never empty."""
    mark = MARKS[citation.state]
    if source is not None and source.state != "read":
        return f"{mark}; listed, not read" if citation.quote else "listed, not read"
    return mark


def tone_of(citation: Citation) -> str:
    """Return how good a citation's mark is: "ok", "warn", "bad", or nothing."""
    return _TONES[citation.state]


_TONES = {"verbatim": "ok", "not_found": "bad", "unverified": "warn", "unquoted": ""}


_KIND_WORDS = {
    "timeout": "timed out",
    "http_status": "HTTP error",
    "tls": "certificate",
    "dns": "unknown host",
    "connection": "no connection",
    "not_configured": "not set up",
}


def kind_words(kind: str) -> str:
    """Return a kind of failure in two words, beside the sentence that explains it."""
    return _KIND_WORDS.get(kind, visible(kind).replace("_", " "))


def dot_of(view: RunView) -> str:
    """Return what the mark before a run's question says: "live", "ok", "warn", "bad", nothing."""
    if view.live:
        return "live" if view.status == "running" else ""
    unread = not any(source.state == "read" for source in view.sources)
    if view.status == "completed" and view.task_type == "research" and unread:
        return "warn"  # it came to its end, and there was nothing to read
    return {"completed": "ok", "failed": "bad"}.get(view.status, "")


def spent_of(view: RunView) -> str:
    """Return what a run has spent, in words: searches, pages, and how many were read; nothing of
    a turn, which reads nothing itself."""
    if not view.meters:
        return ""
    read = sum(source.state == "read" for source in view.sources)
    return (
        f"{view.searches} search{'es' * (view.searches != 1)}, "
        f"{view.pages} page{'s' * (view.pages != 1)}, {read} read"
    )


def state_of(source: Source) -> str:
    """Return a source's state in words: "read", "listed, not read" or why it failed."""
    if source.state == "failed":
        return source.error
    return "read" if source.state == "read" else "listed, not read"


def unread_of(view: RunView) -> list[Source]:
    """Return what was asked for, could not be read, and is not among the guide's sources."""
    shown = {source.source_id for source in view.guide.sources} if view.guide else set()
    return [s for s in view.sources if s.state == "failed" and s.source_id not in shown]


def shows_quote(claim: Claim, citation: Citation) -> bool:
    """Whether a quote says more than the claim above it, which may be that very quote.

    Letters and digits decide: a claim may be its quote without the marks of a list or emphasis.
    """
    return citation.quote is not None and _letters(citation.quote) not in _letters(claim.text)


def _letters(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).casefold()


def guide_to_text(guide: Guide) -> str:
    """Return the guide as plain text."""
    by_id = {source.source_id: source for source in guide.sources}
    lines = [visible(guide.question), "=" * min(78, len(visible(guide.question))), ""]
    lines += [visible(guide.summary), *_text_marks(guide.lead, by_id), ""]

    def claim_lines(claims: Sequence[Claim], bullet: Callable[[int], str]) -> Iterator[str]:
        for number, claim in enumerate(claims, 1):
            yield f"{bullet(number)} {visible(claim.text)}"
            yield from _text_marks(claim, by_id)

    for heading, claims, bullet in _claim_sections(guide):
        lines += [heading, *claim_lines(claims, bullet), ""]
    if guide.unknowns:
        lines += ["Unknown", *(f"  - {visible(unknown)}" for unknown in guide.unknowns), ""]
    if guide.sources:
        lines.append("Sources")
        for source in guide.sources:
            lines.append(f"  [{source.source_id}] {visible(source.title) or visible(source.url)}")
            lines.append(f"       {visible(source.url)} ({visible(state_of(source))})")
    return "\n".join(lines).rstrip() + "\n"


def _text_marks(claim: Claim | None, by_id: dict[str, Source]) -> Iterator[str]:
    """One line a citation of the claim: its source, its quote when that says more, its mark."""
    if claim is not None and not claim.citations:
        yield f"     ({NO_SOURCE})"
    for citation in claim.citations if claim is not None else ():
        assert claim is not None
        quote = citation.quote if shows_quote(claim, citation) else None
        shown = f' "{visible(quote)}"' if quote else ""
        yield f"     [{citation.source}]{shown} ({mark_of(citation, by_id.get(citation.source))})"


def _claim_sections(
    guide: Guide,
) -> Iterator[tuple[str, Sequence[Claim], Callable[[int], str]]]:
    """Yield heading, claims and bullet of each part that has something in it."""
    steps, findings = guide.steps, beside_lead(guide, guide.findings)
    if steps:
        yield "Steps", steps, lambda number: f"{number:>3}."
    if findings:
        yield "Findings", findings, lambda _: "  -"
    if guide.additions:
        yield additions_heading(guide), guide.additions, lambda _: "  -"


def beside_lead(guide: Guide, claims: Sequence[Claim]) -> Sequence[Claim]:
    """Return the claims without the one that stands, with its proof, as the summary."""
    return [claim for claim in claims if claim is not guide.lead]


def additions_heading(guide: Guide) -> str:
    """Return the heading over what the supplement added, with the questions it followed up."""
    questions = ", ".join(f"“{visible(gap.question, 80)}”" for gap in guide.gaps)
    return f"Added after following up {questions}" if questions else "Added"


def guide_to_markdown(guide: Guide, *, heading: bool = True) -> str:
    """Return the guide as Markdown (CommonMark). Foreign text in it renders as just that text."""
    by_id = {source.source_id: source for source in guide.sources}
    lines = [f"### {to_markdown(guide.question, 300)}", ""] if heading else []
    lead = f" {_markdown_marks(guide.lead, by_id)}" if guide.lead is not None else ""
    lines += [to_markdown(guide.summary) + lead, ""]
    for title, claims, bullet in _claim_sections(guide):
        lines += [f"**{to_markdown(title)}**", ""]
        for number, claim in enumerate(claims, 1):
            mark = "1." if bullet(number).strip() == f"{number}." else "-"
            lines.append(
                f"{mark} {to_markdown(claim.text)} {_markdown_marks(claim, by_id)}".rstrip()
            )
            lines += [
                f"   > {to_markdown(citation.quote or '')}"
                for citation in claim.citations
                if shows_quote(claim, citation)
            ]
        lines.append("")
    if guide.unknowns:
        lines += ["**Unknown**", "", *(f"- {to_markdown(u)}" for u in guide.unknowns), ""]
    if guide.sources:
        lines += ["**Sources**", ""]
        lines += [_markdown_source(source) for source in guide.sources]
    return "\n".join(lines).rstrip() + "\n"


def _markdown_marks(claim: Claim, by_id: dict[str, Source]) -> str:
    if not claim.citations:
        return f"\\[*{NO_SOURCE}*\\]"
    return " ".join(
        f"\\[{to_markdown(citation.source)}, *{mark_of(citation, by_id.get(citation.source))}*\\]"
        for citation in claim.citations
    )


def _markdown_source(source: Source) -> str:
    title = link_markdown(source.url, source.title or source.url)
    where = to_markdown(host_of(source.url) or source.url)
    state = to_markdown(state_of(source))
    return f"- \\[{to_markdown(source.source_id)}\\] {title} ({where}): {state}"


def view_to_text(view: RunView) -> str:
    """Return a run as plain text: one line of state while it goes on, then its guide."""
    lines = [f"{visible(view.question, 200)}", f"[{_state(view)}] {short_id(view.task_id)}"]
    if view.live:
        if view.meters:
            lines.append("   ".join(f"{meter.label} {meter.words}" for meter in view.meters))
        if view.progress:
            lines.append(visible(view.progress))
    lines += [visible(problem) for problem in view.problems]
    if view.error and not view.live:
        lines.append(visible(view.error))
    if view.asked:
        lines += ["", f"Waiting for you: {visible(view.asked)}", f"  {how_to_answer(view)}"]
    if view.result:
        lines += ["", *answer_to_text(view.result, view.rests_on)]
    if view.guide is not None:
        lines += ["", str(view.guide)]
        if not view.live and (failed := unread_of(view)):
            lines.append("Could not be read")
            lines += [f"  - {visible(s.url)}: {visible(s.error_detail)}" for s in failed]
    elif not view.live:
        lines += [
            f"  [{source.source_id}] {visible(source.title)} ({visible(state_of(source))})"
            for source in view.sources
            if source.state != "listed"
        ]
    return "\n".join(lines).rstrip() + "\n"


def view_to_markdown(view: RunView) -> str:
    """Return a run as Markdown: its state, and its guide when there is one."""
    lines = [f"### {to_markdown(view.question, 300)}", "", f"*{to_markdown(_state(view))}*", ""]
    if view.live:
        meters = " · ".join(f"{meter.label} {meter.words}" for meter in view.meters)
        lines += [to_markdown(meters), ""] if meters else []
        if view.progress:
            lines += [to_markdown(view.progress), ""]
    lines += [f"{to_markdown(problem)}\n" for problem in view.problems]
    if view.error and not view.live:
        lines += [f"**{to_markdown(view.error)}**", ""]
    if view.asked:
        lines += [f"**Waiting for you:** {to_markdown(view.asked)}", ""]
        lines += [f"`{how_to_answer(view)}`", ""]
    if view.result:
        lines += ["\n\n".join(answer_to_markdown(view.result, view.rests_on)), ""]
    if view.guide is not None:
        lines.append(guide_to_markdown(view.guide, heading=False))
        if not view.live and (failed := unread_of(view)):
            lines += ["**Could not be read**", ""]
            lines += [
                f"- {link_markdown(s.url, s.title or s.url)}: {to_markdown(s.error_detail)}"
                for s in failed
            ]
    elif not view.live:
        lines += [_markdown_source(s) for s in view.sources if s.state != "listed"]
    return "\n".join(lines).rstrip() + "\n"


def how_to_answer(view: RunView) -> str:
    """Return what a person types to answer what a task asks."""
    return f"%lazyboy answer {short_id(view.task_id)} …"


def _state(view: RunView) -> str:
    """The phase, and where it looks."""
    return " · ".join(filter(None, (view.headline, visible(view.search, 120))))


def short_id(task_id: str) -> str:
    """Return the part of a task's id that people type: its last, random, eight characters."""
    return task_id[-8:]
