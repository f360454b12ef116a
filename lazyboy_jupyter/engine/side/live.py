"""Owns one side question while it is answered: its steps, its time, its end. On the loop.

Whatever happens to the answer, the question comes to an end, and the end is stored.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence

from ...core.sanitise import storable, visible
from ...core.side import LONGEST_ANSWER, SECONDS, Rest, SideQuestion, SideStatus
from ...core.side_context import Pair
from ...core.side_evidence import rests_of
from ...core.snapshot import Snapshot
from ...errors import ModelError
from ...ports import Model, Usage
from ...threads import off_loop
from ..services import Services
from ..waiting import within
from .answering import Answer, Answering
from .pen import Pen
from .summaries import Summaries

_CUT = f"It was longer than {LONGEST_ANSWER:,} characters, and was ended there."
_log = logging.getLogger("lazyboy_jupyter")


class LiveQuestion:
    """Answers one question. `changed` is told of every step; `ended` is done when it has ended,
    with its end stored, and never raises."""

    def __init__(
        self,
        services: Services,
        side: SideQuestion,
        owner: tuple[str, str],
        changed: Callable[[SideQuestion], None],
    ) -> None:
        self._services = services
        self._side = side
        self._changed = changed
        self._pen = Pen(services, *owner)
        self._began_us = side.asked_us
        self._when_cut: SideStatus = "stopped"
        self._cut_at = ""
        self._took: list[Usage] = []

    def begin(
        self, model: Model, snapshot: Snapshot, pairs: Sequence[Pair], summaries: Summaries
    ) -> None:
        """Set it going."""
        clock = self._services.clock
        work = Answering(
            model, snapshot, pairs, summaries, clock, self._begun, self._heard, self._summarised
        )
        self._work: asyncio.Task[Answer] = asyncio.ensure_future(self._answered(work))
        self.ended = asyncio.ensure_future(self._live(snapshot))

    @property
    def side(self) -> SideQuestion:
        """It as it stands."""
        return self._side

    async def _answered(self, work: Answering) -> Answer:
        # Made in here: one that is stopped before it has begun leaves nothing that never ran.
        return await within(self._services.clock, SECONDS, work.answer(self._side.question))

    async def stop(self, *, interrupted: bool = False) -> None:
        """End the answer, its text kept. Returns when the end is stored."""
        if interrupted:
            self._when_cut = "interrupted"
        self._work.cancel()
        await asyncio.wait({self.ended})

    def _begun(self) -> None:
        self._began_us = self._services.clock.now_us()
        self._change(self._side.running())
        self._pen.note(self._side)

    def _heard(self, text: str) -> None:
        if not text or self._work.done():  # a piece that comes after the end is nobody's
            return
        first = self._side.first_text_us is None
        room = LONGEST_ANSWER - len(self._side.answer)
        self._change(self._side.heard(storable(text[:room]), self._services.clock.now_us()))
        if len(text) > room:
            self._cut_at = _CUT
            self._work.cancel()
        if first:
            self._pen.time(self._side, "side_question_first_text", self._side.asked_us, "ok")
        self._pen.note(self._side)

    def _summarised(self, began_us: int, outcome: str, usage: Usage) -> None:
        self._took.append(usage)
        self._pen.time(self._side, "side_question_summary", began_us, outcome)

    def _change(self, side: SideQuestion) -> None:
        self._side = side
        self._changed(side)

    async def _live(self, snapshot: Snapshot) -> None:
        # The work is a task of its own: one that is cancelled before it has begun runs nothing.
        await asyncio.wait({self._work})
        ended = await self._ended(snapshot)
        self._pen.time(self._side, "side_question_response", self._began_us, ended.status)
        await self._pen.end(ended)
        self._change(ended)

    async def _ended(self, snapshot: Snapshot) -> SideQuestion:
        side, now = self._side, self._services.clock.now_us()
        try:
            answer = self._work.result()
        except asyncio.CancelledError:
            return side.end(self._when_cut, now, problem=self._cut_at)
        except TimeoutError:
            problem = f"There was no whole answer within {SECONDS:g} s. Ask again."
            return side.end("timed_out", now, problem=problem)
        except ModelError as error:
            status: SideStatus = "timed_out" if error.kind == "timeout" else "failed"
            return side.end(status, now, problem=visible(str(error), 500))
        except Exception as error:  # noqa: BLE001 - a question always comes to an end
            _log.exception("side question %s failed", side.request_id)
            problem = f"An error of ours ended it: {type(error).__name__}."
            return side.end("failed", now, problem=problem)
        return side.end(
            answer.status,
            now,
            answer=answer.text[:LONGEST_ANSWER],
            tool=answer.tool,
            tokens=_tokens([*self._took, answer.usage]),
            rests_on=await self._rests_on(answer.text[:LONGEST_ANSWER], snapshot),
        )

    async def _rests_on(self, answer: str, snapshot: Snapshot) -> tuple[Rest, ...]:
        """Quotes are looked up in whole pages. An answer is one also when that fails."""
        try:
            return await off_loop(lambda: rests_of(answer, snapshot.thawed()))
        except Exception:  # noqa: BLE001 - see above
            _log.exception("what side question %s rests on", self._side.request_id)
            return ()


def _tokens(took: Sequence[Usage]) -> tuple[int | None, int | None]:
    """Return the tokens of all requests together; unknown where one of them is."""
    into = [one.input_tokens for one in took]
    out = [one.output_tokens for one in took]
    return (
        None if None in into else sum(one or 0 for one in into),
        None if None in out else sum(one or 0 for one in out),
    )
