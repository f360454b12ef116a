"""Owns giving tasks to agents, and what one may be told of another's (DESIGN §19).

On the engine's thread. Limits keep work that makes work from running away.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from ..core.briefs import StandardBrief
from ..core.budget import STANDARD, Budget
from ..core.folding import FoldedText
from ..core.render_text import guide_to_text, short_id
from ..core.reports import Report, report_content
from ..core.sanitise import storable, visible
from ..core.team_tools import DelegateArgs, SpawnArgs
from ..errors import UnknownTaskError
from ..ports import Toolset
from ..store.rows import Batch
from ..threads import off_loop
from .agents import COORDINATOR, Agent, Agents, is_coordinator
from .book import Output
from .live_runs import LiveRuns
from .run import ResearchRun
from .services import Services, TaskSpec
from .stored import (
    UNREADABLE,
    conversation_tasks,
    find_task,
    load_task,
    output_text,
    results_of_agent,
)
from .task_run import TaskRun

Content = Mapping[str, Any]
DEPTH = 2
"""How many agents stand between the person and the last one that a task can be given to."""
MOST_CHILDREN = 8
"""Tasks that one task may give away, which a person, or the coordinator, has begun."""
FEWER = 3
"""Tasks that one may give away which was itself given away: work that makes work stays small."""
_LISTED = 20


@dataclass(frozen=True, slots=True)
class Begun:
    """A task that was given to an agent."""

    task_id: str
    agent: Agent
    content: Content


Start = Callable[[TaskRun, Callable[[], Awaitable[None]]], Awaitable[object]]
"""Commits a run and sets it going."""


class Team:
    """The agents of one engine's conversation. `start` begins a run; `budget` is that of research
    as the settings have it now; `toolsets`: what standard tasks have of the outside."""

    def __init__(
        self,
        services: Services,
        runs: LiveRuns,
        agents: Agents,
        start: Start,
        budget: Callable[[], Budget],
        toolsets: Sequence[Toolset] = (),
    ) -> None:
        self._toolsets = tuple(toolsets)
        self.agents = agents
        self._services = services
        self._runs = runs
        self._start = start
        self._budget = budget

    def live(self, task_ids: Sequence[str]) -> list[TaskRun]:
        """Return the runs of those of the tasks that have not ended."""
        runs = (self._runs.run_of(task_id) for task_id in task_ids)
        return [run for run in runs if run is not None and not run.state.ended]

    async def delegate(self, by: TaskRun, args: DelegateArgs | SpawnArgs) -> Begun:
        """Give an agent a task of its own; return it when it is stored. It is not refused."""
        role = args.role if isinstance(args, SpawnArgs) else ""
        now = self._services.clock.now_us()
        with self.agents.joined(_name(args), role, now) as (agent, rows):
            return await self._begin(by.spec, agent, args, rows)

    def refusal(self, by: TaskRun, args: DelegateArgs | SpawnArgs) -> str:
        """Return why an agent cannot be given a task now; empty when it can."""
        spec, agent = by.spec, self.agents.named(_name(args))
        if is_coordinator(_name(args)):
            return f"The {COORDINATOR} takes no tasks: it talks to the person."
        if agent is None:
            return ""
        if agent.agent_id in {spec.agent_id, *spec.ancestors}:
            return f"{agent.name} is at work on what led to this, and would wait for itself."
        if not spec.foreground and any(
            run.spec.agent_id == agent.agent_id for run in self._runs.all()
        ):
            # Two who waited for each other's next task would wait until their time is over.
            return f"{agent.name} is busy with a task of its own. Give it to an agent of yours."
        if isinstance(args, SpawnArgs):
            return f"There is an agent {agent.name!r} already: delegate_task gives it a task."
        return ""

    async def _begin(
        self, by: TaskSpec, agent: Agent, args: DelegateArgs | SpawnArgs, rows: Batch
    ) -> Begun:
        spec = TaskSpec(
            self._services.ids.new(),
            by.conversation_id,
            agent.agent_id,
            "",
            by.model,
            by.sources,
            parent_task_id=by.task_id,
            role=agent.role,
            ancestors=(*by.ancestors, by.agent_id),
        )
        run: TaskRun
        if args.task_type == "research":
            run, budget = ResearchRun(self._services, spec), self._budget()
        else:
            run, budget = self.standard(spec), STANDARD
        instruction = storable(args.instruction)
        await self._start(run, partial(run.queue, instruction, budget, rows))
        content = {
            "task": short_id(spec.task_id),
            "agent": agent.name,
            "task_type": args.task_type,
            "question": visible(instruction, 300),
            "status": run.state.status,
        }
        return Begun(spec.task_id, agent, content)

    async def earlier(self, agent_id: str) -> list[tuple[str, str]]:
        """Return the standard tasks that an agent had before, each with its result."""
        database = self._services.database
        return await off_loop(partial(results_of_agent, database, agent_id))

    def standard(self, spec: TaskSpec) -> TaskRun:
        """Return a standard task's run."""
        from .standard import StandardRun  # it needs a team

        spec = replace(spec, toolsets=self._toolsets)
        brief = StandardBrief(
            browser=spec.sources.browser is not None,
            team=len(spec.ancestors) < DEPTH,
            outside=tuple(one for toolset in self._toolsets for one in toolset.specs),
        )
        return StandardRun(self._services, spec, self, brief=brief)

    async def status(self, by: TaskRun, reference: str) -> Content | str:
        """Return how the tasks stand that an agent may know of, or one of them, or a refusal.

        The coordinator may know of all of its conversation, another of those that it gave away.
        """
        task_ids = await self._known_to(by)
        if not reference.strip():
            newest = task_ids[:_LISTED]
            return {"tasks": [await self._line(task_id) for task_id in newest]}
        task_id = await self._found(reference, task_ids)
        if task_id is None:
            return "There is no such task here."
        return await off_loop(partial(report_content, await self.report(task_id)))

    async def output(self, by: TaskRun, output_id: str) -> Output | None:
        """Return a whole text of a task that an agent may know of: "TASK/O1" a page as it was read,
        "TASK/guide" what came of it."""
        reference, _, name = output_id.partition("/")
        task_id = await self._found(reference, await self._known_to(by)) if name else None
        if task_id is None:
            return None
        if name == "guide":
            report = await self.report(task_id)
            text = report.result if report.guide is None else guide_to_text(report.guide)
        else:
            database = self._services.database
            text = await off_loop(lambda: output_text(database, task_id, name) or "")
        return Output(output_id, short_id(task_id), text, FoldedText("")) if text else None

    async def report(self, task_id: str) -> Report:
        """Return what a task has come to."""
        now = self._services.clock.now_us()
        run = self._runs.run_of(task_id)
        if run is not None:
            view, agent_id = run.view(now), run.spec.agent_id
        else:
            try:
                stored = await off_loop(partial(load_task, self._services.database, task_id))
            except UNREADABLE:
                return Report(task_id, "", "", "deleted")
            view, agent_id = stored.view(now), stored.agent_id
        return Report(
            task_id,
            self.agents.name_of(agent_id),
            view.question,
            view.status,
            view.guide,
            "" if view.live else view.result,
            view.rests_on,
            view.asked or view.error,
        )

    async def _line(self, task_id: str) -> Content:
        report = await self.report(task_id)
        return {
            "task": short_id(task_id),
            "agent": report.agent,
            "status": report.status,
            "question": visible(report.question, 300),
        }

    async def _known_to(self, by: TaskRun) -> list[str]:
        """The tasks that an agent may know of, newest first."""
        if not by.spec.foreground:
            return list(reversed(by.state.children))
        coordinator = self.agents.named(COORDINATOR)
        return await off_loop(
            partial(
                conversation_tasks,
                self._services.database,
                by.spec.conversation_id,
                coordinator.agent_id if coordinator else "",
            )
        )

    async def _found(self, reference: str, task_ids: Sequence[str]) -> str | None:
        try:
            found = await off_loop(partial(find_task, self._services.database, reference))
        except UnknownTaskError:
            return None
        return found if found in task_ids else None


def _name(args: DelegateArgs | SpawnArgs) -> str:
    return args.name if isinstance(args, SpawnArgs) else args.agent
