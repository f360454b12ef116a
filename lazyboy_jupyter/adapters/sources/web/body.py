"""Owns reading a response's body within a limit of bytes, counted after decompression.

A body of some kilobytes may decompress to gigabytes, in one step: so decompression itself is
bounded, and what is over the limit is never made (FIELD_CASES B7, X3).
"""

import zlib
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from ....errors import SourceError

ACCEPTED = "gzip, deflate"
MAX_BYTES = 10_000_000
"""Of a page, unpacked: what is beyond is no text that anybody reads."""
_STEP = 262_144
_BEGINNING = 1_024
_MAX_SENT = 100_000_000
"""Bytes on the wire, whatever they unpack to."""
_GZIP_OR_ZLIB = 32 + zlib.MAX_WBITS
_RAW_DEFLATE = -zlib.MAX_WBITS
_GZIP = b"\x1f\x8b"
_PACKERS = frozenset(("br", "zstd", "compress", "x-compress", "dcb", "dcz", "bzip2", "xz", "lzma"))


@dataclass(frozen=True, slots=True)
class Body:
    """What was read. `truncated`: there was more, over the limit or lost on the way."""

    data: bytes
    truncated: bool


class _Unpacker(Protocol):
    def pieces(self, chunk: bytes) -> Iterator[bytes]: ...

    @property
    def is_whole(self) -> bool: ...


async def read_body(
    chunks: AsyncIterator[bytes], encoding: str, limit_of: Callable[[bytes], int]
) -> Body:
    """Return the decompressed body, cut at the limit that `limit_of` gives for its beginning.

    `encoding`: the value of Content-Encoding. Raises `SourceError` ("unreadable") for one that
    was not asked for, or for a body that is not what it says; whatever `limit_of` raises.
    """
    unpacker = _unpacker(encoding)
    data = bytearray()
    limit: int | None = None
    sent = 0
    try:
        async for chunk in chunks:
            sent += len(chunk)
            for piece in unpacker.pieces(chunk):
                data += piece
                if limit is None and len(data) >= _BEGINNING:
                    limit = limit_of(bytes(data))
                if limit is not None and len(data) > limit:
                    return Body(bytes(data[:limit]), truncated=True)
            if sent > _MAX_SENT:
                return Body(bytes(data), truncated=True)
    except zlib.error:
        if not data:
            sentence = "The answer is damaged: it cannot be unpacked."
            raise SourceError("unreadable", sentence) from None
        return Body(bytes(data), truncated=True)
    limit = limit_of(bytes(data)) if limit is None else limit
    whole = unpacker.is_whole or not sent
    return Body(bytes(data[:limit]), truncated=not whole or len(data) > limit)


def _unpacker(encoding: str) -> _Unpacker:
    named = [one.strip().lower() for one in encoding.split(",")]
    packed = [one for one in named if one in _PACKERS or one in {"gzip", "x-gzip", "deflate"}]
    if not packed:  # `identity`, and what servers write there by mistake, such as a charset
        return _Plain()
    if len(packed) == 1 and packed[0] not in _PACKERS:
        return _Inflater()
    raise SourceError(
        "unreadable", f"The answer is packed as {encoding[:40]!r}, which was not asked for."
    )


class _Plain:
    """A body that is not packed."""

    is_whole = True

    def pieces(self, chunk: bytes) -> Iterator[bytes]:
        if chunk:
            yield chunk


class _Inflater:
    """Unpacks gzip, zlib and bare deflate (all three are sent as "deflate"), piece by piece."""

    def __init__(self) -> None:
        self._inflate = zlib.decompressobj(_GZIP_OR_ZLIB)
        self._before = b""
        self._begun = False
        self._over = False

    @property
    def is_whole(self) -> bool:
        """Whether the packed data came to its own end."""
        return self._over or self._inflate.eof

    def pieces(self, chunk: bytes) -> Iterator[bytes]:
        """Yield what `chunk` unpacks to, at most `_STEP` bytes at a time."""
        while chunk and not self._over:
            piece = self._step(chunk)
            chunk = self._inflate.unconsumed_tail
            if self._inflate.eof and (more := self._inflate.unused_data):
                if more[:2] == _GZIP:  # gzip files may be concatenated
                    self._inflate, chunk = zlib.decompressobj(_GZIP_OR_ZLIB), more
                else:  # padding
                    self._over, chunk = True, b""
            if piece:
                self._begun = True
                yield piece

    def _step(self, chunk: bytes) -> bytes:
        try:
            piece = self._inflate.decompress(chunk, _STEP)
        except zlib.error:
            if self._begun:
                raise
            # Bare deflate has no header: what came before is a part of it.
            self._inflate = zlib.decompressobj(_RAW_DEFLATE)
            return self._inflate.decompress(self._before + chunk, _STEP)
        if not self._begun:
            self._before = (self._before + chunk)[:_BEGINNING]
        return piece
