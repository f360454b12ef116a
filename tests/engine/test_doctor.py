import asyncio
from typing import Any

import pytest

from lazyboy_jupyter.engine.doctor import Finding, examine
from lazyboy_jupyter.errors import ModelError, SourceError
from tests.fakes import FakeWeb, ManualClock, ScriptedModel, call, pages

READY = [call("report_progress", text="ready")]


def examined(model: ScriptedModel, web: FakeWeb, browser_problem: str = "") -> list[Finding]:
    return asyncio.run(examine(model, [web], browser_problem, ManualClock()))


def test_all_is_well() -> None:
    model = ScriptedModel([READY], name="openai:gpt", tokens=17)
    found = examined(model, FakeWeb(pages(3)))
    assert [(one.part, one.state) for one in found] == [
        ("model openai:gpt", "works"), ("search fake", "works"), ("browser", "works"),
    ]  # fmt: skip
    assert "does not stream, and calls tools (17 tokens)" in found[0].said
    assert "3 pages" in found[1].said
    assert [tool.name for tool in model.requests[0].tools] == ["report_progress"]


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ("I am ready!", "it called no tool"),
        ([call("web_search", query="x")], "it called 'web_search'"),
        ([call("report_progress")], "its call cannot be read"),
        (ModelError("The key is wrong.", "Set OPENAI_API_KEY.", kind="not_configured"),
         "The key is wrong. Set OPENAI_API_KEY."),
    ],
)  # fmt: skip
def test_what_a_model_cannot_do_is_said(reply: Any, said: str) -> None:
    found = examined(ScriptedModel([reply]), FakeWeb())
    assert found[0].state == "fails"
    assert said in found[0].said


def test_what_a_search_and_a_missing_browser_say_is_told() -> None:
    class Away(FakeWeb):
        async def search(self, query: str, limit: int) -> Any:
            raise SourceError("not_configured", "Brave Search needs a key.", "Set BRAVE_API_KEY.")

    found = examined(ScriptedModel([READY]), Away(), "No browser is here. Install one.")
    assert (found[1].state, found[1].said) == (
        "fails", "Brave Search needs a key. Set BRAVE_API_KEY.",
    )  # fmt: skip
    assert (found[2].state, found[2].said) == ("absent", "No browser is here. Install one.")
