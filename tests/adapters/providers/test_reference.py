"""What `provider:model` means."""

import pytest

from lazyboy_jupyter.adapters.models.providers.needs import missing_extra, not_installed
from lazyboy_jupyter.adapters.models.providers.process import ProviderModels
from lazyboy_jupyter.adapters.models.providers.reference import PREFIXES, PROVIDERS, parse
from lazyboy_jupyter.adapters.models.registry import NAMES, ModelFactory
from lazyboy_jupyter.adapters.workers import WorkerPool
from lazyboy_jupyter.errors import UsageError

NOTHING: dict[str, str] = {}
LOCAL = {"LAZYBOY_MODEL_URL": "http://localhost:8080/v1/"}


@pytest.mark.parametrize(
    ("text", "provider", "model", "url"),
    [
        ("openai:gpt-5", "openai", "gpt-5", "https://api.openai.com/v1"),
        (" openai-chat:gpt-4o ", "openai-chat", "gpt-4o", "https://api.openai.com/v1"),
        ("OpenAI:gpt-5", "openai", "gpt-5", "https://api.openai.com/v1"),
        ("openai:ft:gpt-4o:me::id", "openai", "ft:gpt-4o:me::id", "https://api.openai.com/v1"),
        ("ollama:qwen3:8b", "ollama", "qwen3:8b", "http://localhost:11434/v1"),
        ("openai-compatible:a/b:c", "openai-compatible", "a/b:c", "http://localhost:8080/v1"),
        (
            "openai-compatible:m@4bit@https://h.example:1/x/v1",
            "openai-compatible", "m@4bit", "https://h.example:1/x/v1",
        ),
        ("openai-compatible:m@http://[::1]:8080", "openai-compatible", "m", "http://[::1]:8080"),
    ],
)  # fmt: skip
def test_references(text: str, provider: str, model: str, url: str) -> None:
    found = parse(text, LOCAL.get)
    assert (found.provider.name, found.model, found.base_url) == (provider, model, url)
    assert found.text == text.strip()


@pytest.mark.parametrize("provider", PROVIDERS.values(), ids=PROVIDERS)
def test_another_address(provider: object) -> None:
    from lazyboy_jupyter.adapters.models.providers.reference import Provider

    assert isinstance(provider, Provider)
    environment = {provider.base_variable: "http://127.0.0.1:5/p/"}
    found = parse(f"{provider.name}:m", environment.get)
    assert found.base_url == "http://127.0.0.1:5/p"
    assert found.is_elsewhere


def test_ollamas_address_may_be_as_ollama_writes_it() -> None:
    environment = {"OLLAMA_BASE_URL": "http://gpu:11434"}
    assert parse("ollama:m", environment.get).base_url == "http://gpu:11434/v1"


@pytest.mark.parametrize("text", ["", "gpt-5", "nobody:m", "openai:", "openai:  ", ":m", "openai"])
def test_what_is_no_reference(text: str) -> None:
    with pytest.raises(UsageError):
        parse(text, LOCAL.get)


def test_an_unknown_provider_is_told_what_there_is() -> None:
    with pytest.raises(UsageError) as error:
        parse("nobody:m", NOTHING.get)
    assert all(prefix in error.value.hint for prefix in PREFIXES)


def test_a_server_without_an_address_is_told_what_to_set() -> None:
    with pytest.raises(UsageError) as error:
        parse("openai-compatible:m", NOTHING.get)
    assert "LAZYBOY_MODEL_URL" in error.value.hint
    assert "openai-compatible:MODEL@http" in error.value.hint


@pytest.mark.parametrize(
    "url",
    [
        "http://me:hunter22@h/v1", "http://h/v1?key=hunter22", "http://h/v1#hunter22",
        "hunter22", "ftp://h/hunter22", "http://", "http://h:hunter22/", "http://[hunter22/",
    ],
)  # fmt: skip
def test_an_address_that_is_none_or_holds_a_secret_is_not_repeated(url: str) -> None:
    with pytest.raises(UsageError) as error:
        parse("openai-compatible:m", {"LAZYBOY_MODEL_URL": url}.get)
    assert "hunter22" not in str(error.value)


def test_each_provider_says_what_it_needs() -> None:
    for provider in PROVIDERS.values():
        assert f"lazyboy-jupyter[{provider.extra}]" in not_installed(provider).hint
        assert missing_extra(provider) is None  # the development extra has them all
        assert provider.keys
        assert bool(provider.key_page) == provider.needs_key


def test_the_factory_opens_both_kinds_and_names_what_there_is() -> None:
    factory = ModelFactory(
        WorkerPool(), WorkerPool(), ProviderModels(lambda name: None, NOTHING.get)
    )
    assert factory.open(" extractive ").name == "extractive"
    assert factory.open("anthropic:claude-x").name == "anthropic:claude-x"
    assert NAMES[0] == "extractive"
    assert "openai-compatible:" in NAMES
    for name in ("nothing", "nobody:x"):
        with pytest.raises(UsageError) as error:
            factory.open(name)
        assert "anthropic:MODEL" in error.value.hint
