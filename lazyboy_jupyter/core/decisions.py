"""Owns what may happen next in a task; it decides from state and time, and never acts.

The limits are checked before each source call (`admit`) and at each model round (`next_step`);
calls already running may finish (DESIGN §4). The person-readable reasons stand here once.
"""

from dataclasses import dataclass

from .budget import MICROSECONDS
from .events import CloseReason, SourceKind
from .phases import COLLECTING, SYNTHESISING
from .research import ResearchState, source_left

CLOSE_WORDS: dict[CloseReason, str] = {
    "time": "its time is over",
    "pages": "all its pages are reserved",
    "rounds": "its model rounds are spent",
    "tokens": "its token ceiling is reached",
}


@dataclass(frozen=True, slots=True)
class StartTask:
    """The task may leave the queue."""


@dataclass(frozen=True, slots=True)
class RequestRound:
    """Make the next model request."""


@dataclass(frozen=True, slots=True)
class AwaitCalls:
    """Source calls are running; their results are used. Nothing else is due until they end."""


@dataclass(frozen=True, slots=True)
class CloseCollection:
    """Record that the collection is over."""

    reason: CloseReason


@dataclass(frozen=True, slots=True)
class Fail:
    """End the task with this error."""

    error: str
    detail: str


Step = StartTask | RequestRound | AwaitCalls | CloseCollection | Fail


def next_step(state: ResearchState, now_us: int) -> Step | None:
    """Return what is due now, or None when the task has ended, or waits for a reply of its model
    or an answer of the person."""
    if state.ended or state.open_round is not None or state.phase == "waiting":
        return None
    if state.phase == "queued":
        return StartTask()
    if state.phase in COLLECTING:
        reason = closing_reason(state, now_us)
        if reason is not None:
            return CloseCollection(reason)
    if state.running:
        return AwaitCalls()
    limit = state.budget.synthesis_rounds
    if state.phase in SYNTHESISING and state.rounds >= limit:
        if state.phase == "answering":
            return Fail(
                "no_answer",
                f"The model gave no answer in {limit} replies after "
                f"{CLOSE_WORDS[state.closed or 'time']}.",
            )
        what = "supplement" if state.publications else "guide"
        return Fail(
            "synthesis_exhausted",
            f"The model published no {what} within its limit of {limit} synthesis rounds. "
            f"The collection had closed because {CLOSE_WORDS[state.closed or 'time']}.",
        )
    return RequestRound()


def closing_reason(state: ResearchState, now_us: int) -> CloseReason | None:
    """Return why the running collection must close now, or None while it may go on."""
    if state.phase not in COLLECTING:
        return None
    if now_us >= state.deadline_us:
        return "time"
    if state.phase != "working" and not _any_left(state, "page"):
        return "pages"  # nothing more could be read; a standard task has other things to do
    if state.rounds >= state.budget.rounds:
        return "rounds"
    if state.budget.max_tokens is not None and state.tokens >= state.budget.max_tokens:
        return "tokens"
    return None


def _any_left(state: ResearchState, source: SourceKind) -> bool:
    if state.phase in {"collecting", "working"}:
        return source_left(state, source, None)
    return any(source_left(state, source, gap) for gap in range(len(state.gaps)))


def seconds_left(state: ResearchState, now_us: int) -> float:
    """Return the seconds until the running collection closes by time; 0.0 when it is over."""
    if state.phase not in COLLECTING:
        return 0.0
    return max(0, state.deadline_us - now_us) / MICROSECONDS


@dataclass(frozen=True, slots=True)
class Reserve:
    """The call may be sent once its reservation is committed."""

    key: str
    gap: int | None


@dataclass(frozen=True, slots=True)
class Reuse:
    """The evidence of this call answers, as soon as that call has ended; nothing is spent."""

    call_id: str


@dataclass(frozen=True, slots=True)
class Refuse:
    """The call is answered with this reason; nothing is spent."""

    reason: str


Admission = Reserve | Reuse | Refuse


def admit(
    state: ResearchState, source: SourceKind, key: str, gap: int | None, now_us: int
) -> Admission:
    """Decide one source call. `key` is the folded query or the canonical URL.

    Saved evidence is answered in any phase, and comes first: a spent budget never hides it.
    """
    known = state.evidence.get((source, key))
    if known is not None:
        return Reuse(known)
    reason = closing_reason(state, now_us)
    if state.phase not in COLLECTING or reason is not None:
        return Refuse(_closed_words(state, reason))
    if state.phase == "supplementing":
        if gap is None or not 0 <= gap < len(state.gaps):
            return Refuse(
                f"In the supplement each source call names its gap: {_gap_numbers(state)}."
            )
    else:
        gap = None
    if source_left(state, source, gap):
        return Reserve(key, gap)
    return Refuse(_spent(state, source, gap))


def snapshot_refusal(state: ResearchState, now_us: int) -> str | None:
    """Return why the open page may not be looked at now, or None: it is free while collecting."""
    reason = closing_reason(state, now_us)
    if state.phase in COLLECTING and reason is None:
        return None
    return _closed_words(state, reason)


def _closed_words(state: ResearchState, reason: CloseReason | None) -> str:
    why = CLOSE_WORDS[reason or state.closed or "time"]
    if state.task_type == "standard":
        return f"Nothing more can be read: {why}. Answer from what was read."
    return f"The collection is closed: {why}. Publish from what was read."


def _gap_numbers(state: ResearchState) -> str:
    return " or ".join(f"gap={number}" for number in range(len(state.gaps)))


def _spent(state: ResearchState, source: SourceKind, gap: int | None) -> str:
    budget = state.budget
    is_search = source == "search"
    if gap is None:
        count, noun = (budget.searches, "searches") if is_search else (budget.pages, "pages")
        where = ""
    else:
        count = budget.gap_searches if is_search else budget.gap_pages
        noun, where = ("searches" if is_search else "pages"), f" of gap {gap}"
    return f"All {count} {noun}{where} are spent. Use what was read."


def offered_tools(state: ResearchState, now_us: int, *, browser: bool) -> tuple[str, ...]:
    """Return the names of the tools that a research task's next request offers: only what may
    still be used.

    The list changes only when a kind is spent or the phase changes, so that a provider's prefix
    cache stays warm (DESIGN §6).
    """
    own = ("read_tool_output", "report_progress", "publish_research")
    return (*offered_sources(state, now_us, browser=browser), *own)


def offered_sources(state: ResearchState, now_us: int, *, browser: bool) -> tuple[str, ...]:
    """Return the names of the tools that read sources and may still be used."""
    names: list[str] = []
    if state.phase in COLLECTING and closing_reason(state, now_us) is None:
        if _any_left(state, "search"):
            names.append("web_search")
        if _any_left(state, "page"):
            names.append("open_page")
            if browser:
                names.append("browser_open")
        if browser:
            names.append("browser_snapshot")
    return tuple(names)
