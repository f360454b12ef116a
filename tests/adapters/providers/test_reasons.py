"""What of a provider's words gets through, and what does not."""

import json
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lazyboy_jupyter.adapters.models.providers.reasons import (
    LONGEST_REASON,
    is_overflow,
    message_of,
    reason_of,
    wait_of,
)

KEY = "sk-ant-api03-abcdefghijklmnop"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"error": {"message": "No."}}, "No."),
        ({"error": "No."}, "No."),
        ({"message": "No."}, "No."),
        ({"detail": [{"msg": "No."}]}, "No."),
        ([{"error": {"message": "No."}}], "No."),
        ('{"error": {"message": "No."}}', "No."),
        ("No.", "No."),
        ("<html>No.</html>", ""),
        ("{broken", ""),
        ({"error": {"code": 5}}, ""),
        (None, ""),
        (5, ""),
        ([], ""),
    ],
)
def test_messages(body: object, message: str) -> None:
    assert message_of(body) == message


@given(st.text(max_size=300), st.text(max_size=300))
def test_no_reason_has_the_key_or_more_than_a_line(before: str, after: str) -> None:
    reason = reason_of(f"{before}{KEY}{after}", KEY)
    assert KEY not in reason
    assert len(reason) <= LONGEST_REASON
    assert reason == "" or reason.splitlines() == [reason]


@pytest.mark.parametrize(
    "shown",
    [
        "sk-proj-abc***WXYZ",
        "sk-12345678",
        "Bearer abc.def",
        "AIzaSyA1234567890",
        "xai-1a2b3c4d5e6f",
    ],
)
def test_what_looks_like_a_key_is_hidden(shown: str) -> None:
    assert shown not in reason_of(f"Incorrect API key provided: {shown}. Bye.", "another")


def test_ordinary_words_stay() -> None:
    said = "The model gpt-5-mini-2025-08-07 does not exist or api-version 2024 is wrong."
    assert reason_of(said, "") == said
    assert reason_of(said, "abc") == said  # three letters are no secret, and stand everywhere


@pytest.mark.parametrize(
    "message",
    [
        "You exceeded your current quota", "Rate limit reached for tokens per minute",
        "max_tokens is too large: 900000", "Unknown parameter: context", "messages: too few",
        "The context of this request is invalid", "input must not be empty",
    ],
)  # fmt: skip
def test_what_is_no_overflow(message: str) -> None:
    assert not is_overflow(message, {"error": {"message": message, "code": "x"}})


def test_an_overflow_told_by_code_alone() -> None:
    assert is_overflow("", {"error": {"type": "exceed_context_size_error"}})


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "6m0s"}, 360.0),
        ({"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "20ms"}, 0.02),
        ({"x-ratelimit-remaining-requests": "5", "x-ratelimit-reset-requests": "6m0s"}, None),
        ({"x-ratelimit-remaining-tokens": "0"}, None),
        ({"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "soon"}, None),
        (
            {
                "anthropic-ratelimit-tokens-remaining": "0",
                "anthropic-ratelimit-tokens-reset": "2025-01-01T00:00:30Z",
            },
            30.0,
        ),
    ],
)
def test_waits(headers: dict[str, str], seconds: float | None) -> None:
    assert wait_of(headers, datetime(2025, 1, 1, tzinfo=UTC)) == seconds


def test_a_key_with_marks_is_found_however_it_is_written() -> None:
    key = 'k"ey+/=1234'
    for written in (key, json.dumps(key)[1:-1], "k%22ey%2B%2F%3D1234"):
        assert written not in reason_of(f"It was {written} indeed", key)
