"""Each failure has its kind, one sentence, and no key in it."""

import os
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from pydantic_ai.exceptions import ModelHTTPError

from lazyboy_jupyter.adapters.models.providers.failures import failure_of
from lazyboy_jupyter.adapters.models.providers.reference import parse
from lazyboy_jupyter.adapters.models.providers.session import environment_of
from lazyboy_jupyter.errors import ModelError, ModelErrorKind
from tests.adapters.providers.bench import KEY, REFERENCES, Bench
from tests.loopback.models import FORMATS, Failed, FormatName, Line, Said
from tests.loopback.models import faults as fault
from tests.loopback.replies import Reply
from tests.loopback.world import LoopbackWorld

each_format = pytest.mark.parametrize("format_name", FORMATS)
NOTHING: dict[str, str] = {}
KINDS: dict[str, tuple[Line, ModelErrorKind]] = {
    "rate-limited": (fault.rate_limited(), "rate_limited"),
    "overloaded": (fault.overloaded(), "overloaded"),
    "server": (fault.server_error(), "server"),
    "bad-key": (fault.bad_key(), "not_configured"),
    "unknown-model": (fault.unknown_model(), "not_found"),
    "rejected": (fault.rejected(), "rejected"),
    "overflow": (fault.overflow(), "overflow"),
    "unreachable": (fault.unreachable(), "connection"),
    "reset-in-stream": (Said("Half", ending="reset"), "connection"),
    "cut-in-stream": (Said("Half", ending="cut"), "connection"),
    "unfinished": (Said("Half", ending="unfinished"), "unreadable"),
    "overloaded-in-stream": (Said("Half", ending=Failed("overloaded")), "overloaded"),
    "overflow-in-stream": (Said("Half", ending=Failed("overflow")), "overflow"),
    "html-page": (fault.html_page(), "unreadable"),
}


@each_format
@pytest.mark.parametrize("name", KINDS)
def test_kinds(web: LoopbackWorld, bench: Bench, format_name: FormatName, name: str) -> None:
    line, kind = KINDS[name]
    endpoint = bench.endpoint(web, format_name, line)
    error = bench.error(REFERENCES[format_name])
    assert error.kind == kind, error
    _is_presentable(error)
    assert len(web.log) == 1  # nothing is tried again here
    endpoint.say(Said("Fine."))
    assert bench.ask(REFERENCES[format_name]).text == "Fine."


@pytest.mark.parametrize("format_name", [one for one in FORMATS if one != "anthropic"])
def test_a_malformed_event(web: LoopbackWorld, bench: Bench, format_name: FormatName) -> None:
    """Anthropic's library passes over an event without a name, as its documentation asks."""
    bench.endpoint(web, format_name, Said("Half", ending="malformed"))
    assert bench.error(REFERENCES[format_name]).kind == "unreadable"


def test_no_protocol_at_all(web: LoopbackWorld, bench: Bench) -> None:
    bench.endpoint(web, "openai-chat", fault.not_http())
    assert bench.error("openai-compatible:m").kind == "connection"


def _is_presentable(error: ModelError) -> None:
    for text in (error.sentence, error.hint, str(error), repr(error)):
        assert KEY not in text
        assert "SECRET" not in text
    assert "\n" not in str(error)
    assert len(error.sentence) < 400
    assert error.sentence.endswith((".", "!", "?", "…"))


@pytest.mark.parametrize("name", sorted(fault.COMPATIBLE_OVERFLOWS))
@pytest.mark.parametrize("reference", ["openai-compatible:m", "ollama:m", "xai:grok-4"])
def test_overflow_in_every_wording(
    web: LoopbackWorld, bench: Bench, name: str, reference: str
) -> None:
    bench.endpoint(web, "openai-chat", fault.COMPATIBLE_OVERFLOWS[name])
    assert bench.error(reference).kind == "overflow"


def test_a_bad_key_says_which_and_where_to_get_one(web: LoopbackWorld, bench: Bench) -> None:
    bench.endpoint(web, "openai-chat", fault.bad_key())
    error = bench.error("openai-chat:gpt-4o")
    assert "OPENAI_API_KEY" in error.hint
    assert "https://platform.openai.com/api-keys" in error.hint


@each_format
@pytest.mark.parametrize("wait", ["7", "date", ""])
def test_how_long_to_wait(
    web: LoopbackWorld, bench: Bench, format_name: FormatName, wait: str
) -> None:
    soon = datetime.now(UTC) + timedelta(hours=1)
    line = fault.rate_limited(format_datetime(soon, usegmt=True) if wait == "date" else wait)
    bench.endpoint(web, format_name, line)
    error = bench.error(REFERENCES[format_name])
    assert error.kind == "rate_limited"
    if wait == "date":
        assert error.retry_after is not None
        assert 3000 < error.retry_after <= 3600
    else:
        assert error.retry_after == (7.0 if wait else None)


