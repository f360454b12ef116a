"""The world of the benchmark `flow`, as a script: a model, searches and pages of fixed latency.

It runs in a process of its own, so that its CPU is nobody else's, and prints its port. It listens
on many addresses of 127.0.0.0/8, which Linux has, because a host is asked six things at once only:
`host_of_search` and `host_of_page` say what is where. Everything is told from the request alone.
"""

import asyncio
import json
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, cast
from urllib.parse import parse_qs, urlsplit

FIRST_EVENT, TOKENS, TOKEN = 0.8, 30, 0.02
SEARCH, PAGE = 0.3, 0.2
ROUNDS, SEARCHES, PAGES = 3, 2, 6
WAITING = ROUNDS * (FIRST_EVENT + TOKENS * TOKEN) + SEARCH + PAGE
"""Seconds that no engine can save: three replies, two searches at once, six pages at once."""
HOSTS = 120
_SIZE = 30_000
_TASK = re.compile(r"barrier (\d+)")


def question_of(task: int) -> str:
    """What is asked; the world tells its tasks apart by the number."""
    return f"How often do the gates of river barrier {task} close, and what does it cost?"


def host_of_search(task: int) -> str:
    """Where the task's two searches go: to one address in turn of a third of all."""
    return f"127.0.1.{task % (HOSTS // 3) + 1}"


def host_of_page(task: int, number: int) -> str:
    """Where a page of the task is."""
    return f"127.0.1.{(task * PAGES + number) % HOSTS + 1}"


@lru_cache(maxsize=256)
def page(task: int, number: int) -> bytes:
    """An article of 30 kB between a menu and a footer; one sentence of it is to be quoted."""
    menu = "".join(f'<li><a href="/section/{one}">Section {one}</a></li>' for one in range(40))
    parts = [f"<h1>Gate {number} of river barrier {task}</h1><p>{quote_of(task, number)}</p>"]
    length, paragraph = len(menu), 0
    while length < _SIZE - 700:
        paragraph += 1
        parts.append(
            f'<p>In report {paragraph} the operator of <a href="/gate/{paragraph}">gate '
            f"{number}</a> wrote that hinge {paragraph * 7 % 31} had been greased, that "
            f"{paragraph * 13} ships had waited in the outer harbour, and that the pumps ran all "
            "night until the water of the estuary had fallen again.</p>"
        )
        length += len(parts[-1])
    return (
        f"<!doctype html><html lang=en><head><meta charset=utf-8><title>Gate {number}</title>"
        f"</head><body><nav><ul>{menu}</ul></nav><main><article>{''.join(parts)}</article></main>"
        "<footer><p>Imprint, privacy, contact</p></footer></body></html>"
    ).encode()


def quote_of(task: int, number: int) -> str:
    """The sentence of a page that the guide quotes."""
    closed, cost = number + 3, number + 11
    return f"Gate {number} of barrier {task} closed {closed} times, at {cost} thousand euros."


