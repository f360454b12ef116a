"""A worker process that extracts the main text of pages; killable, niced on request.

It measures nothing; it is the load. Frames on standard input and output: four bytes of length, then the
bytes (HTML in, UTF-8 text out). The first argument is the niceness.
"""

from __future__ import annotations

import os
import struct
import sys


def main() -> None:
    """Serve frames until standard input ends."""
    os.nice(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
    import trafilatura  # after the nice, so that the import is niced too

    source, sink = sys.stdin.buffer, sys.stdout.buffer
    while head := source.read(4):
        html = source.read(struct.unpack(">I", head)[0])
        text = (trafilatura.extract(html, fast=True) or "").encode() if html else b""
        sink.write(struct.pack(">I", len(text)) + text)
        sink.flush()


if __name__ == "__main__":
    main()
