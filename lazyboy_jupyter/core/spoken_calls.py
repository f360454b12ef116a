"""Owns finding the tool calls that a model printed as text, in place of making them (M4).

Only offered tools are recovered, and only where the text is a call: behind a mark that models put
before calls, in a code fence of its own, or on lines of its own. Text that mentions a tool, or
shows a call as an example, is no call. It looks at no more than a few times the text's length.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from .call_values import calls_of_value, offered_name
from .messages import ToolCall
from .tolerant_json import Read, read_keywords, read_value
from .tools import MOST_CALLS, arguments_of

_EFFORT = 8

_MARK = re.compile(
    r"<(?:tool_calls?|function_calls?|tool_use|tool_code|tools?_?calling)>|<\|tool_calls?\|>"
    r"|<\|python_tag\|>|\[TOOL_CALLS?\]"
    r"|<[|｜]tool[_▁]call[_▁]begin[|｜]>(?:function<[|｜]tool[_▁]sep[|｜]>)?(?P<begun>[\w.:]+)"
    r"(?:<[|｜][\w▁]{1,40}[|｜]>)?"
    r"|<function=[\"']?(?P<function>[\w.-]+)[\"']?>"
    r"|<(?:\w+:)?(?:invoke|tool|function)\s+name=[\"'](?P<invoke>[\w.-]+)[\"']\s*>"
    r"|to=(?P<to>[\w.]+)[^<\n]{0,80}(?:<\|constrain\|>[^<\n]{0,40})?<\|message\|>"
    r"|^[ \t]*\**Action\**:\**[ \t]*`?(?P<action>[\w.-]+)`?[ \t]*\n+"
    r"[ \t]*\**Action[ _]Input\**:\**[ \t]*"
    r"|<(?P<own>[a-z]+_[a-z_]+)>",
    re.M,
)
_CLOSING = re.compile(
    r"(?:\s*(?:</(?:\w+:)?(?:tool_calls?|function_calls?|tool_use|tool_code|function|invoke|tool"
    r"|tools?_?calling)>|<\|/?tool_calls?\|>|<[|｜]tool[_▁]calls?[_▁]end[|｜]>|\[/TOOL_CALLS?\]"
    r"|<\|call\|>|```(?=\s*<)))*"
)
_WRAPPER = re.compile(
    r"</?(?:\w+:)?(?:tool_calls?|function_calls?|tool_use|tool_code)>"
    r"|<[|｜]tool[_▁]calls?(?:[_▁]section)?[_▁](?:begin|end)[|｜]>"
)
_HARMONY_HEADER = re.compile(r"(?:<\|start\|>\w*)?<\|channel\|>\s*\w+\s*\Z")
_OBSERVATION = re.compile(r"^[ \t]*\**Observation\**:.*\Z", re.S | re.M)
_PARAMETER = re.compile(
    r"\s*<(?:(?:\w+:)?parameter(?:=|\s+name=)[\"']?(?P<key>[\w-]+)[\"']?[^>\n]{0,60}>"
    r"|arg_key>\s*(?P<arg>[\w-]+)\s*</arg_key>\s*<arg_value>|(?P<own>[a-z_]+)>)"
)
_FENCE = re.compile(r"^[ \t]*```[ \t]*[\w+-]*[ \t]*$", re.M)
_LINE = re.compile(r"^[ \t]*(?=[{\[`\w])", re.M)
_NAMED = re.compile(
    r"\s*`?(?P<open>print\()?(?:\w{1,40}[ \t]*=[ \t]*)?(?:await[ \t]+)?"
    r"(?P<name>[A-Za-z][\w.]{2,80})(?:\[ARGS\])?\s*(?=[({]|<arg_key>)"
)
_CALL_ENDS = re.compile(r"[ \t]*[)\]]?[ \t;,`]*(?=\n|\Z)")
_FENCED_BODY = re.compile(r"\s*(?:```\w*\s*)?")
_LISTED = re.compile(r"\[\s*(?=[a-z])")
_FIRST_VALUE = re.compile(r"\(\s*(?=[\"'“{])")
_REST_OF_LINE = re.compile(r"[^\n]*?(?=</|\n|\Z)")
_BETWEEN = re.compile(r"[\s,;]*")
_EXAMPLE = re.compile(
    r"\b(?:examples?|for instance|e\.g|such as|looks? like|would (?:be|call|have(?! to)"
    r"|look(?! (?:up|at|for|in|further|again)))|could be"
    r"|could call|schema|syntax|usage|do not|don't|did not|never|should not|shouldn't"
    r"|instead of)\b",
    re.I,
)


@dataclass(frozen=True, slots=True)
class Spoken:
    """What a text was: the calls in it, in order, and the text without them."""

    text: str
    calls: tuple[ToolCall, ...] = ()


def spoken_calls(text: str, offered: Sequence[str], *, supplement: bool) -> Spoken:
    """Return the calls of offered tools that `text` holds, and the text without them.

    Reasoning must have been removed. The calls have no id yet. Never raises.
    """
    finder = _Finder(text, tuple(offered), supplement)
    spans = finder.marked() or finder.fenced() or finder.on_lines()
    kept, last = [], 0
    for start, end, _ in spans:
        kept.append(text[last:start])
        last = end
    rest = "".join([*kept, text[last:]])
    if spans:
        rest = _OBSERVATION.sub("", _WRAPPER.sub("", rest))
    return Spoken(rest.strip() if spans else text, tuple(c for _, _, found in spans for c in found))


_Span = tuple[int, int, tuple[ToolCall, ...]]


@dataclass(slots=True)
class _Finder:
    text: str
    offered: tuple[str, ...]
    supplement: bool
    spent: int = 0
    limit: int = field(init=False)

    def __post_init__(self) -> None:
        self.limit = _EFFORT * len(self.text) + 1_000

    def marked(self) -> list[_Span]:
        """The calls behind marks."""
        spans: list[_Span] = []
        at = 0
        while (match := _MARK.search(self.text, at)) and self.spent < self.limit:
            at = match.end()
            found = self._behind(match)
            if found is None or self._is_example(match.start()):
                continue
            calls, end = found
            at = _CLOSING.match(self.text, end).end()  # type: ignore[union-attr]
            before = self.text[max(0, match.start() - 80) : match.start()]
            header = _HARMONY_HEADER.search(before)
            spans.append((match.start() - len(header.group() if header else ""), at, calls))
            if match["action"]:
                break  # what follows was written without the result
        return spans

    def _behind(self, match: re.Match[str]) -> tuple[tuple[ToolCall, ...], int] | None:
        groups = ("function", "invoke", "to", "action", "begun", "own")
        named = next((match[group] for group in groups if match[group]), None)
        if named is None:
            start = _FENCED_BODY.match(self.text, match.end()).end()  # type: ignore[union-attr]
            return self._calls(start, nameless=False)
        name = offered_name(named, self.offered)
        return self._body(name, match.end(), own=match["own"]) if name is not None else None

    def fenced(self) -> list[_Span]:
        """The calls that fill a code fence each."""
        spans: list[_Span] = []
        for start, first, stop, end in self._fences():
            inner = _Finder(self.text[first:stop], self.offered, self.supplement)
            found = inner._calls(0, nameless=True)
            if found is None or inner.text[found[1] :].strip("`;)] \t\n"):
                continue
            if not self._is_example(start):
                spans.append((start, end, found[0]))
        return spans

    def _fences(self) -> Iterator[tuple[int, int, int, int]]:
        """Yield each fence's start, the start and end of what is in it, and its end."""
        marks = _FENCE.finditer(self.text)
        for opening in marks:
            closing = next(marks, None)
            stop = closing.start() if closing else len(self.text)
            yield opening.start(), opening.end(), stop, closing.end() if closing else stop

    def on_lines(self) -> list[_Span]:
        """The calls that stand on lines of their own, outside of fences."""
        spans: list[_Span] = []
        at = 0
        fences = [*self._fences(), (len(self.text) + 1,) * 4]
        while (match := _LINE.search(self.text, at)) and self.spent < self.limit:
            while fences[0][3] < match.start():
                fences.pop(0)
            line_end = self.text.find("\n", match.end())
            at = len(self.text) if line_end < 0 else line_end + 1
            if fences[0][0] <= match.start():
                continue
            found = self._calls(match.end(), nameless=True)
            ends = _CALL_ENDS.match(self.text, found[1]) if found is not None else None
            if found is not None and ends is not None and not self._is_example(match.start()):
                at = max(at, ends.end())
                spans.append((match.start(), ends.end(), found[0]))
        return spans

    def _is_example(self, start: int) -> bool:
        """Whether what stands before says that what follows is only shown."""
        before = self.text[max(0, start - 200) : start].rstrip()
        if before.endswith("`") and not before.endswith("```"):
            return True
        return _EXAMPLE.search(before.rpartition("\n")[2]) is not None

    def _calls(self, at: int, *, nameless: bool) -> tuple[tuple[ToolCall, ...], int] | None:
        """Return the calls that follow one another from `at`, and where they end."""
        calls: list[ToolCall] = []
        end = at
        while len(calls) <= MOST_CALLS:
            at = _BETWEEN.match(self.text, end).end()  # type: ignore[union-attr]
            found = self._one(at, nameless=nameless)
            if found is None:
                break
            calls += found[0]
            end = found[1]
        return (tuple(calls), end) if calls else None

    def _one(self, at: int, *, nameless: bool) -> tuple[Sequence[ToolCall], int] | None:
        mark = self.text[at : at + 1]
        listed = _LISTED.match(self.text, at)
        if listed is not None:
            at = listed.end()
        elif mark in {"{", "["}:
            read = self._read(at)
            calls = self._of_value(read, nameless=nameless) if read is not None else None
            return (calls, read.end) if read is not None and calls else None
        match = _NAMED.match(self.text, at)
        name = offered_name(match["name"], self.offered) if match else None
        if match is None or name is None:
            return None
        if self.text[match.end()] != "(":
            return self._body(name, match.end())
        found = self._python(name, match.end())
        if found is not None and match["open"]:
            return found[0], found[1] + (self.text[found[1] : found[1] + 1] == ")")
        return found

    def _python(self, name: str, at: int) -> tuple[list[ToolCall], int] | None:
        """Return the call whose parenthesis opens at `at`: one plain value first, then names."""
        fields = list(arguments_of(name, supplement=self.supplement).model_fields)
        args: dict[str, Any] = {}
        first = _FIRST_VALUE.match(self.text, at)
        if first is not None and fields:
            value = self._read(first.end())
            if value is None or value.cut:
                return None
            args = value.value if isinstance(value.value, dict) else {fields[0]: value.value}
            at = _FENCED_BODY.match(self.text, value.end).end()  # type: ignore[union-attr]
            if self.text[at : at + 1] == ")":
                return [ToolCall("", name, args)], at + 1
        rest = self._read(at, pairs=True)
        if rest is None or rest.cut or not rest.value.keys() <= set(fields):
            return None
        return [ToolCall("", name, {**args, **rest.value})], rest.end

    def _body(
        self, name: str, at: int, own: str | None = None
    ) -> tuple[tuple[ToolCall, ...], int] | None:
        """Return the call whose arguments stand at `at`: JSON, elements, or one line of text."""
        start = _FENCED_BODY.match(self.text, at).end()  # type: ignore[union-attr]
        if self.text[start : start + 1] == "{":
            read = self._read(start)
            if read is None:
                return None
            end, cut = read.end, read.cut
            args: str | dict[str, Any] = read.value
        else:
            args, end, cut = self._parameters(start)
            line = _REST_OF_LINE.match(self.text, at) if own is None and not args else None
            if line is not None and line.group().strip():
                args, end = line.group().strip(" \t`"), line.end()
        if own is not None:
            if not args:
                return None
            closing = self.text.find(f"</{own}>", end)
            if closing < 0 or self.text[end:closing].strip():
                return None
            end = closing + len(own) + 3
        return (ToolCall("", name, args, cut=cut),), end

    def _parameters(self, at: int) -> tuple[dict[str, Any], int, bool]:
        """Return the elements that follow as arguments, their end, and whether they were cut."""
        args: dict[str, Any] = {}
        while match := _PARAMETER.match(self.text, at):
            key = match["key"] or match["arg"] or match["own"]
            closer = "</arg_value>" if match["arg"] else f"</{match['own']}>"
            if match["key"]:
                closer = "</parameter>"
            end = self.text.find(closer, match.end())
            self.spent += (end if end >= 0 else len(self.text)) - at
            if end < 0:
                args[key] = self.text[match.end() :].strip()
                return args, len(self.text), True
            args[key] = self.text[match.end() : end].strip()
            at = end + len(closer)
        return args, at, False

    def _read(self, at: int, *, pairs: bool = False) -> Read | None:
        if self.spent >= self.limit:
            return None
        try:
            read = read_keywords(self.text, at) if pairs else read_value(self.text, at)
        except ValueError:
            self.spent += len(self.text) - at
            return None
        self.spent += read.end - at
        return read

    def _of_value(self, read: Read, *, nameless: bool) -> list[ToolCall] | None:
        return calls_of_value(read, self.offered, supplement=self.supplement, nameless=nameless)
