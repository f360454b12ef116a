"""Owns reading an agent's history for a side question: what was searched, read, published. Pure.

It believes nothing of a history: what lacks a key, or has another type than it should, is left out,
and it never raises.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lazyboy_jupyter.adapters.models.material import Gap, Listed, ReadPage, SearchOutcome
from lazyboy_jupyter.core.messages import Message, ToolCall, call_args
from lazyboy_jupyter.core.reports import QUOTES_APART
from lazyboy_jupyter.core.sanitise import storable

_OPENS = frozenset(("open_page", "browser_open", "browser_snapshot"))


@dataclass(frozen=True, slots=True)
class Searched:
    """One search. `gap`: the number of the gap that it follows up; `problem`: why it failed, a
    sentence; `pending`: it has no result yet."""

    query: str
    results: tuple[Listed, ...] = ()
    gap: int | None = None
    problem: str = ""
    pending: bool = False


@dataclass(slots=True)
class Opened:
    """One page that was asked for. `problem`: why it could not be read, when it never was.

    `texts`: what was delivered of it, by offset, for each text that it ever had.
    """

    source: str
    url: str
    title: str
    problem: str = ""
    texts: dict[str, dict[int, str]] = field(default_factory=dict)

    @property
    def runs(self) -> list[str]:
        """The texts delivered, each as far as it was delivered without a hole."""
        return [run for slices in self.texts.values() for run in _runs(slices)]


@dataclass(frozen=True, slots=True)
class Published:
    """One publication that was accepted: what it calls unknown, and its gaps."""

    unknowns: tuple[str, ...]
    gaps: tuple[Gap, ...]


@dataclass(slots=True)
class Known:
    """What the history says. `pages` are those of which a text was delivered; `under_way`, the
    addresses of pages that are being opened; `before`, the last side question with its answer."""

    question: str = ""
    searches: list[Searched] = field(default_factory=list)
    listed: dict[str, Listed] = field(default_factory=dict)
    pages: dict[str, Opened] = field(default_factory=dict)
    failed: dict[str, Opened] = field(default_factory=dict)
    under_way: list[str] = field(default_factory=list)
    published: list[Published] = field(default_factory=list)
    before: tuple[str, str] = ("", "")
    order: dict[str, None] = field(default_factory=dict)
    """The ids of all sources, as first seen."""

    @property
    def read(self) -> tuple[ReadPage, ...]:
        """The texts of the pages, as the ranking takes them."""
        return tuple(
            ReadPage(page.source, page.url, page.title, run)
            for page in self.pages.values()
            for run in page.runs
        )

    @property
    def unread(self) -> tuple[ReadPage, ...]:
        """The snippets of what was listed and not read, each as a text of its own."""
        return tuple(
            ReadPage(one.source, one.url, one.title, one.snippet)
            for one in self.listed.values()
            if one.source not in self.pages and one.snippet.strip()
        )

    @property
    def outcomes(self) -> tuple[SearchOutcome, ...]:
        """The searches, as the ranking takes them."""
        return tuple(
            SearchOutcome(one.query, one.results, failed=bool(one.problem)) for one in self.searches
        )


def known_from(messages: Sequence[Message]) -> Known:
    """Return what any history says has happened."""
    known = Known(_first_prompt(messages), before=_last_pair(messages))
    results = {
        part["tool_call_id"]: part.get("content")
        for message in messages
        for part in _parts(message, "tool-return")
        if isinstance(part.get("tool_call_id"), str)
    }
    for message in messages:
        for part in _parts(message, "tool-call"):
            call_id = part.get("tool_call_id")
            content = results.get(call_id) if isinstance(call_id, str) else None
            _note(known, str(part.get("tool_name")), _args(part), _object(content))
    for source in known.pages:
        known.failed.pop(source, None)
    return known


def _note(known: Known, tool: str, args: Mapping[str, Any], content: Mapping[str, Any]) -> None:
    if tool == "web_search":
        _note_search(known, args, content)
    elif tool in _OPENS:
        _note_page(known, args, content)
    elif tool == "task_status":
        _note_report(known, content)
    elif tool == "read_tool_output":
        _note_text(known, content)
    elif tool == "publish_research" and "published" in content:
        known.published.append(_published(args))


def _note_search(known: Known, args: Mapping[str, Any], content: Mapping[str, Any]) -> None:
    if _is_refused(content, "query"):
        return
    results = tuple(_results(content.get("results")))
    for one in results:
        known.listed.setdefault(one.source, one)
        known.order.setdefault(one.source)
    known.searches.append(
        Searched(
            _text(args.get("query")) or _text(content.get("query")),
            results,
            _number(args.get("gap")),
            _problem(content),
            pending=_is_pending(content),
        )
    )


def _results(listed: object) -> Iterator[Listed]:
    for one in _objects(listed):
        if source := _text(one.get("source")):
            url, title = _text(one.get("url")), _text(one.get("title"))
            matched = one.get("matched")
            yield Listed(
                source,
                url,
                title or url,
                _text(one.get("snippet")),
                float(matched) if isinstance(matched, float) and 0 <= matched <= 1 else None,
            )


def _note_page(known: Known, args: Mapping[str, Any], content: Mapping[str, Any]) -> None:
    asked = _text(args.get("url"))
    if _is_pending(content):
        known.under_way.append(asked)
        return
    source = _text(content.get("source"))
    url = _text(content.get("url")) or asked
    listed = known.listed.get(source)
    title = _text(content.get("title")) or (listed.title if listed else "") or url
    known.order.setdefault(source)
    if isinstance(content.get("text"), str) and source:
        known.pages.setdefault(source, Opened(source, url, title))
        _note_text(known, content)
    elif (problem := _problem(content)) and not _is_refused(content, "source"):
        known.failed[source or url] = Opened(source, url, title, problem)


def _note_report(known: Known, content: Mapping[str, Any]) -> None:
    """What another agent's task has found: its quotes, by source, and its own words."""
    task = _text(content.get("task"))
    own = {"source": task, "title": content.get("question"), "text": content.get("result")}
    for one in (*_objects(content.get("results")), *([own] if content.get("result") else [])):
        source, text = _text(one.get("source")), one.get("text")
        if source and isinstance(text, str) and text.strip():
            known.order.setdefault(source)
            title = _text(one.get("title")) or source
            page = known.pages.setdefault(source, Opened(source, _text(one.get("url")), title))
            for piece in storable(text).split(QUOTES_APART):
                page.texts[f"{task}-{len(page.texts)}"] = {0: piece}


