"""Owns reading a magic's line: options first, then free text that is taken exactly as typed."""

import argparse
import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

from ..errors import UsageError

# A quoted option value may hold spaces; anything else is cut at white space.
_TOKEN = re.compile(r"\"[^\"]*\"|'[^']*'|\S+")
_VARIABLE = re.compile(
    r"\{([A-Za-z_]\w*)(?:\.\w+|\[[^\[\]{}]*\])*(?:![rsa])?(?::[^{}]*)?\}|\$([A-Za-z_]\w*)"
)

LONGEST_TABLE = 1000


@dataclass(frozen=True, slots=True)
class ResearchOptions:
    """What `%research` was asked, beside the question. None: from the settings."""

    model: str | None = None
    search: tuple[str, ...] | None = None
    time: float | None = None
    searches: int | None = None
    pages: int | None = None
    gaps: int | None = None
    max_tokens: int | None = None
    wait: bool = False
    name: str = ""
    debug: bool = False


class _Parser(argparse.ArgumentParser):
    """An argparse parser that raises one sentence, instead of printing and exiting."""

    def error(self, message: str) -> NoReturn:
        flags = flags_of(self)
        wanted = re.search(r"unrecognized arguments: (\S+)", message)
        if wanted:
            close = difflib.get_close_matches(wanted.group(1), flags, n=1)
            hint = f"Did you mean {close[0]}?" if close else f"Options are {', '.join(flags)}."
            raise UsageError(f"There is no option {wanted.group(1)}.", hint)
        sentence = message[0].upper() + message[1:]
        raise UsageError(f"{sentence}.", f"{self.prog}? explains the options.")


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number") from None


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number") from None


def research_parser() -> argparse.ArgumentParser:
    """Return the parser of `%research`; its options are also what Tab completes."""
    parser = _Parser("%research", add_help=False, allow_abbrev=False)
    parser.add_argument("-m", "--model")
    parser.add_argument("-s", "--search", action="append")
    parser.add_argument("--time", type=_number)
    for name in ("searches", "pages", "gaps", "max-tokens"):
        parser.add_argument(f"--{name}", type=_whole)
    parser.add_argument("-w", "--wait", action="store_true")
    parser.add_argument("--name", default="")
    parser.add_argument("--debug", action="store_true")
    parser.add_argument("text", nargs=argparse.REMAINDER)
    return parser


def parse_research(line: str) -> tuple[ResearchOptions, str]:
    """Return the options at the line's beginning, and the rest of it as it was typed.

    Raises `UsageError` for an unknown option or a value that does not fit.
    """
    values, text = _parsed(research_parser(), line)
    search = values.pop("search")
    return ResearchOptions(**values, search=tuple(search) if search else None), text


@dataclass(frozen=True, slots=True)
class BtwOptions:
    """What `%btw` was asked, beside the question. `promote`: the answer's number, 0 the newest."""

    to: str | None = None
    stop: bool = False
    clear: bool = False
    promote: int | None = None
    yes: bool = False
    wait: bool = False
    debug: bool = False


def btw_parser() -> argparse.ArgumentParser:
    """Return the parser of `%btw`; its options are also what Tab completes."""
    parser = _Parser("%btw", add_help=False, allow_abbrev=False)
    parser.add_argument("--to")
    parser.add_argument("--stop", action="store_true")
    parser.add_argument("--clear", action="store_true")
    parser.add_argument("--promote", type=_whole, nargs="?", const=0)
    parser.add_argument("--yes", action="store_true")
    parser.add_argument("-w", "--wait", action="store_true")
    parser.add_argument("--debug", action="store_true")
    parser.add_argument("text", nargs=argparse.REMAINDER)
    return parser


def parse_btw(line: str) -> tuple[BtwOptions, str]:
    """Return the options at the line's beginning, and the question as it was typed.

    Raises `UsageError` as `parse_research`.
    """
    values, text = _parsed(btw_parser(), line)
    return BtwOptions(**values), text


@dataclass(frozen=True, slots=True)
class ChatOptions:
    """What `%chat` was asked, beside the words."""

    model: str | None = None
    search: tuple[str, ...] | None = None
    debug: bool = False


