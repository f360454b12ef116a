"""Owns the shape of a measured stage (DESIGN §7). A row never holds a prompt, address or text."""

from dataclasses import dataclass
from typing import Literal

Stage = Literal[
    "worker_model_queue",
    "foreground_model_queue",
    "model_response",
    "model_retry_backoff",
    "tool_execution",
    "research_source",
    "research_first_delivery",
    "research_final_delivery",
    "side_question_summary",
    "side_question_first_text",
    "side_question_response",
]


@dataclass(frozen=True, slots=True)
class TimingRow:
    """One measured stage. `elapsed_ms`: milliseconds; `ts_us`: its end, microseconds UTC.

    `request_no` counts the task's model requests from 1; a tool's row carries the request whose
    reply asked for the call, and its `call_id`. Deliveries count from the task's start.
    """

    ts_us: int
    conversation_id: str
    task_id: str
    agent_id: str
    stage: Stage
    elapsed_ms: float
    outcome: str
    round_id: str | None = None
    request_no: int | None = None
    call_id: str | None = None
