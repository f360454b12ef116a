"""Owns what a page may ask of the kernel: each message, read once, with its limits. Pure."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from ..core.side import LONGEST_QUESTION
from ..errors import UsageError


class _Message(BaseModel):
    """`id`: the page's own number for it; its reply carries it again."""

    id: int


class Hello(_Message):
    """A view has appeared on a page."""

    type: Literal["hello"]


class Bye(_Message):
    """A view has gone; a page that is closed does not say so."""

    type: Literal["bye"]


class Reconcile(_Message):
    """How does the agent stand?"""

    type: Literal["reconcile"]


class Stop(_Message):
    """End the task; `task_id` where a view shows several."""

    type: Literal["stop"]
    task_id: str | None = None


class Answer(_Message):
    """Answer what a task asks; `task_id` where a view shows several."""

    type: Literal["answer"]
    text: str = Field(min_length=1, max_length=10 * LONGEST_QUESTION)
    task_id: str | None = None


class Ask(_Message):
    """Ask a side question; the same `client_request_id` asks once."""

    type: Literal["ask"]
    question: str = Field(max_length=10 * LONGEST_QUESTION)  # over the limit it is refused in words
    client_request_id: str = Field(min_length=1, max_length=100)


class SideStop(_Message):
    """End the answer that is being written."""

    type: Literal["side_stop"]


class SideClear(_Message):
    """Delete the parent's side questions."""

    type: Literal["side_clear"]


class SideOlder(_Message):
    """The side questions before one."""

    type: Literal["side_older"]
    before: int


class Promote(_Message):
    """Show what the agent would be given of an answer; `sure`: give it."""

    type: Literal["promote"]
    ordinal: int
    sure: bool = False


class Context(_Message):
    """What stands around a quote in its page. `claim`: a citation's key."""

    type: Literal["context"]
    claim: str


class Export(_Message):
    """The guide as a file."""

    type: Literal["export"]
    format: Literal["md", "html", "txt", "json", "bib"]


Presence = Hello | Bye | Reconcile
"""What every view says of itself."""
Wish = Stop | Answer | Ask | SideStop | SideClear | SideOlder | Promote | Context | Export
"""What a person asks for by a view."""
Message = Presence | Wish
_MESSAGE: TypeAdapter[Message] = TypeAdapter(Annotated[Message, Field(discriminator="type")])


def message_of(content: Any) -> Message:
    """Return the message that a page sent. Raises `UsageError` for what is none."""
    try:
        return _MESSAGE.validate_python(content)
    except ValidationError as error:
        why = error.errors()[0]["msg"]
        raise UsageError(
            f"The kernel does not understand this view: {why}.",
            "Reload the page: it may be of another version.",
        ) from None
