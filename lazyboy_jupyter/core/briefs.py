"""Owns what a kind of task offers its model in each request, and how it is told so. Pure.

A run asks the brief of its kind, so that rounds and tools are one for all kinds.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from .decisions import offered_sources, offered_tools
from .left import BudgetLeft, standard_tail, tail_of
from .phases import SYNTHESISING
from .prompts import COORDINATOR_VERSION, STANDARD_VERSION, VERSION
from .research import ResearchState
from .team_tools import TEAM_MODELS
from .tools import RESEARCH_TOOLS, ToolSpec

Schema = Mapping[str, Any]
_SOURCES = frozenset(("web_search", "open_page", "browser_open", "browser_snapshot"))
_TEAM = frozenset(("delegate_task", "task_status"))


class Brief(Protocol):
    """What requests of one task offer."""

    @property
    def version(self) -> str:
        """The version of the instructions."""
        ...

    @property
    def tools(self) -> frozenset[str]:
        """Every tool that could ever be offered: no other is run, whatever a model sends."""
        ...

    @property
    def foreground(self) -> bool:
        """Whether a person waits for the reply."""
        ...

    def offered(self, state: ResearchState, now_us: int) -> tuple[str, ...]:
        """Return the names of the tools that the next request offers."""
        ...

    @property
    def outside(self) -> tuple[ToolSpec, ...]:
        """The declarations of tools that are none of ours."""
        ...

    def tail(self, left: BudgetLeft, tools: Sequence[ToolSpec]) -> str:
        """Return what stands at the request's end."""
        ...

    def schema(
        self, state: ResearchState, left: BudgetLeft, tools: Sequence[ToolSpec]
    ) -> Schema | None:
        """Return the form that the reply is bound to, if it is."""
        ...


@dataclass(frozen=True, slots=True)
class ResearchBrief:
    """That of research. Nothing but what reads sources and publishes, whatever a model sends."""

    browser: bool
    version: str = VERSION
    tools: frozenset[str] = frozenset(RESEARCH_TOOLS)
    outside: tuple[ToolSpec, ...] = ()
    foreground: bool = False

    def offered(self, state: ResearchState, now_us: int) -> tuple[str, ...]:
        """Return what may still be used."""
        return offered_tools(state, now_us, browser=self.browser)

    def tail(self, left: BudgetLeft, tools: Sequence[ToolSpec]) -> str:
        """Return what is left of the budget, and what may be called."""
        return tail_of(left, [tool.name for tool in tools])

    def schema(
        self, state: ResearchState, left: BudgetLeft, tools: Sequence[ToolSpec]
    ) -> Schema | None:
        """A model that has let its first round of synthesis pass is bound to a publication."""
        late = state.phase in SYNTHESISING and left.rounds < state.budget.synthesis_rounds
        return tools[-1].parameters if late else None


@dataclass(frozen=True, slots=True)
class StandardBrief:
    """That of a standard task: its sources, other agents where it may have any, the person, and
    what of the `outside` the person has configured."""

    browser: bool
    team: bool = True
    outside: tuple[ToolSpec, ...] = ()
    version: str = STANDARD_VERSION
    foreground: bool = False

    @property
    def tools(self) -> frozenset[str]:
        """Its sources, others where it may have any, the person."""
        team = _TEAM if self.team else frozenset()
        outside = frozenset(spec.name for spec in self.outside)
        return _SOURCES | team | outside | {"read_tool_output", "report_progress", "ask_user"}

    def offered(self, state: ResearchState, now_us: int) -> tuple[str, ...]:
        """Return what may still be used."""
        names = [*offered_sources(state, now_us, browser=self.browser), "read_tool_output"]
        if state.phase == "working":
            names += ["report_progress", "ask_user"]
            if self.team:
                names += sorted(_TEAM)
            names += [spec.name for spec in self.outside]
        return tuple(names)

    def tail(self, left: BudgetLeft, tools: Sequence[ToolSpec]) -> str:
        """Return what is left of the ceilings, and what may be called."""
        return standard_tail(left, [tool.name for tool in tools])

    def schema(
        self, state: ResearchState, left: BudgetLeft, tools: Sequence[ToolSpec]
    ) -> Schema | None:
        """Return None: an answer is text."""
        return None


@dataclass(frozen=True, slots=True)
class CoordinatorBrief:
    """That of a turn of the conversation: other agents and the person, and no source of its own."""

    version: str = COORDINATOR_VERSION
    tools: frozenset[str] = frozenset((*TEAM_MODELS, "read_tool_output"))
    outside: tuple[ToolSpec, ...] = ()
    foreground: bool = True

    def offered(self, state: ResearchState, now_us: int) -> tuple[str, ...]:
        """Return the coordinator's tools, the same in every round."""
        if state.phase != "working":
            return ("read_tool_output",)
        return (*TEAM_MODELS, "read_tool_output")

    def tail(self, left: BudgetLeft, tools: Sequence[ToolSpec]) -> str:
        """Return nothing while there is enough of everything: what is said again costs tokens."""
        return "" if left.rounds > 1 else standard_tail(left, [tool.name for tool in tools])

    def schema(
        self, state: ResearchState, left: BudgetLeft, tools: Sequence[ToolSpec]
    ) -> Schema | None:
        """Return None: an answer is text."""
        return None
