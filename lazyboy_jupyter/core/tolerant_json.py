"""Owns reading JSON as models really write it: quoted wrongly, decorated, cut off (M2).

It never adds content: a value that the end of the text cut short is marked as cut, or left out.
The work is linear in the text's length and needs no recursion, whatever the text holds.
"""

import json
import re
from dataclasses import dataclass, field
from typing import Any, Literal, NoReturn

from .sanitise import storable

DEEPEST = 64
"""Objects and lists may be nested so deep; arguments of tools need five levels."""
_LONGEST_WORD = 400
_DOUBLY = 3

_SPACE = re.compile(r"(?:\s++|//[^\n]*+|\#[^\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z))*+")
_FENCE = re.compile(r"\s*```[ \t]*[\w+-]*[ \t]*\n?")
_OPENING = re.compile(r"\"\"\"|'''|[\"'`“‘]")
_BARE_KEY = re.compile(r"[^\W\d][\w$-]{0,80}")
_WORD = re.compile(r"[^\s,，:：=}\])({\[\"'`/#]+")
_NUMBER = re.compile(r"[+-]?(?:\d+|\d*\.\d+|\d+\.)(?:[eE][+-]?\d{1,3})?")
_WORDS = {"true": True, "false": False, "null": None, "none": None, "undefined": None, "nan": None}
_CLOSER = {"{": "}", "[": "]", "(": ")", ",": ")"}

_BODY = {
    '"': re.compile(r'[^"\\]*+(?:\\.[^"\\]*+)*+', re.S),
    "'": re.compile(r"[^'\\]*+(?:\\.[^'\\]*+)*+", re.S),
    "`": re.compile(r"[^`\\]*+(?:\\.[^`\\]*+)*+", re.S),
    "“": re.compile(r'[^”"\\]*+(?:\\.[^”"\\]*+)*+', re.S),
    "‘": re.compile(r"[^’'\\]*+(?:\\.[^’'\\]*+)*+", re.S),
    '"""': re.compile(r'(?:[^"\\]|\\.|"(?!""))*+', re.S),
    "'''": re.compile(r"(?:[^'\\]|\\.|'(?!''))*+", re.S),
}
# Where quotes inside a string are not escaped, only what follows tells which one ends it.
_NAME = r"(?:\"[^\"\n]{1,60}\"|'[^'\n]{1,60}'|“[^”\n]{1,60}”|[^\W\d]\w{0,60})\s*+[:：=]"
_ENDS = {
    "key": re.compile(r"\s*+[:：]"),
    "member": re.compile(rf"\s*+(?:[}}\])]|\Z|[,，]\s*+(?:{_NAME}|[}}\])]|\Z))"),
    "item": re.compile(r"\s*+(?:[\])]|\Z|[,，]\s*+(?:[\"'`“‘{\[\])\d-]|\Z))"),
}
_HEX = "[0-9a-fA-F]"
_ESCAPE = re.compile(
    rf"\\(?:u([dD][89abAB]{_HEX}{{2}})\\u([dD][c-fC-F]{_HEX}{{2}})|u({_HEX}{{4}})"
    rf"|U(00(?:0{_HEX}|10){_HEX}{{4}})|x({_HEX}{{2}})|(.))",
    re.S,
)
_CUT_ESCAPE = re.compile(r"\\(?:u[0-9a-fA-F]{0,3}|x[0-9a-fA-F]?)?\Z")
_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "\n": "\n"} | {
    mark: mark for mark in "\"'`\\/"
}

Role = Literal["key", "member", "item"]


@dataclass(frozen=True, slots=True)
class Read:
    """A value that was read. `end`: the offset behind it, in characters.

    `cut`: the text ended before the value did. `cut_text`: it ended inside a string, so that the
    last text of the value is only the beginning of what was meant.
    """

    value: Any
    end: int
    cut: bool = False
    cut_text: bool = False


