"""Owns what one run looks like at a moment, before any markup: every card is drawn from it."""

from collections.abc import Sequence
from dataclasses import dataclass

from .budget import MICROSECONDS
from .decisions import seconds_left
from .events import TaskType
from .guide import Guide, Source
from .research import ResearchState
from .side import Rest

PHASE_WORDS = {
    "new": "queued",
    "queued": "queued",
    "collecting": "collecting",
    "synthesis": "writing the guide",
    "supplementing": "following up",
    "supplement_synthesis": "writing the additions",
    "working": "working",
    "waiting": "waiting for you",
    "answering": "writing the answer",
    "completed": "complete",
    "failed": "failed",
    "cancelled": "stopped",
    "interrupted": "interrupted",
}


@dataclass(frozen=True, slots=True)
class RunningCall:
    """A source call that runs: `doing` is "searching" or "reading", `what` names it."""

    doing: str
    what: str


@dataclass(frozen=True, slots=True)
class Meter:
    """One spent budget: `used` of `total`, in `unit` (empty for a count)."""

    label: str
    used: float
    total: float
    unit: str = ""

    @property
    def share(self) -> float:
        """The part spent, 0.0 to 1.0."""
        return 1.0 if self.total <= 0 else min(1.0, self.used / self.total)

    @property
    def words(self) -> str:
        """Such as "41 of 120 s"."""
        return f"{self.used:.0f} of {self.total:g}{' ' + self.unit if self.unit else ''}"


@dataclass(frozen=True, slots=True)
class RunView:
    """One run at one moment. Times in seconds; `first_s` and `total_s` count from the start.

    `search`: the names of what is searched, the one that `auto` took among them. `gaps`: how many
    are followed up. Of a standard task, `result` is what came of it, as far as it has arrived, and
    `asked` what waits for the person.
    """

    task_id: str
    question: str
    phase: str
    status: str
    elapsed_s: float
    first_s: float | None
    total_s: float | None
    meters: tuple[Meter, ...]
    sources: tuple[Source, ...]
    running: tuple[RunningCall, ...]
    progress: str
    guide: Guide | None
    error: str
    searches: int
    pages: int
    problems: tuple[str, ...] = ()
    search: str = ""
    acknowledgement: str = ""
    gaps: int = 0
    task_type: TaskType = "research"
    result: str = ""
    rests_on: tuple[Rest, ...] = ()
    asked: str | None = None

    @property
    def live(self) -> bool:
        """Whether the run is still going on."""
        return self.status in {"queued", "running", "waiting_input"}

    @property
    def headline(self) -> str:
        """The phase in words, with its time: what stands beside the question."""
        words = PHASE_WORDS[self.phase]
        if self.live:
            return f"{words}, {clock(self.elapsed_s)}" if self.elapsed_s else words
        if self.phase == "completed" and self.task_type == "standard":
            return f"answered in {clock(self.total_s or 0.0)}"
        if self.phase == "completed" and self.first_s is not None and self.total_s is not None:
            if clock(self.first_s) == clock(self.total_s):
                return f"complete in {clock(self.total_s)}"
            return f"first guide in {clock(self.first_s)}, complete in {clock(self.total_s)}"
        return f"{words} after {clock(self.total_s or self.elapsed_s)}"


def clock(seconds: float) -> str:
    """Return a duration as people read it: "0.8 s" under ten seconds, then "1:52"."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    whole = int(seconds)
    if whole < 3600:
        return f"{whole // 60}:{whole % 60:02d}"
    return f"{whole // 3600}:{whole // 60 % 60:02d}:{whole % 60:02d}"


def meters_of(state: ResearchState, now_us: int) -> tuple[Meter, ...]:
    """Return the meters of the collection that runs, or ran last; none of a task that reads
    nothing itself."""
    budget = state.budget
    if state.task_type == "standard" and not budget.searches + budget.pages:
        return ()
    if state.publications and state.gaps:
        limit, searches, pages = budget.gap_time, sum(state.gap_searches), sum(state.gap_pages)
        total_searches = budget.gap_searches * len(state.gaps)
        total_pages = budget.gap_pages * len(state.gaps)
        began = state.published_us
    else:
        limit, searches, pages = budget.time, state.searches, state.pages
        total_searches, total_pages = budget.searches, budget.pages
        began = state.started_us
    until = state.ended_us or now_us
    spent = min(limit, (until - began) / MICROSECONDS) if began else 0.0
    if began and not state.ended and state.closed is None:
        spent = limit - seconds_left(state, now_us) if state.phase != "completed" else spent
    return (
        Meter("Time", max(0.0, spent), limit, "s"),
        Meter("Searches", searches, total_searches),
        Meter("Pages", pages, total_pages),
    )


def view_of(
    task_id: str,
    state: ResearchState,
    now_us: int,
    *,
    sources: Sequence[Source],
    running: Sequence[RunningCall],
    guide: Guide | None,
    problems: Sequence[str] = (),
    search: str = "",
    arriving: str = "",
) -> RunView:
    """Return the view of a run. Pure; `now_us` is the time to draw it for, microseconds UTC;
    `arriving`: the text of a reply that is not over."""

    def since_start(at_us: int) -> float | None:
        return (at_us - state.started_us) / MICROSECONDS if at_us and state.started_us else None

    until = state.ended_us or now_us
    return RunView(
        task_id=task_id,
        question=state.question,
        phase=state.phase,
        status=state.status,
        elapsed_s=since_start(until) or 0.0,
        first_s=since_start(state.published_us),
        total_s=since_start(state.ended_us),
        meters=meters_of(state, now_us),
        sources=tuple(sources),
        running=tuple(running),
        progress=state.progress,
        guide=guide,
        error=state.error_detail or state.error or "",
        searches=state.searches + sum(state.gap_searches),
        pages=state.pages + sum(state.gap_pages),
        problems=tuple(problems),
        search=search,
        acknowledgement=state.acknowledgement,
        gaps=len(state.gaps),
        task_type=state.task_type,
        result=state.result or arriving,
        rests_on=state.rests_on,
        asked=state.asked,
    )
