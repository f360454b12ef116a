"""Replies in pieces: what is behind a gate waits, and a client that leaves is noticed."""

import asyncio

import pytest
from pydantic_ai.direct import model_request_stream
from pydantic_ai.messages import (
    PartDeltaEvent,
    PartStartEvent,
    TextPart,
    TextPartDelta,
    ToolCallPart,
)
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.output import OutputObjectDefinition

from tests.loopback.library import QUESTION, answer, library_model
from tests.loopback.models import FORMATS, Call, FormatName, Gate, Line, ModelEndpoint, Said
from tests.loopback.models.faults import headers_only, held, never_answers
from tests.loopback.world import LoopbackWorld

each_format = pytest.mark.parametrize("format_name", FORMATS)
each_way = pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
PATIENCE = 20


async def reached(gate: Gate) -> None:
    assert await asyncio.to_thread(gate.reached.wait, PATIENCE)


@each_format
def test_each_piece_arrives_as_its_gate_opens(web: LoopbackWorld, format_name: FormatName) -> None:
    gates = [Gate(), Gate()]
    endpoint = ModelEndpoint(web, Said(["one ", gates[0], "two ", gates[1], "three"]))
    heard: list[str] = []

    async def main() -> None:
        async with (
            library_model(format_name, endpoint) as model,
            model_request_stream(model, QUESTION) as events,
        ):
            async for event in events:
                match event:
                    case PartStartEvent(part=TextPart(content=text)) if text:
                        heard.append(text)
                    case PartDeltaEvent(delta=TextPartDelta(content_delta=text)) if text:
                        heard.append(text)
                    case _:
                        continue
                if len(heard) <= len(gates):
                    await reached(gates[len(heard) - 1])
                    gates[len(heard) - 1].open()

    asyncio.run(main())
    assert heard == ["one ", "two ", "three"]


@each_format
@each_way
def test_nothing_comes_before_the_gate(
    web: LoopbackWorld, format_name: FormatName, stream: bool
) -> None:
    gate = Gate()
    endpoint = ModelEndpoint(web, held(gate, Said("30 m.")))

    async def main() -> str:
        async with library_model(format_name, endpoint) as model:
            asking = asyncio.create_task(answer(model, stream=stream))
            await reached(gate)
            assert not asking.done()
            gate.open()
            response = await asking
            return "".join(part.content for part in response.parts if isinstance(part, TextPart))

    assert asyncio.run(main()) == "30 m."


@each_format
def test_a_whole_answer_waits_for_all_gates(web: LoopbackWorld, format_name: FormatName) -> None:
    gates = [Gate(), Gate()]
    endpoint = ModelEndpoint(web, Said(["30 ", gates[0], "m", gates[1]]))

    async def main() -> None:
        async with library_model(format_name, endpoint) as model:
            asking = asyncio.create_task(answer(model, stream=False))
            for gate in gates:
                await reached(gate)
                assert not asking.done()
                gate.open()
            assert (await asking).text == "30 m"

    asyncio.run(main())


async def left_alone(model: Model, endpoint: ModelEndpoint, web: LoopbackWorld) -> None:
    """Ask, and cancel when the request is there."""
    asking = asyncio.create_task(answer(model, stream=True))
    await asyncio.to_thread(web.wait_until, lambda _: len(endpoint.asked) == 1)
    asking.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asking


@each_format
@pytest.mark.parametrize(
    "line",
    [never_answers(), headers_only(), Said(["one", Gate(), "two"]), held(Gate(), Said("one"))],
    ids=["no headers", "headers", "a piece", "held"],
)
def test_cancelling_ends_the_connection(
    web: LoopbackWorld, format_name: FormatName, line: Line
) -> None:
    endpoint = ModelEndpoint(web, line)

    async def main() -> None:
        async with library_model(format_name, endpoint) as model:
            await left_alone(model, endpoint, web)
            await asyncio.to_thread(web.wait_until, lambda world: world.open_connections == 0)

    asyncio.run(main())


@each_format
def test_requests_at_one_gate_go_on_together(web: LoopbackWorld, format_name: FormatName) -> None:
    gate = Gate()
    endpoint = ModelEndpoint(web, Said(["a", gate, "b"]))

    async def main() -> None:
        async with library_model(format_name, endpoint) as model:
            asking = [asyncio.create_task(answer(model, stream=True)) for _ in range(3)]
            await asyncio.to_thread(web.wait_until, lambda _: len(endpoint.asked) == 3)
            asking[0].cancel()
            gate.open()
            replies = await asyncio.gather(*asking, return_exceptions=True)
            assert isinstance(replies[0], asyncio.CancelledError)
            for reply in replies[1:]:
                assert not isinstance(reply, BaseException)
                assert reply.text == "ab"

    asyncio.run(main())


@each_format
def test_a_stream_that_just_ends_has_what_came(web: LoopbackWorld, format_name: FormatName) -> None:
    calls = [Call("search", '{"a": 1}')]
    endpoint = ModelEndpoint(web, Said("The dam is", calls, ending="unfinished"))

    async def main() -> None:
        async with library_model(format_name, endpoint) as model:
            response = await answer(model, stream=True)
            assert response.text == "The dam is"
            assert [one for one in response.parts if isinstance(one, ToolCallPart)]
            assert response.finish_reason != "tool_call"

    asyncio.run(main())


@each_format
def test_the_schema_that_the_reply_is_bound_to(web: LoopbackWorld, format_name: FormatName) -> None:
    schema = {
        "type": "object",
        "properties": {"height": {"type": "integer"}},
        "required": ["height"],
        "additionalProperties": False,
    }
    endpoint = ModelEndpoint(web, Said('{"height": 30}'))
    bound = OutputObjectDefinition(json_schema=schema, name="dam")
    parameters = ModelRequestParameters(output_mode="native", output_object=bound)

    async def main() -> None:
        async with library_model(format_name, endpoint) as model:
            await answer(model, stream=True, parameters=parameters)

    asyncio.run(main())
    (asked,) = endpoint.asked
    assert asked.response_format is not None
    assert asked.response_format["properties"]["height"]["type"] == "integer"
    assert asked.tools == ()


def test_endpoints_of_one_world_are_apart(web: LoopbackWorld) -> None:
    first = ModelEndpoint(web, Said("first"), place="first")
    second = ModelEndpoint(web, Said("second"), place="second")

    async def main() -> list[str | None]:
        said = []
        for endpoint in (first, second):
            async with library_model("openai-chat", endpoint) as model:
                said.append((await answer(model, stream=True)).text)
        return said

    assert asyncio.run(main()) == ["first", "second"]
    assert (len(first.asked), len(second.asked)) == (1, 1)
