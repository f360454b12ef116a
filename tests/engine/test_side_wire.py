"""What a side question costs a provider: its request is the main request's, but for the end.

So whatever a provider caches of the main request holds for the side one (DESIGN §9).
"""

import itertools
import json
import re
from pathlib import Path

import pytest

from lazyboy_jupyter.config import Settings
from lazyboy_jupyter.core.prompts import side_question
from lazyboy_jupyter.engine.engine import Engine
from tests.adapters.providers.bench import KEY, REFERENCES, VARIABLES
from tests.engine.test_provider_flow import FIRST, QUESTION, URL, called
from tests.engine.web_world import web_world
from tests.loopback.gate import Gate
from tests.loopback.models import FORMATS, Asked, FormatName, ModelEndpoint, Said, Spent
from tests.loopback.replies import ARTICLE, page
from tests.loopback.search import AT_BRAVE, brave
from tests.loopback.world import LoopbackWorld

PATIENCE = 60
ASIDE = "What does a closing cost so far?"


def unmarked(body: bytes) -> bytes:
    """Without Anthropic's marks of what to cache, which stand behind the newest message."""
    return re.sub(rb',"cache_control":\{[^}]*\}', b"", body)


def parted(main: Asked, side: Asked) -> tuple[bytes, str, str, bytes]:
    """What two bodies begin with, what each has of its own, and what they end with."""
    begin = shared(main.raw, side.raw)
    rest = [one.raw[len(begin) :] for one in (main, side)]
    end = shared(*(one[::-1] for one in rest))[::-1]
    own = [json.loads(b'"' + one[: len(one) - len(end)] + b'"') for one in rest]
    return begin, own[0], own[1], end


def shared(one: bytes, other: bytes) -> bytes:
    """What both begin with."""
    pairs = zip(one, other, strict=False)
    return one[: sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], pairs))]


@pytest.mark.parametrize("format_name", FORMATS)
def test_up_to_the_question_the_request_is_the_main_one_byte_for_byte(
    tmp_path: Path, web: LoopbackWorld, format_name: FormatName
) -> None:
    gate = Gate()
    endpoint = ModelEndpoint(
        web,
        Said("I look.", calls=[called("web_search", query="costs"),
                               called("report_progress", text="I look for costs.")]),
        Said(reasoning="Hm.", calls=[called("open_page", url=URL)]),
        Said(calls=[FIRST], before=gate),
        Said(["It costs about ", "1.2 million (S1)."], usage=Spent(700, 9, 600)),
        Said(calls=[called("open_page", url=URL)]),
        Said("It is as before."),
        Said(calls=[FIRST]),
    )  # fmt: skip
    web.put(URL, page("Gates", *ARTICLE))
    web.put(AT_BRAVE, brave([(URL, "Gates", "")], "brave-key"))
    environment = {name: endpoint.base_url(format_name) for name in VARIABLES[format_name]}
    environment |= {"BRAVE_API_KEY": "brave-key"}
    environment |= dict.fromkeys(("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY"), KEY)
    settings = Settings(cache=tmp_path / "cache")
    world = web_world(web, settings.cache, environment)
    with Engine(tmp_path / "run.duckdb", settings=settings, world=world) as engine:
        task = engine.research(QUESTION, model=REFERENCES[format_name], gaps=0)
        assert gate.reached.wait(PATIENCE)
        first = engine.ask(ASIDE, task).wait(PATIENCE)
        assert (first.status, first.answer) == ("completed", "It costs about 1.2 million (S1).")
        needing = engine.ask("And now?", task).wait(PATIENCE)
        assert (needing.status, needing.side.tool) == ("needs_tools", "open_page")
        engine.ask("Really?", task).wait(PATIENCE)
        gate.open()

    main, side, _, third = endpoint.asked[2:6]
    assert main.turn + 1 == side.turn
    begin, tail, question, _ = parted(main, side)
    assert side_question(ASIDE).endswith(question)
    assert len(question) > len(ASIDE)
    assert tail in main.messages[-1].text
    assert URL.encode() in begin
    assert side.tools == main.tools
    assert side.tool_choice == main.tool_choice

    # Earlier answers stand behind what was there before them.
    known = unmarked(begin)
    assert unmarked(third.raw)[: len(known)] == known
    assert "1.2 million (S1)." in third.raw.decode()
    assert "And now?" not in third.raw.decode()
