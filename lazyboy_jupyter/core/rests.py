"""Owns what an answer rests on as the page gets it. Pure."""

from collections.abc import Sequence
from typing import Any

from .sanitise import safe_link, visible
from .side import Rest


def rests_values(rests: Sequence[Rest]) -> list[dict[str, Any]]:
    """Return each source once, with every quote of it that the answer holds."""
    grouped: dict[str, dict[str, Any]] = {}
    for rest in rests:
        one = grouped.setdefault(
            rest.source,
            {
                "source": visible(rest.source, 40),
                "title": visible(rest.title or rest.url, 200),
                "url": safe_link(rest.url) or "",
                "message": rest.message,
                "quotes": [],
            },
        )
        if rest.quote:
            one["quotes"].append(visible(rest.quote, 400))
    return list(grouped.values())