def _note_text(known: Known, content: Mapping[str, Any]) -> None:
    page, text = known.pages.get(_text(content.get("source"))), content.get("text")
    if page is not None and isinstance(text, str):
        slices = page.texts.setdefault(_text(content.get("output_id")), {})
        slices[_number(content.get("offset")) or 0] = storable(text)


def _published(args: Mapping[str, Any]) -> Published:
    unknowns = args.get("unknowns")
    gaps = [
        Gap(_text(one.get("question")), _text(one.get("why"))) for one in _objects(args.get("gaps"))
    ]
    said = map(_text, unknowns if isinstance(unknowns, list) else ())
    return Published(tuple(filter(None, said)), tuple(gap for gap in gaps if gap.question))


def _problem(content: Mapping[str, Any]) -> str:
    if "error" not in content:
        return ""
    return _text(content.get("detail")) or _text(content["error"]) or "It failed."


def _is_refused(content: Mapping[str, Any], named: str) -> bool:
    """Whether the call was never sent: a source that refuses is a result, which names it."""
    return content.get("error") == "refused" and named not in content


def _is_pending(content: Mapping[str, Any]) -> bool:
    return not content or content.get("state") == "pending"


def _first_prompt(messages: Sequence[Message]) -> str:
    for message in messages:
        for part in _parts(message, "user-prompt"):
            return _text(part.get("content"))
    return ""


def _last_pair(messages: Sequence[Message]) -> tuple[str, str]:
    """Return the side question before this one with its answer: the last message is a reply that
    calls nothing, and its question the last thing said before it."""
    if len(messages) < 2 or any(_parts(messages[-1], "tool-call")):
        return "", ""
    answers = [_text(part.get("content")) for part in _parts(messages[-1], "text")]
    asked = [_text(part.get("content")) for part in _parts(messages[-2], "user-prompt")]
    return (asked[-1], answers[-1]) if asked and answers else ("", "")


def _parts(message: object, kind: str) -> Iterator[Mapping[str, Any]]:
    for part in _objects(_object(message).get("parts")):
        if part.get("part_kind") == kind:
            yield part


def _args(part: Mapping[str, Any]) -> Mapping[str, Any]:
    try:
        return call_args(ToolCall("", "", part.get("args", "")))
    except ValueError:
        return {}


def _objects(values: object) -> Iterator[Mapping[str, Any]]:
    return (one for one in (values if isinstance(values, list) else ()) if isinstance(one, Mapping))


def _object(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _text(value: object) -> str:
    return storable(value) if isinstance(value, str) else ""


def _number(value: object) -> int | None:
    """Return a count from 0; `True` is none."""
    return value if type(value) is int and value >= 0 else None


def _runs(slices: Mapping[int, str]) -> Iterator[str]:
    run, end = "", 0
    for offset, text in sorted(slices.items()):
        if run and offset > end:
            yield run
            run = ""
        run += text[end - offset :] if run else text
        end = max(end, offset + len(text)) if run else 0
    if run:
        yield run
