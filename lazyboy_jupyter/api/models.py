"""Owns the shapes of the HTTP contract, as its description tells them. Pure.

What is sent is what the widgets get (`core/card.py`, `roster.py`, `side_panel.py`); here it has
types, and what comes in has its limits.
"""

from datetime import datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from ..core.activity import ActivityState
from ..core.side import LONGEST_QUESTION, SideStatus

Status = Literal[
    "queued", "running", "waiting_input", "completed", "failed", "cancelled", "interrupted"
]
TaskType = Literal["research", "standard"]


class Wanted(BaseModel):
    """A request's body: a field that nobody knows is refused."""

    model_config = ConfigDict(extra="forbid", strict=True)


class BudgetWanted(Wanted):
    """Limits of a task; what is not given comes from the settings. `time`: seconds."""

    time: float | None = None
    searches: int | None = None
    pages: int | None = None
    gaps: int | None = None
    max_tokens: int | None = None


class TaskWanted(Wanted):
    """A question to research, or the instruction of a standard task; of that, `agent` is the name
    of one that there is, or of a new one."""

    question: str
    task_type: TaskType = "research"
    agent: str = Field(default="", max_length=60)
    model: str | None = None
    search: str | list[str] | None = None
    budget: BudgetWanted = BudgetWanted()


class SideQuestionWanted(Wanted):
    """A side question; the same `client_request_id` asks once. One over the limit of characters is
    refused in words."""

    question: str = Field(max_length=10 * LONGEST_QUESTION)
    client_request_id: str = Field(min_length=1, max_length=100)


class AnswerWanted(Wanted):
    """What the person answers to a task's question."""

    text: str = Field(min_length=1, max_length=10 * LONGEST_QUESTION)


class Problem(BaseModel):
    """What went wrong: its kind, a sentence, the next step."""

    error: str
    detail: str
    hint: str


class Activity(BaseModel):
    """What an agent, or all of them, are doing."""

    state: ActivityState
    task_ids: list[str]
    pending_question: str | None


class AgentActivity(BaseModel):
    """`version`: increases with what happens; an answer with a lower one is late."""

    agent_id: str
    version: int
    activity: Activity


class Agent(BaseModel):
    """An agent and the tasks that make it busy."""

    agent_id: str
    name: str
    state: ActivityState
    task_ids: list[str]
    pending_question: str | None


class Meter(BaseModel):
    """What is spent of a limit."""

    label: str
    used: float
    total: float
    unit: str


class Progress(BaseModel):
    """How far a task is."""

    status: Status
    live: bool
    dot: str
    headline: str
    elapsed_s: float
    ticking: bool
    meters: list[Meter]


class RosterTask(Progress):
    """A task as a dashboard shows it."""

    task_id: str
    short_id: str
    agent_id: str
    task_type: TaskType
    question: str
    asked: str
    read: int
    model: str
    search: str


class Roster(BaseModel):
    """The agents of the newest tasks, and those tasks, newest first. `version`: as of an
    activity's."""

    activity: Activity
    agents: list[Agent]
    tasks: list[RosterTask]
    note: str
    version: int


class AgentDetail(Agent):
    """An agent with its tasks."""

    tasks: list[RosterTask]


class TaskRow(BaseModel):
    """A task as it is listed."""

    task_id: str
    conversation_id: str
    agent_id: str
    name: str | None
    question: str
    task_type: TaskType
    status: Status
    phase: str
    live: bool
    error: str | None
    model: str
    search: str | None
    searches: int
    pages: int
    created_at: datetime
    started_at: datetime | None
    ended_at: datetime | None


class TaskPage(BaseModel):
    """Tasks, newest first. `next_before`: gives the page after this one; empty: there is none."""

    items: list[TaskRow]
    next_before: str


class TaskDetail(BaseModel):
    """A task as its card shows it."""

    card: dict[str, Any]
    sources: list[dict[str, Any]]
    guide: dict[str, Any] | None


class PublicationRow(BaseModel):
    """A publication as it is stored: its number, 0 or 1, and its claims with their citations."""

    model_config = ConfigDict(extra="allow")

    number: int
    summary: str


class SourceRow(BaseModel):
    """A source as it is stored."""

    model_config = ConfigDict(extra="allow")

    source_id: str
    url: str
    state: str


class TimingRow(BaseModel):
    """How long a stage took."""

    model_config = ConfigDict(extra="allow")

    ts: datetime
    stage: str
    elapsed_ms: float
    outcome: str


class Items(BaseModel):
    """Rows in the order of their making."""

    items: list[Any]


class Publications(Items):
    """The publications of a task."""

    items: list[PublicationRow]


class Sources(Items):
    """The sources of a task."""

    items: list[SourceRow]


class Timing(Items):
    """The timing of a task."""

    items: list[TimingRow]


Format = Literal["md", "html", "txt", "json", "bib"]


class GuideFile(BaseModel):
    """A guide as a file."""

    name: str
    text: str
    media: str


class TaskOutput(BaseModel):
    """A task as a notebook's file keeps it: a form by MIME type."""

    data: dict[str, Any]


class QuoteInPage(BaseModel):
    """A quote in its page's own words, with what stands before and behind it."""

    before: str
    quote: str
    after: str
    title: str
    url: str
    source: str


class Deleted(BaseModel):
    """The tasks that were deleted, or the count of side questions."""

    deleted: Annotated[list[str], Field(description="ids")]


class SideItem(BaseModel):
    """A side question with its answer so far, the whole of it each time. `sequence`: increases."""

    model_config = ConfigDict(extra="allow")

    id: str
    parent: str
    sequence: int
    ordinal: int
    question: str
    answer: str
    live: bool
    status: SideStatus


class SnapshotSeen(BaseModel):
    """The newest snapshot of an agent: how old, where it was taken, how far the agent has gone."""

    age_s: float
    boundary: str
    ahead: int | None


class SidePage(BaseModel):
    """A parent's side questions, newest first; `current` is still being answered. `next_cursor`:
    the `before` of the page after this one; 0: there is none."""

    model_config = ConfigDict(extra="allow")

    parent: str
    items: list[SideItem]
    current: SideItem | None
    snapshot: SnapshotSeen | None
    can_ask: bool
    why_not: str
    next_cursor: int


class PromotionWanted(Wanted):
    """Whether the agent is to get the answer; else only what it would get is told."""

    sure: bool = False


class Promotion(BaseModel):
    """What the agent gets, or would get."""

    note: str


class Cleared(BaseModel):
    """How many side questions were deleted."""

    count: int
