"""Owns how a quote reads as a claim, and the summary; chooses no quotes."""

from __future__ import annotations

import re

from lazyboy_jupyter.adapters.models.material import Claim, Material, Quote
from lazyboy_jupyter.adapters.models.quote_choice import Candidate

# A claim's names must stand near its quote, else the engine marks it as unverified.
_NEAR = 250
_LEADS = 3
_LEANS = re.compile(
    r"(?:this|that|these|those|it|its|he|she|they|his|her|their|such|then|thus|hence|however|also|"
    r"conversely|otherwise|therefore|furthermore|moreover|in addition|for example|for instance|"
    r"note that|by contrast|likewise|and|but|or|so|if not)\b",
    re.IGNORECASE,
)
_CODE_MARKS = re.compile(r"[=()\[\]{}#<>|]")
_LINK = re.compile(r"!?\[([^\[\]]*)\]\((?:[^()\s]|\([^()\s]*\))*\)")
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_ROW = re.compile(r"\s*\|(.*)\|\s*")
_PROSE = 25
"""Characters of prose for each mark of code, at least, in a sentence that can lead a guide."""


def claim_of(material: Material, candidate: Candidate) -> Claim:
    """Return the claim of a span: its words made readable, and the span itself as its quote."""
    page = material.pages[candidate.page]
    raw = _without_targets(page.text[candidate.start : candidate.end])
    label = _label(page.text, candidate)
    text = readable(raw)
    return Claim(
        f"{label}: {text}" if label else text, (Quote(page.source, " ".join(raw.split())),)
    )


def _without_targets(raw: str) -> str:
    """Return a piece of a page with the words of its links and without their addresses."""
    return _LINK.sub(r"\1", _COMMENT.sub("", raw))


def readable(raw: str) -> str:
    """Return a quoted piece without the marks of lists and emphasis, on one line."""
    rows = [_ROW.fullmatch(line) for line in raw.strip().split("\n")]
    if all(rows):
        raw = "; ".join(filter(None, (_cells(row[1]) for row in rows if row is not None)))
    text = re.sub(r"(?m)^\s*(?:#{1,6}|[-*+•:])\s+", "", raw)
    text = re.sub(r"(?<![\w*])\*\*([^*\n]{1,80})\*\*(?![\w*])", r"\1", text)
    text = re.sub(r"(?<![\w*])\*([A-Za-z][^*\n]{0,60})\*(?![\w*])", r"\1", text)
    text = re.sub(r"^\(?\d{1,2}[.)]\s+|\s*\[\d{1,2}\](?=\s|$)", "", text.strip())
    return " ".join(text.split())


def _cells(row: str) -> str:
    """Return the cells of a table's row; the rule below its header has none."""
    cells = [cell.strip() for cell in row.split("|")]
    return " · ".join(cell for cell in cells if cell.strip(":- "))


def summary_of(claims: list[Claim]) -> str:
    """Return the best of the first claims that can stand alone, or else the first."""
    alone = [claim for claim in claims[:_LEADS] if _stands_alone(claim)] or claims
    return alone[0].text


def _stands_alone(claim: Claim) -> bool:
    """Prose that leans on nothing before it: no example, no "it", no line of code."""
    text = readable(claim.quotes[0].text)
    marks = len(_CODE_MARKS.findall(text))
    return not _LEANS.match(text) and not text.endswith(":") and marks * _PROSE <= len(text)


def _label(text: str, candidate: Candidate) -> str:
    """Return the symbol that a sentence stands under, when the sentence does not name it."""
    name = candidate.heading.partition("(")[0].strip()
    if not re.fullmatch(r"[A-Za-z_][\w.]*", name):
        return ""
    is_symbol = "(" in candidate.heading or "." in name
    before = text[max(0, candidate.start - _NEAR) : candidate.start]
    quote = text[candidate.start : candidate.end]
    if not is_symbol or name not in before or re.search(rf"(?<!\w){re.escape(name)}\b", quote):
        return ""
    return name
