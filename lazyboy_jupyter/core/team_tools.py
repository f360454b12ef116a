"""Owns the arguments of what only a standard task's agent may call: others, and the person."""

from typing import Annotated

from pydantic import BaseModel, BeforeValidator, Field, StringConstraints

from . import shapes
from .events import TaskType

LONGEST_INSTRUCTION = 20_000
Name = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=60),
    BeforeValidator(shapes.line),
]
_Line = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=2_000),
    BeforeValidator(shapes.line),
]
_Instruction = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST_INSTRUCTION),
    BeforeValidator(shapes.line),
]
_TaskType = Annotated[
    TaskType,
    Field(
        description="research: search, and publish a guide with proven quotes, within a small "
        "budget. standard: anything else."
    ),
]


class DelegateArgs(BaseModel):
    """Arguments of `delegate_task`."""

    agent: Name = Field(description="The agent's name; one that nobody has yet makes a new agent.")
    instruction: _Instruction = Field(description="All that it needs to know, or the question.")
    task_type: _TaskType = "standard"


class SpawnArgs(BaseModel):
    """Arguments of `spawn_agent`."""

    name: Name = Field(description="A name that no agent has yet.")
    role: _Line = Field(description="What it is for, in one sentence; it is told so.")
    instruction: _Instruction = Field(description="Its first task, or the question.")
    task_type: _TaskType = "standard"


class StatusArgs(BaseModel):
    """Arguments of `task_status`: none for all tasks, or one task's id."""

    task: str = Field(default="", max_length=80, description="A task's id; empty for all of them.")


class AskArgs(BaseModel):
    """Arguments of `ask_user`."""

    question: _Line = Field(description="One question, answerable in a few words.")


TeamArgs = DelegateArgs | SpawnArgs | StatusArgs | AskArgs

TEAM_MODELS: dict[str, type[TeamArgs]] = {
    "delegate_task": DelegateArgs,
    "spawn_agent": SpawnArgs,
    "task_status": StatusArgs,
    "ask_user": AskArgs,
}
TEAM_DESCRIPTIONS: dict[str, str] = {
    "delegate_task": "Give an agent a task. It works in the background; you need not wait. "
    "What it finds is told to you by itself.",
    "spawn_agent": "Make a new agent with a name and a role, and give it its first task.",
    "task_status": "How the tasks stand, or what one of them has found so far.",
    "ask_user": "Ask the person what you cannot find out, and wait for the answer.",
}
