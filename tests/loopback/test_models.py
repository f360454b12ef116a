"""What the library reads from a scripted reply is what the script says, in every format."""

import asyncio
import json

import pytest
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    SystemPromptPart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.tools import ToolDefinition

from tests.loopback.library import KEY, answer, library_model
from tests.loopback.models import (
    FORMATS,
    Asked,
    Call,
    FormatName,
    Message,
    ModelEndpoint,
    Said,
    Spent,
)
from tests.loopback.models.faults import fenced, printed
from tests.loopback.models.said import Finish
from tests.loopback.world import LoopbackWorld

each_format = pytest.mark.parametrize("format_name", FORMATS)
each_way = pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
OPEN_PAGE = Call("open_page", '{"url": "https://a.example/", "why": "größer"}', "call_a")
SEARCH = Call("search", '{"words": ["dam", "height"], "limit": 3}', "call_b")


def read(endpoint: ModelEndpoint, format_name: FormatName, stream: bool) -> ModelResponse:
    async def main() -> ModelResponse:
        async with library_model(format_name, endpoint) as model:
            return await answer(model, stream=stream)

    return asyncio.run(main())


def texts(response: ModelResponse) -> str:
    return "".join(part.content for part in response.parts if isinstance(part, TextPart))


def calls(response: ModelResponse) -> list[ToolCallPart]:
    return [part for part in response.parts if isinstance(part, ToolCallPart)]


@each_format
@each_way
def test_text_and_usage(web: LoopbackWorld, format_name: FormatName, stream: bool) -> None:
    said = Said(["The dam ", "is 30 m — ", "“high”.\n\n😀"], usage=Spent(120, 17, 100))
    response = read(ModelEndpoint(web, said), format_name, stream)
    assert texts(response) == "The dam is 30 m — “high”.\n\n😀"
    assert response.finish_reason == "stop"
    assert response.usage.input_tokens == 120
    assert response.usage.output_tokens == 17
    assert response.usage.cache_read_tokens == 100


@each_format
@each_way
def test_no_usage_is_told(web: LoopbackWorld, format_name: FormatName, stream: bool) -> None:
    response = read(ModelEndpoint(web, Said("Yes.", usage=None)), format_name, stream)
    assert texts(response) == "Yes."
    assert (response.usage.input_tokens, response.usage.output_tokens) == (0, 0)


@each_format
@each_way
def test_parallel_calls_beside_text(
    web: LoopbackWorld, format_name: FormatName, stream: bool
) -> None:
    endpoint = ModelEndpoint(web, Said("I look.", [OPEN_PAGE, SEARCH]))
    response = read(endpoint, format_name, stream)
    assert texts(response) == "I look."
    assert [(one.tool_name, one.args_as_dict()) for one in calls(response)] == [
        ("open_page", {"url": "https://a.example/", "why": "größer"}),
        ("search", {"words": ["dam", "height"], "limit": 3}),
    ]
    assert [one.tool_call_id.partition("|")[0] for one in calls(response)] == ["call_a", "call_b"]


@each_way
@pytest.mark.parametrize("format_name", ["openai-chat", "openai-responses"])
@pytest.mark.parametrize("arguments", ['{"a": "\\u12', "{'a': 1}", '{"a": 1} and more', "", "[1]"])
def test_arguments_go_out_verbatim(
    web: LoopbackWorld, format_name: FormatName, stream: bool, arguments: str
) -> None:
    endpoint = ModelEndpoint(web, Said(calls=[Call("search", arguments)]))
    (call,) = calls(read(endpoint, format_name, stream))
    assert (call.args or "") == arguments


def test_anthropic_streams_arguments_verbatim(web: LoopbackWorld) -> None:
    endpoint = ModelEndpoint(web, Said(calls=[Call("search", '{"a": 1} and more')]))
    (call,) = calls(read(endpoint, "anthropic", True))
    assert call.args == '{"a": 1} and more'


@each_way
def test_gemini_tells_malformed_arguments_as_a_reason(web: LoopbackWorld, stream: bool) -> None:
    endpoint = ModelEndpoint(web, Said(calls=[Call("search", "{'a': 1}")]))
    response = read(endpoint, "gemini", stream)
    assert not calls(response)
    assert (response.provider_details or {})["finish_reason"] == "MALFORMED_FUNCTION_CALL"


@each_format
@each_way
def test_reasoning_is_no_text(web: LoopbackWorld, format_name: FormatName, stream: bool) -> None:
    endpoint = ModelEndpoint(web, Said("30 m.", reasoning=["Let me ", "think."]))
    response = read(endpoint, format_name, stream)
    thoughts = [part.content for part in response.parts if isinstance(part, ThinkingPart)]
    assert thoughts == ["Let me think."]
    assert texts(response) == "30 m."


