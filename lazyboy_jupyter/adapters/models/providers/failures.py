"""Owns what a failed request is called, and the sentence about it. No key gets through it.

Only in the models' process. A provider's own words come through short, cleaned, on one line.
"""

import ssl
from collections.abc import Iterator

from ....errors import ModelError
from .messages import Failed
from .needs import not_installed, where_to_get
from .reasons import is_overflow, message_of, reason_of, wait_of
from .reference import COMPATIBLE, Provider, Reference

_DEEPEST = 8
_NAMED = 120


def failure_of(error: BaseException, reference: Reference, key: str) -> Failed:
    """Return what to say about `error`, raised by a request with `key`."""
    found = [_one(leaf, reference, key) for leaf in _leaves(error)]
    for failed in found:
        if failed.kind == "overflow":
            return failed
    return found[-1]


def _leaves(error: BaseException) -> Iterator[BaseException]:
    """Yield the errors in groups, or the error itself."""
    if isinstance(error, BaseExceptionGroup):
        for inner in error.exceptions:
            yield from _leaves(inner)
    else:
        yield error


def _one(error: BaseException, reference: Reference, key: str) -> Failed:
    from pydantic_ai.exceptions import (
        ContentFilterError,
        ModelAPIError,
        UnexpectedModelBehavior,
        UserError,
    )

    label = reference.provider.label
    match error:
        case ModelError():
            return Failed(error.kind, error.sentence, error.hint, error.retry_after)
        case ImportError():
            missing = not_installed(reference.provider)
            return Failed(missing.kind, missing.sentence, missing.hint)
        case ModelAPIError():
            return _provider_error(error, reference, key)
        case UserError():
            return _rejected(reference, reason_of(str(error), key))
        case ContentFilterError():
            return withheld(label)
        case UnexpectedModelBehavior():
            return Failed("unreadable", f"The reply of {label} could not be read.")
        case _ if _is_transport(error):
            return _unreached(error, reference)
        case _:
            name = type(error).__name__
            return Failed("unreadable", f"The reply of {label} could not be read ({name}).")


def _provider_error(error: BaseException, reference: Reference, key: str) -> Failed:
    from pydantic_ai import exceptions as kinds

    assert isinstance(error, kinds.ModelAPIError)
    status = error.status_code if isinstance(error, kinds.ModelHTTPError) else None
    said = message_of(error.body) or ("" if status else error.message)
    reason = reason_of(said, key)
    if isinstance(error, kinds.ModelAuthenticationError):
        return _unauthorized(reference.provider, status)
    if isinstance(error, kinds.ModelQuotaExceededError):
        sentence = f"The quota or credit of the account at {reference.provider.label} is used up."
        return Failed("rejected", sentence + _said(reason), "Look at its plan and billing.")
    if isinstance(error, kinds.ModelRateLimitError | kinds.ModelUnavailableError):
        return _later(error, reference.provider.label, reason)
    if isinstance(error, kinds.ModelContextWindowExceededError) or status == 413:
        return _overflow(reference)
    if is_overflow(said, error.body):
        return _overflow(reference)
    if isinstance(error, kinds.ModelNotFoundError):
        return _not_found(reference, reason)
    return _unsorted(error, status, reference, reason)


def _later(error: BaseException, label: str, reason: str) -> Failed:
    """Name what another try may cure once some time has passed."""
    from pydantic_ai import exceptions as kinds

    assert isinstance(error, kinds.ModelAPIError)
    headers = error.headers if isinstance(error, kinds.ModelHTTPError) else None
    wait = error.retry_after if error.retry_after is not None else wait_of(headers or {})
    if isinstance(error, kinds.ModelRateLimitError):
        sentence = f"{label} asks to wait: too many requests.{_said(reason)}"
        return Failed("rate_limited", sentence, retry_after=wait)
    return Failed("overloaded", f"{label} is overloaded.{_said(reason)}", retry_after=wait)