def chat_parser() -> argparse.ArgumentParser:
    """Return the parser of `%chat`; its options are also what Tab completes."""
    parser = _Parser("%chat", add_help=False, allow_abbrev=False)
    parser.add_argument("-m", "--model")
    parser.add_argument("-s", "--search", action="append")
    parser.add_argument("--debug", action="store_true")
    parser.add_argument("text", nargs=argparse.REMAINDER)
    return parser


def parse_chat(line: str) -> tuple[ChatOptions, str]:
    """Return the options at the line's beginning, and the words as they were typed.

    Raises `UsageError` as `parse_research`.
    """
    values, text = _parsed(chat_parser(), line)
    search = values.pop("search")
    return ChatOptions(**values, search=tuple(search) if search else None), text


@dataclass(frozen=True, slots=True)
class TimingOptions:
    """What `%timing` was asked, beside its view or SQL. `limit`: how many rows a table shows."""

    all: bool = False
    output: str | None = None
    limit: int = 20
    debug: bool = False


def timing_parser() -> argparse.ArgumentParser:
    """Return the parser of `%timing`; its options are also what Tab completes."""
    parser = _Parser("%timing", add_help=False, allow_abbrev=False)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("-o", "--output")
    parser.add_argument("--limit", type=_whole, default=20)
    parser.add_argument("--debug", action="store_true")
    parser.add_argument("text", nargs=argparse.REMAINDER)
    return parser


def parse_timing(line: str) -> tuple[TimingOptions, str]:
    """Return the options at the line's beginning, and the view or SQL as it was typed.

    Raises `UsageError` as `parse_research`.
    """
    values, text = _parsed(timing_parser(), line)
    options = TimingOptions(**values)
    if not 1 <= options.limit <= LONGEST_TABLE:
        raise UsageError(
            f"--limit {options.limit} is outside 1 to {LONGEST_TABLE:,}.",
            "Choose in that range; .df() has all rows.",
        )
    if options.output is not None and not options.output.isidentifier():
        raise UsageError(
            f"{options.output[:40]!r} is no name of a variable.", "Choose one: -o slow."
        )
    return options, text


def _parsed(parser: argparse.ArgumentParser, line: str) -> tuple[dict[str, Any], str]:
    tokens = list(_TOKEN.finditer(line))
    values: dict[str, Any] = vars(parser.parse_args(words_of(line)))
    rest = values.pop("text")
    return values, (line[tokens[-len(rest)].start() :] if rest else "").strip()


def flags_of(parser: argparse.ArgumentParser) -> list[str]:
    """Return a magic's options, for completion."""
    return [flag for action in parser._actions for flag in action.option_strings]


def options_inside(text: str, parser: argparse.ArgumentParser) -> list[str]:
    """Return the options that stand inside a question, where they are words like any other."""
    flags = set(flags_of(parser))
    return [word for word in text.split() if word.partition("=")[0] in flags and len(word) > 2]


def without_quotes(question: str) -> str:
    """Return a question without the quotation marks that stand around the whole of it."""
    quoted = question.strip()
    if len(quoted) > 2 and quoted[0] == quoted[-1] and quoted[0] in "\"'":
        inner = quoted[1:-1]
        return inner if quoted[0] not in inner else question
    return question


def words_of(line: str) -> list[str]:
    """Return the words of a line; what stands in quotation marks is one."""
    return [_unquoted(token.group()) for token in _TOKEN.finditer(line)]


def _unquoted(token: str) -> str:
    if len(token) > 1 and token[0] in "\"'" and token[-1] == token[0]:
        return token[1:-1]
    return token


def with_variables(text: str, variables: Mapping[str, Any]) -> str:
    """Return `text` with `{name}` and `$name` replaced by the notebook's variables.

    As in IPython, `{name.attribute}`, `{name[0]}` and `{name:.2f}` work too. Whatever does not
    begin with the name of a variable, or fails, stays as it was typed: a question may hold braces.
    """

    def replaced(match: re.Match[str]) -> str:
        name = match.group(1) or match.group(2)
        if name not in variables:
            return match.group()
        try:
            pattern = match.group() if match.group(1) else f"{{{name}}}"
            return pattern.format_map(variables)
        except Exception:  # noqa: BLE001 - a person's object may raise anything when shown
            return match.group()

    return _VARIABLE.sub(replaced, text)