@each_format
@each_way
@pytest.mark.parametrize("finish", ["stop", "length", "content_filter"])
def test_finish_reasons(
    web: LoopbackWorld, format_name: FormatName, stream: bool, finish: Finish
) -> None:
    response = read(ModelEndpoint(web, Said("The dam is", finish=finish)), format_name, stream)
    assert response.finish_reason == finish
    assert texts(response) == "The dam is"


@each_format
@each_way
def test_calls_in_place_of_calls(web: LoopbackWorld, format_name: FormatName, stream: bool) -> None:
    endpoint = ModelEndpoint(web, printed(SEARCH), fenced(SEARCH))
    first = read(endpoint, format_name, stream)
    second = read(endpoint, format_name, stream)
    assert not calls(first)
    assert not calls(second)
    inside = texts(first).removeprefix("<tool_call>\n").removesuffix("\n</tool_call>")
    assert json.loads(inside) == {"name": "search", "arguments": json.loads(SEARCH.arguments)}
    assert f"```json\n{SEARCH.arguments}\n```" in texts(second)


@each_format
def test_the_script_goes_on_and_its_last_line_stays(
    web: LoopbackWorld, format_name: FormatName
) -> None:
    def of_turn(asked: Asked) -> Said:
        return Said(f"turn {asked.turn}")

    endpoint = ModelEndpoint(web, Said("first"), of_turn)
    heard = [texts(read(endpoint, format_name, True)) for _ in range(3)]
    assert heard == ["first", "turn 1", "turn 2"]
    endpoint.say(Said("anew"))
    assert texts(read(endpoint, format_name, True)) == "anew"
    assert [asked.turn for asked in endpoint.asked] == [0, 1, 2, 3]


def test_ids_of_calls_differ_from_turn_to_turn(web: LoopbackWorld) -> None:
    endpoint = ModelEndpoint(web, Said(calls=[Call("a"), Call("b")]))
    found = [one for _ in range(2) for one in calls(read(endpoint, "openai-chat", True))]
    assert len({one.tool_call_id for one in found}) == 4


HISTORY: list[ModelMessage] = [
    ModelRequest([SystemPromptPart("Be brief."), UserPromptPart("How high is the dam?")]),
    ModelResponse(
        [
            TextPart("I look."),
            ToolCallPart("open_page", '{"url": "https://a.example/"}', "call_a"),
            ToolCallPart("search", '{"words": "dam"}', "call_b"),
        ]
    ),
    ModelRequest(
        [
            ToolReturnPart("open_page", "It is 30 m high.", "call_a"),
            ToolReturnPart("search", "nothing", "call_b"),
            UserPromptPart("Two rounds are left."),
        ]
    ),
]
SCHEMA = {
    "type": "object",
    "properties": {"words": {"type": "string"}},
    "required": ["words"],
    "additionalProperties": False,
}


def ask(web: LoopbackWorld, format_name: FormatName, stream: bool, required: bool) -> Asked:
    endpoint = ModelEndpoint(web, Said("30 m.", [SEARCH] if required else []))
    tools = [
        ToolDefinition(name=name, parameters_json_schema=SCHEMA) for name in ("open", "search")
    ]

    async def main() -> None:
        async with library_model(format_name, endpoint) as model:
            await answer(
                model,
                stream=stream,
                messages=HISTORY,
                settings={"max_tokens": 700, "tool_choice": "required" if required else "auto"},
                parameters=ModelRequestParameters(function_tools=tools),
            )

    asyncio.run(main())
    (asked,) = endpoint.asked
    return asked


@each_format
@each_way
def test_every_format_shows_the_same_request(
    web: LoopbackWorld, format_name: FormatName, stream: bool
) -> None:
    asked = ask(web, format_name, stream, required=True)
    assert asked.format == format_name
    assert asked.stream is stream
    assert asked.model.startswith(("gpt-5", "claude-", "gemini-"))
    assert asked.system == "Be brief."
    assert asked.messages == (
        Message("user", "How high is the dam?"),
        Message(
            "assistant",
            "I look.",
            (
                Call("open_page", '{"url":"https://a.example/"}', "call_a"),
                Call("search", '{"words":"dam"}', "call_b"),
            ),
        ),
        Message("tool", "It is 30 m high.", call_id="call_a", name="open_page"),
        Message("tool", "nothing", call_id="call_b", name="search"),
        Message("user", "Two rounds are left."),
    )
    assert asked.results == {"call_a": "It is 30 m high.", "call_b": "nothing"}
    assert asked.tools == ("open", "search")
    assert asked.tool_choice == "required"
    assert asked.max_tokens == 700
    assert asked.response_format is None
    assert asked.key == KEY
    assert json.loads(asked.raw) == asked.json


@each_format
def test_a_free_choice_of_tools(web: LoopbackWorld, format_name: FormatName) -> None:
    assert ask(web, format_name, True, required=False).tool_choice in ("auto", "")