class _Connection(asyncio.Protocol):
    """One connection; requests come one after the other."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._buffer = b""
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self._transport = None

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        head, found, body = self._buffer.partition(b"\r\n\r\n")
        declared = re.search(rb"content-length: *(\d+)", head.lower())
        length = int(declared[1]) if declared else 0
        if not found or len(body) < length:
            return
        self._buffer = body[length:]
        method, target, _ = head.split(b"\r\n")[0].decode().split(" ")
        loop = asyncio.get_running_loop()
        if method == "POST":
            due = loop.time() + FIRST_EVENT
            loop.call_at(due, self._stream, _reply(json.loads(body[:length]), self._port), due)
        elif target.startswith("/search?"):
            loop.call_later(SEARCH, self._send, "application/json", _found(target, self._port))
        else:
            task, number = map(int, target.split("/")[1:3])
            loop.call_later(PAGE, self._send, "text/html; charset=utf-8", page(task, number))

    def _send(self, content_type: str, body: bytes) -> None:
        if self._transport is not None:
            head = f"HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\nContent-Length: {len(body)}"
            self._transport.write(head.encode() + b"\r\n\r\n" + body)

    def _stream(self, chunks: Iterator[bytes], due: float, number: int = 0) -> None:
        if self._transport is None:
            return
        head = (
            b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n"
        )
        self._transport.write((b"" if number else head) + next(chunks))
        if number < TOKENS:
            asyncio.get_running_loop().call_at(
                due + TOKEN, self._stream, chunks, due + TOKEN, number + 1
            )


def _found(target: str, port: int) -> bytes:
    """The three pages that one of the two searches names."""
    query = parse_qs(urlsplit(target).query)["q"][0]
    task, half = _task_of(query), PAGES // SEARCHES
    first = half if "cost" in query else 0
    results = [
        {"url": _url(task, number, port), "title": f"Gate {number}", "content": "Of its hinges."}
        for number in range(first, first + half)
    ]
    return json.dumps({"results": results}).encode()


def _url(task: int, number: int, port: int) -> str:
    return f"http://{host_of_page(task, number)}:{port}/{task}/{number}"


def _task_of(text: str) -> int:
    found = _TASK.search(text)
    assert found is not None
    return int(found[1])


def _reply(asked: Mapping[str, Any], port: int) -> Iterator[bytes]:
    """The chunks of a reply: the first event, then the tokens; the last says all that ends it."""
    told = asked["messages"]
    if "Beside your work" in str(told[-1]["content"]):
        yield from _aside()
        return
    task = _task_of(next(str(one["content"]) for one in told if one["role"] == "user"))
    calls = _calls(task, [one for one in told if one["role"] == "tool"], port)
    yield _chunk({"choices": [_choice({"role": "assistant", "content": ""})]})
    deltas = []
    for place, (name, arguments) in enumerate(calls):
        text, pieces = json.dumps(arguments), TOKENS // len(calls)
        size = -(-len(text) // pieces)
        for piece in range(pieces):
            call: dict[str, Any] = {
                "index": place,
                "function": {"arguments": text[piece * size : (piece + 1) * size]},
            }
            if piece == 0:
                call |= {"id": f"call_{len(told)}_{place}", "type": "function"}
                call["function"]["name"] = name
            deltas.append(_chunk({"choices": [_choice({"tool_calls": [call]})]}))
    yield from deltas[:-1]
    usage = {"prompt_tokens": 4000, "completion_tokens": TOKENS, "total_tokens": 4000 + TOKENS}
    end = _chunk({"choices": [_choice({}, "tool_calls")]}) + _chunk({"choices": [], "usage": usage})
    yield deltas[-1] + end + _framed(b"data: [DONE]\n\n") + b"0\r\n\r\n"


def _aside() -> Iterator[bytes]:
    """An answer to a side question: its first token says when it was sent."""
    yield _chunk({"choices": [_choice({"role": "assistant", "content": ""})]})
    yield _chunk({"choices": [_choice({"content": f"{time.monotonic():.6f} "})]})
    for _ in range(TOKENS - 2):
        yield _chunk({"choices": [_choice({"content": "often "})]})
    end = _chunk({"choices": [_choice({"content": "."}, "stop")]})
    yield end + _framed(b"data: [DONE]\n\n") + b"0\r\n\r\n"


def _calls(task: int, results: Sequence[Any], port: int) -> list[tuple[str, dict[str, Any]]]:
    if not results:
        queries = (f"gates of barrier {task} closings", f"river barrier {task} cost of a closing")
        return [("web_search", {"query": query}) for query in queries]
    if len(results) == SEARCHES:
        return [("open_page", {"url": _url(task, number, port)}) for number in range(PAGES)]
    pages = [json.loads(one["content"]) for one in results[SEARCHES:]]
    quotes = [quote_of(task, number) for number in range(PAGES)]
    findings = [
        {"text": quote, "citations": [{"source": read["source"], "quote": quote}]}
        for read, quote in zip(pages, quotes, strict=True)
    ]
    guide = {"summary": "Each gate closes a few times.", "steps": [], "findings": findings}
    return [("publish_research", {**guide, "unknowns": [], "gaps": []})]


def _choice(delta: Mapping[str, Any], finish: str | None = None) -> dict[str, Any]:
    return {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}


def _chunk(data: Mapping[str, Any]) -> bytes:
    head = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1_760_000_000}
    return _framed(f"data: {json.dumps({**head, 'model': 'bench', **data})}\n\n".encode())


def _framed(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


async def _serve() -> None:
    loop = asyncio.get_running_loop()
    first = await loop.create_server(lambda: _Connection(port), "127.0.0.1", 0, backlog=1024)
    port: int = first.sockets[0].getsockname()[1]
    hosts = [f"127.0.1.{number}" for number in range(1, HOSTS + 1)]
    others = await loop.create_server(lambda: _Connection(port), hosts, port, backlog=256)
    print(port, flush=True)
    async with others:
        await first.serve_forever()


if __name__ == "__main__":
    asyncio.run(_serve())
