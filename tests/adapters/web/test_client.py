import asyncio

import pytest

from lazyboy_jupyter.adapters.sources.web.body import MAX_BYTES
from lazyboy_jupyter.adapters.sources.web.client import Fetched
from lazyboy_jupyter.errors import SourceError
from tests.adapters.web.conftest import client_of
from tests.loopback.network import WorldNetwork
from tests.loopback.replies import ARTICLE, Reply, page, redirect, zipped
from tests.loopback.world import LoopbackWorld, Request


def fetched(web: LoopbackWorld, url: str, network: WorldNetwork | None = None) -> Fetched:
    async def run() -> Fetched:
        async with client_of(web, network) as client:
            return await client.fetch(url)

    return asyncio.run(run())


def failure(web: LoopbackWorld, url: str, network: WorldNetwork | None = None) -> SourceError:
    with pytest.raises(SourceError) as caught:
        fetched(web, url, network)
    return caught.value


def test_a_page_comes_with_its_address_its_headers_and_its_bytes(web: LoopbackWorld) -> None:
    url = web.put("http://news.example/a?b=1", page("Gates", *ARTICLE))
    answer = fetched(web, url)
    assert answer.url == url
    assert answer.status == 200
    assert answer.content_type == "text/html; charset=utf-8"
    assert ARTICLE[0].encode() in answer.body
    assert not answer.truncated


def test_a_secure_page_is_checked_against_the_name(web: LoopbackWorld) -> None:
    url = web.put("https://news.example/", page("Gates"))
    assert fetched(web, url).status == 200


@pytest.mark.parametrize("fault", ["expired", "strangers"])
def test_a_certificate_is_never_ignored(web: LoopbackWorld, fault: str) -> None:
    getattr(web, fault).add("news.example")
    url = web.put("https://news.example/", page("Gates"))
    error = failure(web, url)
    assert error.kind == "tls"
    assert "certificate of news.example" in error.sentence
    assert web.log == []


def test_unknown_host_reset_and_garbage_have_names_of_their_own(web: LoopbackWorld) -> None:
    web.put("http://a.example/reset", Reply(fault="reset"))
    web.put("http://a.example/garbage", Reply(fault="garbage"))
    kinds = {
        url: failure(web, url).kind
        for url in ("http://nowhere.example/", "http://a.example/reset", "http://a.example/garbage")
    }
    assert list(kinds.values()) == ["dns", "connection", "connection"]


def test_redirects_are_followed_with_the_cookies_set_on_the_way(web: LoopbackWorld) -> None:
    def gate(request: Request) -> Reply:
        if "seen=1" in request.headers.get("cookie", ""):
            return page("Inside")
        return redirect("/a", set_cookie="seen=1; Path=/")

    web.put("http://a.example/a", gate)
    assert b"Inside" in fetched(web, "http://a.example/a").body
    assert "cookie" not in web.log[0].headers
    fetched(web, "http://a.example/a")
    assert "cookie" not in web.log[2].headers, "a cookie outlived its read"


@pytest.mark.parametrize("location", ["/a", "http://a.example/a", "?again=1", "//a.example/a"])
def test_a_redirect_in_a_circle_ends(web: LoopbackWorld, location: str) -> None:
    web.put("http://a.example/a", redirect(location, set_cookie="a=b"))
    error = failure(web, "http://a.example/a")
    assert error.kind == "http_status"
    assert "circle" in error.sentence
    assert len(web.log) == 11


def test_a_chain_of_thirty_ends_and_one_of_three_arrives(web: LoopbackWorld) -> None:
    for number in range(30):
        web.put(f"http://a.example/{number}", redirect(f"/{number + 1}", 308))
    web.put("http://a.example/30", page("End"))
    assert "circle" in failure(web, "http://a.example/0").sentence
    assert fetched(web, "http://a.example/27").url == "http://a.example/30"


