"""A request reaches each provider in its own format, and its stream becomes a reply."""

import pytest

from lazyboy_jupyter.core.messages import ToolCall, ToolResult, opening, reply, results
from lazyboy_jupyter.core.tools import tool_specs
from lazyboy_jupyter.ports import Usage
from tests.adapters.providers.bench import KEY, REFERENCES, Bench, asking, history
from tests.loopback.gate import Gate
from tests.loopback.models import FORMATS, Call, FormatName, ModelEndpoint, Said, Spent
from tests.loopback.world import LoopbackWorld

each_format = pytest.mark.parametrize("format_name", FORMATS)
OPEN = Call("open_page", '{"url": "https://a.example/ä"}')
SEARCH = Call("web_search", '{"query": "height of the dam"}')


@each_format
def test_text_calls_and_usage(web: LoopbackWorld, bench: Bench, format_name: FormatName) -> None:
    said = Said("I look.", (OPEN, SEARCH), usage=Spent(100, 7, 40))
    endpoint = bench.endpoint(web, format_name, said)
    heard: list[str] = []
    got = bench.ask(REFERENCES[format_name], asking(max_tokens=900), heard.append)
    assert got.text == "I look."
    assert got.usage == Usage(100, 7, 40)
    assert [call.tool for call in got.calls] == ["open_page", "web_search"]
    assert [_args(call) for call in got.calls] == [
        {"url": "https://a.example/ä"},
        {"query": "height of the dam"},
    ]
    assert len({call.call_id for call in got.calls}) == 2
    assert "".join(heard) == "I look."
    (asked,) = endpoint.asked
    assert asked.stream
    assert asked.system == "Research."
    assert asked.tools == ("web_search", "open_page")
    assert asked.max_tokens == 900
    assert asked.messages[0].text.startswith("How high is the dam?")
    assert asked.messages[1].calls[0].name == "web_search"
    assert "S1" in asked.results["call_before"]
    assert asked.messages[-1].text == "2 searches left."


@each_format
def test_what_is_sent_before_the_tail_does_not_depend_on_it(
    web: LoopbackWorld, bench: Bench, format_name: FormatName
) -> None:
    endpoint = bench.endpoint(web, format_name, Said("A"))
    for tail in ("AAAA left", "BBBB left"):
        bench.ask(REFERENCES[format_name], asking(tail=tail))
    longer = [
        *history(),
        reply("More.", [ToolCall("c2", "open_page", {"url": "https://a.example"})]),
    ]
    longer.append(results([ToolResult("c2", "open_page", {"text": "The dam."})]))
    bench.ask(REFERENCES[format_name], asking(messages=longer, tail="CCCC left"))
    first, second, third = (_without_marks(asked.raw) for asked in endpoint.asked)
    assert _shared(first, second) == first.index(b"AAAA")
    assert first.replace(b"AAAA", b"BBBB") == second
    # The next round's request begins with all of this one's but its tail.
    assert first.index(b"S1") < _shared(first, third)


def _shared(one: bytes, other: bytes) -> int:
    """How many bytes are the same at the beginning."""
    return next(at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1])


def _without_marks(raw: bytes) -> bytes:
    return raw.replace(b',"cache_control":{"type":"ephemeral","ttl":"5m"}', b"")


def test_what_anthropic_caches_ends_before_the_tail(web: LoopbackWorld, bench: Bench) -> None:
    endpoint = bench.endpoint(web, "anthropic", Said("A"))
    bench.ask(REFERENCES["anthropic"])
    blocks = endpoint.asked[0].json["messages"][-1]["content"]
    assert ["cache_control" in block for block in blocks] == [True, False]
    assert "cache_control" in endpoint.asked[0].json["tools"][-1]


def test_openai_keeps_nothing(web: LoopbackWorld, bench: Bench) -> None:
    endpoint = bench.endpoint(web, "openai-responses", Said("A"))
    bench.ask(REFERENCES["openai-responses"])
    assert endpoint.asked[0].json["store"] is False


@each_format
def test_pieces_are_heard_before_the_reply_is_complete(
    web: LoopbackWorld, bench: Bench, format_name: FormatName
) -> None:
    gate = Gate()
    bench.endpoint(web, format_name, Said(("Early ", gate, "and late")))
    heard: list[str] = []

    def hear(piece: str) -> None:
        heard.append(piece)
        gate.open()  # the rest comes only because the beginning was heard

    got = bench.ask(REFERENCES[format_name], heard=hear)
    assert got.text == "Early and late"
    assert heard[0] == "Early "
    assert "".join(heard) == "Early and late"


@each_format
def test_reasoning_is_heard_as_nothing_and_is_no_text(
    web: LoopbackWorld, bench: Bench, format_name: FormatName
) -> None:
    gate = Gate()
    bench.endpoint(web, format_name, Said("Answer.", reasoning=("Hm, secretly", gate, " so")))
    heard: list[str] = []

    def hear(piece: str) -> None:
        heard.append(piece)
        gate.open()

    got = bench.ask(REFERENCES[format_name], heard=hear)
    assert got.text == "Answer."
    assert heard[0] == ""
    assert "".join(heard) == "Answer."


