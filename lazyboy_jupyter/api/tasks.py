"""Owns the routes of tasks (DESIGN §10)."""

from collections.abc import Mapping
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from fastapi import APIRouter, Query, Response

from ..core.card import card_values
from ..core.sanitise import storable
from ..engine.handing_out import guide_as_file, quote_in_its_page
from ..errors import UnknownTaskError, UsageError
from .bridge import Bridge
from .models import (
    AnswerWanted,
    BudgetWanted,
    Deleted,
    Format,
    GuideFile,
    Publications,
    QuoteInPage,
    Sources,
    Status,
    TaskDetail,
    TaskOutput,
    TaskPage,
    TaskRow,
    TaskType,
    TaskWanted,
    Timing,
)
from .problems import ConflictError

if TYPE_CHECKING:
    from ..engine.engine import Engine
    from ..engine.task import Task

Values = dict[str, Any]


def task_routes(bridge: Bridge) -> APIRouter:
    """Return the routes of tasks and of what they left."""
    routes = APIRouter()

    @routes.get("/api/tasks", response_model=TaskPage)
    async def tasks(
        status: Status | None = None,
        task_type: Annotated[TaskType | None, Query(alias="type")] = None,
        before: str | None = None,
        limit: Annotated[int, Query(ge=1, le=200)] = 50,
    ) -> Values:
        """Tasks, newest first, `limit` at once; `before`: those before this task."""

        def page(engine: "Engine") -> Values:
            return _page(engine, status, task_type, before, limit)

        return await bridge.read(page)

    @routes.post("/api/tasks", response_model=TaskRow, status_code=202)
    async def research(wanted: TaskWanted, response: Response) -> Values:
        """Begin research; it goes on in the background."""
        task = await bridge.read(partial(_begun, wanted))
        response.headers["Location"] = f"api/tasks/{task.id}"
        return await bridge.read(partial(_row_of, task_id=task.id))

    @routes.get("/api/tasks/{task_id}", response_model=TaskDetail)
    async def task(task_id: str) -> Values:
        """A task as its card shows it: progress, sources, guide."""
        version = bridge.log.last
        return _detail(await bridge.task(task_id), version)

    @routes.post("/api/tasks/{task_id}/cancel", response_model=TaskRow)
    async def cancel(task_id: str) -> Values:
        """End a task; what it has is kept. One that has ended stays as it is."""
        await bridge.task(task_id)
        await bridge.run(lambda engine: engine.halt(task_id))
        return await bridge.read(partial(_row_of, task_id=task_id))

    @routes.post("/api/tasks/{task_id}/resume", response_model=TaskRow, status_code=202)
    async def resume(task_id: str, response: Response) -> Values:
        """Go on, in a task of its own, with one that has ended early; what was left to it and what
        it had read is that one's."""
        await bridge.task(task_id)
        task = await bridge.read(partial(_resumed, task_id))
        response.headers["Location"] = f"api/tasks/{task.id}"
        return await bridge.read(partial(_row_of, task_id=task.id))

    @routes.delete("/api/tasks/{task_id}", response_model=Deleted)
    async def delete(task_id: str) -> Values:
        """Stop a task and delete all of it, for good."""
        await bridge.task(task_id)
        return {"deleted": [await bridge.read(lambda engine: engine.delete(task_id))]}

    @routes.delete("/api/conversations/{conversation_id}", response_model=Deleted)
    async def delete_all(conversation_id: str) -> Values:
        """Stop and delete all tasks and turns of a conversation, for good."""
        deleted = await bridge.read(lambda engine: engine.delete_conversation(conversation_id))
        return {"deleted": deleted}

    _add_answer(routes, bridge)
    _add_stored(routes, bridge)
    _add_handed_out(routes, bridge)
    return routes


def _add_answer(routes: APIRouter, bridge: Bridge) -> None:
    @routes.post("/api/tasks/{task_id}/answer", response_model=TaskRow, status_code=202)
    async def answer(task_id: str, wanted: AnswerWanted) -> Values:
        """Answer the question that a task has for the person."""
        task = await bridge.task(task_id)
        if task.pending_question is None:
            raise ConflictError(
                f"Task {task.id[-8:]} asks nothing.", "GET /api/agents/all/activity."
            )
        await bridge.run(lambda engine: engine.give_answer(task_id, wanted.text))
        return await bridge.read(partial(_row_of, task_id=task_id))


