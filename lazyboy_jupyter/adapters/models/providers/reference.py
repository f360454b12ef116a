"""Owns what `provider:model` means: which provider, where it is, what it needs. It asks nobody."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from ....errors import UsageError

Family = Literal["openai-responses", "openai-chat", "anthropic", "google", "ollama"]
"""Which interface a provider speaks."""

Environment = Callable[[str], str | None]


@dataclass(frozen=True, slots=True)
class Provider:
    """A provider. `keys`: the variables that may hold its key, the first that does counts.

    `extra`: of this package, with `module` as the sign that it is installed. `base_variable`: where
    people set another address than `base_url`, as the provider's own libraries read it.
    `tells_cached`: says of each request how much of it was cached, so that none said is 0.
    """

    name: str
    label: str
    family: Family
    extra: str
    module: str
    base_url: str
    base_variable: str
    keys: tuple[str, ...]
    key_page: str = ""
    needs_key: bool = True
    tells_cached: bool = True


PROVIDERS: dict[str, Provider] = {
    provider.name: provider
    for provider in (
        Provider(
            "openai", "OpenAI", "openai-responses", "openai", "openai",
            "https://api.openai.com/v1", "OPENAI_BASE_URL",
            ("OPENAI_API_KEY",), "https://platform.openai.com/api-keys",
        ),
        Provider(
            "openai-chat", "OpenAI", "openai-chat", "openai", "openai",
            "https://api.openai.com/v1", "OPENAI_BASE_URL",
            ("OPENAI_API_KEY",), "https://platform.openai.com/api-keys",
        ),
        Provider(
            "anthropic", "Anthropic", "anthropic", "anthropic", "anthropic",
            "https://api.anthropic.com", "ANTHROPIC_BASE_URL",
            ("ANTHROPIC_API_KEY",), "https://console.anthropic.com/settings/keys",
        ),
        Provider(
            "google", "Google", "google", "google", "google.genai",
            "https://generativelanguage.googleapis.com", "GOOGLE_GEMINI_BASE_URL",
            ("GEMINI_API_KEY", "GOOGLE_API_KEY"), "https://aistudio.google.com/apikey",
        ),
        Provider(
            "xai", "xAI", "openai-chat", "xai", "openai",
            "https://api.x.ai/v1", "XAI_BASE_URL",
            ("XAI_API_KEY",), "https://console.x.ai",
        ),
        Provider(
            "ollama", "Ollama", "ollama", "ollama", "openai",
            "http://localhost:11434/v1", "OLLAMA_BASE_URL",
            ("OLLAMA_API_KEY",), needs_key=False, tells_cached=False,
        ),
        Provider(
            "openai-compatible", "The model server", "openai-chat", "openai", "openai",
            "", "LAZYBOY_MODEL_URL",
            ("LAZYBOY_MODEL_KEY",), needs_key=False, tells_cached=False,
        ),
    )
}  # fmt: skip
COMPATIBLE = "openai-compatible"
PREFIXES = tuple(f"{name}:" for name in PROVIDERS)
"""What references begin with, for completion."""


@dataclass(frozen=True, slots=True)
class Reference:
    """A model of a provider, and where it is reached."""

    text: str
    provider: Provider
    model: str
    base_url: str

    @property
    def is_elsewhere(self) -> bool:
        """Whether another address than the provider's own was set."""
        return self.base_url != self.provider.base_url


def is_reference(text: str) -> bool:
    """Whether `text` looks like `provider:model`."""
    return ":" in text


def parse(text: str, environment: Environment) -> Reference:
    """Return what `text` refers to. Names of models may hold ":", "/" and "@".

    Raises `UsageError`: no such provider, no model, no address or none that can be one.
    """
    text = text.strip()
    name, _, model = text.partition(":")
    provider = PROVIDERS.get(name.strip().lower())
    if provider is None:
        raise UsageError(
            f"There is no provider {name[:80]!r}.",
            f"A model is written {', '.join(f'{prefix}MODEL' for prefix in PREFIXES)}.",
        )
    model, url = _split(model.strip()) if provider.name == COMPATIBLE else (model.strip(), "")
    if "://" in model:  # said without it: an address may hold a password, and a name is stored
        raise UsageError(
            "An address stands in the model's name.",
            f"Put it into {provider.base_variable}, or write {COMPATIBLE}:MODEL@http://HOST/v1.",
        )
    if not model:
        raise UsageError(
            f"No model is named after {provider.name}:.", f"Write {provider.name}:MODEL."
        )
    where = "the reference" if url else provider.base_variable
    url = url or (environment(provider.base_variable) or "").strip() or provider.base_url
    if not url:
        raise UsageError(
            f"Where the model {model[:80]!r} is served is not known.",
            f"Set {provider.base_variable} to an address such as http://localhost:8080/v1, or "
            f"write {provider.name}:MODEL@http://localhost:8080/v1.",
        )
    return Reference(text, provider, model, _checked(url, where, provider))


def _split(model: str) -> tuple[str, str]:
    """Return the model and the address behind the last "@" that an address follows."""
    for scheme in ("@http://", "@https://"):
        name, found, rest = model.rpartition(scheme)
        if found:
            return name.strip(), f"{scheme[1:]}{rest.strip()}"
    return model, ""


def _checked(url: str, where: str, provider: Provider) -> str:
    """Return the address in one form. What is wrong is said without it: it may hold a secret."""
    try:
        parts = urlsplit(url)
        is_address = parts.scheme in {"http", "https"} and bool(parts.hostname)
        _ = parts.port  # raises when it is none
    except ValueError:
        is_address = False
    if not is_address:
        raise UsageError(
            f"The address in {where} is none.", "Write one such as http://localhost:8080/v1."
        )
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise UsageError(
            f"The address in {where} holds more than an address.",
            f"Leave out user, password and query; a key belongs in {provider.keys[0]}.",
        )
    path = parts.path.rstrip("/")
    if provider.family == "ollama" and not path:
        path = "/v1"  # Ollama's own setting has no path; what speaks OpenAI's interface is below it
    return f"{parts.scheme}://{parts.netloc}{path}"