def read_object(text: str) -> Read:
    """Return the one JSON object that `text` is meant to be; `value` is a dictionary.

    Code fences and words around it are passed over, and JSON inside a JSON string is read.
    Raises ValueError with words that tell the writer what to mend.
    """
    for _ in range(_DOUBLY):
        read = _read_whole(text)
        if isinstance(read.value, list) and len(read.value) == 1:
            read = Read(read.value[0], read.end, read.cut, read.cut_text)
        if isinstance(read.value, dict):
            return Read(cleaned(read.value), read.end, read.cut, read.cut_text)
        if not isinstance(read.value, str) or read.cut:
            break
        text = read.value
    raise ValueError("they must be one JSON object, such as {...}")


def read_value(text: str, start: int = 0) -> Read:
    """Return the value that begins at `start`: an object, a list or a string.

    Raises ValueError where none begins there, or it cannot be read.
    """
    try:
        return _Reader(text, start).run()
    except ValueError:
        try:
            return _Reader(text, start, loose=True).run()
        except ValueError:
            pass
        raise


def read_keywords(text: str, start: int) -> Read:
    """Return the named arguments behind the parenthesis or comma at `start`: `(a="x", b=0)`.

    Raises ValueError as `read_value` does.
    """
    return _Reader(text, start, pairs=True).run()


def cleaned(value: Any) -> Any:
    """Return a copy of JSON data whose every string, names too, can be stored and sent."""
    root: list[Any] = [None]
    todo: list[tuple[Any, Any, Any]] = [(root, 0, value)]
    while todo:
        target, place, old = todo.pop()
        new: Any = old
        if isinstance(old, str):
            new = storable(old)
        elif isinstance(old, dict):
            new = {storable(str(name)): None for name in old}
            todo += [(new, storable(str(name)), item) for name, item in reversed(old.items())]
        elif isinstance(old, list | tuple):
            new = [None] * len(old)
            todo += [(new, number, item) for number, item in enumerate(old)]
        target[place] = new
    return root[0]


def _read_whole(text: str) -> Read:
    try:
        value = json.loads(text, parse_constant=lambda _: None)
    except (ValueError, RecursionError):
        return _read_decorated(text)
    return Read(value, len(text))


def _read_decorated(text: str) -> Read:
    fence = _FENCE.match(text)
    body = text[fence.end() :] if fence else text
    start = _SPACE.match(body).end()  # type: ignore[union-attr]  # it matches nothing, too
    if body[start : start + 1] not in {"{", "["} and not _OPENING.match(body, start):
        start = body.find("{")
        if start < 0:
            raise ValueError("they must be one JSON object, such as {...}")
    read = read_value(body, start)
    again = body.find("{", read.end)
    if again >= 0 and not body[read.end : again].strip(" \t\r\n,;}"):
        try:
            other: Any = read_value(body, again).value
        except ValueError:
            return read
        if other != read.value:
            raise ValueError("they hold more than one object; make one call for each")
    return read


@dataclass(slots=True)
class _Open:
    """A container that is not closed yet. `apart`: a comma, or nothing, stands before here."""

    container: dict[str, Any] | list[Any]
    closer: str
    key: str | None = None
    apart: bool = True


