"""Owns the keyless model's answer to a side question, from the snapshot alone. Pure, in a worker.

What stands in curly quotation marks is word for word from a text; all else is counted from the
history. Whatever a history holds, the answer is a text.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lazyboy_jupyter.adapters.models.material import Listed
from lazyboy_jupyter.adapters.models.question import read_question
from lazyboy_jupyter.adapters.models.side_history import Known, Opened, Searched, known_from
from lazyboy_jupyter.adapters.models.side_intents import Intent, intent_of
from lazyboy_jupyter.adapters.models.side_quotes import (
    Found,
    SideQuote,
    first_quotes,
    is_more_than_text,
    quotable,
    quotes_on,
)
from lazyboy_jupyter.adapters.ranking.words import is_stop_word, terms
from lazyboy_jupyter.core.messages import Message
from lazyboy_jupyter.core.sanitise import storable, visible

_TITLE = 120
_LISTED = 70
_SENTENCE = 300
_MOST_NAMED = 12


def answer(messages: Sequence[Message], question: str) -> str:
    """Return the answer to `question` from a history, in paragraphs; never empty, never raises."""
    known = known_from(messages)
    intent = intent_of(storable(question))
    match intent.about:
        case "status":
            parts = _status(known)
        case "missing":
            parts = _missing(known)
        case "why":
            parts = _why(known, intent)
        case "findings":
            parts = _findings(known)
        case _:
            parts = _on_subject(known, intent, question)
    return "\n\n".join(parts)


def _on_subject(known: Known, intent: Intent, question: str) -> list[str]:
    """The best sentences. "Which page said that?" is about the question before, and "what does S2
    say?" about the task's."""
    only = intent.sources & known.pages.keys()
    if intent.sources and not only:
        return [_not_read(known, source) for source in sorted(intent.sources)[:_MOST_NAMED]]
    asked, is_task = intent.subject, False
    if not asked and not only:
        asked = intent_of(known.before[0]).subject
    if not asked:
        asked, is_task = known.question, True
    found = quotes_on(asked, known, only=only, task=is_task)
    if is_task and only:  # nothing but these sources was asked for: what they lack is no matter
        found = Found(found.quotes) if found.quotes else first_quotes(known, only)
    if found.quotes:
        return told(found)
    if not known.pages:
        return ["Nothing was read so far, so this cannot be answered yet.", *_done(known)]
    where = ", ".join(sorted(only))
    return [_no_answer(found, where), *([] if only else _done(known))]


def _not_read(known: Known, source: str) -> str:
    listed, failed = known.listed.get(source), known.failed.get(source)
    if failed is not None:
        name = _titled(failed.title, source)
        return f"{name} could not be read: {_sentence(failed.problem)}"
    if listed is None:
        return f"No {source} is known."
    snippet = quotable(visible(listed.snippet, _SENTENCE))
    shown = f" A search showed of it: “{snippet}”" if snippet else ""
    return f"{_titled(listed.title, source)} was not read.{shown}"


def _findings(known: Known) -> list[str]:
    found = quotes_on(known.question, known, task=True)
    if not read_question(known.question).labels:  # nothing but addresses
        found = first_quotes(known, ())
    if found.quotes:
        return told(found)
    if not known.pages:
        return ["Nothing was read so far.", *_done(known)]
    return [_no_answer(found, ""), *_done(known)]


def told(found: Found) -> list[str]:
    """Return what answers in paragraphs, each a quote with where it stands."""
    parts = [_quoted(quote) for quote in found.quotes]
    if found.is_near:
        parts.insert(0, "No sentence speaks of all of it; these come nearest.")
    if found.missing:
        parts.append(f"Not mentioned: {_list([_named(word) for word in found.missing])}.")
    return parts


def _no_answer(found: Found, where: str) -> str:
    """Say in one sentence that the texts do not answer, and what they lack."""
    read = _plain(where, _TITLE) or "what was read so far"
    if found.has_words:
        return f"The words of it stand in {read}, but no sentence there says more."
    if found.lacking:
        return f"This is not answered in {read}: {_plain(found.lacking, _SENTENCE)}."
    if found.missing:
        words = _list([_named(word) for word in found.missing])
        return f"This is not answered in {read}, which does not mention {words}."
    return f"This is not answered in {read}."


def _status(known: Known) -> list[str]:
    waiting = [f"the search for {_named(one.query)}" for one in known.searches if one.pending]
    waiting += [f"opening {_title_of(known, url)}" for url in known.under_way if url]
    under_way = [f"Under way: {_list(waiting)}."] if waiting else []
    if known.published:
        added = " and what was added to it are" if len(known.published) > 1 else " is"
        return [*under_way, *_done(known), f"The guide{added} published."]
    return [*under_way, *(_done(known) or ["Nothing was done yet."]), "No guide is published yet."]


def _missing(known: Known) -> list[str]:
    parts = []
    if not known.published:
        parts.append("No guide is published yet, so no unknowns and no gaps are named.")
    unknowns = dict.fromkeys(one for published in known.published for one in published.unknowns)
    parts += [f"Unknown: {_plain(one, _SENTENCE)}" for one in list(unknowns)[:_MOST_NAMED]]
    gaps = known.published[0].gaps if known.published else ()
    gap = "Open" if len(known.published) == 1 else "Was open, and was followed up"
    parts += [f"{gap}: {_plain(one.question, _SENTENCE)}{_because(one.why)}" for one in gaps]
    if known.published and not parts:
        parts.append("The guide names no unknowns and no gaps.")
    return [*parts, *(_failures(known) or ["No search and no page failed."])]


