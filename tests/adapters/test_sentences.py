import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lazyboy_jupyter.adapters.ranking.sentences import split

PIECES = st.sampled_from(
    [
        "# Title",
        "\n",
        "\n\n",
        "    code(x)\n",
        "- item. ",
        "1. one ",
        "Inc. ",
        "J. R. R. Tolkien ",
        "asyncio.TaskGroup ",
        "e.g. this ",
        "3.14 ",
        "End. Next ",
        "```\n",
        "====\n",
        "\r\n",
        "\t",
        "。",
        ">>> f()\n",
        "word " * 70,
        "x" * 350,
        "name(a, b)\n",
        "!?",
        "\u2028",
        "\x0c",
        "| a | b |\n",
    ]
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Use asyncio.TaskGroup here. It waits.", ["Use asyncio.TaskGroup here.", "It waits."]),
        ("Files, e.g. Readme, are read. So?", ["Files, e.g. Readme, are read.", "So?"]),
        ("J. R. R. Tolkien wrote it.", ["J. R. R. Tolkien wrote it."]),
        ("Pi is 3.14 today. Yes.", ["Pi is 3.14 today.", "Yes."]),
        ("It ends. maxsize_limit is kept.", ["It ends.", "maxsize_limit is kept."]),
        ("Made by Acme Inc. in 1990.", ["Made by Acme Inc. in 1990."]),
        ("# Head\nText one.\nText\ntwo.", ["# Head", "Text one.", "Text\ntwo."]),
        ("Head\n====\nText.", ["Head", "Text."]),
        ("- a one\n  more\n- b", ["- a one\n  more", "- b"]),
        ("Intro\n\n    x = f(1)\n    y = 2\n", ["Intro", "x = f(1)\n    y = 2"]),
        ("f(a, *, b=1)\nDoes a thing.", ["f(a, *, b=1)", "Does a thing."]),
        ("これは文です。次の文。", ["これは文です。", "次の文。"]),
        ("", []),
    ],
)
def test_split(text: str, expected: Any) -> None:
    assert [text[p.start : p.end] for p in split(text)] == expected


@given(st.one_of(st.text(max_size=800), st.lists(PIECES, max_size=30).map("".join)))
def test_passages_are_exact_ordered_short_and_keep_blank_lines_out(text: str) -> None:
    place = 0
    for passage in split(text):
        piece = text[passage.start : passage.end]
        assert place <= passage.start < passage.end <= len(text)
        assert piece == piece.strip()
        assert len(piece) <= 300
        assert not re.search(r"(?:\n|\r\n?)[ \t]*(?:\n|\r)", piece.replace("\r\n", "\n"))
        place = passage.end


@given(st.lists(PIECES, max_size=30).map("".join))
def test_no_word_is_lost_outside_rules_and_fences(text: str) -> None:
    if "```" in text or "====" in text:
        return
    kept = "".join(text[p.start : p.end] for p in split(text))
    assert "".join(kept.split()) == "".join(text.split())
