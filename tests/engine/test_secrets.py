"""FIELD_CASES X5: a key or a password is in nothing that is kept, logged or shown.

Also where a provider or a search service says it back in its errors, headers and pages.
"""

import json
import logging
import os
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from lazyboy_jupyter.config import Settings
from lazyboy_jupyter.core.exports import EXPORTS
from lazyboy_jupyter.core.render_html import view_to_html
from lazyboy_jupyter.core.render_text import view_to_markdown, view_to_text
from lazyboy_jupyter.engine.engine import Engine
from lazyboy_jupyter.engine.timing_log import LOGGER
from lazyboy_jupyter.errors import UsageError
from lazyboy_jupyter.store.schema import TABLES
from lazyboy_jupyter.store.views import VIEWS
from tests.adapters.providers.bench import REFERENCES, VARIABLES
from tests.engine.web_world import web_world
from tests.loopback.models import FORMATS, Call, Failed, FormatName, Line, ModelEndpoint, Said
from tests.loopback.models.said import FailureKind
from tests.loopback.replies import ARTICLE, Reply, page
from tests.loopback.search import (
    AT_BRAVE,
    AT_TAVILY,
    at_searxng,
    brave,
    brave_error,
    searxng,
    tavily,
    tavily_error,
)
from tests.loopback.world import Answer, LoopbackWorld

MODEL_KEY = "plain-model-secret-QXZ-81"
"""Of no form by which a key is known: only whoever was given it can tell it."""
SEARCH_KEY = "plain-search+secret/QXZ=82"
PASSWORD = "plain-pass:word-QXZ-83"
MARK = "QXZ"
"""What each of them holds; nothing else does."""
QUESTION = "What does each closing of the river barrier cost?"
URL = "https://s.example/gates"
KEYS = ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "LAZYBOY_MODEL_KEY", "XAI_API_KEY")


class Heard(logging.Handler):
    """Keeps every record as a whole: its text, its arguments, its traceback."""

    def __init__(self) -> None:
        super().__init__(0)
        self.lines: list[str] = []
        self.setFormatter(logging.Formatter("%(name)s %(message)s %(args)s"))

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(self.format(record))


@dataclass
class Room:
    """A place for engines: a world, a folder, and ears on all of our loggers."""

    web: LoopbackWorld
    folder: Path
    heard: Heard
    engines: list[Engine] = field(default_factory=list)

    def ask(self, reference: str, environment: dict[str, str], **asked: Any) -> tuple[Engine, Any]:
        """Put the question to a model; return when the task has ended."""
        named = {**dict.fromkeys(KEYS, MODEL_KEY), **environment}
        settings = Settings(cache=self.folder / "cache")
        world = web_world(self.web, settings.cache, named)
        engine = Engine(self.folder / "run.duckdb", settings=settings, world=world)
        self.engines.append(engine)
        task = engine.research(QUESTION, model=reference, gaps=0, **asked)
        task.wait(timeout=120)
        return engine, task

    def kept(self, engine: Engine, task: Any) -> dict[str, str]:
        """All that is left of a task, by where it is; the engine is closed then."""
        view = task.view()
        left = {
            "html": view_to_html(view),
            "markdown": view_to_markdown(view),
            "text": view_to_text(view),
            "error": str(task.error),
        }
        if task.guide is not None:
            left |= {kind: write(task.view()) for kind, write in EXPORTS.items()}
            left["guide"] = repr(task.guide) + str(task.guide)
        names = [*VIEWS, *(f"data.{table.name}" for table in TABLES)]
        left |= {name: str(engine.sql(f"SELECT * FROM {name}").fetchall()) for name in names}
        shown = [engine, engine.settings, task, view, task.publications]
        shown += [engine._choices._models, engine._services.slots, engine._world]
        left["repr"] = " ".join(map(repr, shown))
        left |= self._files("open ")
        engine.close()
        left["closed repr"] = repr(engine) + repr(task)
        left["log"] = "\n".join(self.heard.lines)
        return left | self._files("closed ")

    def _files(self, when: str) -> dict[str, str]:
        """Every file of the store, its write-ahead log and its archive too, as text byte by byte.
        What the archive moves while we look is there when the engine is closed."""
        kept = {}
        for folder, _, names in os.walk(self.folder):
            for name in names:
                with suppress(FileNotFoundError):
                    kept[when + name] = Path(folder, name).read_bytes().decode("latin-1")
        return kept


