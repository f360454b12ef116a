"""Owns the way from a person's browser to a kernel's API: who is logged in, and asks from a page of
this server, is passed on; answers stream back.

What the kernel's API answers is passed on as it is; what is refused here is a problem document too.
"""

import asyncio
import http
from pathlib import Path
from typing import Any
from urllib.parse import quote

from jupyter_server.auth.decorator import authorized
from jupyter_server.base.handlers import APIHandler
from jupyter_server.utils import url_path_join
from tornado import web
from tornado.iostream import StreamClosedError

from ..api.address import Address, read_address
from .asking import Answer, Connections, Request, UnreachableError

_KERNEL = r"(?P<kernel_id>\w+-\w+-\w+-\w+-\w+)"
_PASSED_ON = ("Accept", "Content-Type", "Last-Event-ID")
_STREAM = "text/event-stream"


def routes(base_url: str) -> list[tuple[str, type[web.RequestHandler], dict[str, Any]]]:
    """Return the routes of the extension under a server's base URL."""
    kernels = url_path_join(base_url, "lazyboy", "kernels")
    api = url_path_join(kernels, _KERNEL, "api", r"(?P<_path>.+)")
    return [
        (kernels, KernelsHandler, {}),
        (api, KernelApiHandler, {"connections": Connections()}),
    ]


class _Handler(APIHandler):
    """What both have in common: who may ask, and how a refusal of Jupyter's is said."""

    auth_resource = "kernels"

    def options(self, *_args: str, **_named: str) -> None:
        """No page of another origin is to ask, so none is told that it may; Jupyter asks for the
        login before."""
        raise web.HTTPError(405)

    def write_error(self, status_code: int, **_kwargs: Any) -> None:
        """Say what Jupyter has refused as the API would."""
        phrase = http.HTTPStatus(status_code).phrase
        self.write({"error": "refused", "detail": f"{phrase}.", "hint": "Log in to Jupyter."})
        self.set_status(status_code)
        self.finish(set_content_type="application/problem+json")


class KernelsHandler(_Handler):
    """Says which of this server's kernels offer their research."""

    @web.authenticated
    @authorized
    def get(self) -> None:
        """Answer with their ids, and with those of kernels that run on another machine, of which
        only they themselves know."""
        managers = self.kernel_manager
        kernels = {one: managers.get_kernel(one) for one in managers.list_kernel_ids()}
        offered = [one for one, kernel in kernels.items() if _address(kernel) is not None]
        remote = [one for one, kernel in kernels.items() if not _runs_here(kernel)]
        self.finish({"kernels": offered, "remote": remote})


class KernelApiHandler(_Handler):
    """Passes a request on to the API of one of this server's kernels."""

    def initialize(self, connections: Connections) -> None:
        """Take what all requests share."""
        self._connections = connections
        self._passing: asyncio.Future[None] | None = None

    @web.authenticated
    @authorized
    async def get(self, kernel_id: str, _path: str) -> None:
        """Pass it on."""
        await self._answered(kernel_id)

    @web.authenticated
    @authorized
    async def post(self, kernel_id: str, _path: str) -> None:
        """Pass it on."""
        await self._answered(kernel_id)

    @web.authenticated
    @authorized
    async def delete(self, kernel_id: str, _path: str) -> None:
        """Pass it on."""
        await self._answered(kernel_id)

    async def _answered(self, kernel_id: str) -> None:
        self._passing = asyncio.ensure_future(self._pass_on(kernel_id))
        await asyncio.wait([self._passing])
        if not self._passing.cancelled():
            self._passing.result()

    def on_connection_close(self) -> None:
        """End what is streamed to somebody who has gone."""
        if self._passing is not None:
            self._passing.cancel()

    async def _pass_on(self, kernel_id: str) -> None:
        if kernel_id not in self.kernel_manager:
            return await self._refuse(
                404, "no_kernel", "There is no such kernel.", "Open its notebook again."
            )
        address = _address(self.kernel_manager.get_kernel(kernel_id))
        if address is None:
            return await self._refuse(
                503,
                "no_api",
                "This kernel does not offer its research here.",
                "Run %load_ext lazyboy_jupyter in its notebook. A kernel on another machine is "
                "reached by the panels of its notebook alone.",
            )
        try:
            async with self._connections.asked(address, self._request(kernel_id)) as answer:
                await self._stream(answer)
        except StreamClosedError:
            return None
        except UnreachableError:
            if self._headers_written:  # whoever listens sees the end, and comes again
                return await self._end()
            return await self._refuse(
                503,
                "unreachable",
                "The kernel does not answer: it is starting anew, or has ended.",
                "Try again in a moment.",
            )
        return None

    def _request(self, kernel_id: str) -> Request:
        """The request as it was sent, not as it was understood on the way here."""
        _, _, rest = (self.request.uri or "").partition(f"/kernels/{quote(kernel_id)}/")
        sent = self.request.headers
        headers = [
            (name, sent[name]) for name in _PASSED_ON if name in sent and sent[name].isascii()
        ]
        return Request(self.request.method or "GET", f"/{rest}", headers, self.request.body)

    async def _stream(self, answer: Answer) -> None:
        self.set_status(answer.status, http.HTTPStatus(answer.status).phrase)
        self.set_header("Content-Type", answer.media_type)
        self.set_header("Cache-Control", "no-store")
        if answer.media_type.startswith(_STREAM):
            self.set_header("X-Accel-Buffering", "no")
            await self.flush()
            async for piece in answer.pieces:
                self.write(piece)
                await self.flush()
            return await self._end()
        async for piece in answer.pieces:
            self.write(piece)
        await self.finish(set_content_type=answer.media_type)
        return None

    async def _end(self) -> None:
        await self.finish(set_content_type=_STREAM)

    async def _refuse(self, status: int, error: str, detail: str, hint: str) -> None:
        self.clear()  # what of a broken answer was not sent yet
        self.set_status(status)
        self.write({"error": error, "detail": detail, "hint": hint})
        await self.finish(set_content_type="application/problem+json")


def _address(manager: Any) -> Address | None:
    """Where a kernel's API listens; None where it runs elsewhere, or has not loaded us in this
    life: one that was killed has left its address."""
    file = getattr(manager, "connection_file", "")
    address = read_address(Path(file)) if file else None
    return address if address is not None and address.is_alive() else None


def _runs_here(manager: Any) -> bool:
    file = getattr(manager, "connection_file", "")
    return bool(file) and Path(file).exists()
