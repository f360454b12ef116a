"""A loopback OpenAI-compatible chat endpoint that streams, for latency benchmarks.

It measures nothing of the client. It answers every POST as a server-sent event stream: ``--first-ms``
until the first chunk (headers come with it), then ``--chunks`` chunks ``--gap-ms`` apart, the last third
of them tool-call argument deltas, then usage and ``[DONE]``. ``GET /stats`` gives its own lateness and CPU
since the last call, so that a run in which the endpoint was the bottleneck can be told. With ``--tls CERT``
(key in the same file) it speaks TLS. It prints its port on the first line of standard output.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import ssl
import time
from dataclasses import dataclass, field
from typing import Any, cast


def _sse(
    delta: dict[str, Any], finish: str | None = None, usage: dict[str, int] | None = None
) -> bytes:
    body: dict[str, Any] = {
        "id": "chatcmpl-bench",
        "object": "chat.completion.chunk",
        "created": 1760000000,
        "model": "bench",
        "system_fingerprint": "fp_bench",
        "choices": []
        if usage
        else [{"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}],
    }
    if usage:
        body["usage"] = usage
    data = f"data: {json.dumps(body)}\n\n".encode()
    return b"%x\r\n%s\r\n" % (len(data), data)


def script(chunks: int) -> list[bytes]:
    """The bytes of one reply, one entry a chunk: text first, the last third a tool call's arguments."""
    text = chunks - chunks // 3
    out = [_sse({"role": "assistant", "content": "The "})]
    out += [_sse({"content": f"word{i} "}) for i in range(1, text)]
    for i in range(chunks - text):
        call: dict[str, Any] = {"index": 0, "function": {"arguments": f'"k{i}": "value {i}", '}}
        if i == 0:
            call = {
                "index": 0,
                "id": "call_1",
                "type": "function",
                "function": {"name": "open_page", "arguments": '{"url": "https://example.org/", '},
            }
        elif i == chunks - text - 1:
            call["function"]["arguments"] = '"last": true}'
        out.append(_sse({"tool_calls": [call]}))
    done = b"data: [DONE]\n\n"
    usage = {"prompt_tokens": 4000, "completion_tokens": chunks, "total_tokens": 4000 + chunks}
    out[-1] += _sse({}, "tool_calls" if chunks > text else "stop") + _sse({}, usage=usage)
    out[-1] += b"%x\r\n%s\r\n0\r\n\r\n" % (len(done), done)
    return out


@dataclass
class Settings:
    """What every connection shares."""

    first: float
    gap: float
    close: bool
    chunks: list[bytes]
    late_ms: list[float] = field(default_factory=list[float])
    cpu: float = 0.0

    def stats(self) -> bytes:
        """Own lateness (ms) and CPU seconds since the last call."""
        late, now = sorted(self.late_ms), time.process_time()
        out = {
            "chunks": len(late),
            "late_p50": late[len(late) // 2] if late else 0.0,
            "late_p99": late[int(len(late) * 0.99)] if late else 0.0,
            "late_max": late[-1] if late else 0.0,
            "cpu_s": now - self.cpu,
        }
        self.late_ms.clear()
        self.cpu = now
        body = json.dumps(out).encode()
        return (
            b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
            % (len(body), body)
        )


class Connection(asyncio.Protocol):
    """One HTTP/1.1 connection; one request at a time."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._buffer = b""
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        head, sep, rest = self._buffer.partition(b"\r\n\r\n")
        if not sep or self._transport is None:
            return
        length = 0
        for line in head.lower().split(b"\r\n"):
            if line.startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        if len(rest) < length:
            return
        self._buffer = rest[length:]
        if head.startswith(b"GET /stats"):
            self._transport.write(self._settings.stats())
            return
        loop = asyncio.get_running_loop()
        loop.call_at(
            loop.time() + self._settings.first, self._step, 0, loop.time() + self._settings.first
        )

    def _step(self, index: int, due: float) -> None:
        if self._transport is None:
            return
        settings, loop = self._settings, asyncio.get_running_loop()
        settings.late_ms.append((loop.time() - due) * 1000)
        data = settings.chunks[index]
        if index == 0:
            ending = b"Connection: close\r\n" if settings.close else b""
            data = (
                b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
                b"Transfer-Encoding: chunked\r\n" + ending + b"\r\n" + data
            )
        self._transport.write(data)
        if index + 1 < len(settings.chunks):
            loop.call_at(due + settings.gap, self._step, index + 1, due + settings.gap)
        elif settings.close:
            self._transport.close()


async def serve(args: argparse.Namespace) -> None:
    """Serve until killed."""
    settings = Settings(args.first_ms / 1000, args.gap_ms / 1000, args.close, script(args.chunks))
    context = None
    if args.tls:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(args.tls)
    loop = asyncio.get_running_loop()
    server = await loop.create_server(
        lambda: Connection(settings), "127.0.0.1", args.port, backlog=1024, ssl=context
    )
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


def main() -> None:
    """Parse the command line and serve."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--first-ms", type=float, default=800)
    parser.add_argument("--gap-ms", type=float, default=20)
    parser.add_argument("--chunks", type=int, default=90)
    parser.add_argument(
        "--close", action="store_true", help="close after each reply: every request connects anew"
    )
    parser.add_argument("--tls", default="", help="a PEM file with certificate and key")
    asyncio.run(serve(parser.parse_args()))


if __name__ == "__main__":
    main()
