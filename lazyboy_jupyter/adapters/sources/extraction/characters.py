"""Owns which characters of a page never reach a model; knows nothing of markup.

A character that no reader sees can carry words that only a model reads (FIELD_CASES P10), or turn
the order of those that are seen. White space is not touched here.
"""

import re

_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
# Soft hyphen, combining grapheme joiner, Hangul and Khmer fillers, zero-width space and marks of
# direction, invisible operators, byte order mark, annotation marks, musical beams, tags and the
# supplementary variation selectors.
_UNSEEN = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
# The joiners spell words in Persian and in the scripts of India, and join emoji; a run of them,
# or one beside a Latin letter, spells nothing.
_JOINER = re.compile(
    "(?<![\u0600-\u1fff\ufb50-\ufdff\ufe70-\ufefc\u2600-\u27bf\ufe0f\U00010000-\U0001ffff])[\u200c\u200d]+"
    "|[\u200c\u200d]{2,}"
    "|[\u200c\u200d](?![\u0600-\u1fff\ufb50-\ufdff\ufe70-\ufefc\u2600-\u27bf\U00010000-\U0001ffff])"
    "|[\ufe0e\ufe0f]{2,}"
)


def without_controls(text: str) -> str:
    """Return `text` without control characters, lone surrogates and non-characters."""
    return _CONTROLS.sub("", text)


def visible(text: str) -> str:
    """Return `text` without any character that is not seen; tabs and line ends stay."""
    if text.isascii():
        return _CONTROLS.sub("", text)
    return _JOINER.sub("", _UNSEEN.sub("", _CONTROLS.sub("", text)))


def cut_between(text: str, opening: str, closing: str) -> str:
    """Return `text` without what stands between the marks, them included, in one pass.

    An expression would look for each missing end anew, which a page could make last forever.
    """
    kept: list[str] = []
    at = 0
    while (start := text.find(opening, at)) >= 0:
        kept.append(text[at:start])
        end = text.find(closing, start + len(opening))
        if end < 0:
            return "".join(kept)
        at = end + len(closing)
    kept.append(text[at:])
    return "".join(kept)
