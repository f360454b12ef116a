"""The OpenAPI description holds: whatever it allows to be sent gets an answer that it names."""

import os
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis import checks

from lazyboy_jupyter.api.app import api
from lazyboy_jupyter.api.bridge import Bridge
from tests.api.world import Kernel, Nobody, Values, served

SCHEMA = schemathesis.openapi.from_dict(api(Bridge(Nobody(), 0)).openapi())
EXAMPLES = 200 if os.environ.get("LAZYBOY_TEST_FULL") else 3
CHECKS = [
    checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
]


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kernel]:
    """One for all that is generated; over a port, which the generator's client can speak to."""
    with served(tmp_path_factory.mktemp("described"), unix=False) as one:
        one.model.open_all()
        yield one


def test_every_route_is_described(kernel: Kernel) -> None:
    described = kernel.get("/api/openapi.json").json()
    assert described["paths"].keys() == {
        "/api/agents", "/api/agents/{agent_id}", "/api/agents/{agent_id}/activity", "/api/events",
        "/api/tasks", "/api/tasks/{task_id}", "/api/tasks/{task_id}/cancel",
        "/api/tasks/{task_id}/guide", "/api/tasks/{task_id}/citations/{key}",
        "/api/side-questions/{request_id}/promote", "/api/tasks/{task_id}/answer",
        "/api/conversations/{conversation_id}",
        "/api/tasks/{task_id}/publications", "/api/tasks/{task_id}/sources",
        "/api/tasks/{task_id}/timing", "/api/tasks/{task_id}/output",
        "/api/tasks/{task_id}/resume", "/api/tasks/{task_id}/waterfall", "/api/timing/stages",
        "/api/conversations/{conversation_id}/side-questions",
        "/api/tasks/{task_id}/chat/side-questions",
        "/api/tasks/{task_id}/intents/{child_id}/side-questions",
        "/api/side-questions/{request_id}/cancel", "/api/side-questions/{request_id}/events",
    }  # fmt: skip
    assert "422" not in str(described)


def known_ids(kernel: Kernel) -> Values:
    """Of a task that is there, and of its side question."""
    (*_, row) = kernel.get("/api/tasks").json()["items"] or [kernel.ended()]
    asked = kernel.ask(row["task_id"], "So?", "known").json()
    return {**row, "request_id": asked["id"], "child_id": row["task_id"], "key": "0.0"}


@pytest.mark.parametrize("known", [False, True], ids=["made up", "known"])
@SCHEMA.exclude(path_regex="events$").parametrize()
@settings(
    max_examples=EXAMPLES,
    phases=[Phase.explicit, Phase.generate],
    suppress_health_check=list(HealthCheck),
)
def test_what_may_be_sent_is_answered_as_described(case: Any, shared: Kernel, known: bool) -> None:
    if known and case.path_parameters:
        ids = known_ids(shared)
        case.path_parameters = {name: ids[name] for name in case.path_parameters}
    case.call_and_validate(
        base_url=f"http://127.0.0.1:{shared.address.port}",
        headers={"Authorization": f"Bearer {shared.address.token}"},
        checks=CHECKS,
    )
