"""Owns telling a whole answer from one that was cut: by its limit, by its length, by its end."""

from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

import httpcore

from .body import Body, read_body

_A_MOMENT = 0.002
_LOST = (httpcore.NetworkError, httpcore.TimeoutException, httpcore.ProtocolError)
_TO_H11 = ("stream", "_stream", "_connection", "_h11_state")


async def answer_body(
    response: httpcore.Response, headers: Mapping[str, str], limit_of: Callable[[bytes], int]
) -> Body:
    """Return the body. When the connection is lost half-way, what came before it, truncated.

    Raises httpcore's errors when it is lost before anything came, and what `read_body` raises.
    """
    arriving = _Arriving(response)
    body = await read_body(arriving.chunks(), headers.get("content-encoding", ""), limit_of)
    if arriving.lost is not None:
        if not body.data:
            raise arriving.lost
        return Body(body.data, truncated=True)
    if "content-length" in headers and await _goes_on(response):
        # Those bytes would be taken for the beginning of the next answer.
        await response.extensions["network_stream"].aclose()
        return Body(body.data, truncated=True)
    return body


class _Arriving:
    """The chunks of an answer, and what ended them too early."""

    def __init__(self, response: httpcore.Response) -> None:
        self.lost: Exception | None = None
        self._response = response

    async def chunks(self) -> AsyncIterator[bytes]:
        """Yield what arrives, until the end or until the connection is lost."""
        try:
            async for chunk in self._response.aiter_stream():
                yield chunk
        except _LOST as error:
            self.lost = error


async def _goes_on(response: httpcore.Response) -> bool:
    """Whether bytes come after the length that the answer declared (FIELD_CASES B7).

    They are no part of it, so they are not read; but then the declared length is a lie, and the
    page is longer than what there is.
    """
    stream = response.extensions.get("network_stream")
    if stream is None:
        return False
    if _read_ahead(response):
        return True
    try:
        return bool(await stream.read(1, timeout=_A_MOMENT))
    except _LOST:
        return False


def _read_ahead(response: httpcore.Response) -> bool:
    """Whether the parser holds bytes beyond the answer. httpcore has no public way to ask: a test
    pins this one, and without it a surplus shows only where more than it follows."""
    found: Any = response
    for name in _TO_H11:
        found = getattr(found, name, None)
    trailing = getattr(found, "trailing_data", None)
    return bool(trailing and trailing[0])