@pytest.mark.parametrize(
    "pieces",
    [
        ("<think>Hm.</think>Answer.",),
        ("<thi", "nk>Hm", ".</th", "ink>\n\nAns", "wer."),
        ("<think>", "Hm.", "</think>\n", "Answer."),
        ("Hm, hm.\n</think>\n\nAnswer.",),
    ],
)
def test_reasoning_written_as_text_is_no_text(
    web: LoopbackWorld, bench: Bench, pieces: tuple[str, ...]
) -> None:
    bench.endpoint(web, "openai-chat", Said(pieces))
    for reference in ("openai-compatible:some/model:q4", "ollama:qwen3:8b", "openai-chat:x"):
        assert bench.ask(reference).text == "Answer."


def test_a_reply_cut_by_its_length_keeps_its_broken_call(web: LoopbackWorld, bench: Bench) -> None:
    broken = Said(calls=(Call("web_search", '{"query": "hei'),), finish="length")
    endpoint = bench.endpoint(web, "openai-chat", broken)
    got = bench.ask("openai-compatible:m")
    assert [(call.tool, call.args) for call in got.calls] == [("web_search", '{"query": "hei')]
    endpoint.say(Said("Next."))
    messages = [
        opening("Research.", "How?"),
        reply("", got.calls),
        results([ToolResult(got.calls[0].call_id, "web_search", {"error": "no JSON"})]),
    ]
    for reference in ("openai-compatible:m", *REFERENCES.values()):
        for variable in ("ANTHROPIC_BASE_URL", "GOOGLE_GEMINI_BASE_URL"):
            bench.environment[variable] = endpoint.root
        assert bench.ask(reference, asking(messages=messages)).text == "Next."


def test_a_call_without_arguments_has_none(web: LoopbackWorld, bench: Bench) -> None:
    bench.endpoint(web, "openai-chat", Said(calls=(Call("browser_snapshot", ""),)))
    assert [call.args for call in bench.ask("openai-compatible:m").calls] == [{}]


def test_ids_that_a_server_uses_again_are_made_different(web: LoopbackWorld, bench: Bench) -> None:
    same = Call("web_search", "{}", "call_before")
    bench.endpoint(web, "openai-chat", Said(calls=(same,)))
    (call,) = bench.ask("openai-compatible:m").calls
    assert call.call_id != "call_before"


def test_usage_that_nobody_told_is_unknown(web: LoopbackWorld, bench: Bench) -> None:
    endpoint = bench.endpoint(web, "openai-chat", Said("A", usage=None))
    assert bench.ask("openai-compatible:m").usage == Usage(None, None, None)
    endpoint.say(Said("A", usage=Spent(10, 2)))
    assert bench.ask("openai-compatible:m").usage == Usage(10, 2, None)
    assert bench.ask("openai-chat:gpt-4o").usage == Usage(10, 2, 0)


@pytest.mark.parametrize("reference", ["xai:grok-4", "ollama:qwen3:8b", "openai-compatible:a/b:c"])
def test_servers_that_speak_openais_chat(web: LoopbackWorld, bench: Bench, reference: str) -> None:
    endpoint = bench.endpoint(web, "openai-chat", Said("Hello", (OPEN,)))
    got = bench.ask(reference, asking(max_tokens=50))
    assert (got.text, len(got.calls)) == ("Hello", 1)
    (asked,) = endpoint.asked
    assert asked.model == reference.partition(":")[2]
    assert asked.json["max_tokens"] == 50
    assert asked.json["parallel_tool_calls"] is True


@each_format
def test_the_key_is_where_the_provider_wants_it(
    web: LoopbackWorld, bench: Bench, format_name: FormatName
) -> None:
    endpoint = bench.endpoint(web, format_name, Said("A"))
    bench.key = f"  {KEY}\n"
    bench.ask(REFERENCES[format_name])
    bench.key = "sk-another-9876543210"
    bench.ask(REFERENCES[format_name])
    assert [_keys(endpoint, number) for number in (0, 1)] == [{KEY}, {"sk-another-9876543210"}]
    assert KEY.encode() not in endpoint.asked[0].raw


def test_a_server_that_needs_no_key_gets_none(web: LoopbackWorld, bench: Bench) -> None:
    endpoint = bench.endpoint(web, "openai-chat", Said("A"))
    bench.key = None
    bench.environment["OPENAI_API_KEY"] = KEY
    assert bench.ask("openai-compatible:m").text == "A"
    assert KEY not in str(endpoint.asked[0].headers)


def _keys(endpoint: ModelEndpoint, number: int) -> set[str]:
    headers = endpoint.asked[number].headers
    named = (headers.get(name, "") for name in ("authorization", "x-api-key", "x-goog-api-key"))
    return {value.removeprefix("Bearer ") for value in named if value}


@each_format
def test_a_publication_can_be_held_to_its_schema(
    web: LoopbackWorld, bench: Bench, format_name: FormatName
) -> None:
    published = '{"summary": "It is 40 m high.", "findings": []}'
    endpoint = bench.endpoint(web, format_name, Said(published))
    (tool,) = tool_specs(("publish_research",), supplement=False)
    request = asking(tools=(tool,), output_schema=tool.parameters)
    got = bench.ask(REFERENCES[format_name], request)
    assert endpoint.asked[0].response_format is not None
    assert [(call.tool, call.args) for call in got.calls] == [("publish_research", published)]
    assert got.text == ""


def _args(call: ToolCall) -> object:
    from lazyboy_jupyter.core.messages import call_args

    return call_args(call)
