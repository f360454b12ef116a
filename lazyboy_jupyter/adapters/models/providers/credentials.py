"""Owns where keys are looked for: the environment, then the system's keyring. It keeps none."""

import importlib.util
from collections.abc import Callable
from dataclasses import dataclass

from .reference import Environment

SERVICE = "lazyboy-jupyter"
"""The name that keys are kept under in a keyring; the user's name there is the variable's."""


@dataclass(frozen=True, slots=True)
class Credentials:
    """Finds keys by the names of variables. It may block: a keyring can ask for its password."""

    environment: Environment
    keyring: Callable[[str], str | None]

    def __call__(self, name: str) -> str | None:
        """Return the key, or None."""
        return self.environment(name) or self.keyring(name)


def from_keyring(name: str) -> str | None:
    """Return what the system's keyring has under that name, where `keyring` is installed."""
    if importlib.util.find_spec("keyring") is None:
        return None
    try:
        import keyring

        found: str | None = keyring.get_password(SERVICE, name)
    except Exception:  # noqa: BLE001 - a keyring that is locked, broken or absent has no key
        return None
    return found
