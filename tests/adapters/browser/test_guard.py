"""The proxy that is the browser's only way out, spoken to by hand."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest

from lazyboy_jupyter.adapters.sources.browser.guard import Guard
from lazyboy_jupyter.adapters.sources.browser.lane import Lane
from lazyboy_jupyter.adapters.sources.web.addresses import AddressPolicy
from tests.loopback.network import PUBLIC, WorldNetwork
from tests.loopback.replies import ARTICLE, Reply, page
from tests.loopback.world import LoopbackWorld, Request

FORBIDDEN = [
    "127.0.0.1:80", "localhost.:80", "0x7f.1:80", "2130706433:80", "017700000001:80",
    "[::1]:443", "[::ffff:127.0.0.1]:443", "[64:ff9b::7f00:1]:443", "169.254.169.254:80",
    "10.0.0.1:443", "0.0.0.0:80", "[fe80::1]:80", "[fd00::1]:443", "224.0.0.1:80",
]  # fmt: skip


@dataclass
class Spoken:
    """A guard with one lane, and what it is asked over a socket."""

    guard: Guard
    lane: Lane
    port: int
    network: WorldNetwork

    async def ask(self, head: str, body: bytes = b"", *, known: bool = True) -> bytes:
        """Send a request and return all that comes until the connection ends."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        lines = [head, "Connection: close"]
        if known:
            lines.append(f"Proxy-Authorization: {self.lane.credentials.decode()}")
        if body:
            lines.append(f"Content-Length: {len(body)}")
        writer.write("\r\n".join([*lines, "", ""]).encode() + body)
        try:
            return await reader.read()
        except ConnectionResetError:
            return b""
        finally:
            writer.close()

    async def get(self, url: str, *headers: str) -> bytes:
        host = url.partition("://")[2].partition("/")[0]
        return await self.ask("\r\n".join([f"GET {url} HTTP/1.1", f"Host: {host}", *headers]))


@asynccontextmanager
async def guard_of(
    web: LoopbackWorld, *allowed: str, page_bytes: int = 10**9
) -> AsyncIterator[Spoken]:
    network = WorldNetwork(web)
    guard = Guard(network, AddressPolicy.allowing(allowed), page_bytes)
    port = await guard.start()
    try:
        yield Spoken(guard, guard.lane(), port, network)
    finally:
        await guard.close()


def spoken(
    work: Callable[[Spoken, LoopbackWorld], Awaitable[None]],
    *allowed: str,
    page_bytes: int = 10**9,
) -> None:
    async def run() -> None:
        with LoopbackWorld() as web:
            async with guard_of(web, *allowed, page_bytes=page_bytes) as guard:
                await work(guard, web)

    asyncio.run(run())


def test_a_page_comes_through_and_what_is_the_proxys_does_not_go_on() -> None:
    async def work(guard: Spoken, web: LoopbackWorld) -> None:
        web.put("http://a.example/x'|?q=%7e", page("Gates", *ARTICLE))
        answer = await guard.get("http://a.example/x'|?q=%7e", "Proxy-X: 1", "Accept: text/html")
        assert answer.startswith(b"HTTP/1.1 200")
        assert ARTICLE[0].encode() in answer
        (request,) = web.log
        assert request.target == "/x'|?q=%7e", "the path is sent on just as it came"
        assert request.headers["accept"] == "text/html"
        assert "proxy-authorization" not in request.headers
        assert guard.network.dials == [(PUBLIC, 80)]

    spoken(work)


def test_a_body_goes_through() -> None:
    async def work(guard: Spoken, web: LoopbackWorld) -> None:
        def echo(request: Request) -> Reply:
            return Reply(request.body, content_type="text/plain")

        web.put("http://a.example/post", echo)
        head = "POST http://a.example/post HTTP/1.1\r\nHost: a.example"
        assert (await guard.ask(head, b"some text")).endswith(b"some text")

    spoken(work)


