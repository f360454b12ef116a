"""What side questions cost: the way of an answer's first text, and a snapshot of a long context."""

import json
import os
import statistics
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path

from lazyboy_jupyter.config import Settings
from lazyboy_jupyter.core.messages import Message, ToolCall, ToolResult, opening, reply, results
from lazyboy_jupyter.engine.engine import Engine
from lazyboy_jupyter.engine.snapshots import Snapshots, SnapshotTaker
from lazyboy_jupyter.store.database import open_database
from tests.benchmarks import flow_world as world
from tests.benchmarks.flow import the_world
from tests.fakes import ScriptedModel

QUESTIONS = 40
MESSAGES, EARLY = 500, 10
SIZE = 2_000
GROWN = 5
_AROUND = 5
"""Snapshots around the tenth and the last over which a median is taken."""


def report() -> Iterator[str]:
    yield from _first_text()
    yield from _growth()


def _first_text() -> Iterator[str]:
    """The world writes into its first token when it sent it; we note when the answer had it."""
    with tempfile.TemporaryDirectory() as name, the_world() as (_, port):
        model = f"openai-compatible:bench@http://127.0.0.1:{port}/v1"
        settings = Settings(cache=Path(name, "cache"), model=model)
        with Engine(
            Path(name, "run.duckdb"), settings=settings, allow_hosts=["127.0.0.0/8"]
        ) as engine:
            task = engine.research(
                world.question_of(0),
                search=f"searxng:http://{world.host_of_search(0)}:{port}",
                searches=world.SEARCHES, pages=world.PAGES, gaps=0,
            ).wait(60)  # fmt: skip
            late = [_way_of_first_text(engine, task.id) for _ in range(QUESTIONS)]
    late = late[1:]  # the first opens the connection
    yield (
        f"first text after the provider's first token: {statistics.median(late) * 1000:.1f} ms "
        f"median, {max(late) * 1000:.1f} ms longest of {len(late)}; load {os.getloadavg()[0]:.1f}"
    )


def _way_of_first_text(engine: Engine, task_id: str) -> float:
    heard: Future[float] = Future()

    def listen(parent: str) -> None:
        newest = engine.side.newest(parent)
        if newest is not None and newest.answer and not newest.ended and not heard.done():
            heard.set_result(time.monotonic())

    unsubscribe = engine.side.hub.subscribe(listen)
    answer = engine.ask("How often do they close?", task_id).wait(60)
    unsubscribe()
    engine.side.clear(task_id)  # with more than twenty, a summary would come first
    sent = float(answer.answer.split()[0])
    return heard.result(0) - sent


def _context(count: int) -> list[Message]:
    """A context of so many messages of 2 kB: calls and their results in turn."""
    messages = [opening("You research.", "What do gates cost?")]
    while len(messages) < count:
        call = ToolCall(f"c{len(messages)}", "open_page", {"url": "u" * (SIZE - 200)})
        messages.append(reply("", [call]))
        text = f"{len(messages)} " + "t" * (SIZE - 200)
        messages.append(results([ToolResult(call.call_id, call.tool, {"text": text})]))
    return messages[:count]


def _growth() -> Iterator[str]:
    messages = _context(MESSAGES)
    held = sum(len(json.dumps(message)) for message in messages)
    runs = sorted(_costs(messages) for _ in range(GROWN))
    ratio, early, last, size = runs[len(runs) // 2]
    yield (
        f"a context of {MESSAGES} messages of 2 kB: the last snapshot costs {ratio:.2f} × the "
        f"tenth, stored, median of {GROWN} ({early * 1000:.1f} and {last * 1000:.1f} ms of CPU; "
        f"lowest {runs[0][0]:.2f}, highest {runs[-1][0]:.2f}); the file has {size / held:.2f} × "
        f"the messages' {held / 1e6:.1f} MB"
    )


def _costs(messages: list[Message]) -> tuple[float, float, float, int]:
    """Grow a context by a message each; return the ratio, both costs and the file's size."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name, "s.duckdb")
        database = open_database(path)
        taker = SnapshotTaker(Snapshots(database), "t", ScriptedModel([]))
        took: list[float] = []
        for count in range(1, MESSAGES + 1):
            began = time.process_time()  # a busy writer rests, and resting costs nothing
            taker.take("request", messages[:count], count, count * 1_000_000, ())
            database.append(taker.due_rows(count * 1_000_000)).result()
            took.append(time.process_time() - began)
        database.close()
        size = path.stat().st_size
    early = statistics.median(took[EARLY - _AROUND : EARLY + _AROUND])
    last = statistics.median(took[-2 * _AROUND :])
    return last / early, early, last, size
