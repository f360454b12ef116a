"""Histories of an agent, drawn: parallel calls, thinking, images, partial replies, any text."""

from collections.abc import Sequence
from typing import Any

from hypothesis import strategies as st

from lazyboy_jupyter.core.messages import Message, calls_of, results_of

texts = st.text(max_size=60) | st.sampled_from(["é🌊", "\x00", "﻿", "<b>", "x" * 2_000])
_scalars = st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.floats() | texts
json_data = st.recursive(
    _scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
_image = {"kind": "binary", "media_type": "image/png", "data": "iVBORw0KGgo="}
_prompts = texts | st.lists(texts | st.just(_image), min_size=1, max_size=3)
_contents: st.SearchStrategy[Any] = (
    st.fixed_dictionaries(
        {"source": st.sampled_from(["S1", "S2"]), "url": texts, "title": texts, "text": texts},
        optional={"offset": st.integers(0, 9_000), "output_id": st.just("O1")},
    )
    | st.fixed_dictionaries({"results": st.lists(st.dictionaries(texts, _scalars, max_size=3))})
    | st.dictionaries(texts, json_data, max_size=3)
    | st.lists(texts | st.just(_image), max_size=3)
    | texts
)
_replies = st.tuples(
    st.sampled_from(["", "I think.", "x" * 900]),  # thinking
    texts,  # a text that may be a part only
    st.lists(st.tuples(st.sampled_from(["web_search", "open_page"]), texts | json_data, _contents),
             max_size=3),
)  # fmt: skip


@st.composite
def histories(draw: st.DrawFn, *, answered: bool = False) -> list[Message]:
    """A history as a run's is at a boundary. `answered`: every call has its result."""
    messages: list[Message] = [
        {
            "kind": "request",
            "parts": [
                {"part_kind": "system-prompt", "content": draw(texts)},
                {"part_kind": "user-prompt", "content": draw(_prompts)},
            ],
        }
    ]
    replies = draw(st.lists(_replies, max_size=7))
    for number, (thought, text, calls) in enumerate(replies):
        ids = [f"c{number}-{place}" for place in range(len(calls))]
        messages.append({"kind": "response", "parts": _reply_parts(thought, text, calls, ids)})
        if number == len(replies) - 1 and not answered and draw(st.booleans()):
            break  # the reply is complete, and nothing answers it yet
        messages.append({"kind": "request", "parts": _answers(calls, ids, draw(_prompts))})
    return messages


def _reply_parts(thought: str, text: str, calls: Sequence[Any], ids: list[str]) -> list[Any]:
    parts: list[Any] = [{"part_kind": "thinking", "content": thought}] if thought else []
    parts += [{"part_kind": "text", "content": text}] if text else []
    return parts + [
        {"part_kind": "tool-call", "tool_name": tool, "args": args, "tool_call_id": call_id}
        for (tool, args, _), call_id in zip(calls, ids, strict=True)
    ]


def _answers(calls: Sequence[Any], ids: list[str], prompt: Any) -> list[Any]:
    parts: list[Any] = [
        {"part_kind": "tool-return", "tool_name": tool, "content": content, "tool_call_id": call_id}
        for (tool, _, content), call_id in zip(calls, ids, strict=True)
    ]
    return parts or [{"part_kind": "user-prompt", "content": prompt}]


def unpaired(messages: Sequence[Message]) -> set[str]:
    """Return the ids of calls without a result, and of results without a call before them."""
    asked: set[str] = set()
    answered: set[str] = set()
    orphans: set[str] = set()
    for message in messages:
        asked |= {call.call_id for call in calls_of(message)}
        for result in results_of(message):
            (answered if result.call_id in asked else orphans).add(result.call_id)
    return (asked - answered) | orphans