@pytest.mark.parametrize("given", ["none", "wrong", "another's"])
def test_without_its_credentials_nothing_is_looked_up(given: str) -> None:
    async def work(guard: Spoken, web: LoopbackWorld) -> None:
        web.put("http://a.example/", page("A"))
        ended = guard.guard.lane()
        await guard.guard.end(ended)
        value = {"none": "", "wrong": "Basic eDp5", "another's": ended.credentials.decode()}[given]
        for head in ("GET http://a.example/ HTTP/1.1", "CONNECT a.example:443 HTTP/1.1"):
            extra = f"\r\nProxy-Authorization: {value}" if value else ""
            answer = await guard.ask(f"{head}\r\nHost: a.example{extra}", known=False)
            assert answer.startswith(b"HTTP/1.1 407")
            assert b"Proxy-Authenticate: Basic" in answer
        assert (guard.network.lookups, guard.network.dials, web.log) == ([], [], [])

    spoken(work)


@pytest.mark.parametrize("target", FORBIDDEN)
def test_forbidden_addresses_are_refused_in_every_spelling(target: str) -> None:
    """FIELD_CASES X1."""

    async def work(guard: Spoken, web: LoopbackWorld) -> None:
        guard.network.answers["localhost."] = guard.network.answers["localhost"] = [["127.0.0.1"]]
        answer = await guard.ask(f"CONNECT {target} HTTP/1.1\r\nHost: {target}")
        assert answer.startswith(b"HTTP/1.1 403")
        assert await guard.get(f"http://{target}/") == b""
        assert guard.network.dials == []
        host, _, port = target.rpartition(":")
        failure = guard.lane.failure_of(host, int(port))
        assert failure is not None
        assert failure.kind == "refused"

    spoken(work)


@pytest.mark.parametrize(
    "head",
    [
        "GET https://a.example/ HTTP/1.1", "GET file:///etc/passwd HTTP/1.1", "GET / HTTP/1.1",
        "GET http://u:p@a.example/ HTTP/1.1", "GET ws://a.example/ HTTP/1.1",
        "CONNECT a.example:0 HTTP/1.1", "CONNECT a.example:99999 HTTP/1.1",
        "CONNECT u@a.example:80 HTTP/1.1", "CONNECT / HTTP/1.1", "nonsense",
    ],
)  # fmt: skip
def test_what_no_browser_asks_a_proxy_is_not_done(head: str) -> None:
    async def work(guard: Spoken, web: LoopbackWorld) -> None:
        web.put("http://a.example/", page("A"))
        answer = await guard.ask(f"{head}\r\nHost: a.example")
        assert b" 200" not in answer[:20]
        assert (guard.network.dials, web.log) == ([], [])

    spoken(work)


def test_a_name_that_changes_its_address_is_judged_each_time_and_dialled_as_judged() -> None:
    """FIELD_CASES X1: a public answer first, a private one for the connection after it."""

    async def work(guard: Spoken, web: LoopbackWorld) -> None:
        web.put("http://turn.example/", page("A"))
        guard.network.answers["turn.example"] = [[PUBLIC], ["127.0.0.1"], [PUBLIC, "10.0.0.1"]]
        assert b" 200 " in await guard.get("http://turn.example/")
        assert guard.network.lookups == ["turn.example"], "one look-up for one connection"
        await guard.lane.renew()
        for _ in range(2):
            answer = await guard.ask("CONNECT turn.example:443 HTTP/1.1\r\nHost: turn.example")
            assert answer.startswith(b"HTTP/1.1 403")
        assert guard.network.dials == [(PUBLIC, 80)]

    spoken(work)


def test_an_allowed_host_is_reached_and_its_neighbours_are_not() -> None:
    async def work(guard: Spoken, web: LoopbackWorld) -> None:
        assert await guard.get(f"http://127.0.0.1:{web.port}/") == b""
        open_host = f"127.0.0.1:{web.port}"
        async with guard_of(web, open_host) as other:
            web.put(f"http://{open_host}/", page("A"))
            assert b" 200 " in await other.get(f"http://{open_host}/")
            assert await other.get(f"http://127.0.0.1:{web.tls_port}/") == b""

    spoken(work)


