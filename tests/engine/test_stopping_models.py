"""Stop, and the engine's end, while a provider's model never answers: at once, and to the wire.

With the real process of the models (FIELD_CASES B5).
"""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from lazyboy_jupyter.config import Settings
from lazyboy_jupyter.engine.engine import Engine
from lazyboy_jupyter.engine.task import ResearchTask
from tests.adapters.providers.bench import KEY, REFERENCES, VARIABLES
from tests.engine.web_world import web_world
from tests.loopback.models import FORMATS, Call, FormatName, ModelEndpoint, Said
from tests.loopback.models.faults import never_answers
from tests.loopback.replies import ARTICLE, page
from tests.loopback.search import AT_BRAVE, brave
from tests.loopback.world import LoopbackWorld

URL = "https://s.example/gates"
ASK = Said(
    calls=[Call("web_search", json.dumps({"query": "barrier"})),
           Call("open_page", json.dumps({"url": URL}))]
)  # fmt: skip
End = Callable[[Engine, ResearchTask], None]


def _stop(engine: Engine, task: ResearchTask) -> None:
    task.stop()


def _close(engine: Engine, task: ResearchTask) -> None:
    engine.close()


@pytest.mark.parametrize("format_name", FORMATS)
@pytest.mark.parametrize(
    ("end", "state"),
    [pytest.param(_stop, "cancelled", id="stop"), pytest.param(_close, "interrupted", id="close")],
)
def test_a_request_that_is_never_answered_holds_up_no_end(
    tmp_path: Path, web: LoopbackWorld, format_name: FormatName, end: End, state: str
) -> None:
    endpoint = ModelEndpoint(web, ASK, never_answers())
    web.put(URL, page("Gates", *ARTICLE))
    web.put(AT_BRAVE, brave([(URL, "Gates", "")], "brave-key"))
    environment = {name: endpoint.base_url(format_name) for name in VARIABLES[format_name]}
    environment |= dict.fromkeys(("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY"), KEY)
    environment["BRAVE_API_KEY"] = "brave-key"
    settings = Settings(cache=tmp_path / "cache")

    def engine() -> Engine:
        world = web_world(web, settings.cache, environment)
        return Engine(tmp_path / "run.duckdb", settings=settings, world=world)

    with engine() as running:
        task = running.research("What does it cost?", model=REFERENCES[format_name])
        web.wait_until(lambda _: len(endpoint.asked) == 2)
        before = web.open_connections

        end(running, task)

        assert task.status == state
        # Searches and pages may keep connections for later; the model's hanging one must go.
        web.wait_until(lambda world: world.open_connections < before)
        running.close()
        web.wait_until(lambda world: world.open_connections == 0)
    with engine() as again:
        assert again.interrupted == []
        stored = again.task(task.id)
        assert stored.status == state
        assert (stored.usage.searches, stored.usage.pages, stored.usage.rounds) == (1, 1, 2)
        assert [source.state for source in stored.sources] == ["read"]
        rounds = again.sql("SELECT outcome FROM rounds ORDER BY request_no").fetchall()
        assert rounds == [("ok",), ("cancelled",)]
        responses = again.sql("SELECT outcome FROM timing WHERE stage = 'model_response'")
        assert sorted(responses.fetchall()) == [("cancelled",), ("ok",)]
