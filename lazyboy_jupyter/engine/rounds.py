"""Owns one model round: its slot, its tries, its times, its record. On the engine's thread.

A round is one request with its reply. A failure that may pass is tried again after a wait, up to
three tries and never past the task's own time; each try and each wait has its row in the timing.
"""

import asyncio
from dataclasses import dataclass, field, replace

from ..core.briefs import Brief
from ..core.decisions import RequestRound, next_step, seconds_left
from ..core.events import RoundFinished, RoundOutcome, RoundStarted
from ..core.left import budget_left
from ..core.messages import Message
from ..core.phases import COLLECTING, Phase
from ..core.replies import understood
from ..core.sanitise import storable, visible
from ..core.shortening import shortened
from ..core.timing import Stage
from ..core.tools import ToolSpec, known_tool, tool_specs
from ..errors import HOPELESS, RETRIED, ModelError
from ..ports import ModelReply, ModelRequest, Usage
from ..store.rows import Batch, at
from ..store.schema import ROUND
from ..threads import off_loop
from .asking import ask
from .recorder import Recorder
from .services import Services, TaskSpec
from .slots import FOREGROUND, WORKER
from .snapshots import SnapshotTaker

TRIES = 3
_LONG = 20_000
_FIRST_WAIT = 1.0
_LONGEST_WAIT = 20.0
"""Seconds between tries where the provider names none, doubled each time, with jitter."""
_UNREACHED = 2
_LONGEST_SYNTHESIS_WAIT = 30.0
"""A guide is due: no provider's wish lets it wait longer."""


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


@dataclass(slots=True)
class _Round:
    """A round under way. `rows`: what is committed with its next step; `tried`: whether a request
    was made."""

    round_id: str
    request_no: int
    phase: Phase
    began_us: int
    rows: Batch = field(default_factory=Batch)
    tried: bool = False


