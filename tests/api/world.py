"""A kernel's API as a program meets it: a real engine, a real socket, a model held at gates."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from lazyboy_jupyter.adapters.clock import SystemClock
from lazyboy_jupyter.api.address import Address
from lazyboy_jupyter.api.serving import ApiServer
from lazyboy_jupyter.config import Settings
from lazyboy_jupyter.engine.engine import Engine
from lazyboy_jupyter.errors import EngineClosedError
from lazyboy_jupyter.ports import ModelReply, ModelRequest, Usage, unheard
from tests.fakes import FakeWeb, call, guide, pages, world
from tests.loopback.gate import Gate

PATIENCE = 30.0
Values = dict[str, Any]
TURNS = (
    (call("web_search", query="q"),),
    (call("open_page", url="https://a.example/1"),),
    (guide(("S1", "gates cost 1 million"), text="Gates cost 1 million."),),
)
PIECES = ("Gates cost ", "1 million ", "(S1).")


@dataclass
class HeldModel:
    """Researches in three turns, the last one behind `publish`; answers on the side in three
    pieces, each behind the next of `pieces`."""

    publish: Gate = field(default_factory=Gate)
    pieces: list[Gate] = field(default_factory=lambda: [Gate() for _ in PIECES])
    name: str = "held"
    identity: str = "held"
    takes_notes: bool = True
    room: int | None = None

    async def respond(
        self, request: ModelRequest, heard: Callable[[str], None] = unheard
    ) -> ModelReply:
        if request.aside:
            for gate, piece in zip(self.pieces, PIECES, strict=True):
                await gate.passed()
                heard(piece)
            return ModelReply("".join(PIECES), (), Usage(10, 3))
        turn = sum(message["kind"] == "response" for message in request.messages)
        if turn >= len(TURNS) - 1:
            await self.publish.passed()
        return ModelReply("", TURNS[min(turn, len(TURNS) - 1)], Usage())

    def open_all(self) -> None:
        for gate in (self.publish, *self.pieces):
            gate.open()


@dataclass
class Kernel:
    """One kernel's engine, and a client of its API."""

    folder: Path
    server: ApiServer
    http: httpx.Client
    model: HeldModel
    engines: list[Engine]

    @property
    def engine(self) -> Engine:
        return self.engines[-1]

    @property
    def address(self) -> Address:
        return self.server.address

    def get(self, path: str, **query: Any) -> httpx.Response:
        return self.http.get(path, params=query)

    def begin(self, question: str = "What do gates cost?") -> Values:
        """Begin research; return its row."""
        answer = self.http.post("/api/tasks", json={"question": question})
        assert answer.status_code == 202, answer.text
        return dict(answer.json())

    def known(self) -> Values:
        """Begin research, and wait until its agent can be asked; return its row."""
        row = self.begin()
        assert self.model.publish.reached.wait(PATIENCE)
        return row

    def ended(self) -> Values:
        """Research to the end; return its row."""
        self.model.publish.open()
        row = self.begin()
        self.engine.task(row["task_id"]).wait(PATIENCE)
        return row

    def ask(self, task_id: str, question: str = "So?", client_id: str = "1") -> httpx.Response:
        return self.http.post(
            f"/api/tasks/{task_id}/chat/side-questions",
            json={"question": question, "client_request_id": client_id},
        )

    @contextmanager
    def events(self, path: str, last: str | None = None) -> Iterator[Iterator[Values]]:
        """Server-sent events, one value each: its kind, its number, its data; no pings."""
        headers = {} if last is None else {"Last-Event-ID": last}
        with self.http.stream("GET", path, headers=headers) as answer:
            assert answer.status_code == 200, answer.read()
            yield events_of(answer.iter_lines())


def events_of(lines: Iterator[str]) -> Iterator[Values]:
    one: Values = {}
    for line in lines:
        if line == "":
            if one:
                yield one
            one = {}
        elif not line.startswith(":"):
            name, _, value = line.partition(": ")
            one[name] = json.loads(value) if name == "data" else value


class Nobody:
    """No engine, and nobody who may ask for one."""

    def running(self) -> None:
        raise AssertionError("nobody asked")

    def start(self) -> Engine:
        raise AssertionError("nobody asked")


@dataclass
class OneEngine:
    """The engine of a folder, started once, with others of the tests."""

    folder: Path
    model: HeldModel
    made: list[Engine]
    starting: threading.Lock = field(default_factory=threading.Lock)

    def running(self) -> Engine | None:
        if self.made and self.made[-1].closed:
            raise EngineClosedError("The engine was closed.", "%research begins anew.")
        return self.made[-1] if self.made else None

    def start(self) -> Engine:
        with self.starting:
            if not self.made:
                real = world(SystemClock(), self.model, FakeWeb(pages(3)))
                settings = Settings(cache=self.folder / "cache")
                path = self.folder / "run.duckdb"
                self.made.append(Engine(path, settings=settings, world=real))
            return self.made[-1]


@contextmanager
def served(folder: Path, *, unix: bool = True) -> Iterator[Kernel]:
    """A kernel that listens; its engine starts with the first request."""
    model, engines = HeldModel(), list[Engine]()

    server = ApiServer(OneEngine(folder, model, engines), folder / "kernel-1.json", unix=unix)
    server.begin()
    try:
        with client(server.address) as http:
            yield Kernel(folder, server, http, model, engines)
    finally:
        model.open_all()
        for engine in engines:
            engine.close()
        server.end()


def client(address: Address) -> httpx.Client:
    """Speaks to an API as the Jupyter server does."""
    transport = httpx.HTTPTransport(uds=address.socket or None)
    return httpx.Client(
        transport=transport,
        base_url=f"http://127.0.0.1:{address.port or 80}",
        headers={"Authorization": f"Bearer {address.token}"},
        timeout=PATIENCE,
    )
