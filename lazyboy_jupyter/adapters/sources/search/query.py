"""Owns making a query fit what a service takes; it never changes the words that stay."""

from ....core.sanitise import visible


def fitted(query: str, characters: int, words: int | None = None) -> str:
    """Return `query` on one line, at most so long, cut between words where there are several.

    Quotes and brackets stay: to a service they are part of the question (FIELD_CASES S2). What
    no service could receive, such as half of a surrogate pair, goes.
    """
    folded = " ".join(visible(query).replace("\ufffd", " ").split())
    if words is not None:
        folded = " ".join(folded.split(" ")[:words])
    return cut_at_word(folded, characters)


def cut_at_word(text: str, limit: int) -> str:
    """Return at most `limit` characters of `text`; a single word that is longer is cut inside."""
    if len(text) <= limit:
        return text
    head, space, _ = text[: limit + 1].rpartition(" ")
    return head.rstrip() if space and head.strip() else text[:limit]
