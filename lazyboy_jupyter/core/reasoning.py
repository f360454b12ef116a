"""Owns telling a model's reasoning from what it says; it keeps no reasoning (FIELD_CASES M7).

Reasoning is known by the marks that models and their servers put around it. Words that only speak
of such a mark, in the middle of a line, are left alone.
"""

import re

_NAMES = r"think|thinking|thought|thoughts|reasoning|reflection|analysis|scratchpad|seed:think"
_TAG = re.compile(
    rf"<(?P<end>/?)(?P<name>{_NAMES})>|\[(?P<end2>/?)(?P<name2>THINK)\]"
    r"|<\|(?P<end3>begin|end)_of_(?P<name3>thought)\|>|◁(?P<end4>/?)(?P<name4>think)▷",
    re.I,
)
_LINE_BEGINS = re.compile(r"(?:\A|\n)[ \t]*\Z")
_LINE_ENDS = re.compile(r"[ \t]*(?:\n|\Z|[{<\[])")
_HARMONY = re.compile(
    r"(?:<\|start\|>\w*)?<\|channel\|>[ \t]*(?P<channel>\w+)(?P<to>[^<\n]{0,80})"
    r"(?:<\|constrain\|>[^<\n]{0,40})?<\|message\|>"
)
_HARMONY_END = re.compile(r"<\|(?:end|call|return|start|channel)\|>")
_LEAKED = re.compile(r"\Aanalysis(?=[A-Z]).*?assistant(?:final|commentary)", re.S)
_THOUGHT = re.compile(
    r"^[ \t]*\**Thoughts?\**:\**(?:(?!\n[ \t]*\n|\n[ \t]*\**(?:Action|Observation|Final Answer|"
    r"Answer)\b).)*+",
    re.S | re.M,
)


def without_reasoning(text: str) -> str:
    """Return `text` without the reasoning in it; what is never closed is reasoning to its end."""
    if "<|channel|>" in text:
        text = _without_channels(text)
    text = _LEAKED.sub("", text, count=1)
    text = _without_tagged(text)
    return _THOUGHT.sub("", text) if "Thought" in text else text


def _without_channels(text: str) -> str:
    """Keep the other channels' text; that of a call keeps its header, which names the tool."""
    kept, last = [], 0
    while match := _HARMONY.search(text, last):
        kept.append(text[last : match.start()])
        end = _HARMONY_END.search(text, match.end())
        stop = end.start() if end else len(text)
        if match["channel"] != "analysis":
            kept.append((match.group() if "to=" in match["to"] else "") + text[match.end() : stop])
        last = stop if end is None or end.group() in {"<|start|>", "<|channel|>"} else end.end()
    return "\n".join([*(part for part in kept if part), text[last:]])


def _without_tagged(text: str) -> str:
    kept: list[str] = []
    inside: str | None = None
    last = 0
    for match in _TAG.finditer(text):
        name = next(match[group] for group in ("name", "name2", "name3", "name4") if match[group])
        marks = {match[group] for group in ("end", "end2", "end3", "end4")}
        closes = bool(marks & {"/", "end"})
        if inside is None:
            begins = _begins_line(text, match.start(), last)
            if not closes and begins:
                kept.append(text[last : match.start()])
                inside = name.lower()
            elif closes and (begins or _LINE_ENDS.match(text, match.end())):
                kept, last = [], match.end()  # a template had opened it before the reply began
        elif closes and name.lower() == inside:
            inside, last = None, match.end()
    return "".join(kept) + ("" if inside else text[last:])


def _begins_line(text: str, at: int, last: int) -> bool:
    """Whether only white space stands before `at` on its line, or since the last tag."""
    start = max(last, at - 80)
    before = text[start:at]
    return (start == last and not before.strip()) or bool(
        _LINE_BEGINS.search(before) and ("\n" in before or start == 0)
    )
