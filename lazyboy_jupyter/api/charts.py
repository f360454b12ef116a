"""Owns the routes of what was timed, as charts."""

from functools import partial
from typing import TYPE_CHECKING, Any

from fastapi import APIRouter
from pydantic import BaseModel

from ..core.chart import chart_values
from ..core.timing_views import READY
from ..engine.charts import ready_chart, waterfall_chart
from .bridge import Bridge

if TYPE_CHECKING:
    from ..engine.engine import Engine
    from ..store.reading import Head

Values = dict[str, Any]


class Span(BaseModel):
    """A part of a bar, in shares of the axis; `tone` says what it is."""

    start: float
    end: float
    tone: str


class Bar(BaseModel):
    """One row of a chart; `value`: its length in words."""

    label: str
    spans: list[Span]
    value: str
    detail: str


class ChartValues(BaseModel):
    """Bars over one axis from zero, with the SQL that made them."""

    title: str
    bars: list[Bar]
    tones: list[str]
    notes: list[str]
    sql: str


def chart_routes(bridge: Bridge) -> APIRouter:
    """Return the routes of a task's waterfall, and of the time by stage."""
    routes = APIRouter()

    @routes.get("/api/tasks/{task_id}/waterfall", response_model=ChartValues)
    async def waterfall(task_id: str) -> Values:
        """Where a task's time went, stage by stage from its start."""
        task = await bridge.task(task_id)
        return await bridge.read(partial(_waterfall, task.id))

    @routes.get("/api/timing/stages", response_model=ChartValues)
    async def stages() -> Values:
        """Where all tasks' time went: p50, p95 and p99 of each stage."""
        return await bridge.read(_stages)

    return routes


def _waterfall(task_id: str, engine: "Engine") -> Values:
    return chart_values(waterfall_chart(partial(_read, engine), task_id))


def _stages(engine: "Engine") -> Values:
    return chart_values(ready_chart(partial(_read, engine), READY["stages"]))


def _read(engine: "Engine", sql: str, limit: int) -> "Head":
    return engine.query(sql).head(limit)
