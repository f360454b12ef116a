"""Owns letting a question end with a question mark: IPython would take it as a call for help.

`%research How does it work?` ends in `?`, which IPython's own rule turns into "show the help of
`work`" before any magic sees it. This transformer comes first and writes the call out.
"""

import re

_QUESTION = re.compile(
    r"^(?P<indent>\s*)(?P<target>[A-Za-z_][\w., ]*=\s*)?%(?P<magic>research)"
    r"[ \t]+(?P<text>\S.*\?+)\s*$"
)


def keep_question_marks(lines: list[str]) -> list[str]:
    """Return a cell's lines with our line magics that end in `?` written as calls.

    A cell magic's body is not code and stays as it is.
    """
    if lines and lines[0].lstrip().startswith("%%"):
        return lines
    return [_QUESTION.sub(_written_out, line) for line in lines]


def _written_out(match: re.Match[str]) -> str:
    call = f"get_ipython().run_line_magic({match['magic']!r}, {match['text'].rstrip()!r})"
    return f"{match['indent']}{match['target'] or ''}{call}\n"
