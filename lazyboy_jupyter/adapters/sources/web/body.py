"""Owns reading a response's body within a limit of bytes, counted after decompression.

A body of some kilobytes may decompress to gigabytes, in one step: so decompression itself is
bounded, and what is over the limit is never made (FIELD_CASES B7, X3).
"""

import zlib
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass

from ....errors import SourceError

ACCEPTED = "gzip, deflate"
_STEP = 262_144
_GZIP_OR_ZLIB = 32 + zlib.MAX_WBITS
_RAW_DEFLATE = -zlib.MAX_WBITS


@dataclass(frozen=True, slots=True)
class Body:
    """What was read. `truncated`: there was more, over the limit or lost on the way."""

    data: bytes
    truncated: bool


async def read_body(
    chunks: AsyncIterator[bytes], encoding: str, limit_of: Callable[[bytes], int]
) -> Body:
    """Return the decompressed body, cut at the limit that `limit_of` gives for its beginning.

    `encoding`: the value of Content-Encoding. Raises `SourceError` ("unreadable") for one that
    was not asked for, or for a body that is not what it says; whatever `limit_of` raises.
    """
    unpack = _unpacker(encoding)
    data = bytearray()
    limit: int | None = None
    try:
        async for chunk in chunks:
            for piece in unpack(chunk):
                data += piece
                if limit is None:
                    limit = limit_of(bytes(data))
                if len(data) > limit:
                    return Body(bytes(data[:limit]), truncated=True)
    except zlib.error:
        if not data:
            raise SourceError(
                "unreadable", "The answer is damaged: it cannot be unpacked."
            ) from None
        return Body(bytes(data), truncated=True)
    return Body(bytes(data), truncated=False)


def _unpacker(encoding: str) -> Callable[[bytes], Iterator[bytes]]:
    match encoding.strip().lower():
        case "" | "identity":
            return lambda chunk: iter((chunk,) if chunk else ())
        case "gzip" | "x-gzip" | "deflate":
            return _Inflater().pieces
        case other:
            raise SourceError(
                "unreadable", f"The answer is packed as {other[:40]!r}, which was not asked for."
            )


class _Inflater:
    """Unpacks gzip, zlib and bare deflate (all three are sent as "deflate"), piece by piece."""

    def __init__(self) -> None:
        self._inflate = zlib.decompressobj(_GZIP_OR_ZLIB)
        self._begun = False

    def pieces(self, chunk: bytes) -> Iterator[bytes]:
        """Yield what `chunk` unpacks to, at most `_STEP` bytes at a time."""
        while chunk:
            piece = self._step(chunk)
            chunk = self._inflate.unconsumed_tail
            if self._inflate.eof and (more := self._inflate.unused_data):
                self._inflate = zlib.decompressobj(_GZIP_OR_ZLIB)  # gzip files may be concatenated
                chunk = more
            if piece:
                yield piece

    def _step(self, chunk: bytes) -> bytes:
        try:
            return self._inflate.decompress(chunk, _STEP)
        except zlib.error:
            if self._begun:
                raise
            self._inflate = zlib.decompressobj(_RAW_DEFLATE)
            return self._inflate.decompress(chunk, _STEP)
        finally:
            self._begun = True