@pytest.fixture
def room(tmp_path: Path, web: LoopbackWorld, monkeypatch: pytest.MonkeyPatch) -> Iterator[Room]:
    monkeypatch.setenv("LAZYBOY_TIMING", "1")
    heard = Heard()
    loggers = [logging.getLogger(name) for name in ("lazyboy_jupyter", LOGGER)]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.addHandler(heard)
        logger.setLevel(logging.DEBUG)
    made = Room(web, tmp_path, heard)
    yield made
    for engine in made.engines:
        engine.close()
    for logger, level in zip(loggers, levels, strict=True):
        logger.removeHandler(heard)
        logger.setLevel(level)


def free_of_secrets(left: dict[str, str]) -> None:
    """Fail with the places that hold a secret, in whatever form it is written."""
    forms = {MARK.lower()} | {
        quote(secret, safe="").lower() for secret in (MODEL_KEY, SEARCH_KEY, PASSWORD)
    }
    assert [place for place, text in left.items() if any(f in text.lower() for f in forms)] == []
    assert "model_response" in left["log"]
    assert any(place.startswith("closed run.duckdb") for place in left)


def model(web: LoopbackWorld, format_name: FormatName, *script: Line) -> dict[str, str]:
    """The environment by which a format's model is the scripted one."""
    endpoint = ModelEndpoint(web, *script)
    return {name: endpoint.base_url(format_name) for name in VARIABLES[format_name]}


def called(tool: str, **arguments: Any) -> Call:
    return Call(tool, json.dumps(arguments))


ASK = Said(calls=[called("web_search", query="barrier"), called("open_page", url=URL)])
PUBLISH = Said(
    calls=[called("publish_research", summary="Costs.", findings=[
        {"text": "A closing costs about 1.2 million euros.",
         "citations": [{"source": "S1", "quote": "about 1.2 million euros"}]}])]
)  # fmt: skip
ECHO = f"Refused: Authorization: Bearer {MODEL_KEY}; x-api-key: {MODEL_KEY} ({quote(MODEL_KEY)})"


def _echoed(kind: FailureKind) -> Failed:
    return Failed(kind, ECHO, headers={"X-Echo": MODEL_KEY, "Retry-After": "0"})


def _raw(status: int, content_type: str) -> Reply:
    body = f"<h1>{ECHO}</h1>" if "html" in content_type else ECHO
    return Reply(body.encode(), status, content_type, {"Set-Cookie": f"k={MODEL_KEY}"})


ELSEWHERE = f"https://u:{PASSWORD}@x.example/{MODEL_KEY}"
REJECTIONS: tuple[Line, ...] = (
    _echoed("rejected"),
    _echoed("rate_limited"),
    _raw(400, "text/plain"),
    Reply(b"", 307, headers={"Location": ELSEWHERE}),
    _echoed("not_found"),
)
FAULTS: tuple[Line, ...] = (
    _echoed("server"),
    _raw(502, "text/html"),
    Said("Half", ending=Failed("server", ECHO)),
    _raw(200, "application/json"),
    _echoed("unauthorized"),
)


@pytest.mark.parametrize("format_name", FORMATS)
@pytest.mark.parametrize("answers", [REJECTIONS, FAULTS], ids=["rejections", "faults"])
def test_a_provider_that_says_the_key_back(
    room: Room, format_name: FormatName, answers: tuple[Line, ...]
) -> None:
    room.web.put(URL, page("Gates", *ARTICLE))
    room.web.put(AT_BRAVE, brave([(URL, "Gates", "")], SEARCH_KEY))
    environment = model(room.web, format_name, ASK, *answers)

    engine, task = room.ask(REFERENCES[format_name], {**environment, "BRAVE_API_KEY": SEARCH_KEY})

    assert task.status == "failed", "the last of the answers ends the task"
    assert any(MODEL_KEY in str(one.headers) for one in room.web.log)
    assert any(SEARCH_KEY in str(one.headers) for one in room.web.log)
    free_of_secrets(room.kept(engine, task))


SEARCH_ECHO = f"X-Subscription-Token: {SEARCH_KEY}, Authorization: Bearer {SEARCH_KEY}"


