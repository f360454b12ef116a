"""Owns the keyless model behind the model port: it forwards each request to a worker process."""

from collections.abc import Callable
from typing import Any

from ...core.messages import ToolCall
from ...errors import ModelError
from ...ports import ModelReply, ModelRequest, unheard
from ..workers import WorkerError, WorkerPool

_TURN_SECONDS = 60.0


class ExtractiveModel:
    """Plans, opens and quotes by ranking alone; it writes no sentence of its own about a subject.

    It sees what every model sees, the request, and answers in tool calls like every model.
    `beside`: workers of side questions, so that no task's turn or search ever waits for one.
    """

    name = identity = "extractive"
    room = None
    takes_notes = False

    def __init__(self, workers: WorkerPool, beside: WorkerPool) -> None:
        self._workers = workers
        self._beside = beside

    async def respond(
        self, request: ModelRequest, heard: Callable[[str], None] = unheard
    ) -> ModelReply:
        """Return the next calls, or an answer, heard as a whole.

        Raises `ModelError` when the ranking fails.
        """
        if request.left is None:
            job = "adapters.models.extractive_side:answer"
            text = await _ranked(self._beside, job, list(request.messages), request.aside)
            heard(text)
            return ModelReply(text)
        offered = frozenset(tool.name for tool in request.tools)
        asked = (list(request.messages), request.left, offered)
        if "publish_research" in offered:
            job = "adapters.models.extractive_turn:next_calls"
            text, calls = "", await _ranked(self._workers, job, *asked)
        else:
            job = "adapters.models.extractive_chat:reply"
            text, calls = await _ranked(self._workers, job, *asked)
            heard(text)
        numbered = (ToolCall(str(number), *call) for number, call in enumerate(calls))
        return ModelReply(text, tuple(numbered))


async def _ranked(workers: WorkerPool, job: str, *args: Any) -> Any:
    try:
        return await workers.run(job, *args, timeout=_TURN_SECONDS)
    except WorkerError as error:
        raise ModelError(f"The extractive model failed: {error}.") from None
