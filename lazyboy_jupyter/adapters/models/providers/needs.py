"""Owns what a provider needs to be there, and how it is said that it is not. It imports nothing."""

import importlib.util

from ....errors import ModelError
from .reference import Provider

_LIBRARY = "pydantic_ai"
_found: set[str] = set()
"""Modules known to be there: looking took 1 ms of each request. One that is missing is looked for
again, since a person may install it."""


def missing_extra(provider: Provider) -> ModelError | None:
    """Return the error when a library that the provider needs is not installed."""
    if _is_there(_LIBRARY) and _is_there(provider.module):
        return None
    return not_installed(provider)


def not_installed(provider: Provider) -> ModelError:
    """Return the error for a library that is not there."""
    return ModelError(
        f"What {provider.label} needs is not installed.",
        f"Run: pip install 'lazyboy-jupyter[{provider.extra}]'",
        kind="not_configured",
    )


def missing_key(provider: Provider) -> ModelError:
    """Return the error for a key that is nowhere."""
    return ModelError(
        f"There is no key for {provider.label}.",
        f"Set {' or '.join(provider.keys)}. {where_to_get(provider)}".strip(),
        kind="not_configured",
    )


def unusable_key(name: str, provider: Provider) -> ModelError:
    """Return the error for a key with characters that cannot be sent."""
    return ModelError(
        f"{name} holds characters that no key has.",
        f"Copy the key again. {where_to_get(provider)}".strip(),
        kind="not_configured",
    )


def where_to_get(provider: Provider) -> str:
    """Return the sentence that says where a key comes from, "" where that is not known."""
    return f"A key comes from {provider.key_page}" if provider.key_page else ""


def _is_there(module: str) -> bool:
    """Whether a module can be found. Of a dotted name only the parent package is imported."""
    if module in _found:
        return True
    try:
        is_there = importlib.util.find_spec(module) is not None
    except (ImportError, ValueError):
        return False
    if is_there:
        _found.add(module)
    return is_there
