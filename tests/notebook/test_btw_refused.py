"""Side questions that cannot be asked, in a real kernel: one line each, and the next step."""

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.notebook.kernel import Kernel, kernel

MODEL = "openai-compatible:tiny"
SILENT_TASKS = 5


@pytest.fixture
def silent_address() -> Iterator[str]:
    """A model server that takes every request and never answers."""
    with socket.create_server(("127.0.0.1", 0), backlog=64) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}/v1"


def refused(one: Kernel, line: str) -> str:
    ran = one.run(line)
    assert ran.status == "error"
    assert "Traceback" not in ran.errors
    return ran.errors


def ask_all(one: Kernel, count: int) -> None:
    for number in range(count):
        one.run(f"%research -m {MODEL} --name t{number} Q{number}?")


def until_asked(one: Kernel, count: int) -> None:
    """Wait until so many tasks have begun their first request."""
    one.run(
        "from lazyboy_jupyter import get_engine\n"
        'def begun(): return get_engine().sql("SELECT count(DISTINCT task_id) FROM events'
        " WHERE kind = 'RoundStarted'\").fetchall()[0][0]"
    )
    for _ in range(500):
        value = one.run("begun()").value
        if value is not None and int(value["text/plain"]) >= count:
            return
    raise AssertionError("the tasks did not begin")


def test_a_fifth_at_once_a_removed_model_and_a_changed_address(
    tmp_path: Path, index_cache: Path, silent_address: str
) -> None:
    with kernel(tmp_path, index_cache, LAZYBOY_MODEL_URL=silent_address) as one:
        ask_all(one, SILENT_TASKS)
        until_asked(one, SILENT_TASKS)
        for number in range(SILENT_TASKS - 1):
            assert one.run(f"%btw --to t{number} What is known?").status == "ok"
        told = refused(one, f"%btw --to t{SILENT_TASKS - 1} What is known?")
        assert "4 side questions are being answered." in told
        assert "--stop" in told
        told = refused(one, "%btw --to t0 And now?")
        assert "The last question is still being answered." in told
        one.kill()
    with kernel(tmp_path, index_cache) as one:
        told = refused(one, "%btw --to t0 What is known?")
        assert f"The agent's model {MODEL} cannot be asked" in told
        assert "interrupted" in one.run("%btw --to t0").text.lower()
    with kernel(tmp_path, index_cache, LAZYBOY_MODEL_URL="http://127.0.0.1:9/v1") as one:
        told = refused(one, "%btw --to t0 What is known?")
        assert f"{MODEL} is not where it was" in told


def test_an_agent_that_has_asked_nothing_knows_nothing(
    tmp_path: Path, index_cache: Path, silent_address: str
) -> None:
    settings = tmp_path / ".lazyboy" / "config.toml"
    settings.parent.mkdir()
    settings.write_text("model_slots = 1\n")
    with kernel(tmp_path, index_cache, LAZYBOY_MODEL_URL=silent_address) as one:
        ask_all(one, 2)
        until_asked(one, 1)
        told = refused(one, "%btw --to t1 What is known?")
        assert "has not asked its model anything yet" in told
        assert "Ask again in a moment." in told
