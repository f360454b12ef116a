"""Owns one turn of the extractive model: from the messages so far to its next tool calls. Pure.

It keeps nothing between turns: like any model, it knows only what stands in the request.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...core.left import BudgetLeft
from ...core.messages import Message, call_args, calls_with_results, question_of
from ...core.tools import LARGEST_SLICE
from ...core.urls import urls_in_text
from .extractive_policy import compose, compose_additions
from .material import Claim, Gap, Listed, Material, ReadPage, SearchOutcome
from .page_choice import choose_pages, first_query, follow_up_query, gap_query

Call = tuple[str, dict[str, Any]]

_GIVES_UP = 2
_NOTHING_ACCEPTED = "Pages were read, but no quote of them could be proven."
_BROWSED = 2
"""Pages opened again at once in the browser: it may be refused as well, and each spends a page."""
_BROWSER_MAY_HELP = frozenset(("blocked", "needs_browser"))
READ_CHARACTERS = 120_000
"""How far into a long page the model reads on."""


@dataclass(slots=True)
class _Page:
    """A page as delivered so far, in slices by offset."""

    source: str
    url: str
    title: str
    characters: int
    slices: dict[int, str]
    output_id: str | None = None

    @property
    def text(self) -> str:
        """The slices delivered without a hole, from the beginning."""
        text = ""
        while piece := self.slices.get(len(text)):
            text += piece
        return text


@dataclass(slots=True)
class _History:
    """What the request's messages say has happened."""

    question: str
    searches: list[tuple[int | None, SearchOutcome]] = field(default_factory=list)
    pages: dict[str, _Page] = field(default_factory=dict)
    tried: set[str] = field(default_factory=set)
    opened_since_search: int = 0
    refused: dict[str, int | None] = field(default_factory=dict)
    unpublished: int = 0
    gaps: tuple[Gap, ...] = ()
    quoted: set[str] = field(default_factory=set)

    @property
    def material(self) -> Material:
        """All of it, as the ranking takes it."""
        return Material(
            self.question,
            tuple(outcome for _, outcome in self.searches),
            tuple(ReadPage(p.source, p.url, p.title, p.text) for p in self.pages.values()),
            frozenset(self.tried),
        )


def next_calls(
    messages: Sequence[Message], left: BudgetLeft, offered: frozenset[str]
) -> list[Call]:
    """Return the next reply's calls, in order: read on, search, open, or publish."""
    history = _history_of(messages)
    calls = _unread(history) or _through_browser(history, left, offered)
    if not calls:
        step = _supplement if left.supplement else _collect
        calls = step(history, left, offered)
    return calls or [_publication(history, left)]