def test_a_tunnel_passes_bytes_both_ways() -> None:
    async def work(guard: Spoken, web: LoopbackWorld) -> None:
        web.put("http://a.example/", page("A"))
        reader, writer = await asyncio.open_connection("127.0.0.1", guard.port)
        credentials = guard.lane.credentials.decode()
        head = f"CONNECT a.example:80 HTTP/1.1\r\nProxy-Authorization: {credentials}\r\n"
        writer.write(f"{head}Host: a.example:80\r\n\r\n".encode())
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200")
        for _ in range(2):
            writer.write(b"GET / HTTP/1.1\r\nHost: a.example\r\n\r\n")
            assert (await reader.readuntil(b"</html>")).startswith(b"HTTP/1.1 200")
        writer.close()
        await asyncio.to_thread(web.wait_until, lambda world: world.open_connections == 0)

    spoken(work)


@pytest.mark.parametrize("tunnel", [False, True])
def test_no_page_gets_more_bytes_than_it_may(tunnel: bool) -> None:
    async def work(guard: Spoken, web: LoopbackWorld) -> None:
        web.put("http://a.example/", Reply(b"x" * 65_536, fault="endless"))
        web.put("http://a.example/small", page("small"))
        request = "GET {} HTTP/1.1\r\nHost: a.example"
        if tunnel:
            reader, writer = await asyncio.open_connection("127.0.0.1", guard.port)
            credentials = guard.lane.credentials.decode()
            head = f"CONNECT a.example:80 HTTP/1.1\r\nProxy-Authorization: {credentials}\r\n"
            writer.write(f"{head}Host: a.example:80\r\n\r\n".encode())
            await reader.readuntil(b"\r\n\r\n")
            writer.write(f"{request.format('/')}\r\n\r\n".encode())
            got = await reader.read()
            writer.close()
        else:
            got = await guard.get("http://a.example/")
        assert len(got) <= 1_000_000
        assert guard.lane.spent.is_set()
        assert await guard.get("http://a.example/small") == b"", "the next one is not let through"
        await guard.lane.renew()
        assert b"small" in await guard.get("http://a.example/small")

    spoken(work, page_bytes=1_000_000)


@pytest.mark.parametrize("fault", ["reset", "garbage", "reset_midway"])
def test_a_site_that_breaks_off_does_not_pass_for_a_whole_answer(fault: str) -> None:
    async def work(guard: Spoken, web: LoopbackWorld) -> None:
        web.put("http://a.example/", Reply(b"y" * 200_000, fault=fault))  # type: ignore[arg-type]
        answer = await guard.get("http://a.example/")
        assert len(answer) < 200_000
        failure = guard.lane.failure_of("a.example", 80)
        assert failure is not None
        assert failure.kind == "connection"

    spoken(work)


def test_strangers_cannot_keep_the_guard_busy() -> None:
    async def work(guard: Spoken, web: LoopbackWorld) -> None:
        web.put("http://a.example/", page("A"))
        strangers = [await asyncio.open_connection("127.0.0.1", guard.port) for _ in range(150)]
        assert b" 200 " in await guard.get("http://a.example/")
        for _, writer in strangers:
            writer.close()

    spoken(work)


def test_a_renewed_lane_lets_go_of_what_it_was_loading() -> None:
    async def work(guard: Spoken, web: LoopbackWorld) -> None:
        web.put("http://a.example/", Reply(fault="no_headers"))
        waiting = asyncio.ensure_future(guard.get("http://a.example/"))
        await asyncio.to_thread(web.wait_until, lambda world: bool(world.log))
        await guard.lane.renew()
        assert await waiting == b""
        await asyncio.to_thread(web.wait_until, lambda world: world.open_connections == 0)

    spoken(work)