def test_a_key_is_not_sent_on_to_where_a_redirect_leads(web: LoopbackWorld) -> None:
    web.put("http://a.example/", redirect("http://b.example/"))
    web.put("http://b.example/", page("B"))

    async def run() -> None:
        async with client_of(web) as client:
            await client.fetch("http://a.example/", headers={"X-Key": "secret"})

    asyncio.run(run())
    assert web.log[0].headers["x-key"] == "secret"
    assert "x-key" not in web.log[1].headers


def test_reading_stops_at_the_limit_of_unpacked_bytes(web: LoopbackWorld) -> None:
    """FIELD_CASES X3: some kilobytes that unpack to a hundred times the limit."""
    bomb = zipped(b"\0" * (MAX_BYTES * 20))
    assert len(bomb.body) < 300_000
    answer = fetched(web, web.put("http://a.example/", bomb))
    assert answer.truncated
    assert len(answer.body) == MAX_BYTES


@pytest.mark.parametrize(
    "reply",
    [
        Reply(b"x" * 100_000, fault="endless"),
        Reply(b"x" * (MAX_BYTES + 1)),
    ],
)
def test_reading_stops_at_the_limit_while_streaming(web: LoopbackWorld, reply: Reply) -> None:
    answer = fetched(web, web.put("http://a.example/", reply))
    assert answer.truncated
    assert len(answer.body) == MAX_BYTES


def test_more_than_the_declared_length_is_not_read_and_the_page_is_marked(
    web: LoopbackWorld,
) -> None:
    """FIELD_CASES B7."""
    lie = Reply(b"x" * 50_000_000, length=100)
    answer = fetched(web, web.put("http://a.example/", lie))
    assert answer.body == b"x" * 100
    assert answer.truncated


@pytest.mark.parametrize(
    "reply", [Reply(b"y" * 1000, length=5000), Reply(b"y" * 200_000, fault="reset_midway")]
)
def test_a_page_lost_half_way_is_kept_as_far_as_it_came(web: LoopbackWorld, reply: Reply) -> None:
    answer = fetched(web, web.put("http://a.example/", reply))
    assert answer.truncated
    assert 0 < len(answer.body) < 200_000


def test_a_small_surplus_is_seen_and_spoils_no_later_answer(web: LoopbackWorld) -> None:
    """What a parser has read beyond an answer would be taken for the next one's beginning."""
    smuggled = b"HTTP/1.1 200 OK\r\nContent-Length: 8\r\n\r\nsmuggled"
    web.put("http://a.example/1", Reply(b"x" * 10 + smuggled, length=10))
    web.put("http://a.example/2", page("Two"))

    async def run() -> list[Fetched]:
        async with client_of(web) as client:
            return [await client.fetch(f"http://a.example/{number}") for number in (1, 2)]

    first, second = asyncio.run(run())
    assert (first.body, first.truncated) == (b"x" * 10, True)
    assert b"Two" in second.body


