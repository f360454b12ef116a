"""The process: cancelled, killed, closed, warmed; and what never gets into ours."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import lazyboy_jupyter
from lazyboy_jupyter.adapters.models.providers.process import ProviderModels
from lazyboy_jupyter.adapters.models.providers.session import Session
from lazyboy_jupyter.errors import ModelError
from tests.adapters.providers.bench import KEY, REFERENCES, Bench, asking
from tests.loopback.gate import Gate
from tests.loopback.models import FORMATS, FormatName, Said
from tests.loopback.models.faults import headers_only, never_answers
from tests.loopback.world import LoopbackWorld


def session_of(models: ProviderModels) -> Session:
    assert models._session is not None
    return models._session


@pytest.mark.parametrize("format_name", FORMATS)
def test_cancelling_within_a_stream_reaches_the_wire(
    web: LoopbackWorld, bench: Bench, format_name: FormatName
) -> None:
    bench.endpoint(web, format_name, Said(("Begun", Gate(), "never")))

    async def main() -> None:
        begun = asyncio.Event()
        model = bench.models.open(REFERENCES[format_name])
        task = asyncio.ensure_future(model.respond(asking(), lambda _: begun.set()))
        await begun.wait()
        assert web.open_connections == 1
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.to_thread(web.wait_until, lambda world: world.open_connections == 0)

    bench.run(main())


@pytest.mark.parametrize("format_name", FORMATS)
@pytest.mark.parametrize("is_silent_early", [True, False])
def test_cancelling_while_nothing_comes(
    web: LoopbackWorld, bench: Bench, format_name: FormatName, is_silent_early: bool
) -> None:
    bench.endpoint(web, format_name, never_answers() if is_silent_early else headers_only())

    async def main() -> None:
        model = bench.models.open(REFERENCES[format_name])
        task = asyncio.ensure_future(model.respond(asking()))
        await asyncio.to_thread(web.wait_until, lambda world: len(world.log) == 1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.to_thread(web.wait_until, lambda world: world.open_connections == 0)

    bench.run(main())


def test_a_killed_process_fails_its_requests_and_the_next_one_works(
    web: LoopbackWorld, bench: Bench
) -> None:
    endpoint = bench.endpoint(web, "openai-chat", Said(("Begun", Gate())))

    async def main() -> None:
        begun = asyncio.Event()
        model = bench.models.open("openai-compatible:m")
        task = asyncio.ensure_future(model.respond(asking(), lambda _: begun.set()))
        await begun.wait()
        first = session_of(bench.models).process.pid
        os.kill(first, signal.SIGKILL)
        with pytest.raises(ModelError) as failed:
            await task
        assert failed.value.kind == "connection"
        endpoint.say(Said("Again."))
        assert (await model.respond(asking())).text == "Again."
        assert session_of(bench.models).process.pid != first

    bench.run(main())


def test_many_at_once_do_not_mix(web: LoopbackWorld, bench: Bench) -> None:
    bench.endpoint(
        web, "openai-chat", lambda asked: Said(tuple(f"{asked.model} speaks".split("x")))
    )

    async def main() -> None:
        models = [bench.models.open(f"openai-compatible:m{number}") for number in range(40)]
        heard: list[list[str]] = [[] for _ in models]
        replies = await asyncio.gather(
            *(model.respond(asking(), heard[at].append) for at, model in enumerate(models))
        )
        for number, reply in enumerate(replies):
            assert reply.text == f"m{number} speaks"
            assert "".join(heard[number]) == reply.text

    bench.run(main())


def test_a_hearer_that_fails_ends_its_own_request_only(web: LoopbackWorld, bench: Bench) -> None:
    bench.endpoint(web, "openai-chat", Said(("Begun", Gate())), Said("Fine."))

    def fail(_: str) -> None:
        raise ValueError("mine")

    with pytest.raises(ValueError, match="mine"):
        bench.ask("openai-compatible:m", heard=fail)
    web.wait_until(lambda world: world.open_connections == 0)
    assert bench.ask("openai-compatible:m").text == "Fine."


def test_close_leaves_no_process_and_ends_what_is_under_way(web: LoopbackWorld) -> None:
    bench = Bench()
    bench.endpoint(web, "openai-chat", Said(("Begun", Gate())))

    async def main() -> None:
        begun = asyncio.Event()
        model = bench.models.open("openai-compatible:m")
        task = asyncio.ensure_future(model.respond(asking(), lambda _: begun.set()))
        await begun.wait()
        pid = session_of(bench.models).process.pid
        await bench.models.close()
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
        with pytest.raises(ModelError):
            await task
        with pytest.raises(ModelError):
            await model.respond(asking())
        await asyncio.to_thread(web.wait_until, lambda world: world.open_connections == 0)

    bench.run(main())
    bench.close()


def test_warming_starts_the_process_that_requests_use(web: LoopbackWorld) -> None:
    bench = Bench()
    bench.endpoint(web, "openai-chat", Said("Warm."))

    async def main() -> None:
        bench.models.warm("openai-compatible:m")
        pid = (await bench.models.running()).process.pid
        reply = await bench.models.open("openai-compatible:m").respond(asking())
        assert reply.text == "Warm."
        assert session_of(bench.models).process.pid == pid

    bench.run(main())
    bench.close()


def test_warming_after_close_starts_nothing() -> None:
    async def main() -> None:
        models = ProviderModels(lambda name: None)
        await models.close()
        models.warm("openai:gpt-5")
        await asyncio.gather(*models._warming)
        assert models._session is None

    asyncio.run(main())


@pytest.mark.parametrize("name", ["extractive", "", "nobody:x"])
def test_what_is_no_providers_model_starts_nothing(name: str) -> None:
    async def main() -> None:
        models = ProviderModels(lambda _: None)
        models.warm(name)
        await asyncio.gather(*models._warming)
        assert models._session is None
        await models.close()

    asyncio.run(main())


def test_many_small_pieces_are_heard_in_few(web: LoopbackWorld, bench: Bench) -> None:
    bench.endpoint(web, "openai-chat", Said(tuple(f"{number} " for number in range(1000))))
    heard: list[str] = []
    got = bench.ask("openai-compatible:m", heard=heard.append)
    assert "".join(heard) == got.text
    assert len(heard) < 500


def test_no_library_of_a_provider_is_loaded_here(web: LoopbackWorld, bench: Bench) -> None:
    endpoint = bench.endpoint(web, "openai-chat", Said("Hello."))
    code = f"""
import asyncio, sys
from lazyboy_jupyter.adapters.models.providers.process import ProviderModels
from lazyboy_jupyter.ports import ModelRequest
from lazyboy_jupyter.core.messages import opening

async def main():
    models = ProviderModels(lambda name: "key", {{}}.get)
    request = ModelRequest([opening("S", "Q")], (), None)
    model = models.open("openai-compatible:m@{endpoint.base_url("openai-chat")}")
    print((await model.respond(request)).text)
    await models.close()

asyncio.run(main())
heavy = {{"pydantic_ai", "openai", "anthropic", "google.genai", "httpx", "httpx2", "keyring"}}
print(sorted(heavy & set(sys.modules)))
"""
    folder = str(Path(lazyboy_jupyter.__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "PYTHONPATH": folder},
    )
    assert done.stdout.split("\n")[:2] == ["Hello.", "[]"]


def test_a_key_is_in_no_representation(bench: Bench) -> None:
    from lazyboy_jupyter.adapters.models.providers.messages import Ask

    model = bench.models.open("openai:gpt-5")
    assert KEY not in repr(Ask(1, model.reference, asking(), KEY))
    assert KEY not in repr(model)
