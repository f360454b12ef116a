"""Owns why a side question is refused, in words (DESIGN §9)."""

from ...core.render_text import short_id
from ...core.side import AT_ONCE
from ...errors import SideQuestionRefused


def archived(parent: str) -> SideQuestionRefused:
    """Return that the parent was put away."""
    return SideQuestionRefused(
        "archived",
        f"Task {short_id(parent)} is archived: its agent is asked nothing any more.",
        "Ask anew: %research QUESTION. %lazyboy show still shows what it found.",
    )


def busy(parent: str) -> SideQuestionRefused:
    """Return that the parent's last question still runs."""
    return SideQuestionRefused(
        "busy",
        "The last question is still being answered.",
        f"%btw --to {short_id(parent)} --stop ends it.",
    )


def too_many(parent: str) -> SideQuestionRefused:
    """Return that `AT_ONCE` questions run, one of them of this parent."""
    return SideQuestionRefused(
        "too_many",
        f"{AT_ONCE} side questions are being answered.",
        f"Wait, or stop one: %btw --to {short_id(parent)} --stop.",
    )


def without_snapshot(*, live: bool) -> SideQuestionRefused:
    """Return that there is nothing to ask of: a live parent has not asked its model yet."""
    if live:
        sentence = "The agent has not asked its model anything yet, so it knows nothing."
        hint = "Ask again in a moment."
    else:
        sentence = "What this task's agent knew was not kept."
        hint = "Its guide and sources are: %lazyboy show. Ask a later task, or ask anew."
    return SideQuestionRefused("no_snapshot", sentence, hint)


def model_gone(name: str, why: Exception) -> SideQuestionRefused:
    """Return that the agent's model can no longer be asked."""
    return SideQuestionRefused("model_changed", f"The agent's model {name} cannot be asked: {why}")


def model_moved(name: str) -> SideQuestionRefused:
    """Return that the name of the agent's model now means another address."""
    return SideQuestionRefused(
        "model_changed",
        f"{name} is not where it was when the agent asked it.",
        "What it knows is not sent elsewhere: set the address back, or ask anew.",
    )


def id_reused() -> SideQuestionRefused:
    """Return that a client's id came with another question before."""
    return SideQuestionRefused(
        "id_reused", "That id belongs to another question.", "Use a new id for a new question."
    )