def test_a_packed_page_that_was_cut_is_marked(web: LoopbackWorld) -> None:
    text = b"The gates. " + b" ".join(b"%d" % (n * n) for n in range(2000))
    whole = zipped(text).body
    half = Reply(whole[: len(whole) // 2], headers={"Content-Encoding": "gzip"})
    answer = fetched(web, web.put("http://a.example/", half))
    assert answer.body.startswith(b"The gates.")
    assert answer.truncated
    padded = Reply(whole + bytes(100), headers={"Content-Encoding": "gzip"})
    assert not fetched(web, web.put("http://a.example/", padded)).truncated


@pytest.mark.parametrize("status", [403, 404, 503])
def test_an_error_is_its_status_however_its_body_is_packed(web: LoopbackWorld, status: int) -> None:
    reply = Reply(b"\x01", status, headers={"Content-Encoding": "br"})
    assert fetched(web, web.put("http://a.example/", reply)).status == status


@pytest.mark.parametrize(
    "reply",
    [
        redirect("/2", content_encoding="br"),
        Reply(b"x", 302, headers={"Location": "/2"}, fault="drip"),
    ],
)
def test_the_body_of_a_redirect_is_not_waited_for(web: LoopbackWorld, reply: Reply) -> None:
    web.put("http://a.example/", reply)
    web.put("http://a.example/2", page("Two"))
    assert fetched(web, "http://a.example/").url == "http://a.example/2"


def test_a_charset_in_place_of_a_packing_is_none(web: LoopbackWorld) -> None:
    reply = Reply(b"plain", headers={"Content-Encoding": "UTF-8"})
    assert fetched(web, web.put("http://a.example/", reply)).body == b"plain"


def test_a_kept_connection_that_was_closed_meanwhile_costs_no_page(web: LoopbackWorld) -> None:
    network, answers = WorldNetwork(web), [page("One"), Reply(fault="reset"), page("Two")]
    web.put("http://a.example/", lambda request: answers.pop(0))

    async def run() -> list[Fetched]:
        async with client_of(web, network) as client:
            return [await client.fetch("http://a.example/") for _ in range(2)]

    assert b"Two" in asyncio.run(run())[1].body
    assert len(network.dials) == 2


@pytest.mark.parametrize("encoding", ["br", "zstd", "gzip, gzip", "gzip, br"])
def test_a_packing_that_was_not_asked_for_is_named(web: LoopbackWorld, encoding: str) -> None:
    url = web.put("http://a.example/", Reply(b"\x01\x02", headers={"Content-Encoding": encoding}))
    error = failure(web, url)
    assert error.kind == "unreadable"
    assert encoding in error.sentence


def test_a_connection_is_used_again(web: LoopbackWorld) -> None:
    network = WorldNetwork(web)
    for number in range(5):
        web.put(f"http://a.example/{number}", page("A"))

    async def run() -> None:
        async with client_of(web, network) as client:
            for number in range(5):
                await client.fetch(f"http://a.example/{number}")

    asyncio.run(run())
    assert len(network.dials) == 1


@pytest.mark.parametrize("hosts", [1, 200])
def test_two_hundred_reads_at_once_all_end_over_bounded_sockets(
    web: LoopbackWorld, hosts: int
) -> None:
    urls = [f"http://h{number % hosts}.example/{number}" for number in range(200)]
    for url in urls:
        web.put(url, page("Page", url))

    async def run() -> list[Fetched]:
        async with client_of(web) as client:
            return await asyncio.gather(*map(client.fetch, urls))

    answers = asyncio.run(run())
    assert [answer.url for answer in answers] == urls
    assert all(url.encode() in answer.body for url, answer in zip(urls, answers, strict=True))
    assert web.most_open <= (6 if hosts == 1 else 64)


def test_a_cancelled_fetch_closes_its_connection(web: LoopbackWorld) -> None:
    web.put("http://a.example/", Reply(fault="no_headers"))
    web.put("http://a.example/2", page("A"))

    async def run() -> None:
        async with client_of(web) as client:
            task = asyncio.ensure_future(client.fetch("http://a.example/"))
            await asyncio.to_thread(web.wait_until, lambda world: bool(world.log))
            task.cancel()
            await asyncio.wait({task})
            assert (await client.fetch("http://a.example/2")).status == 200
            await asyncio.to_thread(web.wait_until, lambda world: world.open_connections == 1)

    asyncio.run(run())


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd", "ftp://a.example/", "gopher://a.example/", "data:text/html,x",
        "javascript:alert(1)", "http://", "http:///path", "a.example", "", "http://[::1",
        "http://a.example:99999/", "http://a.example:0/",
        "http://user:pass@a.example/", "http://a b.example/",
        "blob:http://a.example/1", "view-source:http://a.example/", "//a.example/",
        "http://\x00.example/", "ws://a.example/",
    ],
)  # fmt: skip
def test_what_is_no_web_address_is_refused_before_anything_is_looked_up(
    web: LoopbackWorld, url: str
) -> None:
    network = WorldNetwork(web)
    assert failure(web, url, network).kind == "refused"
    assert network.lookups == []
    assert network.dials == []