def _collect(history: _History, left: BudgetLeft, offered: frozenset[str]) -> list[Call]:
    """Search, open the better half, search again for what it led to, open the rest."""
    can_search, can_open = "web_search" in offered, "open_page" in offered
    if can_search and not history.searches:
        query = first_query(history.question)
        named = urls_in_text(history.question)[: left.pages // 2] if can_open else []
        opened = _open([url for url in named if url not in history.tried])
        if query or opened:
            return [*opened, *(_search(f"Searching for “{query}”.", query) if query else [])]
    if can_open and not history.opened_since_search:
        # An even part of the pages for each search that is still to come.
        share = -(-left.pages // (left.searches + 1))
        if urls := choose_pages(history.material, share):
            return _open(urls)
    if can_search and not all(outcome.failed for _, outcome in history.searches):
        query = follow_up_query(history.material) or ""
        if query:
            read = f"Read {len(history.pages)} page{'s' * (len(history.pages) != 1)}"
            return _search(f"{read}; searching for what they lead to.", query)
    if can_open:
        return _open(choose_pages(history.material, left.pages))
    return []


def _supplement(history: _History, left: BudgetLeft, offered: frozenset[str]) -> list[Call]:
    """One search a gap, then the best pages of each."""
    searched = {gap for gap, _ in history.searches if gap is not None}
    calls: list[Call] = []
    for number, (question, searches, pages) in enumerate(left.gaps):
        if number not in searched and searches > 0 and "web_search" in offered:
            query = gap_query(question, history.material)
            calls.append(("web_search", {"query": query, "gap": number}))
        elif pages > 0 and "open_page" in offered:
            own = tuple(outcome for gap, outcome in history.searches if gap == number)
            material = Material(question, own, (), frozenset(history.tried))
            calls += _open(choose_pages(material, pages), number)
    return calls


def _search(report: str, query: str) -> list[Call]:
    return [("report_progress", {"text": report[:500]}), ("web_search", {"query": query})]


def _open(urls: Sequence[str], gap: int | None = None) -> list[Call]:
    return [
        ("open_page", {"url": url} if gap is None else {"url": url, "gap": gap}) for url in urls
    ]


def _unread(history: _History) -> list[Call]:
    """Ask for the rest of every long page, all its slices at once."""
    calls: list[Call] = []
    for page in history.pages.values():
        offset, end = len(page.slices.get(0, "")), min(page.characters, READ_CHARACTERS)
        while page.output_id is not None and offset < end:
            if offset not in page.slices:
                args = {"output_id": page.output_id, "offset": offset, "limit": LARGEST_SLICE}
                calls.append(("read_tool_output", args))
            offset += LARGEST_SLICE
    return calls


def _through_browser(history: _History, left: BudgetLeft, offered: frozenset[str]) -> list[Call]:
    """Open in the browser what only a browser is shown, where there is one."""
    if "browser_open" not in offered:
        return []
    calls: list[Call] = []
    for url, gap in list(history.refused.items())[: min(_BROWSED, left.pages)]:
        calls.append(("browser_open", {"url": url} if gap is None else {"url": url, "gap": gap}))
    return calls


def _publication(history: _History, left: BudgetLeft) -> Call:
    if left.supplement:
        added = compose_additions(history.material, history.gaps, history.quoted)
        args: dict[str, Any] = {
            "additions": _claims(added.additions),
            "unknowns": list(added.unknowns),
        }
        return "publish_research", args
    draft = compose(history.material, left.max_gaps)
    return "publish_research", {
        "summary": draft.summary if history.unpublished < _GIVES_UP else _NOTHING_ACCEPTED,
        "steps": _claims(draft.steps),
        "findings": _claims(_acceptable(draft.findings, history.unpublished)),
        "unknowns": list(draft.unknowns),
        "gaps": [{"question": gap.question, "why": gap.why} for gap in draft.gaps],
    }


def _acceptable(claims: Sequence[Claim], refusals: int) -> Sequence[Claim]:
    """After a refusal nothing that names an address, after another nothing at all: a guide that
    says little is better than none."""
    if refusals >= _GIVES_UP:
        return ()
    return [claim for claim in claims if not refusals or "://" not in claim.text]


def _claims(claims: Sequence[Claim]) -> list[dict[str, Any]]:
    return [
        {
            "text": claim.text,
            "citations": [{"source": quote.source, "quote": quote.text} for quote in claim.quotes],
        }
        for claim in claims
    ]


def _history_of(messages: Sequence[Message]) -> _History:
    history = _History(question_of(messages))
    for call, result in calls_with_results(messages):
        args = call_args(call)
        content: Mapping[str, Any] = result.content if result is not None else {}
        match call.tool:
            case "web_search":
                _note_search(history, args, content)
            case "open_page" | "browser_open":
                _note_page(history, args, content)
                if call.tool == "browser_open":
                    history.refused.pop(args["url"], None)
                elif content.get("error") in _BROWSER_MAY_HELP:
                    history.refused[args["url"]] = args.get("gap")
            case "read_tool_output" if "text" in content:
                history.pages[content["source"]].slices[content["offset"]] = content["text"]
            case "publish_research" if content.get("published") == 0:
                _note_publication(history, args)
            case "publish_research" if "error" in content:
                history.unpublished += 1
    return history


def _note_search(history: _History, args: Mapping[str, Any], content: Mapping[str, Any]) -> None:
    results = tuple(
        Listed(one["source"], one["url"], one["title"], one["snippet"], one.get("matched"))
        for one in content.get("results", ())
    )
    outcome = SearchOutcome(args["query"], results, failed="error" in content)
    history.searches.append((args.get("gap"), outcome))
    history.opened_since_search = 0


def _note_page(history: _History, args: Mapping[str, Any], content: Mapping[str, Any]) -> None:
    history.tried.add(args["url"])
    history.opened_since_search += 1
    if "text" not in content:
        return
    history.pages[content["source"]] = _Page(
        content["source"],
        content["url"],
        content["title"],
        content["characters"],
        {0: content["text"]},
        content.get("output_id"),
    )


def _note_publication(history: _History, args: Mapping[str, Any]) -> None:
    history.gaps = tuple(Gap(gap["question"], gap["why"]) for gap in args["gaps"])
    history.quoted = {
        citation["quote"]
        for claim in [*args["steps"], *args["findings"]]
        for citation in claim["citations"]
    }
