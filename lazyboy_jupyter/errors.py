"""The errors a caller can meet, split by who can act on them; it must import nothing of ours.

LazyboyError                 one sentence for the person, and the next step
├── UsageError               the person's mistake: an option, an id, an empty question
│   ├── BudgetError          a budget value outside its range
│   ├── UnknownTaskError     no task, or several, under that id
│   └── UnknownSideQuestionError   no side question under that id
├── SideQuestionRefused      a side question that cannot be asked now, with a named kind
├── SourceError              an outside failure of one source call, with a named kind
├── ModelError               the model could not give a reply, with a named kind
├── StoreError               the database cannot be opened or written
└── EngineClosedError        the engine was closed; nothing runs any more
"""

from typing import Literal

SourceErrorKind = Literal[
    "timeout",
    "blocked",
    "needs_browser",
    "http_status",
    "unsupported_type",
    "too_large",
    "refused",
    "tls",
    "dns",
    "connection",
    "rate_limited",
    "not_configured",
    "not_found",
    "unreadable",
    "interrupted",
]


ModelErrorKind = Literal[
    "timeout",
    "connection",
    "rate_limited",
    "overloaded",
    "server",
    "overflow",
    "rejected",
    "not_configured",
    "not_found",
    "unreadable",
]
RETRIED: frozenset[ModelErrorKind] = frozenset(
    ("connection", "rate_limited", "overloaded", "server", "unreadable")
)
"""What another try soon may cure. A timeout has cost its time already: the next round tries."""
HOPELESS: frozenset[ModelErrorKind] = frozenset(("not_configured", "not_found"))
"""What every later round would meet as well."""


class LazyboyError(Exception):
    """A failure that a person can read: `sentence` says what happened, `hint` the next step."""

    def __init__(self, sentence: str, hint: str = "") -> None:
        super().__init__(sentence if not hint else f"{sentence} {hint}")
        self.sentence = sentence
        self.hint = hint


class UsageError(LazyboyError):
    """The caller asked for something that cannot be; the hint says what can."""


class BudgetError(UsageError):
    """A budget value is outside its range; nothing was started."""


class UnknownTaskError(UsageError):
    """The id names no task of this store, or more than one."""


class UnknownSideQuestionError(UsageError):
    """The id names no side question of this store."""


SideRefusalKind = Literal[
    "no_snapshot", "model_changed", "busy", "id_reused", "too_many", "archived"
]


class SideQuestionRefused(LazyboyError):  # noqa: N818 - named as the outcome it is
    """A side question was not asked. `kind` is one of `SideRefusalKind`."""

    def __init__(self, kind: SideRefusalKind, sentence: str, hint: str = "") -> None:
        super().__init__(sentence, hint)
        self.kind: SideRefusalKind = kind


class SourceError(LazyboyError):
    """A search or a page that could not be had. `kind` is one of `SourceErrorKind`."""

    def __init__(self, kind: SourceErrorKind, sentence: str, hint: str = "") -> None:
        super().__init__(sentence, hint)
        self.kind: SourceErrorKind = kind


class ModelError(LazyboyError):
    """The model gave no usable reply. `kind` is one of `ModelErrorKind`.

    `retry_after`: the seconds that the provider asks to wait before another try, where it does.
    """

    def __init__(
        self,
        sentence: str,
        hint: str = "",
        *,
        kind: ModelErrorKind = "server",
        retry_after: float | None = None,
    ) -> None:
        super().__init__(sentence, hint)
        self.kind: ModelErrorKind = kind
        self.retry_after = retry_after


class StoreError(LazyboyError):
    """The database cannot be opened or written. What was acknowledged before is safe."""


class EngineClosedError(LazyboyError):
    """The engine was closed; the store keeps what its tasks had."""
