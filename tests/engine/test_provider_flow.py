"""Whole tasks with a provider's model, in each wire format, over the loopback world."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from lazyboy_jupyter.config import Settings
from lazyboy_jupyter.engine.engine import Engine
from tests.adapters.providers.bench import KEY, REFERENCES, VARIABLES
from tests.engine.web_world import web_world
from tests.loopback.models import (
    FORMATS,
    Call,
    Failed,
    FormatName,
    Line,
    ModelEndpoint,
    Said,
    Spent,
)
from tests.loopback.replies import ARTICLE, page
from tests.loopback.search import AT_BRAVE, brave
from tests.loopback.world import LoopbackWorld

QUESTION = "What does each closing of the river barrier cost?"
URL = "https://s.example/gates"
OTHER = "https://t.example/hinges"
Ask = Callable[..., tuple[Engine, Any, ModelEndpoint]]


@pytest.fixture
def ask(tmp_path: Path, web: LoopbackWorld) -> Iterator[Ask]:
    """Put a question to a scripted model over a web of two pages; wait for the task's end."""
    made: list[Engine] = []

    def asked(format_name: FormatName, *script: Line, **budget: Any) -> tuple[Engine, Any, Any]:
        endpoint = ModelEndpoint(web, *script)
        web.put(URL, page("Gates", *ARTICLE))
        web.put(
            OTHER, page("Hinges", *[f"The hinges of gate {n} last 40 years." for n in range(9)])
        )
        web.put(AT_BRAVE, brave([(URL, "Gates", ""), (OTHER, "Hinges", "")], "brave-key"))
        environment = {name: endpoint.base_url(format_name) for name in VARIABLES[format_name]}
        environment |= {"BRAVE_API_KEY": "brave-key"}
        environment |= dict.fromkeys(("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY"), KEY)
        settings = Settings(cache=tmp_path / "cache")
        world = web_world(web, settings.cache, environment)
        engine = Engine(tmp_path / "run.duckdb", settings=settings, world=world)
        made.append(engine)
        task = engine.research(QUESTION, model=REFERENCES[format_name], **budget)
        task.wait(timeout=120)
        return engine, task, endpoint

    yield asked
    for one in made:
        one.close()


def called(tool: str, **arguments: Any) -> Call:
    return Call(tool, json.dumps(arguments))


def claim(text: str, source: str, quote: str) -> dict[str, Any]:
    return {"text": text, "citations": [{"source": source, "quote": quote}]}


FIRST = called(
    "publish_research",
    summary="Each closing costs about 1.2 million euros.",
    steps=[],
    findings=[claim("A closing costs about 1.2 million euros.", "S1", "about 1.2 million euros")],
    unknowns=[],
    gaps=[{"question": "How long do the hinges last?", "why": "They wear out."}],
)
SECOND = called(
    "publish_research",
    additions=[claim("The hinges last 40 years.", "S2", "last 40 years")],
    unknowns=[],
)


@pytest.mark.parametrize("format_name", FORMATS)
def test_two_publications_exact_budgets_and_a_complete_timing(
    ask: Ask, format_name: FormatName
) -> None:
    engine, task, endpoint = ask(
        format_name,
        Said(calls=[called("report_progress", text="I look for costs."),
                    called("web_search", query="river barrier closing cost")]),
        Said(reasoning="Let me read it.", calls=[called("open_page", url=URL)]),
        Said("Here is the guide.", calls=[FIRST], usage=Spent(900, 100, 700)),
        Said(calls=[called("open_page", url=OTHER, gap=0)]),
        Said(calls=[SECOND]),
    )  # fmt: skip
    assert task.status == "completed", task.error
    assert len(task.publications) == 2
    assert task.guide.quotes == ("about 1.2 million euros", "last 40 years")
    assert [c.state for claim_ in task.guide.claims for c in claim_.citations] == ["verbatim"] * 2
    assert (task.usage.searches, task.usage.pages, task.usage.rounds) == (1, 2, 5)
    rounds = engine.sql(
        "SELECT input_tokens, output_tokens, cached_tokens, outcome FROM rounds ORDER BY request_no"
    ).fetchall()
    assert rounds[2] == (900, 100, 700, "ok")
    assert {row[3] for row in rounds} == {"ok"}
    stages = dict(engine.sql("SELECT stage, count(*) FROM timing GROUP BY stage").fetchall())
    assert stages == {
        "worker_model_queue": 5, "model_response": 5, "tool_execution": 6, "research_source": 3,
        "research_first_delivery": 1, "research_final_delivery": 1,
    }  # fmt: skip
    told = str(engine.sql("SELECT * FROM timing").fetchall())
    assert all(word not in told for word in ("barrier", "http", "euros", KEY))
    assert "Left for collecting" in endpoint.asked[0].messages[-1].text
    assert all("Let me read it" not in str(engine.sql(f"SELECT * FROM {view}").fetchall())
               for view in ("publications", "citations", "events"))  # fmt: skip


def test_a_small_model_that_prints_its_calls_still_gets_there(ask: Ask) -> None:
    printed = (
        "I will search.\n```json\n"
        + json.dumps({"name": "web_search", "arguments": {"query": "river barrier cost"}})
        + "\n```"
    )
    tagged = f'<tool_call>{{"name": "open_page", "arguments": {{"url": "{URL}"}}}}</tool_call>'
    guide = {**json.loads(FIRST.arguments), "gaps": []}
    _, task, _ = ask(
        "openai-chat", Said(printed), Said(f"<think>hm</think>{tagged}"), Said(json.dumps(guide))
    )
    assert task.status == "completed", task.error
    assert task.guide.quotes == ("about 1.2 million euros",)
    assert task.usage.rounds == 3


@pytest.mark.parametrize("format_name", FORMATS)
def test_invented_sources_and_numbers_are_refused_or_marked(
    ask: Ask, format_name: FormatName
) -> None:
    invented = called(
        "publish_research", summary="See https://nowhere.example/report.", steps=[], unknowns=[],
        findings=[claim("It costs 9 million.", "https://nowhere.example/report", "9 million")],
        gaps=[],
    )  # fmt: skip
    wrong = called(
        "publish_research", summary="Costs.", steps=[], unknowns=[], gaps=[],
        findings=[claim("Each closing costs 3.4 million euros.", "S1", "about 1.2 million euros"),
                  claim("It was closed nine times.", "S1", "closed nine times last winter")],
    )  # fmt: skip
    _, task, endpoint = ask(
        format_name,
        Said(calls=[called("web_search", query="barrier"), called("open_page", url=URL)]),
        Said(calls=[invented]),
        Said(calls=[wrong]),
    )
    assert "not observed" in endpoint.asked[2].raw.decode()
    assert [c.state for claim_ in task.guide.claims for c in claim_.citations] == [
        "unverified", "not_found",
    ]  # fmt: skip


@pytest.mark.parametrize("format_name", FORMATS)
def test_a_wrong_key_ends_the_task_with_what_to_set_and_says_no_key(
    ask: Ask, format_name: FormatName
) -> None:
    engine, task, endpoint = ask(format_name, Failed("unauthorized", f"Wrong key {KEY}"))
    assert (task.status, len(endpoint.asked)) == ("failed", 1)
    assert "_API_KEY" in task.error
    for view in ("tasks", "events", "rounds", "timing"):
        assert KEY not in str(engine.sql(f"SELECT * FROM {view}").fetchall())