@pytest.mark.parametrize(
    ("address", "answer", "name", "variable"),
    [
        pytest.param(AT_BRAVE, brave_error(422, "SUBSCRIPTION_TOKEN_INVALID", SEARCH_ECHO),
                     "brave", "BRAVE_API_KEY", id="brave 422"),
        pytest.param(AT_BRAVE, brave_error(429, SEARCH_KEY, SEARCH_ECHO, x_echo=SEARCH_KEY),
                     "brave", "BRAVE_API_KEY", id="brave 429"),
        pytest.param(AT_BRAVE, Reply(SEARCH_ECHO.encode(), 500, "text/plain"),
                     "brave", "BRAVE_API_KEY", id="brave 500"),
        pytest.param(AT_TAVILY, tavily_error(401, SEARCH_ECHO), "tavily", "TAVILY_API_KEY",
                     id="tavily 401"),
        pytest.param(AT_TAVILY, tavily_error(432, SEARCH_ECHO, x_echo=SEARCH_KEY), "tavily",
                     "TAVILY_API_KEY", id="tavily 432"),
        pytest.param(AT_TAVILY, Reply(f"<p>{SEARCH_ECHO}</p>".encode(), 200), "tavily",
                     "TAVILY_API_KEY", id="tavily page"),
        pytest.param(AT_TAVILY, tavily([(URL, "Gates", "")], SEARCH_KEY), "tavily",
                     "TAVILY_API_KEY", id="tavily works"),
    ],
)  # fmt: skip
def test_a_search_service_that_says_the_key_back(
    room: Room, address: str, answer: Answer, name: str, variable: str
) -> None:
    room.web.put(URL, page("Gates", *ARTICLE))
    room.web.put(address, answer)
    environment = model(room.web, "openai-chat", ASK, PUBLISH)

    engine, task = room.ask(
        REFERENCES["openai-chat"], {**environment, variable: SEARCH_KEY}, search=name
    )

    assert any(SEARCH_KEY in str(one.headers) for one in room.web.log)
    free_of_secrets(room.kept(engine, task))


@pytest.mark.parametrize("works", [True, False])
def test_a_search_address_with_a_password(room: Room, works: bool) -> None:
    room.web.put(URL, page("Gates", *ARTICLE))
    if works:
        answer: Answer = searxng([(URL, "Gates", "")])
    else:
        answer = searxng([], unresponsive=[("one", f"proxy http://u:{PASSWORD}@p failed")])
    room.web.put(at_searxng("https://x.example"), answer)
    environment = model(room.web, "openai-chat", ASK, PUBLISH)
    environment["SEARXNG_URL"] = f"https://user:{quote(PASSWORD)}@x.example"

    engine, task = room.ask(REFERENCES["openai-chat"], environment, search="searxng")

    asked = [one for one in room.web.log if one.host.startswith("x.example")]
    assert all(one.headers["authorization"].startswith("Basic ") for one in asked)
    assert asked
    free_of_secrets(room.kept(engine, task))


LOGIN = f"user:{quote(PASSWORD)}@x.example"


@pytest.mark.parametrize(
    "reference",
    [
        f"openai-compatible:m@https://{LOGIN}/v1",
        f"openai-compatible:@https://{LOGIN}/v1",
        f"openai-compatible:m@https://x.example/v1?key={MODEL_KEY}",
        f"openai-compatible:m@ftp://{LOGIN}/v1",
        f"https://{LOGIN}/v1",
        f"openai:https://{LOGIN}/v1",
        f"openai-chat:m@https://{LOGIN}/v1",
    ],
)
def test_an_address_with_a_password_in_a_model_s_name_is_refused_unsaid(
    room: Room, reference: str
) -> None:
    engine, task = room.ask("extractive", {}, search="pydoc", pages=0, searches=0)

    with pytest.raises(UsageError) as refused:
        engine.research(QUESTION, model=reference)

    assert MARK not in str(refused.value)
    assert all(MARK not in text for text in room.kept(engine, task).values())


@pytest.mark.parametrize("format_name", FORMATS)
def test_a_base_address_with_a_password_is_refused_unsaid(
    room: Room, format_name: FormatName
) -> None:
    environment = dict.fromkeys(VARIABLES[format_name], f"https://{LOGIN}/v1")

    with pytest.raises(UsageError) as refused:
        room.ask(REFERENCES[format_name], environment)

    assert MARK not in str(refused.value)
    assert all(MARK not in line for line in room.heard.lines)