def _why(known: Known, intent: Intent) -> list[str]:
    pages = {**known.failed, **known.pages}
    meant = [pages[source] for source in pages if source in intent.sources]
    if not meant and intent.subject:
        meant = _meant(intent.subject, pages.values())
    if not meant and not intent.subject:
        before = intent_of(known.before[1]).sources
        meant = [pages[source] for source in pages if source in before] or list(pages.values())
    if not meant:
        none = "That page was not opened." if pages else "No page was opened so far."
        return [none, *_done(known)]
    return [_reason(known, page) for page in meant[:_MOST_NAMED]]


def _reason(known: Known, page: Opened) -> str:
    """Say which search listed a page, at which place, and with which snippet."""
    name = _titled(page.title, page.source)
    problem = f" It could not be read: {_sentence(page.problem)}" if page.problem else ""
    for search in known.searches:
        for rank, one in enumerate(search.results, 1):
            if one.source == page.source or (one.url and one.url == page.url):
                found = f"{name} was result {rank} of the search for {_named(search.query)}"
                return f"{found}{_for_gap(known, search)}, {_shown(one)}{problem}"
    if page.url and page.url in known.question:
        return f"{name} was opened because its address stands in the question.{problem}"
    return f"{name} was in no search result; why it was opened is not on record.{problem}"


def _for_gap(known: Known, search: Searched) -> str:
    gaps = known.published[0].gaps if known.published else ()
    if search.gap is None or search.gap >= len(gaps):
        return ""
    return f" (for the gap ‘{_plain(gaps[search.gap].question, _TITLE)}’)"


def _shown(one: Listed) -> str:
    snippet = quotable(visible(one.snippet, _SENTENCE))
    if not snippet or snippet == one.title:
        return "which showed nothing of its text."
    return f"which showed of it: “{snippet}”"


def _meant(subject: str, pages: Iterable[Opened]) -> list[Opened]:
    """Return the pages whose titles or addresses have most of the words of `subject`."""
    wanted = {term for term in terms(subject) if not is_stop_word(term)} - {"page", "sourc", "site"}
    scored = [
        (len(wanted & set(terms(f"{page.title} {page.url.replace('/', ' ')}"))), page)
        for page in pages
    ]
    best = max((score for score, _ in scored), default=0)
    return [page for score, page in scored if score == best and best * 2 > len(wanted)]


def _done(known: Known) -> list[str]:
    """What was searched and read, and what failed."""
    parts = []
    searched = [_named(one.query) for one in known.searches if not (one.problem or one.pending)]
    if searched:
        parts.append(f"Searched for {_list(searched)}.")
    read = [_titled(page.title, page.source) for page in known.pages.values()]
    if read:
        parts.append(f"Read {len(read)} page{'s' * (len(read) != 1)}: {_list(read, '; ')}.")
    return [*parts, *_failures(known)]


def _failures(known: Known) -> list[str]:
    parts = [
        f"Could not be read: {_titled(page.title, page.source)}. {_sentence(page.problem)}"
        for page in list(known.failed.values())[:_MOST_NAMED]
    ]
    failed = {one.query: one.problem for one in known.searches if one.problem}
    parts += [
        f"The search for {_named(query)} failed: {_sentence(problem)}"
        for query, problem in list(failed.items())[:_MOST_NAMED]
    ]
    return parts


def _quoted(quote: SideQuote) -> str:
    under = f" › {_plain(quote.heading)}" if quote.heading else ""
    unread = ", as a search showed it; the page was not read" if quote.is_snippet else ""
    title = _plain(quote.title, _LISTED)
    return f"“{quote.text}” — {title}{under} ({_plain(quote.source, _TITLE)}){unread}"


def _title_of(known: Known, url: str) -> str:
    for one in known.listed.values():
        if one.url == url:
            return _titled(one.title, one.source)
    return _plain(url, _TITLE)


def _titled(title: str, source: str) -> str:
    source = _plain(source, _TITLE)
    return f"{_plain(title, _LISTED)} ({source})" if source else _plain(title, _TITLE)


def _named(query: str) -> str:
    """Queries have single marks: what stands in double ones is from a text, and is looked up."""
    return f"‘{_plain(query, _LISTED)}’"


def _because(why: str) -> str:
    return f" — {_plain(why, _SENTENCE)}" if why else ""


def _sentence(text: str) -> str:
    plain = _plain(text, _SENTENCE)
    return plain if plain.endswith((".", "!", "?", "…")) else f"{plain}."


def _list(names: Sequence[str], mark: str = ", ") -> str:
    shown = list(dict.fromkeys(names))
    more = len(shown) - _MOST_NAMED
    return mark.join(shown[:_MOST_NAMED]) + (f"{mark}and {more} more" if more > 0 else "")


_MARKS = str.maketrans('“”„«»"', "''''''")
_BRACKETS = str.maketrans("<>[]{}|`:=", " " * 10)


def _plain(text: str, limit: int | None = None) -> str:
    """Return foreign words as a part of a sentence: no marks that would make them a quote of a
    text, nothing that a reader of replies would take for a call."""
    plain = visible(text, limit).translate(_MARKS)
    return visible(plain.translate(_BRACKETS)) if is_more_than_text(plain) else plain