def _unsorted(
    error: BaseException, status: int | None, reference: Reference, reason: str
) -> Failed:
    """Name what its status, or what it came from, tells."""
    label = reference.provider.label
    if status is None:
        # The library's error for a status that it has no kind for says none.
        status = next(
            (one.status_code for one in _chain(error) if hasattr(one, "status_code")), None
        )
    if status is None and _is_transport(error):
        return _unreached(error, reference)
    if status is None and any(isinstance(one, ValueError) for one in _chain(error)):
        return Failed("unreadable", f"The reply of {label} could not be read.")
    if status == 408:
        return Failed("timeout", f"{label} did not answer in time.")
    if status is not None and status < 400:
        sentence = f"{label} sent the request on to another address ({status})."
        return Failed("rejected", sentence, f"Check {reference.provider.base_variable}.")
    if status is not None and status < 500:
        return _rejected(reference, reason)
    if "overloaded" in reason.lower():
        return Failed("overloaded", f"{label} is overloaded.{_said(reason)}")
    code = f" ({status})" if status else " in its reply"
    return Failed("server", f"{label} failed{code}.{_said(reason)}")


def withheld(label: str) -> Failed:
    """Return what to say when a provider's filter took a reply back."""
    return Failed(
        "rejected",
        f"{label} withheld the reply: its filter of contents took offence.",
        "Word the question differently, or choose another model.",
    )


def _overflow(reference: Reference) -> Failed:
    return Failed(
        "overflow",
        f"The request is longer than what {reference.model[:_NAMED]} can read.",
        "Choose a model with a larger context, or a smaller budget.",
    )


def _unauthorized(provider: Provider, status: int | None) -> Failed:
    """Without the provider's reason: that of a wrong key tends to hold some of the key."""
    code = f" ({status})" if status else ""
    names = " or ".join(provider.keys)
    return Failed(
        "not_configured",
        f"{provider.label} does not accept the key{code}.",
        f"Check {names}, and that it may use this model. {where_to_get(provider)}".strip(),
    )


def _not_found(reference: Reference, reason: str) -> Failed:
    name, label = reference.model[:_NAMED], reference.provider.label
    if reference.provider.name == "ollama":
        return Failed("not_found", f"Ollama has no model {name}.", f"Run: ollama pull {name}")
    hint = "Check the model's name"
    if reference.is_elsewhere or reference.provider.name == COMPATIBLE:
        hint += ", and the server's address, which often ends in /v1"
    return Failed("not_found", f"{label} has no model {name}.{_said(reason)}", f"{hint}.")


def _rejected(reference: Reference, reason: str) -> Failed:
    sentence = f"{reference.provider.label} rejected the request.{_said(reason)}"
    return Failed("rejected", sentence, "Another model may accept it.")


def _unreached(error: BaseException, reference: Reference) -> Failed:
    label = reference.provider.label
    chain = list(_chain(error))
    if any(type(one).__name__.endswith("Timeout") for one in chain):
        return Failed("timeout", f"{label} did not answer in time.")
    if any(isinstance(one, ssl.SSLCertVerificationError) for one in chain) or any(
        "CERTIFICATE_VERIFY_FAILED" in str(one) for one in chain
    ):
        return Failed(
            "connection",
            f"The certificate of {label}'s server could not be verified.",
            "Check the address, the clock, and the certificates of this machine.",
        )
    if reference.provider.name == "ollama":
        return Failed("connection", "Ollama could not be reached.", "Start it with: ollama serve")
    hint = "Check the network"
    if reference.is_elsewhere or reference.provider.name == COMPATIBLE:
        hint += f", and the address in {reference.provider.base_variable} or the reference"
    return Failed("connection", f"{label} could not be reached, or broke off.", f"{hint}.")


def _is_transport(error: BaseException) -> bool:
    """Whether the network failed: by name, since each library brings its own classes."""
    return any(
        isinstance(one, OSError)
        or any(
            kind.__name__ in {"TransportError", "APIConnectionError"} for kind in type(one).__mro__
        )
        for one in _chain(error)
    )


def _chain(error: BaseException) -> Iterator[BaseException]:
    current: BaseException | None = error
    for _ in range(_DEEPEST):
        if current is None:
            return
        yield current
        current = current.__cause__ or current.__context__


def _said(reason: str) -> str:
    if not reason:
        return ""
    return f" It says: {reason}" + ("" if reason.endswith((".", "!", "?", "…")) else ".")