def test_a_limit_that_is_reset_at_a_time(web: LoopbackWorld, bench: Bench) -> None:
    told = {"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "1m30s"}
    bench.endpoint(web, "openai-chat", Failed("rate_limited", headers=told))
    assert bench.error("openai-chat:gpt-4o").retry_after == 90.0


@pytest.mark.parametrize("status", [301, 402, 403, 408, 409, 413, 418, 500, 502, 503, 504, 529])
@pytest.mark.parametrize("body", [b"", b"<html>no</html>", b'{"error": null}', b"[]", b"\xff\xfe"])
def test_any_status_with_any_body(
    web: LoopbackWorld, bench: Bench, status: int, body: bytes
) -> None:
    bench.endpoint(web, "openai-chat", Reply(body, status, "application/json"))
    error = bench.error("openai-compatible:m")
    expected: dict[int, ModelErrorKind] = {
        301: "rejected", 402: "rejected", 403: "not_configured", 408: "timeout", 409: "rejected",
        413: "overflow", 418: "rejected", 503: "overloaded", 529: "overloaded",
    }  # fmt: skip
    assert error.kind == expected.get(status, "server")
    _is_presentable(error)


def test_the_account_is_empty(web: LoopbackWorld, bench: Bench) -> None:
    body = b'{"error": {"message": "You exceeded your quota", "code": "insufficient_quota"}}'
    bench.endpoint(web, "openai-chat", Reply(body, 429, "application/json"))
    assert bench.error("openai-chat:gpt-4o").kind == "rejected"  # waiting does not help


@each_format
def test_a_reason_is_short_and_has_no_key(
    web: LoopbackWorld, bench: Bench, format_name: FormatName
) -> None:
    words = f"Bad\n\n field.\x1b[31m Your key {KEY} was used. " + "And so on. " * 90
    bench.endpoint(web, format_name, fault.rejected(words))
    error = bench.error(REFERENCES[format_name])
    assert "Bad field." in error.sentence
    _is_presentable(error)


def test_a_filter_took_the_reply(web: LoopbackWorld, bench: Bench) -> None:
    bench.endpoint(web, "openai-chat", Said(finish="content_filter"))
    assert bench.error("openai-chat:gpt-4o").kind == "rejected"


@pytest.mark.parametrize("key", [None, "", "   "])
@pytest.mark.parametrize("reference", REFERENCES.values())
def test_no_key(bench: Bench, reference: str, key: str | None) -> None:
    bench.key = key
    error = bench.error(reference)
    assert error.kind == "not_configured"
    assert "_API_KEY" in error.hint
    assert "https://" in error.hint


@pytest.mark.parametrize("key", ["sk-schlüssel", "sk-a\nb", "sk-\u200b12345678"])
def test_a_key_that_cannot_be_sent(bench: Bench, key: str) -> None:
    bench.key = key
    error = bench.error("openai:gpt-5")
    assert error.kind == "not_configured"
    assert key not in str(error)


def test_a_server_that_is_not_there(bench: Bench) -> None:
    for reference, hint in {
        "openai-compatible:m@http://127.0.0.1:9/v1": "LAZYBOY_MODEL_URL",
        "ollama:qwen3": "ollama serve",
    }.items():
        bench.environment["OLLAMA_BASE_URL"] = "http://127.0.0.1:9"
        error = bench.error(reference)
        assert error.kind == "connection"
        assert hint in error.hint


def test_a_certificate_that_nobody_vouches_for(web: LoopbackWorld, bench: Bench) -> None:
    error = bench.error(f"openai-compatible:m@https://localhost:{web.tls_port}/v1")
    assert error.kind == "connection"
    assert "certificate" in error.sentence


def test_a_model_that_ollama_has_not(web: LoopbackWorld, bench: Bench) -> None:
    bench.endpoint(web, "openai-chat", fault.unknown_model())
    error = bench.error("ollama:qwen3:8b")
    assert (error.kind, error.hint) == ("not_found", "Run: ollama pull qwen3:8b")


def test_an_overflow_within_a_group_is_one() -> None:
    body = {"error": {"type": "exceed_context_size_error", "message": "too long"}}
    group = ExceptionGroup(
        "all models failed",
        [ModelHTTPError(400, "a", body), ExceptionGroup("more", [ModelHTTPError(500, "b")])],
    )
    reference = parse("openai:gpt-5", NOTHING.get)
    assert failure_of(group, reference, KEY).kind == "overflow"
    assert failure_of(group.exceptions[1], reference, KEY).kind == "server"


def test_what_nobody_foresaw_tells_nothing_of_its_words() -> None:
    failed = failure_of(RuntimeError(f"header {KEY}"), parse("openai:gpt-5", NOTHING.get), KEY)
    assert failed.kind == "unreadable"
    assert KEY not in failed.sentence


def test_a_library_that_is_missing_after_all() -> None:
    failed = failure_of(ImportError("x"), parse("google:gemini", NOTHING.get), KEY)
    assert failed.kind == "not_configured"
    assert "pip install 'lazyboy-jupyter[google]'" in failed.hint


def test_keys_of_the_environment_stay_here(web: LoopbackWorld, bench: Bench) -> None:
    environment = {
        **os.environ,
        "OPENAI_API_KEY": KEY,
        "AWS_SECRET_ACCESS_KEY": KEY,
        "PATH": "/bin",
    }
    passed = environment_of(environment)
    assert passed["PATH"] == "/bin"
    assert KEY not in str(passed)