def _add_stored(routes: APIRouter, bridge: Bridge) -> None:
    @routes.get("/api/tasks/{task_id}/publications", response_model=Publications)
    async def publications(task_id: str) -> Values:
        """The publications so far."""
        return {"items": [asdict(one) for one in (await bridge.task(task_id)).publications]}

    @routes.get("/api/tasks/{task_id}/sources", response_model=Sources)
    async def sources(task_id: str) -> Values:
        """Every source seen: read, listed or failed."""
        return {"items": [asdict(one) for one in (await bridge.task(task_id)).sources]}

    @routes.get("/api/tasks/{task_id}/timing", response_model=Timing)
    async def timing(task_id: str) -> Values:
        """How long each stage took; without any text."""
        task = await bridge.task(task_id)
        return {"items": await bridge.read(lambda _engine: _rows(task))}


def _add_handed_out(routes: APIRouter, bridge: Bridge) -> None:
    @routes.get("/api/tasks/{task_id}/guide", response_model=GuideFile)
    async def guide(task_id: str, format: Format = "md") -> Values:  # noqa: A002 - as people say
        """The guide as a file."""
        return await guide_as_file((await bridge.task(task_id)).view(), format)

    @routes.get("/api/tasks/{task_id}/output", response_model=TaskOutput)
    async def output(task_id: str) -> Values:
        """The task as an output of its cell."""
        task = await bridge.task(task_id)
        return {"data": await bridge.read(lambda _engine: task._repr_mimebundle_())}

    @routes.get("/api/tasks/{task_id}/citations/{key}", response_model=QuoteInPage)
    async def citation(task_id: str, key: str) -> Values:
        """What stands around a citation's quote in its page; `key`: as the guide has it."""
        task = await bridge.task(task_id)
        return await quote_in_its_page(task.engine, task.view(), key)


def _begun(wanted: TaskWanted, engine: "Engine") -> "Task":
    question = storable(wanted.question)
    if wanted.task_type == "standard":
        if wanted.budget != BudgetWanted():
            raise UsageError("A standard task has ceilings of its own.", "Leave the budget out.")
        return engine.delegate(
            question, agent=wanted.agent, model=wanted.model, search=wanted.search
        )
    if wanted.agent:
        raise UsageError("Research has an agent of its own.", "Leave the agent out.")
    return engine.research(
        question,
        model=wanted.model,
        search=wanted.search,
        **wanted.budget.model_dump(),
    )


def _resumed(task_id: str, engine: "Engine") -> "Task":
    try:
        return engine.resume(task_id)
    except UsageError as error:
        raise ConflictError(error.sentence, error.hint) from None


def _detail(task: "Task", version: int) -> Values:
    values = card_values(task.view(), task.agent_id, task.engine.activity(task.agent_id))
    values["card"]["version"] = version
    return values


def _page(
    engine: "Engine", status: Status | None, kind: str | None, before: str | None, limit: int
) -> Values:
    rows = [
        row
        for row in (_as_it_stands(engine, row) for row in engine.tasks())
        if status in {None, row["status"]}
        and kind in {None, row["task_type"]}
        and (before is None or row["task_id"] < before)
    ]
    last = rows[limit - 1]["task_id"] if len(rows) > limit else ""
    return {"items": rows[:limit], "next_before": last}


def _row_of(engine: "Engine", task_id: str) -> Values:
    row = engine.row(task_id)
    if row is None:
        raise UnknownTaskError("That task is not in the store.", "GET /api/tasks.")
    return _as_it_stands(engine, row)


def _as_it_stands(engine: "Engine", row: Mapping[str, Any]) -> Values:
    """A live task's row in the store may be a moment behind it."""
    stage = engine.stage_of(row["task_id"])
    if stage is None:
        return {**row, "live": False}
    status, phase, _ = stage
    live = status in {"queued", "running", "waiting_input"}
    return {**row, "status": status, "phase": phase, "live": live}


def _rows(task: "Task") -> list[Values]:
    relation = task.timing()
    return [dict(zip(relation.columns, row, strict=True)) for row in relation.fetchall()]
