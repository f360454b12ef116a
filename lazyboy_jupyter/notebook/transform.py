"""Owns letting a question end with a question mark: IPython would take it as a call for help.

`%research How does it work?` ends in `?`, which IPython's own rule turns into "show the help of
`work`" before any magic sees it. This transformer comes first and writes the call out.
"""

import re
from token import tok_name

from IPython.core.inputtransformer2 import make_tokens_by_line

_QUESTION = re.compile(
    r"^(?P<indent>\s*)(?P<target>[A-Za-z_][\w., ]*=\s*)?%(?P<magic>research|btw|chat|lazyboy)"
    r"[ \t]+(?P<text>\S.*\?+)\s*$"
)


def keep_question_marks(lines: list[str]) -> list[str]:
    """Return a cell's lines with our line magics that end in `?` written as calls.

    A cell magic's body is not code and stays as it is.
    """
    if lines and lines[0].lstrip().startswith("%%"):
        return lines
    if not any(_QUESTION.match(line) for line in lines):
        return lines
    text = _inside_strings(lines)
    return [
        line if number in text else _QUESTION.sub(_written_out, line)
        for number, line in enumerate(lines)
    ]


def _inside_strings(lines: list[str]) -> set[int]:
    """Return the numbers of the lines that a string spans after its first: they are no code."""
    inside: set[int] = set()
    opened: list[int] = []
    for token in (token for line in make_tokens_by_line(lines) for token in line):
        kind = tok_name[token.type]
        if kind == "STRING":
            inside.update(range(token.start[0], token.end[0]))
        elif kind in {"FSTRING_START", "TSTRING_START"}:
            opened.append(token.start[0])
        elif kind in {"FSTRING_END", "TSTRING_END"} and opened:
            inside.update(range(opened.pop(), token.end[0]))
    return inside


def _written_out(match: re.Match[str]) -> str:
    call = f"get_ipython().run_line_magic({match['magic']!r}, {match['text'].rstrip()!r})"
    return f"{match['indent']}{match['target'] or ''}{call}\n"
