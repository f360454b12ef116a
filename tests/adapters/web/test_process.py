"""The pages' process: many at once, refused, cancelled, killed, closed."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from lazyboy_jupyter.adapters.sources.web.process import PageProcess
from lazyboy_jupyter.errors import SourceError
from tests.loopback.gate import Gate
from tests.loopback.replies import ARTICLE, Reply, page
from tests.loopback.world import LoopbackWorld


@asynccontextmanager
async def pages_of(web: LoopbackWorld) -> AsyncIterator[PageProcess]:
    pages = PageProcess([f"127.0.0.1:{web.port}"])
    try:
        yield pages
    finally:
        await pages.close()


def put(web: LoopbackWorld, path: str, reply: Reply) -> str:
    return web.put(f"http://127.0.0.1:{web.port}/{path}", reply)


def held(web: LoopbackWorld, path: str) -> str:
    return put(web, path, Reply(pieces=(b"<html>", Gate())))


def pid_of(pages: PageProcess) -> int:
    assert pages._session is not None
    return pages._session.process.pid


def test_many_pages_at_once_do_not_mix(web: LoopbackWorld) -> None:
    urls = [put(web, f"{number}", page(f"Page {number}", *ARTICLE)) for number in range(20)]

    async def main() -> None:
        async with pages_of(web) as pages:
            found = await asyncio.gather(*map(pages.read, urls))
        assert [(one.url, one.title) for one in found] == [
            (url, f"Page {number}") for number, url in enumerate(urls)
        ]

    asyncio.run(main())


def test_what_was_wrong_comes_over_whole(web: LoopbackWorld) -> None:
    gone = put(web, "gone", Reply(b"", 404))

    async def main() -> None:
        async with pages_of(web) as pages:
            with pytest.raises(SourceError) as missing:
                await pages.read(gone)
            with pytest.raises(SourceError) as refused:
                await pages.read("http://127.0.0.1:1/")
        assert (missing.value.kind, missing.value.hint) == ("http_status", "Check the address.")
        assert "(404)" in missing.value.sentence
        assert refused.value.kind == "refused"
        assert "allow_hosts" in refused.value.hint

    asyncio.run(main())


def test_cancelling_ends_the_request_on_the_wire(web: LoopbackWorld) -> None:
    url, other = held(web, "held"), put(web, "other", page("Other", *ARTICLE))

    async def main() -> None:
        async with pages_of(web) as pages:
            task = asyncio.ensure_future(pages.read(url))
            await asyncio.to_thread(web.wait_until, lambda world: bool(world.asked(url)))
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            await asyncio.to_thread(web.wait_until, lambda world: world.open_connections == 0)
            assert (await pages.read(other)).title == "Other"

    asyncio.run(main())


def test_a_killed_process_fails_its_pages_and_the_next_one_works(web: LoopbackWorld) -> None:
    url, other = held(web, "held"), put(web, "other", page("Other", *ARTICLE))

    async def main() -> None:
        async with pages_of(web) as pages:
            task = asyncio.ensure_future(pages.read(url))
            await asyncio.to_thread(web.wait_until, lambda world: bool(world.asked(url)))
            first = pid_of(pages)
            os.kill(first, signal.SIGKILL)
            with pytest.raises(SourceError) as failed:
                await task
            assert failed.value.kind == "connection"
            assert (await pages.read(other)).title == "Other"
            assert pid_of(pages) != first

    asyncio.run(main())


def test_close_leaves_no_process_and_ends_what_is_under_way(web: LoopbackWorld) -> None:
    url = held(web, "held")

    async def main() -> None:
        async with pages_of(web) as pages:
            task = asyncio.ensure_future(pages.read(url))
            await asyncio.to_thread(web.wait_until, lambda world: bool(world.asked(url)))
            pid = pid_of(pages)
            await pages.close()
            with pytest.raises(ProcessLookupError):
                os.kill(pid, 0)
            with pytest.raises(SourceError):
                await task
            with pytest.raises(SourceError):
                await pages.read(url)
        await asyncio.to_thread(web.wait_until, lambda world: world.open_connections == 0)

    asyncio.run(main())
