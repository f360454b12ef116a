"""Owns what of a provider's own words is used: an overflow told, a wait asked, a reason to show.

Pure. A reason has no key in it, nor what looks like one.
"""

import json
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

LONGEST_REASON = 200
_SHORTEST_KEY = 4
_HIDDEN = "[key]"
_OVERFLOWS = re.compile(
    # Codes and types: llama.cpp, OpenAI, Anthropic, xAI.
    "exceed_context_size|context_length_exceeded|context_window_exceeded|request_too_large"
    "|input_too_large"
    # vLLM and OpenAI, xAI, Anthropic, Ollama and Z.ai, Groq.
    "|maximum (?:context|prompt|input) length|max(?:imum)? context length"
    "|(?:prompt|input)(?: is)? too long|reduce the length of (?:the|your) (?:messages|input|prompt)"
    # llama.cpp and Ollama, LM Studio (twice), Gemini (twice).
    "|exceeds? (?:the )?(?:available |maximum |model'?s? )*(?:context|input) (?:size|length|window)"
    "|greater than the context length|cannot truncate prompt with n_keep"
    "|exceeds the maximum number of tokens|number of tokens allowed"
    "|context (?:length|size|window)[^.]{0,60}(?:exceed|overflow|not enough|too small)"
    "|(?:overflows?|exceeds?|exceeded)[^.]{0,60}context (?:length|size|window)",
    re.IGNORECASE,
)
# What looks like a secret, also where a provider shortens or stars it.
_SECRETS = re.compile(
    r"(?i)\b(?:sk|pk|rk|gsk|xai|key|AIza|ya29|hf|tgp|nvapi|api)[-_*.]?[-_*.\w]*[\d*][-_*.\w]{5,}"
    r"|\bbearer\s+\S+|\beyJ[\w-]{8,}[\w.-]*|\bAIza[\w-]{6,}"
)
_DURATION = re.compile(r"(\d+(?:\.\d+)?)(ms|h|m|s)")
_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0}


def message_of(body: object) -> str:
    """Return the sentence in an error's body, "" where there is none that a person can read."""
    if isinstance(body, str):
        try:
            body = json.loads(body)
        except ValueError:
            return "" if str(body).lstrip().startswith(("<", "{", "[")) else str(body)
    if isinstance(body, list) and body:
        return message_of(body[0])
    if not isinstance(body, Mapping):
        return body if isinstance(body, str) else ""
    for name in ("error", "message", "detail", "msg"):
        found = body.get(name)
        if isinstance(found, Mapping | list):
            found = message_of(found)
        if isinstance(found, str) and found.strip():
            return found
    return ""


def is_overflow(message: str, body: object) -> bool:
    """Whether a provider says that the request is longer than the model's context."""
    return bool(_OVERFLOWS.search(message)) or any(_OVERFLOWS.search(t) for t in _codes(body))


def reason_of(message: str, key: str) -> str:
    """Return a provider's sentence on one line, at most 200 characters, without any key."""
    for secret in (key, quote(key, safe=""), json.dumps(key)[1:-1]):
        if len(secret) >= _SHORTEST_KEY:
            message = message.replace(secret, _HIDDEN)
    printable = "".join(c if c.isprintable() else " " for c in message)
    line = " ".join(_SECRETS.sub(_HIDDEN, printable).split())
    return line if len(line) <= LONGEST_REASON else line[: LONGEST_REASON - 1].rstrip() + "…"


def wait_of(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Return the seconds until a limit that is reached is reset, as headers with small names say.

    OpenAI: `x-ratelimit-reset-tokens: 6m0s` beside `…-remaining-…: 0`; Anthropic: a time in
    `anthropic-ratelimit-tokens-reset`.
    """
    waits: list[float] = []
    for name, value in headers.items():
        if "ratelimit" in name and "remaining" in name and value.strip() == "0":
            reset = headers.get(_reset_name(name), "")
            seconds = _seconds(reset, now or datetime.now(UTC))
            if seconds is not None:
                waits.append(seconds)
    return max(waits, default=None)


def _reset_name(remaining: str) -> str:
    if remaining.startswith("anthropic-"):
        return remaining.replace("-remaining", "-reset")
    return remaining.replace("remaining", "reset")


def _seconds(text: str, now: datetime) -> float | None:
    parts = _DURATION.findall(text)
    if parts and not _DURATION.sub("", text).strip():
        return sum(float(number) * _UNITS[unit] for number, unit in parts)
    try:
        until = datetime.fromisoformat(text)
    except ValueError:
        return None
    if until.tzinfo is None:
        until = until.replace(tzinfo=UTC)
    return max(0.0, (until - now).total_seconds())


def _codes(body: Any) -> Iterator[str]:
    """Yield the short texts of a body: its codes and types, wherever they are."""
    if isinstance(body, str):
        yield body[:4000]
    elif isinstance(body, Mapping):
        for value in body.values():
            yield from _codes(value)
    elif isinstance(body, list):
        for value in body[:20]:
            yield from _codes(value)
