"""Each fault of a scripted model surfaces as the exception that the library has for it."""

import asyncio

import pytest
from pydantic_ai.exceptions import (
    ModelAPIError,
    ModelAuthenticationError,
    ModelConnectionError,
    ModelContextWindowExceededError,
    ModelHTTPError,
    ModelNotFoundError,
    ModelOverloadedError,
    ModelRateLimitError,
    ModelRequestRejectedError,
    ModelServerError,
    ModelTimeoutError,
    UnexpectedModelBehavior,
)

from tests.loopback.library import KEY, answer, library_model
from tests.loopback.models import FORMATS, Call, Failed, FormatName, Line, ModelEndpoint, Said
from tests.loopback.models.faults import (
    COMPATIBLE_OVERFLOWS,
    bad_key,
    headers_only,
    html_page,
    never_answers,
    not_http,
    overflow,
    overloaded,
    rate_limited,
    rejected,
    server_error,
    unknown_model,
    unreachable,
)
from tests.loopback.models.said import Ending
from tests.loopback.world import LoopbackWorld

each_format = pytest.mark.parametrize("format_name", FORMATS)
each_way = pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
SOON = 0.3
"""Seconds after which a client gives up on a server that will never say a thing."""


def failure(
    web: LoopbackWorld,
    line: Line,
    format_name: FormatName,
    *,
    stream: bool,
    read_seconds: float = 30,
) -> Exception:
    endpoint = ModelEndpoint(web, line)

    async def main() -> None:
        async with library_model(format_name, endpoint, read_seconds) as model:
            await answer(model, stream=stream)

    with pytest.raises(Exception) as caught:  # noqa: PT011
        asyncio.run(main())
    assert len(endpoint.asked) == 1, "the library tries once"
    return caught.value


@each_format
@each_way
@pytest.mark.parametrize(
    ("failed", "kind", "status"),
    [
        (rate_limited(), ModelRateLimitError, {429}),
        (overloaded(), ModelOverloadedError, {503, 529}),
        (server_error(), ModelServerError, {500}),
        (bad_key(), ModelAuthenticationError, {401, 400}),
        (unknown_model(), ModelNotFoundError, {404}),
        (rejected(), ModelRequestRejectedError, {400}),
        (overflow(), ModelContextWindowExceededError, {400}),
    ],
    ids=lambda value: value.kind if isinstance(value, Failed) else "",
)
def test_errors_have_their_kind(
    web: LoopbackWorld,
    format_name: FormatName,
    stream: bool,
    failed: Failed,
    kind: type[Exception],
    status: set[int],
) -> None:
    error = failure(web, failed, format_name, stream=stream)
    assert isinstance(error, kind)
    assert isinstance(error, ModelHTTPError)
    assert error.status_code in status


@each_format
@each_way
def test_the_wait_that_is_asked_for(
    web: LoopbackWorld, format_name: FormatName, stream: bool
) -> None:
    error = failure(web, rate_limited(7), format_name, stream=stream)
    assert isinstance(error, ModelRateLimitError)
    assert error.retry_after == 7


@each_format
def test_the_wait_as_a_date_that_is_over(web: LoopbackWorld, format_name: FormatName) -> None:
    line = rate_limited("Wed, 21 Oct 2015 07:28:00 GMT")
    error = failure(web, line, format_name, stream=True)
    assert isinstance(error, ModelRateLimitError)
    assert error.retry_after == 0


@each_format
def test_the_key_is_echoed(web: LoopbackWorld, format_name: FormatName) -> None:
    assert KEY in str(failure(web, bad_key(), format_name, stream=True))


@each_format
@each_way
def test_own_status_and_words(web: LoopbackWorld, format_name: FormatName, stream: bool) -> None:
    line = Failed("rejected", "no such option: dam", 422)
    error = failure(web, line, format_name, stream=stream)
    assert isinstance(error, ModelHTTPError)
    assert error.status_code == 422
    assert "no such option: dam" in str(error)


@pytest.mark.parametrize("server", COMPATIBLE_OVERFLOWS)
def test_compatible_servers_word_an_overflow_their_own_way(web: LoopbackWorld, server: str) -> None:
    error = failure(web, COMPATIBLE_OVERFLOWS[server], "openai-chat", stream=True)
    assert isinstance(error, ModelRequestRejectedError)
    typed = {"vllm", "vllm-flat", "groq"}
    assert isinstance(error, ModelContextWindowExceededError) == (server in typed)


@each_format
@each_way
def test_no_connection(web: LoopbackWorld, format_name: FormatName, stream: bool) -> None:
    error = failure(web, unreachable(), format_name, stream=stream)
    assert isinstance(error, ModelConnectionError)


@each_format
@each_way
def test_another_protocol(web: LoopbackWorld, format_name: FormatName, stream: bool) -> None:
    error = failure(web, not_http(), format_name, stream=stream)
    assert isinstance(error, ModelConnectionError)


@each_format
@each_way
@pytest.mark.parametrize("ending", ["reset", "cut"])
def test_a_reply_that_breaks_off(
    web: LoopbackWorld, format_name: FormatName, stream: bool, ending: Ending
) -> None:
    line = Said("The dam is", [Call("search")], ending=ending)
    error = failure(web, line, format_name, stream=stream)
    assert isinstance(error, ModelConnectionError)


@each_format
@each_way
@pytest.mark.parametrize(
    "line",
    [never_answers(), headers_only(), Said("The dam", ending="silent")],
    ids=["no headers", "headers", "an event"],
)
def test_silence(web: LoopbackWorld, format_name: FormatName, stream: bool, line: Line) -> None:
    error = failure(web, line, format_name, stream=stream, read_seconds=SOON)
    assert isinstance(error, ModelTimeoutError)
    web.wait_until(lambda world: world.open_connections == 0)


@each_format
@each_way
@pytest.mark.parametrize(
    "failed",
    [overloaded(), server_error(), overflow(), rate_limited()],
    ids=lambda failed: str(failed.kind),
)
def test_errors_within_a_stream(
    web: LoopbackWorld, format_name: FormatName, stream: bool, failed: Failed
) -> None:
    error = failure(web, Said("The dam is", ending=failed), format_name, stream=stream)
    assert isinstance(error, ModelAPIError)


@each_format
@each_way
@pytest.mark.parametrize("line", [Said("The dam is", ending="malformed"), html_page()])
def test_what_cannot_be_read(
    web: LoopbackWorld, format_name: FormatName, stream: bool, line: Line
) -> None:
    error = failure(web, line, format_name, stream=stream)
    assert isinstance(error, (UnexpectedModelBehavior, ModelAPIError)), type(error)