@dataclass(slots=True)
class _Reader:
    """Reads one value. `loose`: quotes inside strings may be unescaped; `pairs`: keywords."""

    text: str
    at: int
    loose: bool = False
    pairs: bool = False
    cut_text: bool = False
    stack: list[_Open] = field(default_factory=list)

    def run(self) -> Read:
        """Return the value at the reader's place. Raises ValueError."""
        first = self.text[self.at : self.at + 1]
        if not self.pairs and _OPENING.match(self.text, self.at):
            value, closed = self._string("item")
            return Read(value, self.at, not closed, not closed)
        if first not in ({"(", ","} if self.pairs else {"{", "["}):
            self._fail("an object in braces was expected")
        root = self._push(first)
        while self.stack:
            before = self.at
            self.at = _SPACE.match(self.text, self.at).end()  # type: ignore[union-attr]
            if self.at >= len(self.text):
                return Read(root, self.at, cut=True, cut_text=self.cut_text)
            new_line = self.text.find("\n", before, self.at) >= 0
            self._step(self.stack[-1], self.text[self.at], new_line=new_line)
        return Read(root, self.at)

    def _step(self, top: _Open, mark: str, *, new_line: bool) -> None:
        if mark in "}])":
            self._close(mark)
        elif mark in ",，;":
            top.key, top.apart = None, True
            self.at += 1
        elif isinstance(top.container, dict) and top.key is None:
            self._key(top)
        elif top.apart or top.key is not None or new_line or mark == "{":
            self._value(top, mark)
        else:
            self._fail("a comma or a closing bracket was expected")

    def _push(self, mark: str) -> dict[str, Any] | list[Any]:
        if len(self.stack) >= DEEPEST:
            self._fail("they are nested too deep")
        container: dict[str, Any] | list[Any] = [] if mark == "[" else {}
        self.stack.append(_Open(container, _CLOSER[mark]))
        self.at += 1
        return container

    def _close(self, mark: str) -> None:
        """Close the nearest container that `mark` ends; those inside it end with it."""
        depth = len(self.stack)
        while depth and self.stack[depth - 1].closer != mark:
            depth -= 1
        if not depth:
            self._fail(f"{mark} closes nothing")
        del self.stack[depth - 1 :]
        self.at += 1

    def _key(self, top: _Open) -> None:
        if _OPENING.match(self.text, self.at):
            key, closed = self._string("key")
            if not closed and self.loose:
                self._fail("a colon was expected after a name")
            if not closed:
                return
        elif word := _BARE_KEY.match(self.text, self.at):
            key, self.at = word.group(), word.end()
        else:
            self._fail("a name in double quotes was expected")
        self.at = _SPACE.match(self.text, self.at).end()  # type: ignore[union-attr]
        mark = self.text[self.at : self.at + 1]
        if mark and mark not in (":：=" if self.pairs else ":："):
            self._fail(f"a colon was expected after {key[:40]!r}")
        top.key = key
        self.at += 1

    def _value(self, top: _Open, mark: str) -> None:
        if _OPENING.match(self.text, self.at):
            value, closed = self._string("item" if top.key is None else "member")
            self.cut_text = not closed
            self._put(top, value)
        elif mark in "{[":
            self._put(top, self._push(mark))
        elif (word := _WORD.match(self.text, self.at)) is None:
            self._fail("a value was expected")
        else:
            # A number or word at the very end may be the beginning of a longer one: left out.
            if word.end() < len(self.text):
                self._put(top, self._literal(word.group()))
            self.at = word.end()

    def _put(self, top: _Open, value: Any) -> None:
        if isinstance(top.container, list):
            top.container.append(value)
        elif top.key is not None:
            top.container[top.key] = value
        top.key, top.apart = None, False

    def _literal(self, word: str) -> Any:
        if word.lower() in _WORDS:
            return _WORDS[word.lower()]
        if len(word) > _LONGEST_WORD or not _NUMBER.fullmatch(word):
            self._fail("text must stand in double quotes")
        return float(word) if set(word) & set(".eE") else int(word)

    def _string(self, role: Role) -> tuple[str, bool]:
        """Return the string that begins here, and whether it is closed; stand behind it."""
        quote = _OPENING.match(self.text, self.at).group()  # type: ignore[union-attr]
        body = _BODY[quote]
        start = end = self.at + len(quote)
        while True:
            end = body.match(self.text, end).end()  # type: ignore[union-attr]
            self.at = end + len(quote)
            if end >= len(self.text) or self.text[end] == "\\":
                self.at = len(self.text)
                return _unescaped(_CUT_ESCAPE.sub("", self.text[start:])), False
            if not self.loose or _ENDS[role].match(self.text, self.at):
                return _unescaped(self.text[start:end]), True
            end += 1

    def _fail(self, problem: str) -> NoReturn:
        near = self.text[max(0, self.at - 20) : self.at + 20]
        raise ValueError(f"{problem} at character {self.at}, near {near!r}")


def _unescaped(text: str) -> str:
    """Return `text` with its escapes read; one that means nothing stays as it stands."""
    return _ESCAPE.sub(_escaped, text) if "\\" in text else text


def _escaped(match: re.Match[str]) -> str:
    high, low, short, long, byte, simple = match.groups()
    if high:
        return chr(0x10000 + ((int(high, 16) - 0xD800) << 10) + int(low, 16) - 0xDC00)
    if simple:
        return _SIMPLE.get(simple, match.group())
    return chr(int(short or long or byte, 16))