class Rounds:
    """Makes the model requests of one task. `tokens` may be read from any thread.

    `hopeless`: why no later round can succeed either, once that is known. `partial`: the text of
    the reply that arrived last, or is arriving; `whole`: whether all of it is there.
    `overflowed`: whether the last round ended because its messages, shortened, have no room.
    """

    def __init__(
        self,
        services: Services,
        spec: TaskSpec,
        brief: Brief,
        recorder: Recorder,
        taker: SnapshotTaker,
    ) -> None:
        self.tokens = Tokens()
        self.partial = ""
        self.whole = True
        self._unreached = 0
        self.overflowed = False
        self.last_error = ""
        self.hopeless: ModelError | None = None
        self._services = services
        self._spec = spec
        self._brief = brief
        self._recorder = recorder
        self._taker = taker

    async def request(self, messages: list[Message]) -> ModelReply | None:
        """Make one round; return its reply, or None when there was none.

        Waiting for a slot is inside the task's time, so what is due is asked again after it. When
        the model has no room for `messages`, they are shortened in place.
        """
        recorder = self._recorder
        slots = self._services.slots.of(self._spec.model.name)
        priority = FOREGROUND if self._brief.foreground else WORKER
        current: _Round | None = None
        failure: ModelError | None = None
        try:
            for number in range(1, TRIES + 1):
                queued_us = recorder.now_us()
                async with slots.hold(priority):
                    if current is None:
                        if not isinstance(
                            next_step(recorder.state, recorder.now_us()), RequestRound
                        ):
                            return None
                        current = self._new_round()
                        self._time(current, self._queue, queued_us, "ok")
                        await self._begin(current, messages)
                    else:
                        self._time(current, self._queue, queued_us, "ok")
                    answer, failure = await self._try(current, messages)
                if failure is None or number == TRIES:
                    break
                if not await self._may_try_again(current, failure, number, messages):
                    break
        except asyncio.CancelledError:
            if current is not None:
                self._cut_short(current)
            raise
        assert current is not None
        self._note_reach(failure)
        self.overflowed = failure is not None and failure.kind == "overflow"
        finished, rows = self._finished(current, answer, _outcome(failure))
        if answer is not None and answer.calls:
            # What the calls do first is recorded in a moment, and the round's end with it.
            recorder.record_later(finished, rows)
        else:
            await recorder.record(finished, rows)
        return answer

    def _note_reach(self, failure: ModelError | None) -> None:
        """A server that no round reaches, twice with all its tries, is taken for one that is not
        there: a person should hear of that in seconds, and not when the task's time is over."""
        unreached = failure is not None and failure.kind == "connection"
        self._unreached = self._unreached + 1 if unreached else 0
        if self._unreached >= _UNREACHED:
            self.hopeless = failure

    @property
    def _queue(self) -> Stage:
        return "foreground_model_queue" if self._brief.foreground else "worker_model_queue"

    def _cut_short(self, current: _Round) -> None:
        """Record the end of a round whose run is halted, with a response row in any case.

        Not awaited: a run that is halted must not wait here; its end comes after this.
        """
        if not current.tried:
            self._time(current, "model_response", self._recorder.now_us(), "cancelled")
        self._recorder.record(*self._finished(current, None, "cancelled"))

    def _new_round(self) -> _Round:
        recorder = self._recorder
        request_no = recorder.state.request_no + 1
        phase = recorder.state.phase
        return _Round(self._services.ids.new(), request_no, phase, recorder.now_us())

    async def _begin(self, current: _Round, messages: list[Message]) -> None:
        rows, current.rows = current.rows, Batch()
        self._take(current, messages)
        rows.update(self._taker.due_rows(self._recorder.now_us()))
        await self._recorder.record(RoundStarted(current.round_id, current.request_no), rows)

    async def _try(
        self, current: _Round, messages: list[Message]
    ) -> tuple[ModelReply | None, ModelError | None]:
        """Make the request once; its time is one row, whatever came of it."""
        began_us = self._recorder.now_us()
        current.tried = True
        self.partial, self.whole = "", False
        try:
            request = self._request_of(messages)
            answer = await ask(self._spec.model, request, self._services.clock, self._hear)
        except asyncio.CancelledError:
            self._time(current, "model_response", began_us, "cancelled")
            raise
        except ModelError as error:
            self.last_error = visible(f"{error.sentence} {error.hint}", 500)
            self.hopeless = error if error.kind in HOPELESS else None
            self._time(current, "model_response", began_us, error.kind)
            return None, error
        self._time(current, "model_response", began_us, "ok")
        self.whole = True
        if len(answer.text) < _LONG:
            return self._identified(answer, request), None
        # A long text full of brackets takes a while to read: the loop must not wait for it.
        return await off_loop(lambda: self._identified(answer, request)), None

    def _hear(self, text: str) -> None:
        if text and self._recorder.state.task_type == "standard":  # a guide is published whole
            self.partial += storable(text)
            self._services.hub.publish(self._spec.task_id)

    async def _may_try_again(
        self, current: _Round, failure: ModelError, number: int, messages: list[Message]
    ) -> bool:
        """Do what another try needs: shorten the history, or wait; say whether to make it."""
        if failure.kind == "overflow":
            shorter = shortened(messages)
            if shorter is None:
                return False
            messages[:] = shorter
            self._take(current, messages)
            return True
        if failure.kind not in RETRIED:
            return False
        state = self._recorder.state
        wait = failure.retry_after
        if wait is None:
            doubled = _FIRST_WAIT * 2 ** (number - 1) * (0.5 + self._services.jitter())
            wait = min(doubled, _LONGEST_WAIT)
        began_us = self._recorder.now_us()
        collecting = state.phase in COLLECTING
        limit = seconds_left(state, began_us) if collecting else _LONGEST_SYNTHESIS_WAIT
        try:
            await self._services.clock.sleep(min(wait, limit))
        except asyncio.CancelledError:
            self._time(current, "model_retry_backoff", began_us, "cancelled")
            raise
        self._time(current, "model_retry_backoff", began_us, failure.kind)
        return wait <= limit

    def _take(self, current: _Round, messages: list[Message]) -> None:
        now = self._recorder.now_us()
        self._taker.take("request", messages, current.request_no, now, self._tools(now))

    def _time(self, current: _Round, stage: Stage, began_us: int, outcome: str) -> None:
        self._recorder.time(
            current.rows,
            stage,
            began_us,
            outcome,
            round_id=current.round_id,
            request_no=current.request_no,
        )

    def _finished(
        self, current: _Round, answer: ModelReply | None, outcome: RoundOutcome
    ) -> tuple[RoundFinished, Batch]:
        """Return the round's end with its usage and its times, to be recorded."""
        recorder = self._recorder
        usage = answer.usage if answer is not None else Usage()
        self.tokens = self.tokens.plus(usage)
        current.rows.add(
            ROUND,
            **recorder.row(
                round_id=current.round_id,
                request_no=current.request_no,
                phase=current.phase,
                prompt_version=self._brief.version,
                model=self._spec.model.name,
                input_tokens=usage.input_tokens,
                output_tokens=usage.output_tokens,
                cached_tokens=usage.cached_tokens,
                outcome=outcome,
                started_at=at(current.began_us),
            ),
        )
        return RoundFinished(current.round_id, outcome, usage.total), current.rows

    def _tools(self, now_us: int) -> tuple[ToolSpec, ...]:
        """The tools that a request offers now."""
        state = self._recorder.state
        names = self._brief.offered(state, now_us)
        outside = {spec.name: spec for spec in self._brief.outside}
        own = tuple(name for name in names if name not in outside)
        specs = tool_specs(own, supplement=bool(state.publications))
        return (*specs, *(outside[name] for name in names if name in outside))

    def _request_of(self, messages: list[Message]) -> ModelRequest:
        state, now = self._recorder.state, self._recorder.now_us()
        left, specs = budget_left(state, now), self._tools(now)
        schema = self._brief.schema(state, left, specs)
        tail = self._brief.tail(left, specs)
        return ModelRequest(tuple(messages), specs, left, tail, output_schema=schema)

    def _identified(self, answer: ModelReply, request: ModelRequest) -> ModelReply:
        """Read the reply as it is meant, and give every call an id of ours.

        A model may use an id twice, and ours are in order.
        """
        text, calls = understood(
            storable(answer.text),
            [
                replace(
                    call,
                    tool=storable(call.tool),
                    args=storable(call.args) if isinstance(call.args, str) else call.args,
                )
                for call in answer.calls
            ],
            [tool.name for tool in request.tools if known_tool(tool.name)],
            supplement=bool(self._recorder.state.publications),
        )
        numbered = tuple(replace(call, call_id=self._services.ids.new()) for call in calls)
        return replace(answer, text=text, calls=numbered)


def _outcome(failure: ModelError | None) -> RoundOutcome:
    if failure is None:
        return "ok"
    return "timeout" if failure.kind == "timeout" else "error"
