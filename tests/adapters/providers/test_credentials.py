"""Keys come from the environment, then from the keyring."""

from collections.abc import Iterator

import keyring
import pytest
from keyring.backend import KeyringBackend
from keyring.errors import KeyringLocked

from lazyboy_jupyter.adapters.models.providers.credentials import (
    SERVICE,
    Credentials,
    from_keyring,
)


class OneKey(KeyringBackend):
    """A keyring with a single key, and one that cannot be read."""

    priority = 1

    def get_password(self, service: str, username: str) -> str | None:
        if username == "LOCKED":
            raise KeyringLocked("no")
        return "kept" if (service, username) == (SERVICE, "OPENAI_API_KEY") else None

    def set_password(self, service: str, username: str, password: str) -> None:
        raise AssertionError("nothing is stored")

    def delete_password(self, service: str, username: str) -> None:
        raise AssertionError("nothing is deleted")


@pytest.fixture
def one_key() -> Iterator[None]:
    before = keyring.get_keyring()
    keyring.set_keyring(OneKey())
    yield
    keyring.set_keyring(before)


@pytest.mark.usefixtures("one_key")
def test_the_systems_keyring() -> None:
    assert from_keyring("OPENAI_API_KEY") == "kept"
    assert from_keyring("ANTHROPIC_API_KEY") is None
    assert from_keyring("LOCKED") is None


def test_the_environment_comes_first() -> None:
    asked: list[str] = []

    def keyring(name: str) -> str | None:
        asked.append(name)
        return "from the keyring" if name == "A" else None

    find = Credentials({"B": "from the environment", "C": ""}.get, keyring)
    assert find("B") == "from the environment"
    assert asked == []
    assert find("A") == "from the keyring"
    assert find("C") is None
    assert asked == ["A", "C"]
