"""Owns the words for a search service that does not answer; they hold nothing of its answer.

A service may echo the key in its answer, so of an answer only the status is told (FIELD_CASES X5).
"""

from dataclasses import dataclass

from ....errors import SourceError

OFFLINE = "Check the network. Without one, search what is here: -s pydoc or -s folder:PATH."
KEYLESS = "Or search without a key: -s ddgs, -s wikipedia, -s pydoc, -s folder:PATH."
OTHERS = "Try again later, or search elsewhere: -s ddgs, -s wikipedia, -s pydoc, -s folder:PATH."


@dataclass(frozen=True, slots=True)
class Provider:
    """A search service as people know it.

    `settings`: the environment variables that may hold its key or address, the first one being
    told; `where`: where to get that; `characters` and `words`: what a query may have at most;
    `seconds`: the least time between two requests.
    """

    label: str
    settings: tuple[str, ...] = ()
    where: str = ""
    characters: int = 500
    words: int | None = None
    seconds: float = 0.0

    @property
    def how(self) -> str:
        """The next step where its key is missing or wrong."""
        return f"Set {self.settings[0]} to a key from {self.where}. {KEYLESS}"


def missing_key(provider: Provider) -> SourceError:
    """Return what a person reads where there is no key."""
    sentence = f"{provider.label} needs a key, and {provider.settings[0]} is not set."
    return SourceError("not_configured", sentence, provider.how)


def wrong_key(provider: Provider, why: str) -> SourceError:
    """Return what a person reads where the key is not one; `why` such as "401"."""
    sentence = f"{provider.label} does not accept the key ({why})."
    return SourceError("not_configured", sentence, provider.how)


def unreachable(provider: Provider, cause: SourceError) -> SourceError:
    """Return what a person reads where no answer came at all."""
    reason = cause.sentence[:1].lower() + cause.sentence[1:]
    hint = OFFLINE if cause.kind in {"dns", "connection", "timeout"} else cause.hint
    return SourceError(cause.kind, f"{provider.label} could not be asked: {reason}", hint)


def unreadable(provider: Provider) -> SourceError:
    """Return what a person reads where the answer has not the form that the service documents."""
    sentence = f"{provider.label} answered in a form that cannot be read."
    return SourceError("unreadable", sentence, OTHERS)


def web_page(provider: Provider) -> SourceError:
    """Return what a person reads where a page came in place of results: a check, a login."""
    sentence = f"{provider.label} answered with a web page instead of results."
    return SourceError("blocked", sentence, f"Something stands before it, or blocks it. {OTHERS}")


def bad_status(provider: Provider, status: int, wait: float | None) -> SourceError:
    """Return what a person reads for an answer with that status. `wait`: seconds it asks for."""
    label = provider.label
    match status:
        case 401 if provider.settings:
            return wrong_key(provider, "401")
        case 401 | 403:
            hint = f"See what the key may do: {provider.where}. {KEYLESS}"
            sentence = f"{label} refuses the search ({status})."
            return SourceError("blocked", sentence, hint if provider.settings else OTHERS)
        case 202:
            sentence = f"{label} holds back its results (202): it takes this for a robot."
            return SourceError("blocked", sentence, OTHERS)
        case 402 | 432 | 433:
            sentence = f"{label} has no searches left for this key ({status})."
            hint = f"See its plan: {provider.where}. {KEYLESS}" if provider.where else OTHERS
            return SourceError("rate_limited", sentence, hint)
        case 429:
            asks = "" if wait is None else f" It asks to wait {wait:.0f} s."
            return SourceError(
                "rate_limited", f"{label} has had too many requests (429).{asks}", OTHERS
            )
        case _ if status >= 500:
            sentence = f"{label} has a fault of its own ({status})."
            return SourceError("http_status", sentence, OTHERS)
        case _ if 300 <= status < 400:
            sentence = f"{label} sends the search to another address ({status})."
            return SourceError("http_status", sentence, OTHERS)
        case _:
            sentence = f"{label} did not accept the search ({status})."
            return SourceError("http_status", sentence, f"Use other words. {OTHERS}")
