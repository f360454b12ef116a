"""Owns one model round: its slot, its request, its time, its record. On the engine's thread."""

import asyncio
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass, replace

from ..core.decisions import RequestRound, next_step, offered_tools, seconds_left
from ..core.events import RoundFinished, RoundOutcome, RoundStarted
from ..core.messages import Message, ToolCall
from ..core.prompts import VERSION
from ..core.research import Phase, ResearchState
from ..core.sanitise import storable, visible
from ..core.tools import tool_specs
from ..errors import ModelError
from ..ports import BudgetLeft, ModelReply, ModelRequest, Usage
from ..store.rows import Batch, at
from ..store.schema import ROUND
from .recorder import Recorder
from .services import Services, TaskSpec
from .waiting import within

REQUEST_SECONDS = 120
"""A request may take so long in all (DESIGN §6)."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """Tokens of all rounds of a task; None while no provider has told any."""

    input: int | None = None
    output: int | None = None

    def plus(self, usage: Usage) -> "Tokens":
        """Return these and the request's."""
        return Tokens(_sum(self.input, usage.input_tokens), _sum(self.output, usage.output_tokens))


def _sum(left: int | None, right: int | None) -> int | None:
    return right if left is None else left + (right or 0)


class Rounds:
    """Makes the model requests of one task. `tokens` may be read from any thread."""

    def __init__(self, services: Services, spec: TaskSpec, recorder: Recorder) -> None:
        self.tokens = Tokens()
        self.last_error = ""
        self._services = services
        self._spec = spec
        self._recorder = recorder

    async def request(self, messages: Sequence[Message]) -> ModelReply | None:
        """Make one round; return its reply, or None when there was none.

        Waiting for a slot is inside the task's time, so what is due is asked again after it.
        """
        recorder = self._recorder
        queued_us = recorder.now_us()
        async with self._services.slots:
            if not isinstance(next_step(recorder.state, recorder.now_us()), RequestRound):
                return None
            round_id = self._services.ids.new()
            request_no = recorder.state.request_no + 1
            phase = recorder.state.phase
            rows = Batch()
            recorder.time(
                rows,
                "worker_model_queue",
                queued_us,
                "ok",
                round_id=round_id,
                request_no=request_no,
            )
            began_us = recorder.now_us()
            await recorder.record(RoundStarted(round_id, request_no), rows)
            try:
                answer, outcome = await self._respond(messages)
            except asyncio.CancelledError:
                # Not awaited: a run that is halted must not wait here; its end comes after this.
                self._finished(round_id, request_no, phase, began_us, None, "cancelled")
                raise
        await self._finished(round_id, request_no, phase, began_us, answer, outcome)
        return answer

    def _finished(
        self,
        round_id: str,
        request_no: int,
        phase: Phase,
        began_us: int,
        answer: ModelReply | None,
        outcome: RoundOutcome,
    ) -> Awaitable[None]:
        """Record the round's end with its usage and its time."""
        recorder = self._recorder
        usage = answer.usage if answer is not None else Usage()
        self.tokens = self.tokens.plus(usage)
        rows = Batch().add(
            ROUND,
            **recorder.row(
                round_id=round_id,
                request_no=request_no,
                phase=phase,
                prompt_version=VERSION,
                model=self._spec.model.name,
                input_tokens=usage.input_tokens,
                output_tokens=usage.output_tokens,
                cached_tokens=usage.cached_tokens,
                outcome=outcome,
                started_at=at(began_us),
            ),
        )
        recorder.time(
            rows, "model_response", began_us, outcome, round_id=round_id, request_no=request_no
        )
        return recorder.record(RoundFinished(round_id, outcome, usage.total), rows)

    async def _respond(self, messages: Sequence[Message]) -> tuple[ModelReply | None, RoundOutcome]:
        state = self._recorder.state
        request = self._request_of(state, messages)
        try:
            answer = await within(
                self._services.clock, REQUEST_SECONDS, self._spec.model.respond(request)
            )
        except TimeoutError:
            self.last_error = f"The model did not answer within {REQUEST_SECONDS} s."
            return None, "timeout"
        except ModelError as error:
            self.last_error = visible(error.sentence, 500)
            return None, "error"
        return self._identified(answer), "ok"

    def _request_of(self, state: ResearchState, messages: Sequence[Message]) -> ModelRequest:
        now = self._recorder.now_us()
        supplement = bool(state.publications)
        names = offered_tools(state, now, browser=self._spec.sources.browser is not None)
        return ModelRequest(
            tuple(messages), tool_specs(names, supplement=supplement), budget_left(state, now)
        )

    def _identified(self, answer: ModelReply) -> ModelReply:
        """Give every call an id of ours: a model may use one twice, and ours are in order."""
        calls = tuple(
            ToolCall(
                self._services.ids.new(),
                storable(call.tool),
                storable(call.args) if isinstance(call.args, str) else call.args,
            )
            for call in answer.calls
        )
        return replace(answer, text=storable(answer.text), calls=calls)


def budget_left(state: ResearchState, now_us: int) -> BudgetLeft:
    """Return what may still be used, for the end of the next request."""
    budget = state.budget
    limit = budget.rounds if state.phase in {"collecting", "supplementing"} else None
    rounds = (limit or budget.synthesis_rounds) - state.rounds
    gaps: tuple[tuple[str, int, int], ...] = ()
    if state.publications:
        gaps = tuple(
            (gap, budget.gap_searches - searches, budget.gap_pages - pages)
            for gap, searches, pages in zip(
                state.gaps, state.gap_searches, state.gap_pages, strict=True
            )
        )
    collecting = state.phase == "collecting"
    return BudgetLeft(
        phase=state.phase,
        supplement=bool(state.publications),
        seconds=seconds_left(state, now_us),
        searches=budget.searches - state.searches if collecting else sum(g[1] for g in gaps),
        pages=budget.pages - state.pages if collecting else sum(g[2] for g in gaps),
        rounds=rounds,
        max_gaps=budget.gaps,
        gaps=gaps,
    )
