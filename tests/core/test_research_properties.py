"""Whatever is asked, in whatever order: no limit is exceeded, and replay equals live."""

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from lazyboy_jupyter.core.budget import MICROSECONDS, Budget
from lazyboy_jupyter.core.decisions import (
    AwaitCalls,
    CloseCollection,
    Fail,
    RequestRound,
    Reserve,
    StartTask,
    admit,
    next_step,
)
from lazyboy_jupyter.core.events import (
    EVENT_TYPES,
    CollectionClosed,
    Event,
    PublicationAccepted,
    RoundFinished,
    RoundStarted,
    SourceFinished,
    SourceReserved,
    TaskCancelled,
    TaskFailed,
    TaskInterrupted,
    TaskQueued,
    TaskStarted,
    data_to_event,
    event_to_data,
)
from lazyboy_jupyter.core.research import InvalidTransition, ResearchState, fold, replay

budgets = st.builds(
    Budget,
    time=st.integers(1, 20),
    searches=st.integers(0, 3),
    pages=st.integers(0, 4),
    gaps=st.integers(0, 2),
    max_tokens=st.none() | st.integers(1, 50),
    gap_time=st.integers(1, 20),
    gap_searches=st.integers(0, 2),
    gap_pages=st.integers(0, 3),
    rounds=st.integers(1, 6),
)
st.register_type_strategy(Budget, budgets)
calls = st.tuples(
    st.sampled_from(["search", "page", "browser"]),
    st.sampled_from(list("abcdefgh")),
    st.none() | st.integers(-1, 3),
)
replies = st.fixed_dictionaries(
    {
        "calls": st.lists(calls, max_size=8),
        "publish": st.none() | st.integers(0, 3),
        "seconds": st.integers(0, 8),
        "tokens": st.integers(0, 20),
        "aliases": st.lists(st.sampled_from(list("abcdefgh")), max_size=8),
    }
)


class Driven:
    """A task driven by the decisions, with a model that does as Hypothesis says."""

    def __init__(self, budget: Budget) -> None:
        self.log: list[tuple[int, Event]] = []
        self.state = ResearchState()
        self.now = 0
        self.sent = 0
        self.note(TaskQueued("Q?", budget))

    def note(self, event: Event) -> None:
        self.state = fold(self.state, self.now, event)
        self.log.append((self.now, event))

    def run(self, script: list[dict[str, Any]]) -> None:
        for reply in script:
            if not self.advance_to_round():
                return
            self.round(reply)

    def advance_to_round(self) -> bool:
        while True:
            match next_step(self.state, self.now):
                case StartTask():
                    self.note(TaskStarted())
                case CloseCollection(reason=reason):
                    self.note(CollectionClosed(reason))
                case Fail(error=error, detail=detail):
                    self.note(TaskFailed(error, detail))
                case RequestRound():
                    return True
                case AwaitCalls():
                    raise AssertionError("all calls have ended")
                case None:
                    return False

    def round(self, reply: dict[str, Any]) -> None:
        number = self.state.request_no + 1
        self.note(RoundStarted(f"r{number}", number))
        self.now += reply["seconds"] * MICROSECONDS
        self.note(RoundFinished(f"r{number}", "ok", reply["tokens"]))
        started = []
        for source, key, gap in reply["calls"]:
            admission = admit(self.state, source, key, gap, self.now)
            if isinstance(admission, Reserve):
                self.sent += 1
                call_id = f"c{self.sent}"
                self.note(SourceReserved(call_id, source, key, number, admission.gap))
                started.append(call_id)
        for call_id, alias in zip(started, [*reply["aliases"], *started], strict=False):
            self.note(SourceFinished(call_id, alias=alias))
        if reply["publish"] is not None:
            gaps = tuple(f"g{n}" for n in range(min(reply["publish"], self.state.budget.gaps)))
            self.note(PublicationAccepted(self.state.publications, () if self.published else gaps))

    @property
    def published(self) -> bool:
        return self.state.publications > 0


@given(budgets, st.lists(replies, max_size=40))
@settings(max_examples=300)
def test_no_sequence_of_calls_exceeds_a_limit(budget: Budget, script: list[dict[str, Any]]) -> None:
    driven = Driven(budget)
    driven.run(script)
    state = driven.state

    assert state.searches <= budget.searches
    assert state.pages <= budget.pages
    assert len(state.gaps) <= budget.gaps
    assert all(count <= budget.gap_searches for count in state.gap_searches)
    assert all(count <= budget.gap_pages for count in state.gap_pages)
    reserved = [event for _, event in driven.log if isinstance(event, SourceReserved)]
    assert len(reserved) == driven.sent == len({(e.source, e.key) for e in reserved})
    limit = budget.rounds + budget.synthesis_rounds
    assert state.request_no <= 2 * limit
    for at, event in driven.log:
        if isinstance(event, SourceReserved) and event.gap is None:
            assert at < state.started_us + budget.time * MICROSECONDS


@given(budgets, st.lists(replies, max_size=40))
@settings(max_examples=200)
def test_replaying_the_stored_events_gives_the_live_state(
    budget: Budget, script: list[dict[str, Any]]
) -> None:
    driven = Driven(budget)
    driven.run(script)
    stored = [
        (at, type(event).__name__, json.dumps(event_to_data(event))) for at, event in driven.log
    ]

    again = replay((at, data_to_event(kind, json.loads(data))) for at, kind, data in stored)

    assert again == driven.state


@given(budgets, st.lists(replies, min_size=1, max_size=3), st.data())
def test_nothing_moves_after_an_end_state(
    budget: Budget, script: list[dict[str, Any]], data: st.DataObject
) -> None:
    driven = Driven(budget)
    driven.run(script)
    if not driven.state.ended:
        ends: list[Event] = [TaskCancelled(), TaskInterrupted()]
        driven.note(data.draw(st.sampled_from(ends)))
    ended = driven.state

    event = data.draw(st.sampled_from(list(EVENT_TYPES.values())).flatmap(st.from_type))

    try:
        fold(ended, driven.now, event)
    except InvalidTransition:
        assert next_step(ended, driven.now + 10**9) is None
    else:
        raise AssertionError(f"{event} moved an ended task")
