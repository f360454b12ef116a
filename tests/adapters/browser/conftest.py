"""One browser for a module, and loopback worlds: one it may reach, one it may not."""

import asyncio
from collections.abc import Coroutine, Iterator
from typing import Any, TypeVar

import pytest

from lazyboy_jupyter.adapters.sources.browser.limits import Limits
from lazyboy_jupyter.adapters.sources.browser.process import ChromiumBrowser
from lazyboy_jupyter.adapters.sources.browser.shown import BrowserPage
from lazyboy_jupyter.errors import SourceError
from tests.loopback.replies import Reply
from tests.loopback.world import Answer, LoopbackWorld

T = TypeVar("T")
LIMITS = Limits(
    begin=5, parse=2, settle=3, challenge=2.5, whole=12, look=2, read=5, quiet_ms=250,
    page_bytes=4_000_000,
)  # fmt: skip


class Surf:
    """A browser on a loop of its own, and the world that it may reach."""

    def __init__(self, world: LoopbackWorld, forbidden: LoopbackWorld) -> None:
        self.world = world
        self.forbidden = forbidden
        self.base = f"http://127.0.0.1:{world.port}"
        self.other = f"http://localhost:{world.port}"
        self.outside = f"127.0.0.1:{forbidden.port}"
        self._runner = asyncio.Runner()
        allowed = [
            *(f"{host}:{world.port}" for host in ("127.0.0.1", "localhost")),
            f"localhost:{world.tls_port}",
        ]
        self.browser = self.run(self._make(allowed))

    async def _make(self, allowed: list[str]) -> ChromiumBrowser:
        return ChromiumBrowser(allowed, limits=LIMITS)

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return self._runner.run(work)

    def put(self, path: str, answer: Answer | str) -> str:
        """Let a path of the world answer, HTML if it is a text; return its address."""
        if isinstance(answer, str):
            answer = Reply(answer.encode())
        return self.world.put(f"{self.base}{path}", answer)

    def open(self, url: str, owner: str = "task") -> BrowserPage:
        return self.run(self.browser.open(owner, url))

    def failure(self, url: str, owner: str = "task") -> SourceError:
        with pytest.raises(SourceError) as caught:
            self.open(url, owner)
        return caught.value

    def close(self) -> None:
        self.run(self.browser.close())
        self._runner.close()


@pytest.fixture(scope="module")
def shared() -> Iterator[Surf]:
    with LoopbackWorld() as world, LoopbackWorld() as forbidden:
        surf = Surf(world, forbidden)
        yield surf
        surf.close()


@pytest.fixture
def surf(shared: Surf) -> Iterator[Surf]:
    """The module's browser, without what the last test left: cookies and the log."""
    yield shared
    for owner in ("task", "a", "b"):
        shared.run(shared.browser.release(owner))
    shared.world.log.clear()
    assert shared.forbidden.log == []
    assert shared.forbidden.most_open == 0, "a connection was made around the guard"
